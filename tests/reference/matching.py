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


def least_cost(costs):
    """Cost of the minimum-similarity maximal matching (A1), by trying all."""
    return min(sum(costs[i, j] for i, j in pairs) for pairs in all_maximal_matchings(*costs.shape))


def least_cost_of_size(costs, size):
    """Cost of the minimum-similarity matching with exactly ``size`` pairs (A2), by trying all."""
    rows, columns = range(costs.shape[0]), range(costs.shape[1])
    return min(
        sum(costs[i, j] for i, j in zip(chosen, order, strict=True))
        for chosen in combinations(rows, size)
        for order in permutations(columns, size)
    )


def padded_cost(costs, size):
    """The same by SciPy: whoever stays out takes a dummy partner at no cost, dummies never take each other."""
    n, m = costs.shape
    worst = np.abs(costs).sum() + 1
    table = np.full((n + m - size, m + n - size), worst)
    table[:n, :m] = costs
    table[:n, m:] = 0
    table[n:, :m] = 0
    chosen = linear_sum_assignment(table)
    return table[chosen].sum()


def one_by_one_chances(costs, tolerance=1e-9):
    """For each row, 1/t for the t columns of least similarity: ties are broken at random (UN13 IV-D)."""
    near = costs <= costs.min(axis=1, keepdims=True) + tolerance
    return near / near.sum(axis=1, keepdims=True)


def right_clusters(chances, true_row, clusters, by):
    """Expected people in the right cluster (N16 V-B2), over people who are on both sides.

    ``true_row``: the released row of each known person, None if they are not released. Whoever chooses is counted:
    a released person is right with a known one whose true row lies in their own cluster, a known person with a
    released one of the cluster that holds their true row.
    """
    expected = 0.0
    for released, row in enumerate(chances):
        for known, chance in enumerate(row):
            true = true_row[known]
            counts = true is not None and (by == "known" or released in true_row)
            expected += chance if counts and clusters[true] == clusters[released] else 0.0
    return expected


def identical_up_to_scale(x, y):
    """Whether two rows of whole counts are the same histogram, in exact arithmetic."""
    if not x.sum() or not y.sum():
        return x.sum() == y.sum()
    return all(Fraction(int(a), int(x.sum())) == Fraction(int(b), int(y.sum())) for a, b in zip(x, y, strict=True))


def margins(costs, pairs, size=None, forbidden=None):
    """What it costs to do without each pair: the problem solved again with that pair forbidden.

    ``forbidden`` marks pairs that cannot be made at all; then the largest possible number of pairs is made.
    """
    ban = 1e4 * (np.abs(costs).sum() + 1)
    table = costs if forbidden is None else np.where(forbidden, ban, costs)
    size = min(table.shape) if size is None else size
    least = padded_cost(table, size)
    extra = []
    for row, column in pairs:
        without = table.copy()
        without[row, column] = ban
        more = padded_cost(without, size) - least
        extra.append(np.inf if more > ban / 2 else more)
    return np.array(extra)


def second_best_cost(costs):
    """The second smallest cost over all hypotheses, by trying all (UN13 eq. 10)."""
    costs = sorted(sum(costs[i, j] for i, j in pairs) for pairs in all_maximal_matchings(*costs.shape))
    return costs[1] if len(costs) > 1 else np.inf
