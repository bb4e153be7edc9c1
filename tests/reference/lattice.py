"""Slow twin of the search for the least destructive combination of levels: every node, record by record."""

import math
from collections import Counter
from itertools import product


def entropy(values):
    total = len(values)
    return -sum(n / total * math.log2(n / total) for n in Counter(values).values())


def best_loss(records, levels, allowed):
    """The least loss over all nodes; ``allowed(sizes)`` says which classes are emptied, or None."""
    width = len(levels)
    whole = sum(entropy([record[c] for record in records]) for c in range(width))
    best = None
    for node in product(*(range(len(each)) for each in levels)):
        coarse = [tuple(int(levels[c][node[c]][record[c]]) for c in range(width)) for record in records]
        sizes = Counter(coarse)
        emptied = allowed(sizes)
        if emptied is None:
            continue
        left = [row for row in coarse if row not in emptied]
        kept = sum(entropy([row[c] for row in left]) for c in range(width)) * len(left) / len(records)
        loss = 1 - kept / whole if whole else 0.0
        best = loss if best is None else min(best, loss)
    return best


def at_least(k, most_emptied):
    def allowed(sizes):
        small = {row for row, n in sizes.items() if n < k}
        return small if sum(sizes[row] for row in small) <= most_emptied else None

    return allowed


def mean_at_most(limit, most_emptied):
    """Empty the smallest classes, one after another, until the share of classes is within the limit."""

    def allowed(sizes):
        rows = sorted(sizes, key=lambda row: sizes[row])
        records = sum(sizes.values())
        for gone in range(len(rows)):
            emptied = sum(sizes[row] for row in rows[:gone])
            if emptied > most_emptied:
                return None
            if len(rows) - gone <= limit * (records - emptied) + 1e-12:
                return set(rows[:gone])
        return None

    return allowed
