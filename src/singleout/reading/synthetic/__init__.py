"""Synthetic data from a seed."""
