"""The strongest of several attacks on networks, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from singleout.ground.plain_data import Positive, Share
from singleout.measures.intervals import Estimate
from singleout.measures.strongest import combine_strongest, estimate_over_draws, level_for_each

LEVEL = 0.95
JOINT, ONE_BY_ONE = "joint", "1 by 1"


@dataclass(frozen=True)
class Tried:
    """One attack: a kernel, what it looks at, a matching, and the share it re-identifies in each draw.

    ``right``: how likely each person is to be re-identified, in order of the released rows, in the first draw.
    """

    kernel: str
    top: int | None
    choices: str
    matching: str
    shares: tuple[float, ...]
    people: int
    right: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)

    @property
    def share(self) -> float:
        """Mean over draws."""
        return sum(self.shares) / len(self.shares)


class StrongestRow(TypedDict):
    """The strongest of several attacks, one number a column."""

    kernel: str
    top: int | None
    choices: str
    matching: str
    rate: Share
    low: Share
    high: Share
    attacks: Positive


@dataclass(frozen=True)
class Strongest:
    """The attack that re-identifies most people of ``attacks`` that were tried.

    The interval of ``rate`` allows for the choice: each attack has an interval of confidence level 1 − 0.05/attacks,
    so that with 95% confidence all of them hold.
    """

    attack: Tried
    rate: Estimate
    attacks: int

    def as_row(self) -> StrongestRow:
        """Plain data, one number a column."""
        return {
            "kernel": self.attack.kernel,
            "top": self.attack.top,
            "choices": self.attack.choices,
            "matching": self.attack.matching,
            "rate": self.rate.value,
            "low": self.rate.low,
            "high": self.rate.high,
            "attacks": self.attacks,
        }


def strongest_of(tried: Sequence[Tried], attacks: int) -> Strongest:
    """Of those measured; ``attacks`` is how many they were chosen from."""
    confidence_level = level_for_each(LEVEL, attacks)
    found = [estimate_over_draws(each.shares, each.people, confidence_level) for each in tried]
    best = max(tried, key=lambda each: each.share)
    return Strongest(best, combine_strongest(found, LEVEL), attacks)
