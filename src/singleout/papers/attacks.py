"""What the papers' experiments share: attacks as rows, averages over draws, and the shapes of curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

import singleout as so
from singleout.ground.names import Method
from singleout.measures.paired import compare_pairs
from singleout.papers.data_sets import Sides
from singleout.papers.result import Data, Finding, Row

SIMILARITIES = ("js", "l1", "cosine", "dot")
LEVEL = 0.9
"""Confidence level of intervals over repeated draws (N16 Fig. 5)."""
ROUNDING = 1e-9
DOUBT = 0.05


def measure_attack(sides: Sides, *, similarity: str = "js", method: Method = "joint", seed: int = 0) -> so.Accuracy:
    """How many people an attack re-identifies."""
    return so.accuracy(so.match(*sides, similarity=similarity, method=method, seed=seed))


def find_identified(sides: Sides, *, similarity: str = "js") -> NDArray[np.bool_]:
    """Whether joint matching re-identifies each of the people, who are the same on both sides."""
    matching = so.match(*sides, similarity=similarity)
    identified = np.zeros(len(sides[0]), dtype=np.bool_)
    identified[matching.released] = sides[0].people[matching.released] == sides[1].people[matching.known]
    return identified


def rows_by_similarity(
    data: Data,
    sides: Sides,
    at: str | float,
    *,
    printed: Sequence[float | None] = (None,) * len(SIMILARITIES),
    choices: Sequence[Sides] = (),
) -> list[Row]:
    """Joint matching with each of N16's four similarities, and under each open choice."""
    rows = []
    for similarity, value in zip(SIMILARITIES, printed, strict=True):
        measured = measure_attack(sides, similarity=similarity)
        spread = tuple(measure_attack(choice, similarity=similarity).rate.value for choice in choices)
        rows.append(Row(data, similarity, at, measured.rate, value, measured.random, spread))
    return rows


def draw_people(people: Iterable[object], number: int, rng: np.random.Generator) -> list[object]:
    """Draw this many of the people at random."""
    listed = np.asarray(list(people))
    return list(rng.choice(listed, number, replace=False).tolist())


def mean(measured: Sequence[so.Accuracy], confidence_level: float = LEVEL) -> so.Estimate:
    """Mean rate over draws with Student's interval; for a single draw its own interval."""
    rates = np.array([each.rate.value for each in measured])
    if len(rates) == 1:
        return measured[0].rate
    value, people = float(rates.mean()), measured[0].common
    half = float(stdtrit(len(rates) - 1, 0.5 + confidence_level / 2) * rates.std(ddof=1) / np.sqrt(len(rates)))
    return so.Estimate(value, max(0.0, value - half), min(1.0, value + half), confidence_level, people)


def rises(values: Sequence[float]) -> bool:
    """Whether a curve ends higher than it starts and falls at no step, except for rounding."""
    return values[-1] > values[0] and all(later >= earlier - ROUNDING for earlier, later in pairwise(values))


def rises_but_for_chance(steps: Sequence[NDArray[np.bool_]]) -> bool:
    """Whether more and more of the same people are identified: more in the end, and at no step fewer beyond chance.

    Beyond chance is McNemar's exact test at 5%.
    """
    lost = [compare_pairs(earlier, later) for earlier, later in pairwise(steps)]
    return bool(steps[-1].sum() > steps[0].sum()) and not any(
        each.only_first > each.only_second and each.p < DOUBT for each in lost
    )


def falls(values: Sequence[float]) -> bool:
    """The reverse of ``rises``."""
    return rises([-value for value in values])


def below_zero(differences: Sequence[float]) -> bool:
    """Whether the 95% interval (Student's) of differences over repeated draws is below zero; or a single one."""
    draws = len(differences)
    half = stdtrit(draws - 1, 0.975) * np.std(differences, ddof=1) / np.sqrt(draws) if draws > 1 else 0.0
    return bool(np.mean(differences) < -half - ROUNDING)


def first_is_best(curves: Sequence[Sequence[float]]) -> bool:
    """Whether the first curve is nowhere below any other."""
    best, *others = curves
    return all(mine >= other for curve in others for mine, other in zip(best, curve, strict=True))


def js_is_best(rows: Sequence[Row], where: str = "") -> Finding:
    """Whether js, the similarity that N16 proposes, is nowhere below the others."""
    by_similarity = [[row for row in rows if row.series == similarity] for similarity in SIMILARITIES]
    choices = range(min(len(row.choices) for curve in by_similarity for row in curve))
    return Finding(
        f"{where}the proposed similarity js is nowhere below l1, cosine and dot",
        first_is_best([[row.value for row in curve] for curve in by_similarity]),
        tuple(first_is_best([[row.choices[each] for row in curve] for curve in by_similarity]) for each in choices),
    )
