"""Slow twins of l-diversity and t-closeness: class by class, value by value."""

import math
from collections import Counter


def of_class(values):
    """Distinct l and entropy l of the sensitive values of one class."""
    counts = Counter(values)
    shares = [n / len(values) for n in counts.values()]
    return len(counts), math.exp(-sum(share * math.log(share) for share in shares))


def distance(values, everyone, levels, ordered):
    """How far the values of a class are from those of all."""
    here = [values.count(level) / len(values) for level in range(levels)]
    there = [everyone.count(level) / len(everyone) for level in range(levels)]
    if not ordered or levels < 2:
        return sum(abs(a - b) for a, b in zip(here, there, strict=True)) / 2
    moved, total = 0.0, 0.0
    for a, b in zip(here, there, strict=True):
        moved += a - b
        total += abs(moved)
    return total / (levels - 1)
