"""How the risk changes with the number of people: fewer of them, and extrapolated to a stated population."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import Curve, CurvePoint
from singleout.ground.notes import Note
from singleout.ground.progress import stage
from singleout.measures.extrapolation import extrapolate
from singleout.measures.intervals import wilson

FEWEST_IN_A_DRAW = 20
"""No smaller group is drawn."""
FEWEST_DRAWS, MOST_DRAWS = 2, 10
NOT_EXTRAPOLATED = Note(
    1, "populations not extrapolated to", "it has no more people than the data, or the data too few sizes"
)


def curve_of_people(
    number: int, rate_of: Callable[[Any], float], options: AuditOptions, *, what: str, attack: str
) -> Curve:
    """Fewer people, drawn at random: halves of halves of all; and many more, where a population was stated.

    ``rate_of`` gives the share re-identified of some people, given by their numbers in ascending order.
    """
    rng = np.random.default_rng(options.seed)
    points = []
    for size in _sizes(number):
        draws = 1 if size == number else int(np.clip(number // size, FEWEST_DRAWS, MOST_DRAWS))
        with stage(f"{size:,} {what}"):
            rates = [rate_of(np.sort(rng.choice(number, size, replace=False))) for _ in range(draws)]
        # as many people as were looked at, in all draws together
        people = min(draws * size, number)
        points.append(CurvePoint(size, wilson(float(np.mean(rates)) * people, people, options.confidence_level)))
    beyond = None
    if options.population is not None and options.population > number:
        measured = [point.at for point in points], [point.rate for point in points]
        beyond = extrapolate(*measured, options.population, confidence_level=options.confidence_level)
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
