"""Data sets from their publishers' own files."""
