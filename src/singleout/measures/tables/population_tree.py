"""How many people of the population have each row's values: a log-linear model whose pairs of columns form a tree.

The tree (Skinner and Holmes; Skinner and Shlomo) is that of the greatest mutual information (Chow and Liu). Counts in
the population are Poisson.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import hyp1f1

from singleout.ground.arrays import Floats, Indices
from singleout.reading.columns import Column

MOST_PAIRS = 2**22
"""Up to this many pairs of values are counted directly."""
DECIMALS = 12
"""Of information: what is equal must not depend on the order in which it was added up."""
MANY = 1e6
"""Above this many others the mean of 1 / F is 1 / (mean of F)."""


def people_of(columns: Sequence[Column], weights: Floats) -> Floats:
    """The people that all records of each row stand for."""
    times = columns[0].times
    return weights if times is None else weights * times


def expected_counts(columns: Sequence[Column], weights: Floats, effective: float | None = None) -> Floats:
    """The mean number of people in the population with each row's values, by the tree.

    ``weights`` are the people that each record of a row stands for. ``effective`` is the number of equally weighted
    records that say as much; by default that of these weights.
    """
    people = people_of(columns, weights)
    total = float(people.sum())
    effective = total**2 / float(people @ weights) if effective is None else effective
    nodes = [np.bincount(column.codes, people, column.levels) / total for column in columns]
    with np.errstate(divide="ignore"):
        alone = [np.log(shares)[column.codes] for shares, column in zip(nodes, columns, strict=True)]
    logarithm = np.sum(alone, axis=0)
    for first, second, together in _edges(columns, people, alone, effective):
        # each edge turns two independent columns into a pair
        logarithm += together - alone[first] - alone[second]
    return np.asarray(total * np.exp(np.where(weights > 0, logarithm, -np.inf)))


def _edges(
    columns: Sequence[Column], people: Floats, alone: Sequence[Floats], effective: float
) -> list[tuple[int, int, Floats]]:
    """Pairs of columns that form the best tree, each with the logarithm of the share of each record's pair of values.

    The best has the greatest mutual information, less what independent columns would show by chance; pairs that show
    no more than that are left out. The correction counts all pairs of values, seen or not.
    """
    total, counted = float(people.sum()), people > 0
    scored = []
    for second in range(len(columns)):
        for first in range(second):
            with np.errstate(divide="ignore"):
                together = np.log(_pair_shares(columns[first], columns[second], people))
            gain = np.where(counted, together - alone[first] - alone[second], 0.0)
            chance = (columns[first].levels - 1) * (columns[second].levels - 1) / (2 * effective)
            information = round(float(people @ gain) / total - chance, DECIMALS)
            if information > 0:
                scored.append((information, first, second, together))
    return _best_tree(scored, len(columns))


def _pair_shares(first: Column, second: Column, people: Floats) -> Floats:
    """The share of people with each row's pair of values."""
    pair = first.codes.astype(np.int64) * second.levels + second.codes
    if first.levels * second.levels > max(len(pair), MOST_PAIRS):
        _, pair = np.unique(pair, return_inverse=True)
    return np.asarray((np.bincount(pair, people) / people.sum())[pair])


def _best_tree(scored: list[tuple[float, int, int, Floats]], columns: int) -> list[tuple[int, int, Floats]]:
    """The edges of the greatest total score without a cycle (Kruskal); equal ones in order of columns."""
    part = list(range(columns))
    chosen = []
    for _, first, second, together in sorted(scored, key=lambda each: (-each[0], each[1], each[2])):
        if part[first] != part[second]:
            chosen.append((first, second, together))
            part = [part[first] if each == part[second] else each for each in part]
    return chosen


def rest_of_population(expected: Floats, weights: Floats) -> Floats:
    """The mean number of people with each record's values who are not in the sample."""
    return np.asarray((1.0 - 1.0 / np.maximum(weights, 1.0)) * expected)


def tree_risks(sizes: Indices, expected: Floats, weights: Floats) -> Floats:
    """The mean of 1 / F: those in the sample, and a Poisson number of others."""
    rest = rest_of_population(expected, weights)
    exact = hyp1f1(1, sizes + 1.0, -np.minimum(rest, MANY)) / sizes
    return np.asarray(np.where(rest < MANY, exact, 1 / (sizes + rest)))
