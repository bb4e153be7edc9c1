"""Similarities of networks: features, kernels and their scores."""
