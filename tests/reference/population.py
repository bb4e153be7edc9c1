"""Slow twins of the risk in a population: the tree by hand over dictionaries, and sums over possible populations."""

import math
from collections import Counter
from itertools import combinations


def tree_counts(records, weights):
    """Expected people with each record's values, from shares of values and of pairs on the best tree."""
    total = sum(weights)
    width = len(records[0])

    def share(columns):
        found = Counter()
        for record, weight in zip(records, weights, strict=True):
            found[tuple(record[k] for k in columns)] += weight / total
        return found

    effective = total**2 / sum(weight**2 for weight in weights)
    nodes = [share([k]) for k in range(width)]
    scored = []
    for i, j in combinations(range(width), 2):
        pairs = share([i, j])
        information = sum(p * math.log(p / (nodes[i][(a,)] * nodes[j][(b,)])) for (a, b), p in pairs.items() if p > 0)
        scored.append((information - (len(nodes[i]) - 1) * (len(nodes[j]) - 1) / (2 * effective), i, j))
    edges = [(i, j) for i, j in _heaviest_forest(scored, width)]
    found = []
    for record in records:
        p = 1.0
        for i, j in edges:
            p *= share([i, j])[(record[i], record[j])]
        for k in range(width):
            p /= nodes[k][(record[k],)] ** (sum(k in edge for edge in edges) - 1)
        found.append(total * p)
    return found


def _heaviest_forest(scored, width):
    """All sets of positive edges without a cycle, and of these the one of greatest total."""
    # of equal edges the first, whatever rounding says
    equal = [(round(score, 9), i, j) for score, i, j in scored]
    positive = [(score - 1e-12 * (i * width + j), i, j) for score, i, j in equal if score > 0]
    best = (0.0, [])
    for size in range(width):
        for chosen in combinations(positive, size):
            if _without_cycle([(i, j) for _, i, j in chosen], width):
                best = max(best, (sum(score for score, _, _ in chosen), [(i, j) for _, i, j in chosen]))
    return best[1]


def _without_cycle(edges, width):
    part = list(range(width))
    for i, j in edges:
        if part[i] == part[j]:
            return False
        part = [part[i] if each == part[j] else each for each in part]
    return True


def mean_of_inverse_poisson(sample, others):
    """E[1 / (f + Poisson)]: summed over how many others there may be."""
    total, term = 0.0, math.exp(-others)
    for count in range(400):
        total += term / (sample + count)
        term *= others / (count + 1)
    return total


def mean_of_inverse_negative_binomial(sample, probability):
    """E[1 / F], F the trials until the f-th success: summed over F."""
    total, term = 0.0, probability**sample
    for trials in range(sample, 20_000):
        total += term / trials
        term *= (1 - probability) * trials / (trials - sample + 1)
    return total
