"""Slow twins of the costs, written from the papers' formulas on dense probability vectors."""

import numpy as np


def kullback_leibler(p, q):
    """D(p || q) of N16 III-C, natural logarithm, 0 log 0 = 0."""
    return sum(a * np.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def js(x, y):
    """N16 eq. 7 = UN13 eq. 7. Disjoint supports give 2 log 2; an empty histogram counts as disjoint."""
    if not x.sum() or not y.sum():
        return 2 * np.log(2)
    p, q = x / x.sum(), y / y.sum()
    middle = (p + q) / 2
    return kullback_leibler(p, middle) + kullback_leibler(q, middle)


def l1(x, y):
    """N16 eq. 6."""
    if not x.sum() or not y.sum():
        return 2.0
    return np.abs(x / x.sum() - y / y.sum()).sum()


def cosine(x, y):
    """N16 eq. 4."""
    if not x.sum() or not y.sum():
        return 1.0
    p, q = x / x.sum(), y / y.sum()
    return 1 - (p * q).sum() / (np.sqrt((p**2).sum()) * np.sqrt((q**2).sum()))


def dot(x, y):
    """N16 eq. 5, negated: a similarity becomes a similarity to be made small."""
    if not x.sum() or not y.sum():
        return 0.0
    return -((x / x.sum()) * (y / y.sum())).sum()


def glrt(x, y):
    """UN13 eq. 3 to 7 for strings of unequal lengths A and B.

    A D(p || m) + B D(q || m) with m the pooled distribution: what the likelihood loses when both come from one source.
    """
    length, other = x.sum(), y.sum()
    if not length or not other:
        return 0.0
    pooled = (x + y) / (length + other)
    return length * kullback_leibler(x / length, pooled) + other * kullback_leibler(y / other, pooled)


def js_roots(x, y):
    """js of histograms made of square roots of the counts."""
    return js(np.sqrt(x), np.sqrt(y))


def js_popularity(x, y, rarity):
    """Minus the common part of js, each place times how rare it is: disjoint people cost 0."""
    if not x.sum() or not y.sum():
        return 0.0
    p, q = x / x.sum(), y / y.sum()
    return -sum(
        times * (a * np.log((a + b) / a) + b * np.log((a + b) / b))
        for a, b, times in zip(p, q, rarity, strict=True)
        if a > 0 and b > 0
    )


def rarity_by_people(known):
    """ln(1 + N / n_k): N known people with an event, n_k of them at the place (one if there is none)."""
    people = sum(row.any() for row in known)
    return [np.log(1 + people / max(1, sum(row[k] > 0 for row in known))) for k in range(known.shape[1])]


def rarity_by_visits(known):
    """The root of ln(1 + V / v_k): V visits of known people, v_k of them to the place (one if there is none)."""
    return [np.sqrt(np.log(1 + known.sum() / (known[:, k].sum() or 1))) for k in range(known.shape[1])]


def evidence(released, known, rarity, reliability):
    """Costs of all pairs: js with places by rarity, times how far the two numbers of events can be relied on."""
    return np.array(
        [
            [reliability(x.sum()) * reliability(y.sum()) * js_popularity(x, y, rarity) for y in known]
            for x in released
        ]
    )  # fmt: skip


EVIDENCE = {
    "js_popularity": (rarity_by_people, lambda n: 1.0),
    "js_reliability": (lambda known: [1.0] * known.shape[1], lambda n: n / (n + 5)),
    "evidence": (rarity_by_people, lambda n: n / (n + 5)),
    "evidence_mild": (rarity_by_visits, lambda n: np.sqrt(np.log(1 + n))),
}


TWINS = {"js": js, "l1": l1, "cosine": cosine, "dot": dot, "glrt": glrt}


def all_pairs(name, released, known, channels=None):
    """Weights of all pairs of rows; with channels, added over them (UN13 IV-C)."""
    twin = TWINS[name]
    labels = np.zeros(released.shape[1], dtype=int) if channels is None else np.asarray(channels)
    columns = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    return np.array([[sum(twin(x[c], y[c]) for c in columns) for y in known] for x in released])
