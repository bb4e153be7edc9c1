"""Renders results and computes nothing: charts, pages, tables for the terminal, folders."""
