"""All rules on small counts: what a report may say about few people, unless asked to reveal."""

from __future__ import annotations

from singleout.measures.tables.levels import FEWEST_PEOPLE

BANDS = (FEWEST_PEOPLE, 10, 20, 50, 100, 1_000, 10_000)
"""Counts of people are reported as at least one of these: an exact count may identify a place or a value."""
SHARE_STEPS = 20
"""Shares of a reason are rounded to one part in this many: exact shares would show the counts behind them."""


def people_band(people: int, reveal: bool) -> int | None:
    """How many people are at least at a place or have a value; None where fewer than five."""
    if reveal:
        return people
    return max((band for band in BANDS if band <= people), default=None)


def rounded_share(share: float, reveal: bool) -> float:
    """A reason's share of the whole, to the nearest twentieth."""
    return share if reveal else round(share * SHARE_STEPS) / SHARE_STEPS
