"""Slow twins of the test with rejection: Shtarkov sums over all strings, and error rates over all data."""

from fractions import Fraction
from itertools import product
from math import comb, log2

import numpy as np


def shtarkov_sum(n, places):
    """Sum over all strings of length n of the largest probability that any distribution gives them, exactly."""
    total = Fraction(0)
    for string in product(range(places), repeat=n):
        probability = Fraction(1)
        for place in string:
            probability *= Fraction(string.count(place), n)
        total += probability
    return total


def shtarkov_sum_of_two(n):
    """The same for two places, by how often the first occurs, exactly."""
    return sum(comb(n, h) * Fraction(h**h * (n - h) ** (n - h), n**n) for h in range(n + 1))


def pair_weight(a, b, n):
    """UN13 eq. 7 in bits for two strings of length n over two places, given how often the first place occurs."""
    p, q = a / n, b / n
    middle = (p + q) / 2
    return sum(
        share * log2(share / centre)
        for share, centre in ((p, middle), (1 - p, 1 - middle), (q, middle), (1 - q, 1 - middle))
        if share > 0
    )


def error_rates(n, shares, threshold, rule):
    """Two people, two places, strings of length n: the exact probability that the wrong matching is accepted, and that
    even the best matching costs at least the threshold, over all data there can be. Person 0 and 1 keep their rows.
    """
    similarity = np.array([[pair_weight(a, b, n) for b in range(n + 1)] for a in range(n + 1)])
    chance = [np.array([comb(n, h) * p**h * (1 - p) ** (n - h) for h in range(n + 1)]) for p in shares]
    axes = np.ix_(*[range(n + 1)] * 4)  # x of person 0, x of person 1, y of person 0, y of person 1
    x0, x1, y0, y1 = axes
    truth, other = similarity[x0, y0] + similarity[x1, y1], similarity[x0, y1] + similarity[x1, y0]
    probability = chance[0][x0] * chance[1][x1] * chance[0][y0] * chance[1][y1]
    accepted = truth >= threshold  # the truth is the second best where the other one is wrongly the best
    if rule == "bound":
        accepted &= other < threshold
    wrong = (other < truth) & accepted
    return float(probability[wrong].sum()), float(probability[np.minimum(truth, other) >= threshold].sum())
