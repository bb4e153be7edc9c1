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


def log_posterior(rows, events, background=0.02):
    """How likely each row is to be someone's, given some of their events: everyone with every row, no shortcut.

    Each event is drawn from the row's shares, or now and then from everyone's; one of all rows is theirs.
    """
    usual = [sum(row[place] for row in rows) / len(rows) for place in range(len(rows[0]))]
    found = []
    for row in rows:
        total = 0.0
        for place, number in enumerate(events):
            if number:
                total += number * math.log((1 - background) * row[place] + background * usual[place])
        found.append(total)
    most = max(found)
    whole = most + math.log(sum(math.exp(each - most) for each in found))
    return [each - whole for each in found]


def noisy_half_likelihood(released, known, shapes, rates, epsilon, largest):
    """The logarithm of how likely released counts are for someone with these known events: all true counts are tried.

    Everyone's rate at a place is drawn from a gamma distribution; known and unknown events are Poisson of that rate.
    """
    fall, total = math.exp(-epsilon), 0.0
    for count, k, shape, rate in zip(released, known, shapes, rates, strict=True):
        chance = 0.0
        for true in range(k, largest + 1):
            other, size, p = true - k, shape + k, (rate + 1) / (rate + 2)
            binomial = math.exp(
                math.lgamma(other + size) - math.lgamma(size) - math.lgamma(other + 1)
                + size * math.log(p) + other * math.log(1 - p)
            )  # fmt: skip
            noise = (1 - fall) / (1 + fall) * fall ** abs(count - true) if count else fall**true / (1 + fall)
            chance += binomial * noise
        total += math.log(chance)
    return total


def each_as_likely_as_all_matchings(table, rounds=10):
    """Of as many people on both sides: columns and rows are scaled in turn until all add up to one."""
    for _ in range(rounds):
        sums = [sum(row[column] for row in table) for column in range(len(table[0]))]
        table = [[value / sums[column] for column, value in enumerate(row)] for row in table]
        table = [[value / sum(row) for value in row] for row in table]
    return table
