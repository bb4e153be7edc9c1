"""Measures of networks: ranks, anonymity, memory, summaries."""
