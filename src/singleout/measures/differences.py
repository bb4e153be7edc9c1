"""The difference of two shares of different people, with an interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from singleout.ground.notebooks import Summary
from singleout.ground.numbers import points
from singleout.measures.intervals import Estimate, wilson


@dataclass(frozen=True)
class Difference(Summary):
    """How much larger the second share is than the first, with an interval; below zero where it is smaller."""

    value: float
    low: float
    high: float

    @property
    def is_above(self) -> bool:
        """Whether the whole interval is above zero."""
        return self.low > 0

    @property
    def is_below(self) -> bool:
        """Whether the whole interval is below zero."""
        return self.high < 0

    @property
    def is_clear(self) -> bool:
        """Whether zero is outside the interval."""
        return self.is_above or self.is_below

    def __str__(self) -> str:
        return f"{points(self.value)} percentage points ({points(self.low)} to {points(self.high)})"


def difference(first: Estimate, second: Estimate) -> Difference:
    """Newcombe's interval for second - first (1998, method 10), from the two intervals as they are.

    It treats the two as independent of each other. Shares that were counted have no interval of their own: their
    people count as a sample of people like them, with Wilson's.
    """
    before, after = (_as_sample(each) for each in (first, second))
    value = after.value - before.value
    down = hypot(after.value - after.low, before.high - before.value)
    up = hypot(after.high - after.value, before.value - before.low)
    return Difference(value, max(-1.0, value - down), min(1.0, value + up))


def _as_sample(share: Estimate) -> Estimate:
    return wilson(share.value * share.n, share.n, share.confidence_level) if share.is_exact else share
