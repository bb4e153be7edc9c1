"""Whole questions from end to end; each function beside the result it returns."""
