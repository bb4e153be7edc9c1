"""Measures of tables: who is singled out, by which columns and values."""
