"""The evidence that two records are of the same person (Fellegi and Sunter 1969): how likely agreement is if they are.

m is the probability of a level of agreement between two records of one person, u between two of different people. The
weight of a pair is the sum over the fields of ln(m / u), as if fields were independent; missing values add nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.arrays import Floats, Indices
from singleout.similarity.profiles.levels import LevelField, Levels

HALF_A_PAIR = 0.5
"""Added to the count of each level, so that none is impossible."""
LEAST_UNMATCHED = 0.01
ROUNDING = 1e-9
STEPS = 500
CLOSE = 1e-7
"""EM ends when the share of matches changes by less, or after this many steps."""


@dataclass(frozen=True, eq=False)
class LinkageModel:
    """Fields with the probabilities of their levels; place 0, for missing, is 1 in both."""

    fields: tuple[LevelField, ...]
    m: tuple[Floats, ...]
    u: tuple[Floats, ...]

    def weigh(self, rows: Indices, others: Indices) -> Floats:
        """The evidence of these pairs: ln of how many times more likely they look if they are of the same person.

        Agreement on a rare value weighs more. Fields are added in a fixed order, so that equal pairs weigh the same.
        """
        total = np.zeros(len(rows))
        for k, (m, u) in enumerate(zip(self.m, self.u, strict=True)):
            total += self._evidence(k, np.log(m / u), rows, others)
        return total

    def find_evidence(self, rows: Indices, others: Indices, least: float) -> tuple[Indices, Floats]:
        """Which of these pairs have at least this evidence, and what ``weigh`` says of them.

        Whether values are equal is seen at once. Texts are compared last, field by field, and only for pairs that
        could still reach it if all texts left to compare were similar.
        """
        weights = [np.log(m / u) for m, u in zip(self.m, self.u, strict=True)]
        found = np.stack([_ceiling(f, w, rows, others) for f, w in zip(self.fields, weights, strict=True)])
        place = np.arange(len(rows))
        spread = [float(weight[1:].max() - weight[-1]) for weight in weights]
        for k in sorted(range(len(weights)), key=lambda k: -spread[k]):
            possible = found.sum(axis=0) >= least - ROUNDING
            found, place = found[:, possible], place[possible]
            found[k] = self._evidence(k, weights[k], rows[place], others[place])
        total = np.zeros(len(place))
        for each in found:
            total += each
        kept = total >= least
        return place[kept], total[kept]

    def _evidence(self, number: int, weight: Floats, rows: Indices, others: Indices) -> Floats:
        """What one field adds to the evidence of these pairs."""
        field = self.fields[number]
        level = field.compare(rows, others)
        return np.asarray(weight[level] + field.rare_agreement(level, rows))

    def weigh_levels(self, levels: Levels) -> Floats:
        """The same from the levels of all fields, without what rare values add."""
        total = np.zeros(len(levels))
        for k, (m, u) in enumerate(zip(self.m, self.u, strict=True)):
            total += np.log(m / u)[levels[:, k]]
        return total

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per field and level: m, u and the weight in bits; no values."""
        return [
            {
                "field": field.name,
                "level": "different" if level == field.levels else str(field.comparators[level - 1]),
                "m": float(m[level]),
                "u": float(u[level]),
                "weight": float(np.log2(m[level] / u[level])),
            }
            for field, m, u in zip(self.fields, self.m, self.u, strict=True)
            for level in range(1, field.levels + 1)
        ]


def _ceiling(field: LevelField, weight: Floats, rows: Indices, others: Indices) -> Floats:
    """The most that a field can add to the evidence of these pairs, without comparing texts that differ."""
    mine, theirs = field.column.released[rows], field.column.known[others]
    found = np.full(len(rows), weight[1:].max())
    if field.comparators[0].name == "exact":
        equal = (mine >= 0) & (mine == theirs)
        found[~equal] = weight[2:].max()
        found[equal] = weight[1] + field.rarity[mine[equal]]
    found[(mine < 0) | (theirs < 0)] = 0.0
    return found


def random_levels(field: LevelField, levels: Levels, *, itself: bool) -> Floats:
    """Estimate u before training: the share of each level among random pairs.

    That of equal values is counted over all pairs, which random ones would rarely show; the others are the shares
    among the random pairs drawn.
    """
    counts = np.bincount(levels, minlength=field.levels + 1)[1:] + HALF_A_PAIR
    if field.comparators[0].name == "exact":
        released, known = field.text_counts
        pairs, every = float((released * known).sum()), field.present[0] * float(field.present[1])
        if itself:
            pairs, every = pairs - field.present[0], every - field.present[0]
        equal = (pairs + HALF_A_PAIR) / (every + 2 * HALF_A_PAIR)
        counts = np.concatenate([[equal], (1 - equal) * counts[1:] / counts[1:].sum()])
    return np.concatenate([[1.0], counts / counts.sum()])


def without_matches(random: Floats, m: Floats, share: float) -> Floats:
    """Estimate u of the pairs of different people: random pairs without the ``share`` of them that match.

    At least a hundredth of those at a level are taken to be of different people, so that no level proves a match.
    """
    u = np.maximum(random[1:] - share * m[1:], LEAST_UNMATCHED * random[1:])
    return np.concatenate([[1.0], u / u.sum()])


def as_probability(log_odds: Floats) -> Floats:
    """The probability with these odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -700, 700))))


@dataclass(frozen=True, eq=False)
class Fit:
    """What EM found among some pairs: the share that match, and m of each field."""

    share: float
    m: tuple[Floats, ...]


def fit_matches(patterns: Levels, count: Floats, u: Sequence[Floats], *, start: float = 0.2) -> Fit:
    """Estimate m and the share of matches among pairs by expectation maximisation, with u as given.

    ``patterns`` has a row per kind of pair and a column per field; ``count`` says how many pairs are of each kind.
    """
    log_u = _sum_logs(u, patterns)
    m = [start_levels(len(each)) for each in u]
    share = start
    for _ in range(STEPS):
        odds = np.log(share / (1 - share)) + _sum_logs(m, patterns) - log_u
        matched = count * as_probability(odds)
        m = [_shares(patterns[:, k], matched, len(each)) for k, each in enumerate(m)]
        before, share = share, float(np.clip(matched.sum() / count.sum(), 1e-9, 1 - 1e-9))
        if abs(share - before) < CLOSE * before:
            break
    return Fit(share, tuple(m))


def _sum_logs(probabilities: Sequence[Floats], patterns: Levels) -> Floats:
    total = np.zeros(len(patterns))
    for k, each in enumerate(probabilities):
        total += np.log(each)[patterns[:, k]]
    return total


def start_levels(length: int) -> Floats:
    """Where EM starts: nine matches in ten agree, and of the other levels the closer is the more likely."""
    if length == 2:
        return np.ones(2)
    rest = 0.5 ** np.arange(1, length - 1)
    return np.concatenate([[1.0, 0.9], 0.1 * rest / rest.sum()])


def _shares(level: Levels, matched: Floats, length: int) -> Floats:
    """The share of each level among matches where the value is not missing."""
    found = np.bincount(level, matched, minlength=length)[1:] + HALF_A_PAIR
    return np.concatenate([[1.0], found / found.sum()])
