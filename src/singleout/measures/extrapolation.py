"""From the people measured to a larger population, by a law of how distinguishable people are.

The share of distinguishable people falls with their number as the share of different values among draws from a
Pitman-Yor process does (Rocher, Hendrickx and de Montjoye, Nature Communications 16:347, 2025). For tables that share
is exactly classes over records. For matching there is a ceiling as well: people whose two sides do not resemble each
other are never found. Nothing is known beyond the data, so the result is a range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np
from scipy.optimize import least_squares
from scipy.special import betaln, digamma, expit, gammaln, logit

from singleout.ground.arrays import Floats, Indices, Integers
from singleout.ground.plain_data import FieldsOf, Level, NotNegative, Positive, Share
from singleout.measures.intervals import wilson

FEWEST_SIZES = 4
LARGEST_SIZES = 5
"""Of a table: where its curve leads, the largest sizes say best, and they say it exactly."""
FEWEST_RECORDS = 20
"""No smaller part of a table is looked at."""
REFITS = 100
INDEPENDENT = 0.4
"""Refits draw people as if only this share of them were independent: who is matched depends on the others."""
QUARTER = 2
"""Halvings from the largest size to those that predict it, to see how far the law is off."""
MISFIT = 2.4
"""How many times as far the law may be off beyond the data as within them, over the same distance."""
EXACT_SUM = 10**6
"""Up to this many people the law is a sum; above, a ratio of gamma functions."""
LEAST_DISCOUNT = 5e-4
PULL = 0.01
"""How strongly a fit is held back from parameters without bounds, where the curve does not determine them."""
STARTS = ((0.0, np.log(100.0), 2.0), (2.0, np.log(500.0), 0.0), (-3.0, np.log(300.0), 3.0))


def distinguishable_share(people: int, discount: float, strength: float) -> float:
    """Expected share of different values among this many draws from a Pitman-Yor process, without cancellation."""
    n, d, a = people, discount, strength
    if d == 0:
        return float(a / n * (digamma(n + a) - digamma(a)))
    first = 0 if a > 0 else 1
    if n <= EXACT_SUM:
        grown = float(np.log1p(d / (a + np.arange(first, n))).sum())
    else:
        grown = float(_log_rising(n + a, d) - _log_rising(a + first, d))
    if a > 0:
        return float(a / (d * n) * np.expm1(grown))
    return float(((a + d) * np.exp(grown) - a) / (d * n))


def _log_rising(x: Any, d: Any) -> Any:
    """The logarithm of Γ(x + d) / Γ(x)."""
    return gammaln(d) - betaln(x, d)


@dataclass(frozen=True)
class Law:
    """Share found among n people: ceiling · κ(n) + (1 - ceiling) / n, with κ of a Pitman-Yor process."""

    discount: Share
    strength: float
    ceiling: Share

    def at(self, people: int) -> float:
        """The share among this many people."""
        share = distinguishable_share(people, self.discount, self.strength)
        return self.ceiling * share + (1 - self.ceiling) / people

    def to_dict(self) -> dict[str, float]:
        """Plain data."""
        return {"discount": self.discount, "strength": self.strength, "ceiling": self.ceiling}


class ExtrapolationDict(TypedDict):
    """What a population of a stated size would face: not measured, but extrapolated."""

    people: Positive
    value: Share
    low: Share
    high: Share
    confidence_level: Level
    times: Annotated[NotNegative, "The population as a multiple of the people in the data."]
    law: Annotated[dict[str, float], FieldsOf(Law)]
    warning: str


@dataclass(frozen=True)
class Extrapolation:
    """The share expected in a population of ``people``, with a range; ``times`` the number of people in the data."""

    people: int
    value: float
    low: float
    high: float
    confidence_level: float
    times: float
    law: Law

    @property
    def warning(self) -> str:
        """How far to trust it."""
        return (
            "This estimate is not measured: it assumes that the other people are like these and follows a law fitted "
            "to the measurements; the true curve may differ."
        )

    def to_dict(self) -> ExtrapolationDict:
        """Plain data."""
        return {
            "people": self.people,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "confidence_level": self.confidence_level,
            "times": self.times,
            "law": self.law.to_dict(),
            "warning": self.warning,
        }


@dataclass(frozen=True, eq=False)
class Draw:
    """Some people by number, and how likely each is to be re-identified among them."""

    people: Indices
    right: Floats


@dataclass(frozen=True, eq=False)
class MeasuredCurve:
    """Draws of people at several sizes, in ascending order; the last is everyone, once.

    ``times``: how many people each of those in a draw stands for; None: one each.
    """

    sizes: Sequence[int]
    draws: Sequence[Sequence[Draw]]
    times: Integers | None = None

    def shares(self) -> Floats:
        """The share re-identified at each size."""
        return self.weighted_shares(np.ones(self.sizes[-1]) if self.times is None else self.times.astype(np.float64))

    def draw_weights(self, rng: np.random.Generator) -> Floats:
        """Random weights of people, added up over those that each stands for."""
        if self.times is None:
            return rng.gamma(INDEPENDENT, 1 / INDEPENDENT, self.sizes[-1])
        return rng.gamma(INDEPENDENT * self.times, 1 / INDEPENDENT)

    def weighted_shares(self, weight: Floats) -> Floats:
        """The same with people weighted."""
        found = [sum(float(weight[draw.people] @ draw.right) for draw in draws) for draws in self.draws]
        everyone = [sum(float(weight[draw.people].sum()) for draw in draws) for draws in self.draws]
        return np.asarray(np.array(found) / np.array(everyone))


def extrapolate(
    curve: MeasuredCurve, population: int, *, exact: bool = False, confidence_level: float = 0.95, seed: int = 0
) -> Extrapolation | None:
    """The law fitted to a curve, at a larger number of people; ``exact``: a table, whose shares have no ceiling.

    The range covers refits on random weights of people. For a table, where those hardly vary, it also covers how far
    the law fitted to sizes up to a quarter of the data is off at its full size. None if fewer than four sizes were
    measured.
    """
    if len(curve.sizes) < FEWEST_SIZES:
        return None
    used = slice(-LARGEST_SIZES if exact else 0, None)
    sizes = np.asarray(curve.sizes, dtype=np.float64)
    fitted = _fit(sizes[used], curve.shares()[used], exact, None)
    rng = np.random.default_rng(seed)
    refits = []
    for _ in range(REFITS):
        shares = curve.weighted_shares(curve.draw_weights(rng))
        refits.append(_predict(_fit(sizes[used], shares[used], exact, fitted), exact, population))
    middle = _log_odds(_predict(fitted, exact, population), population)
    tail = (1 - confidence_level) / 2
    ends = np.quantile(_log_odds(np.array(refits), population), [tail, 1 - tail]) - middle
    off = _misfit(curve, exact) * np.log(population / curve.sizes[-1]) if exact else 0.0
    low, high = middle - np.hypot(min(ends[0], 0.0), off), middle + np.hypot(max(ends[1], 0.0), off)
    value, least, most = (float(each) for each in expit([middle, low, high]))
    least, most = _widen_at_the_ends(curve, population, least, most)
    # with more people nobody is easier to find
    measured = _measured_at_most(curve, exact, confidence_level)
    value, least, most = min(value, measured), min(least, measured), min(most, measured)
    times = population / curve.sizes[-1]
    return Extrapolation(population, value, least, most, confidence_level, times, _law(fitted, exact))


def expected_curve(classes: Indices, sizes: Sequence[int]) -> MeasuredCurve:
    """The curve of a table over all draws of each size: exact, from the number of records of each combination.

    One of a class is re-identified by guessing if any of its records is drawn. Classes of one size are one.
    """
    size, number = np.unique(classes, return_counts=True)
    records = int(classes.sum())
    draws = []
    for n in sizes:
        # a class is missing where all its records are among those left out
        left = np.maximum(records - n - size + 1.0, 1.0)
        missing = np.exp(_log_rising(left, size) - _log_rising(records - size + 1.0, size))
        found = 1 - np.where(size <= records - n, missing, 0.0)
        draws.append([Draw(np.arange(len(size)), found * (records / n) / size)])
    return MeasuredCurve(sizes, draws, (size * number).astype(np.int64))


def extrapolate_classes(sizes: Indices, population: int) -> float | None:
    """The share of different combinations among this many people, by the law; None where a sample is too small.

    ``sizes`` is the number of records of each combination. The curve it is fitted to is exact: how many different
    combinations are expected among fewer of the records.
    """
    records = int(sizes.sum())
    fewer = [records >> halvings for halvings in range(LARGEST_SIZES) if records >> halvings >= FEWEST_RECORDS]
    if len(fewer) < FEWEST_SIZES or population < records:
        return None
    size, classes = np.unique(sizes, return_counts=True)
    # a class is missing where all its records are among those left out
    missing = [
        np.exp(np.where(size <= records - n, _log_choose(records - size, n) - _log_choose(records, n), -np.inf))
        for n in fewer
    ]
    shares = np.array([float(classes @ (1 - each)) / n for each, n in zip(missing, fewer, strict=True)])
    fitted = _fit(np.array(fewer, dtype=np.float64)[::-1], shares[::-1], True, None)
    return min(_predict(fitted, True, population), float(shares[0]))


def _log_choose(n: Any, k: Any) -> Any:
    """The logarithm of n over k; of no meaning where k is larger."""
    return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(np.maximum(n - k, 0) + 1.0)


def _measured_at_most(curve: MeasuredCurve, exact: bool, confidence_level: float) -> float:
    """The upper end of what was measured on everyone."""
    people = max(1, curve.sizes[-1] if exact else round(curve.sizes[-1] * INDEPENDENT))
    return wilson(min(float(curve.shares()[-1]), 1.0) * people, people, confidence_level).high


def _widen_at_the_ends(curve: MeasuredCurve, population: int, low: float, high: float) -> tuple[float, float]:
    """Where everyone was found, or no one, the curve says little: up to three of the independent people may differ.

    The odds could still fall as fast as the number of people grows, as if anyone could be taken for anyone.
    """
    people = curve.sizes[-1]
    share, few = float(curve.shares()[-1]), min(0.5, 3 / (people * INDEPENDENT))
    if share == 1:
        return min(low, float(expit(logit(1 - few) - np.log(population / people)))), 1.0
    return (0.0, max(high, few)) if share == 0 else (low, high)


def _misfit(curve: MeasuredCurve, exact: bool) -> float:
    """By how much the largest size is missed in log-odds if only those up to a quarter of it are known, per e-fold."""
    sizes, shares = np.asarray(curve.sizes, dtype=np.float64)[:-QUARTER], curve.shares()
    few = slice(-LARGEST_SIZES, None)
    if len(sizes) < 2:
        return MISFIT
    fitted = _fit(sizes[few], shares[:-QUARTER][few], exact, None)
    people = curve.sizes[-1]
    off = _log_odds(_predict(fitted, exact, people), people) - _log_odds(shares[-1], people)
    return float(MISFIT * abs(off) / np.log(people / sizes[-1]))


def _fit(sizes: Floats, shares: Floats, exact: bool, start: Floats | None) -> Floats:
    """Least squares weighted by ln n, over discount, strength and ceiling on scales without bounds."""
    weight = np.sqrt(np.log(sizes))
    usual = np.array([0.0, 5.0, 2.0])
    scale = np.array([3.0, 5.0, 3.0])

    def errors(free: Floats) -> Floats:
        return np.concatenate([weight * (_shares_at(free, exact, sizes) - shares), PULL * (free - usual) / scale])

    starts = STARTS if start is None else (start,)
    bounds = ([-8.0, -7.0, -6.0], [8.0, 16.0, 8.0])
    tried = [least_squares(errors, each, bounds=bounds, max_nfev=200) for each in starts]
    return np.asarray(min(tried, key=lambda each: each.cost).x)


def _shares_at(free: Floats, exact: bool, sizes: Floats) -> Floats:
    d, a, c = LEAST_DISCOUNT + expit(free[0]) * (1 - 2 * LEAST_DISCOUNT), np.exp(free[1]), expit(free[2])
    shares = a / (d * sizes) * np.expm1(_log_rising(sizes + a, d) - _log_rising(a, d))
    return np.asarray(shares if exact else c * shares + (1 - c) / sizes)


def _predict(free: Floats, exact: bool, people: int) -> float:
    return float(_shares_at(free, exact, np.array([float(people)]))[0])


def _law(free: Floats, exact: bool) -> Law:
    discount = LEAST_DISCOUNT + float(expit(free[0])) * (1 - 2 * LEAST_DISCOUNT)
    return Law(discount, float(np.exp(free[1])), 1.0 if exact else float(expit(free[2])))


def _log_odds(share: Any, people: int) -> Any:
    """Nobody or everybody of n people says no more than half a person does."""
    return logit(np.clip(share, 0.5 / people, 1 - 0.5 / people))
