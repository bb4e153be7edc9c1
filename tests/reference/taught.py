"""Slow twin of what an intruder learns from known pairs: every feature and the likelihood pair by pair, in loops."""

import math

import numpy as np

from tests.reference.costs import js_popularity, rarity_by_people, rarity_by_visits


def saturating(n):
    return n / (n + 5)


def growing(n):
    return math.sqrt(math.log(1 + n))


def features(released, known):
    """Every feature by name, each pair on its own; not yet divided by its standard deviation."""
    rare, rare_visits = rarity_by_people(known), rarity_by_visits(known)
    same = [1.0] * known.shape[1]
    by_js = {
        "evidence": (rare, saturating, lambda counts: counts),
        "js_reliability": (same, saturating, lambda counts: counts),
        "js_roots_reliability": (same, saturating, np.sqrt),
        "js_roots_evidence": (rare, saturating, np.sqrt),
        "evidence_mild": (rare_visits, growing, lambda counts: counts),
    }
    found = {}
    for name, (rarity, trust, shape) in by_js.items():
        found[name] = [
            [-trust(x.sum()) * trust(y.sum()) * js_popularity(shape(x), shape(y), rarity) for y in known]
            for x in released
        ]
    found["common_places"] = [[_common(x, y, rare) for y in known] for x in released]
    sizes = [counts.sum() for side in (released, known) for counts in side]
    found["totals"] = [[_close(x.sum(), y.sum(), sizes) for y in known] for x in released]
    numbers = [(counts > 0).sum() for side in (released, known) for counts in side]
    found["numbers_of_places"] = [[_close((x > 0).sum(), (y > 0).sum(), numbers) for y in known] for x in released]
    return {name: np.array(values, dtype=float) for name, values in found.items()}


def _common(x, y, rarity):
    shared = sum(rare for a, b, rare in zip(x, y, rarity, strict=True) if a and b)
    return shared / math.sqrt((x > 0).sum() * (y > 0).sum()) if shared else 0.0


def _close(a, b, everyone):
    least = min(size for size in everyone if size)
    return -abs(math.log(max(a, least)) - math.log(max(b, least)))


def misfit(weights, tables, pairs):
    """Minus the log-likelihood of known pairs, mean of both directions: which candidate is the right one?"""
    scores = sum(weight * table for weight, table in zip(weights, tables, strict=True))
    total = 0.0
    for row, column in pairs:
        total -= scores[row, column] - math.log(sum(math.exp(score) for score in scores[row]))
        total -= scores[row, column] - math.log(sum(math.exp(score) for score in scores[:, column]))
    return total / 2


def penalised(weights, tables, pairs, scale, ridge):
    """The same with weights, in units of evidence's own, held near evidence alone."""
    away = (weights / scale) - np.eye(len(weights))[0]
    return misfit(weights, tables, pairs) + ridge / 2 * (away @ away)
