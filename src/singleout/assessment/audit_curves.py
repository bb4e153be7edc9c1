"""How the risk changes with the number of people: fewer of them, and extrapolated to a stated population."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import Curve, CurvePoint
from singleout.ground.arrays import Floats, Indices
from singleout.ground.notes import Note
from singleout.ground.parallel import send_jobs
from singleout.measures.extrapolation import Draw, MeasuredCurve, expected_curve, extrapolate
from singleout.measures.intervals import counted, wilson
from singleout.protection.lattice import Combinations
from singleout.reading.columns import Column

FEWEST_IN_A_DRAW = 20
"""No smaller group is drawn."""
FEWEST_DRAWS, MOST_DRAWS = 2, 10
ALL_DRAWS = 1_000_000
"""Records of a table from which on nothing is drawn: the mean over all draws is exact."""
NOT_EXTRAPOLATED = Note(
    1,
    "populations without an estimate",
    "it is not larger than the data, or the data is too small to extrapolate from",
)


def curve_of_people(
    number: int,
    right_of: Callable[[Indices], Floats],
    options: AuditOptions,
    *,
    what: str,
    attack: str,
    exact: bool = False,
    progress: bool | None = None,
) -> Curve:
    """Fewer people, drawn at random: halves of halves of all; and many more, where a population was stated.

    ``right_of`` gives how likely each of some people is to be re-identified among them, by their numbers in ascending
    order. ``exact``: shares of a table, which have no ceiling.
    """
    rng = np.random.default_rng(options.seed)
    sizes = _sizes(number)
    draws = [1 if size == number else int(np.clip(number // size, FEWEST_DRAWS, MOST_DRAWS)) for size in sizes]
    groups = [
        np.sort(rng.choice(number, size, replace=False))
        for size, times in zip(sizes, draws, strict=True)
        for _ in range(times)
    ]
    right = send_jobs(right_of, groups, label=f"fewer {what}", progress=progress)
    every = iter(map(Draw, groups, right))
    drawn = [[next(every) for _ in range(times)] for times in draws]
    # of as many people as were looked at, in all draws together
    looked_at = [min(len(draws) * size, number) for size, draws in zip(sizes, drawn, strict=True)]
    return _as_curve(MeasuredCurve(sizes, drawn), looked_at, options, what=what, attack=attack, exact=exact)


def curve_of_records(columns: Sequence[Column], options: AuditOptions, attack: str) -> Curve:
    """The same for the records of a table, by columns that are known: drawn by content, not by place in the file.

    From a million records on, draws differ so little that all of them are counted at once.
    """
    classes = Combinations.of(columns, columns[0].rows).counts
    records = int(classes.sum())
    if records >= ALL_DRAWS:
        sizes = _sizes(records)
        looked_at = [records] * len(sizes)
        curve = expected_curve(classes, sizes)
        return _as_curve(curve, looked_at, options, what="records", attack=attack, exact=True, drawn=False)
    ends = np.cumsum(classes)

    def right_of(numbers: Indices) -> Floats:
        """How likely each of these is to be re-identified among them."""
        label = np.searchsorted(ends, numbers, side="right")
        return np.asarray(1.0 / np.bincount(label)[label])

    return curve_of_people(records, right_of, options, what="records", attack=attack, exact=True)


def _as_curve(
    curve: MeasuredCurve,
    looked_at: Sequence[int],
    options: AuditOptions,
    *,
    what: str,
    attack: str,
    exact: bool,
    drawn: bool = True,
) -> Curve:
    number = curve.sizes[-1]
    # all records of a table are counted, as is the mean over all draws
    rates = [counted if exact and (size == number or not drawn) else wilson for size in curve.sizes]
    points = [
        CurvePoint(size, rate(share * people, people, options.confidence_level))
        for rate, size, share, people in zip(rates, curve.sizes, curve.shares().tolist(), looked_at, strict=True)
    ]
    beyond = None
    # the answer of a table is that of its population already, by a model of its values
    if not exact and options.population is not None and options.population > number:
        asked: dict[str, Any] = {"confidence_level": options.confidence_level, "seed": options.seed}
        beyond = extrapolate(curve, options.population, **asked)
    return Curve("people", f"Number of {what}", f"{what} in the data", attack, tuple(points), True, beyond)


def _sizes(people: int) -> list[int]:
    """Halves of halves, the smallest first."""
    sizes = [people]
    while sizes[-1] // 2 >= FEWEST_IN_A_DRAW:
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


def extrapolation_notes(curves: Sequence[Curve], options: AuditOptions) -> list[Note]:
    """A note where a population was stated and cannot be extrapolated to."""
    reached = any(curve.extrapolated is not None for curve in curves)
    return [NOT_EXTRAPOLATED] if options.population is not None and not reached else []
