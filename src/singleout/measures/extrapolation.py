"""From the people measured to a larger population: curves that fit the data, and how far they diverge.

Nothing is known beyond the data. Accuracy falls with the number of people (N16 Fig. 5); how it continues is a guess, so
the result is the range of three common shapes, and says how far beyond the data it reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit, stdtrit

from singleout.ground.arrays import Floats
from singleout.measures.intervals import Estimate

FEWEST_POINTS, MOST_POINTS = 4, 5
"""The curve bends, so only the largest sizes show where it leads."""


@dataclass(frozen=True)
class Extrapolation:
    """The share expected in a population of ``people``, with a range; ``times`` the number of people in the data."""

    people: int
    value: float
    low: float
    high: float
    confidence_level: float
    times: float

    @property
    def warning(self) -> str:
        """How far to trust it."""
        return (
            f"Not measured: {self.times:,.0f} times as many people as in the data. This assumes that the others are "
            "like these, and covers several curves that fit the measurements; the true curve may differ."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        numbers = {
            name: getattr(self, name) for name in ("people", "value", "low", "high", "confidence_level", "times")
        }
        return numbers | {"warning": self.warning}


def extrapolate(
    people: Sequence[float], rates: Sequence[Estimate], population: int, *, confidence_level: float = 0.95
) -> Extrapolation | None:
    """Fit straight lines to the log-odds, and to the logarithm, of the share against the logarithm of people.

    Each has the prediction interval of a line fitted to the five largest sizes, given in ascending order; the value is
    that of the log-odds, which always stays between 0 and 1. The range also includes odds that fall as fast as the
    number of people grows, which is the limit where everyone is equally likely to be confused with anyone else. None
    if fewer than four sizes were measured.
    """
    if len(people) < FEWEST_POINTS:
        return None
    x = np.log(np.asarray(people[-MOST_POINTS:], dtype=np.float64))
    # nobody or everybody out of n people says no more than half a person does
    least = np.array([0.5 / rate.n for rate in rates[-MOST_POINTS:]])
    y = np.clip([rate.value for rate in rates[-MOST_POINTS:]], least, 1 - least)
    shapes: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [(logit, expit), (np.log, _at_most_one)]
    spans = [back(_line(x, there(y), np.log(population), confidence_level)) for there, back in shapes]
    crowded = expit(logit(y[-1]) + x[-1] - np.log(population))
    low, high = min(crowded, *(span[0] for span in spans)), max(span[2] for span in spans)
    low, high = (0.0 if rates[-1].value == 0 else low), (1.0 if rates[-1].value == 1 else high)
    return Extrapolation(
        population, float(spans[0][1]), float(low), float(high), confidence_level, population / max(people)
    )


def _at_most_one(logarithm: Floats) -> Floats:
    return np.minimum(np.exp(logarithm), 1.0)


def _line(x: Floats, y: Floats, at: float, confidence_level: float) -> Floats:
    """Lower end, middle and upper end of the prediction at another point by a line fitted to the points."""
    middle, spread = x.mean(), float(((x - x.mean()) ** 2).sum())
    slope = float(((x - middle) * (y - y.mean())).sum()) / spread
    fitted = y.mean() + slope * (x - middle)
    free = len(x) - 2
    error = np.sqrt(((y - fitted) ** 2).sum() / free)
    half = (
        float(stdtrit(free, 0.5 + confidence_level / 2)) * error * np.sqrt(1 + 1 / len(x) + (at - middle) ** 2 / spread)
    )
    there = y.mean() + slope * (at - middle)
    return np.array([there - half, there, there + half])
