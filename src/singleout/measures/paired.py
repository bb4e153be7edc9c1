"""Two attacks on the same people: is the difference more than chance? McNemar's exact test, and resamples of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import bdtr

from singleout.ground.arrays import Floats
from singleout.ground.errors import DataError, bad_argument, check_level, check_seed
from singleout.ground.notebooks import Tabular, WithoutNotes
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, Share
from singleout.matching.result import Matching
from singleout.measures.accuracy import true_partners
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.precision import chances_by_known_person


class PairedDict(TypedDict):
    """McNemar's exact test on the same people."""

    only_first: Count
    only_second: Count
    p: Share


@dataclass(frozen=True)
class Paired:
    """People whom only the first of two attacks gets right, and only the second.

    ``p`` is the probability of a difference at least this large, in either direction, if both were equally good: only
    people on whom the two differ matter, and each of them is equally likely to be right with either.
    """

    only_first: int
    only_second: int

    @property
    def p(self) -> float:
        """McNemar's exact two-sided p-value; 1 if the two attacks differ on nobody."""
        differ = self.only_first + self.only_second
        return min(1.0, 2 * float(bdtr(min(self.only_first, self.only_second), differ, 0.5))) if differ else 1.0

    def to_dict(self) -> PairedDict:
        """Plain data."""
        return {"only_first": self.only_first, "only_second": self.only_second, "p": self.p}


def compare_pairs(first: NDArray[Any], second: NDArray[Any]) -> Paired:
    """Compare two attacks person by person: whether each was right, or the probability of it where ties are random.

    With probabilities, the numbers of people on whom the two differ are expected values, rounded: ties are drawn anew
    for each attack, so that one with ties differs even from itself, equally often in either direction.
    """
    only_first, only_second = (np.sort(a * (1.0 - b)).sum() for a, b in ((first, second), (second, first)))
    return Paired(round(float(only_first)), round(float(only_second)))


RESAMPLES = 2_000


@dataclass(frozen=True, repr=False)
class Comparison(WithoutNotes, Tabular):
    """Two attacks on the same people: how many each re-identifies, and the difference.

    ``difference`` is second minus first, with an interval over resamples of people; ``paired`` is McNemar's exact test.
    With several splits these pool all of them, and ``by_split`` holds the difference of each.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = so.compare_attacks(matching, so.match(released, known, similarity="l1"))
    >>> found.paired.only_first, found.paired.only_second
    (0, 0)
    """

    first: Estimate
    second: Estimate
    difference: float
    low: float
    high: float
    paired: Paired
    by_split: tuple[float, ...]

    @property
    def people(self) -> int:
        """People compared, over all splits."""
        return self.first.n

    def to_arrow(self) -> pa.Table:
        """One row per attack, and one for the difference."""
        rows = [
            {"attack": name, "rate": rate.value, "low": rate.low, "high": rate.high}
            for name, rate in (("first", self.first), ("second", self.second))
        ]
        rows.append({"attack": "difference", "rate": self.difference, "low": self.low, "high": self.high})
        return pa.Table.from_pylist(rows)

    def __repr__(self) -> str:
        return f"Comparison({self})"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        both = {"first": self.first.to_dict(), "second": self.second.to_dict()}
        numbers = {"difference": self.difference, "low": self.low, "high": self.high}
        return both | numbers | {"paired": self.paired.to_dict(), "by_split": list(self.by_split)}

    def __str__(self) -> str:
        low, high = (f"{100 * each:+.1f}" for each in (self.low, self.high))
        interval = f"{self.first.confidence_level:.0%} interval {low} to {high}"
        spread = ""
        if len(self.by_split) > 1:
            least, most = (f"{100 * each:+.1f}" for each in (min(self.by_split), max(self.by_split)))
            spread = f" Over {len(self.by_split)} splits: {least} to {most} points."
        return (
            f"The first re-identifies {percent(self.first.value)} of {self.people:,} people, the second "
            f"{percent(self.second.value)}: a difference of {_points(self.difference)} ({interval}). Re-identified by "
            f"the first only: {self.paired.only_first:,}; by the second only: {self.paired.only_second:,} (ties "
            f"drawn anew for each; McNemar's test: p = {self.paired.p:.2g}).{spread}"
        )


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f} percentage points"


def compare_attacks(
    first: Matching | Sequence[Matching],
    second: Matching | Sequence[Matching],
    *,
    truth: Mapping[Any, Any] | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Compare two attacks on the same known people, or on those of several splits: one matching of each per split.

    ``truth`` is as for ``accuracy``; where ties are broken at random, people count by how likely they
    are to be re-identified.

    Parameters
    ----------
    first, second
        Two matchings of the same sides, or lists of as many splits each.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.
    confidence_level
        Confidence level of the interval.
    seed
        Seed for everything random; the same seed gives the same result.

    Returns
    -------
    Comparison
        The difference, with its interval and McNemar's test.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = so.compare_attacks(matching, so.match(released, known, similarity="cosine"))
    >>> print(f"{found.difference:+.2f}")
    -0.04
    """
    check_level("compare_attacks", confidence_level)
    check_seed("compare_attacks", seed)
    sides = [[each] if isinstance(each, Matching) else list(each) for each in (first, second)]
    if not all(isinstance(each, Matching) for side in sides for each in side) or not sides[0]:
        raise bad_argument("compare_attacks", "first", "a Matching, or a list of them", type(first).__name__)
    if len(sides[0]) != len(sides[1]):
        raise bad_argument("compare_attacks", "second", f"{len(sides[0])} matchings, as many as first", len(sides[1]))
    pairs = [_right_of_same_people(mine, theirs, truth) for mine, theirs in zip(*sides, strict=True)]
    ours, others = (np.concatenate(each) for each in zip(*pairs, strict=True))
    gain = others - ours
    rng = np.random.default_rng(seed)
    # one at a time: there may be very many people
    drawn = [gain[rng.integers(0, len(gain), len(gain))].mean() for _ in range(RESAMPLES)]
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    rates = [wilson(float(each.sum()), len(each), confidence_level) for each in (ours, others)]
    by_split = tuple(float((b - a).mean()) for a, b in pairs)
    found = compare_pairs(ours, others)
    return Comparison(rates[0], rates[1], float(gain.mean()), float(low), float(high), found, by_split)


def _right_of_same_people(first: Matching, second: Matching, truth: Mapping[Any, Any] | None) -> tuple[Floats, Floats]:
    people = [each.known_side.people[true_partners(each, truth) >= 0] for each in (first, second)]
    if people[0].tolist() != people[1].tolist():
        where = "the two attacks are not on the same known people in the same order."
        raise DataError(where, function="compare_attacks")
    return chances_by_known_person(first, truth), chances_by_known_person(second, truth)
