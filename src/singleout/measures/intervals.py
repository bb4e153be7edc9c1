"""Estimates: a value with its interval, the confidence level, and the number of people behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, TypedDict

import numpy as np
from scipy.special import ndtri, stdtrit

from singleout.ground.errors import bad_argument, check_level
from singleout.ground.notebooks import Summary
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Level, Limits, Positive, Share

HALVES = 20
"""Random halves that half-sampling matches again."""
ROUNDING = 1e-12


class EstimateDict(TypedDict):
    """A share of people with its interval."""

    value: Share
    low: Share
    high: Share
    confidence_level: Level
    n: Annotated[Positive, "The number of people or records."]
    effective: NotRequired[
        Annotated[
            float,
            Limits(above=0),
            "Independent people whose rate would vary as much; omitted where people are treated as independent.",
        ]
    ]


@dataclass(frozen=True, repr=False)
class Estimate(Summary):
    """A share with an interval.

    ``n`` is the number of people. ``effective`` is the number of independent people whose rate would vary as much as
    this one does, where that was measured (half-sampling); None: people are treated as independent.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> rate = so.accuracy(matching).rate
    >>> rate
    Estimate(98.0% [89.5%, 99.6%] of 50)
    >>> rate.in_words()
    '98.0% (95% interval 89.5% to 99.6%)'
    """

    value: float
    low: float
    high: float
    confidence_level: float
    n: int
    effective: float | None = None

    @property
    def effective_share(self) -> float:
        """``effective`` as a share of ``n``; 1 where people are treated as independent."""
        return 1.0 if self.effective is None else self.effective / self.n

    @property
    def is_exact(self) -> bool:
        """Whether it was counted, not estimated: the file itself is all there is."""
        return self.low == self.value == self.high

    def __repr__(self) -> str:
        return f"Estimate({self} of {self.n:,})"

    def __str__(self) -> str:
        if self.is_exact:
            return percent(self.value)
        return f"{percent(self.value)} [{percent(self.low)}, {percent(self.high)}]"

    def in_words(self) -> str:
        """As in a sentence: 83.0% (95% interval 81.5% to 84.5%)."""
        return f"{percent(self.value)} ({self.interval_in_words()})"

    def interval_in_words(self) -> str:
        """The interval alone: 95% interval 81.5% to 84.5%; of what was counted, that it is exact."""
        if self.is_exact:
            return "exact"
        return f"{self.confidence_level:.0%} interval {percent(self.low)} to {percent(self.high)}"

    def count_in_words(self, who: str) -> str:
        """How many that is: about 98 of 120 people; no "about" where they were counted."""
        about = "" if self.is_exact else "about "
        return f"{about}{self.value * self.n:,.0f} of {number_of(self.n, who)}"

    def to_dict(self) -> EstimateDict:
        """Plain data for a result file; ``effective`` only if it was measured."""
        plain: EstimateDict = {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "confidence_level": self.confidence_level,
            "n": self.n,
        }
        return plain if self.effective is None else {**plain, "effective": self.effective}


def rate_columns(name: str, rate: Estimate | None) -> dict[str, Any]:
    """A rate and its interval as two columns of a table that is read, not computed with."""
    if rate is None:
        return {name: None, "interval": None}
    ends = "exact" if rate.is_exact else f"{percent(rate.low)} to {percent(rate.high)}"
    return {name: percent(rate.value), "interval": ends}


def wilson(count: float, n: int, confidence_level: float = 0.95) -> Estimate:
    """Wilson's interval for ``count`` out of ``n``; the count may be an expected one, and need not be whole.

    It treats people as independent. People matched jointly are not: see ``half_sampling``.
    """
    share = _check_share("wilson", count, n, confidence_level)
    return _with_bounds(Estimate(share, share, share, confidence_level, n), n, float(ndtri(0.5 + confidence_level / 2)))


def counted(count: float, n: int, confidence_level: float = 0.95) -> Estimate:
    """A share of records that were all counted: there is nothing to estimate, so the interval is the share itself."""
    share = _check_share("counted", count, n, confidence_level)
    return Estimate(share, share, share, confidence_level, n)


def half_sampling(
    count: float, n: int, rates: Sequence[float], share: float, confidence_level: float = 0.95
) -> Estimate:
    """Wilson's interval for ``count`` out of ``n`` people who are not independent of each other.

    ``rates`` are those of random parts of the people, drawn without replacement, each ``share`` of them, and matched
    again. Their variation gives the number of independent people that would vary as much, which replaces ``n``;
    Student's t replaces the normal quantile, since the variance is estimated from few parts. The average of ``rates``
    is not used: fewer people are easier to match.
    """
    value = _check_share("half_sampling", count, n, confidence_level)
    if len(rates) < 2 or not 0 < share < 1:
        must = "the rates of at least two parts, with share between 0 and 1"
        raise bad_argument("half_sampling", "rates", must, (len(rates), share))
    effective = _effective(value, n, rates, share)
    return _with_effective(Estimate(value, value, value, confidence_level, n), effective, len(rates))


def with_effective_share(rate: Estimate, share: float) -> Estimate:
    """The same rate with its interval if ``share`` of its people count as independent.

    For rates whose halves were not matched, with the ``effective_share`` of one whose halves were. A rate that
    already has an effective number keeps it.
    """
    if rate.effective is not None:
        return rate
    return _with_effective(rate, share * rate.n, HALVES)


def _effective(value: float, n: int, rates: Sequence[float], share: float) -> float:
    """The number of independent people whose rate would vary as much; at most ``n``."""
    # parts of a finite group vary less than groups of their size: by 1 - share; and all vary less than a part
    variance = float(np.var(rates, ddof=1)) * share / (1 - share)
    binomial = value * (1 - value)
    # an expected count of nobody or everybody may be inexact due to rounding
    return float(n) if variance * n <= binomial or binomial < ROUNDING else binomial / variance


def _with_effective(rate: Estimate, effective: float, parts: int) -> Estimate:
    quantile = float(stdtrit(parts - 1, 0.5 + rate.confidence_level / 2))
    return replace(_with_bounds(rate, effective, quantile), effective=effective)


def _with_bounds(rate: Estimate, people: float, z: float) -> Estimate:
    share = rate.value
    centre = (share + z * z / (2 * people)) / (1 + z * z / people)
    half = z / (1 + z * z / people) * float(np.sqrt(share * (1 - share) / people + z * z / (4 * people * people)))
    # at the ends rounding may put the bound slightly inside the value
    return replace(rate, low=max(0.0, min(centre - half, share)), high=min(1.0, max(centre + half, share)))


def _check_share(function: str, count: float, n: int, confidence_level: float) -> float:
    check_level(function, confidence_level)
    if n < 1 or not 0 <= count <= n * (1 + ROUNDING):
        raise bad_argument(function, "count", "from 0 to n, with n at least 1", (count, n))
    return min(count / n, 1.0)
