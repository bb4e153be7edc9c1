"""Slow twins of matching: all assignments of a few people, one after the other."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
from scipy.optimize import linear_sum_assignment


def all_maximal_matchings(n, m):
    """Every way to match everyone of the smaller side, as lists of (row, column)."""
    if n <= m:
        return [[(i, c[i]) for i in range(n)] for c in permutations(range(m), n)]
    return [[(c[j], j) for j in range(m)] for c in permutations(range(n), m)]


def least_cost(weights):
    """Cost of the minimum-weight maximal matching (A1), by trying all."""
    return min(sum(weights[i, j] for i, j in pairs) for pairs in all_maximal_matchings(*weights.shape))


def least_cost_of_size(weights, size):
    """Cost of the minimum-weight matching with exactly ``size`` pairs (A2), by trying all."""
    rows, columns = range(weights.shape[0]), range(weights.shape[1])
    return min(
        sum(weights[i, j] for i, j in zip(chosen, order, strict=True))
        for chosen in combinations(rows, size)
        for order in permutations(columns, size)
    )


def padded_cost(weights, size):
    """The same by SciPy: whoever stays out takes a dummy partner at no cost, dummies never take each other."""
    n, m = weights.shape
    worst = np.abs(weights).sum() + 1
    table = np.full((n + m - size, m + n - size), worst)
    table[:n, :m] = weights
    table[:n, m:] = 0
    table[n:, :m] = 0
    chosen = linear_sum_assignment(table)
    return table[chosen].sum()


def one_by_one_chances(weights, tolerance=1e-9):
    """For each row, 1/t for the t columns of least weight: ties are broken at random (UN13 IV-D)."""
    near = weights <= weights.min(axis=1, keepdims=True) + tolerance
    return near / near.sum(axis=1, keepdims=True)


def identical_up_to_scale(x, y):
    """Whether two rows of whole counts are the same histogram, in exact arithmetic."""
    if not x.sum() or not y.sum():
        return x.sum() == y.sum()
    return all(Fraction(int(a), int(x.sum())) == Fraction(int(b), int(y.sum())) for a, b in zip(x, y, strict=True))
