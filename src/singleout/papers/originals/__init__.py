"""Conversion of data sets from their publishers' files."""
