"""Slow twins of matching: all assignments of a few people, one after the other."""

from fractions import Fraction
from itertools import permutations

import numpy as np


def all_maximal_matchings(n, m):
    """Every way to match everyone of the smaller side, as lists of (row, column)."""
    if n <= m:
        return [[(i, c[i]) for i in range(n)] for c in permutations(range(m), n)]
    return [[(c[j], j) for j in range(m)] for c in permutations(range(n), m)]


def least_cost(weights):
    """Cost of the minimum-weight maximal matching (A1), by trying all."""
    return min(sum(weights[i, j] for i, j in pairs) for pairs in all_maximal_matchings(*weights.shape))


def one_by_one_chances(weights, tolerance=1e-9):
    """For each row, 1/t for the t columns of least weight: ties are broken at random (UN13 IV-D)."""
    near = weights <= weights.min(axis=1, keepdims=True) + tolerance
    return near / near.sum(axis=1, keepdims=True)


def identical_up_to_scale(x, y):
    """Whether two rows of whole counts are the same histogram, in exact arithmetic."""
    if not x.sum() or not y.sum():
        return x.sum() == y.sum()
    return all(Fraction(int(a), int(x.sum())) == Fraction(int(b), int(y.sum())) for a, b in zip(x, y, strict=True))


def mean_over_relabelling(matrix, rows, columns):
    """Average a table of pairs over everyone who cannot be told apart on either side."""
    return np.array([[matrix[np.ix_(rows == r, columns == c)].mean() for c in columns] for r in rows])
