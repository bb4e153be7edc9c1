"""Compiled loops over plain arrays. Imports numpy and numba only and knows none of our types."""
