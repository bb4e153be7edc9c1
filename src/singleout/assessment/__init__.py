"""Whole questions from end to end; each function next to the result it returns."""
