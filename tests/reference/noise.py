"""The attack on counts with two-sided geometric noise from its definition: everyone against everyone, no shortcut."""

import math

import numpy as np


def likelihood(released, expected, epsilon):
    """The logarithm of how likely released counts are if noise was added to expected ones, and cut at zero."""
    fall = math.exp(-epsilon)
    total = 0.0
    for count, true in zip(released, expected, strict=True):
        if count > 0:
            total += math.log((1 - fall) / (1 + fall)) - epsilon * abs(count - true)
        else:
            total += math.log(1 / (1 + fall)) - epsilon * true
    return total


def likelihoods(released, expected, epsilon):
    """Of each released row with each expected one."""
    return np.array([[likelihood(mine, theirs, epsilon) for theirs in expected] for mine in released])


def half_likelihood(counts, known, largest_factor=8, missing=20.0):
    """The logarithm of how likely a random half of the events behind some shares is what is known.

    Counts are known up to a factor, which by chance divides all of them once in as many times for each place. Known
    events beyond the counts take off as much as ``missing``.
    """
    best = -math.inf
    for factor in range(1, largest_factor + 1):
        total = 0.0
        for count, k in zip(counts, known, strict=True):
            c = factor * count
            total -= c * math.log(2) + (math.log(factor) if count else 0.0)
            total -= missing * max(0, k - c)
            total += math.log(math.comb(max(c, k), min(c, k))) if count and k else 0.0
        best = max(best, total)
    return best
