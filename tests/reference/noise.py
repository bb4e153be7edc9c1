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
