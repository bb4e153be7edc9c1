"""Singling out by a few points: how many people are unique by a few of their places."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import row_slice
from singleout.measures.intervals import Estimate, wilson
from singleout.reading.events import Events
from singleout.reading.times import DAY, SECOND
from singleout.statistics.histograms import Histograms, histograms

TIMED_POINTS = 4
"""Places with their hours that an intruder is taken to know."""
HOUR = 3_600 * SECOND
MOST_ROWS = 20_000_000
SAMPLE = 2_000
"""The most people examined; if there are more, a random sample of this size."""


def unicity(
    people: Histograms, *, points: Sequence[int] = (1, 2, 3, 4), confidence_level: float = 0.95, seed: int = 0
) -> dict[int, Estimate]:
    """For each number of points, the share of people who are unique by that many of their own places.

    The places are drawn at random from each person's own, whatever the number of visits; for people with fewer places,
    all of them are used. At most 2,000 people are examined.
    """
    rng = np.random.default_rng(seed)
    there = np.flatnonzero(people.totals > 0)
    asked = there if len(there) <= SAMPLE else np.sort(rng.choice(there, SAMPLE, replace=False))
    visitors, met = people.counts.tocsc(), np.zeros(len(people), dtype=bool)
    alone = np.zeros(len(points))
    for row in asked:
        places = rng.permutation(np.sort(people.counts.indices[row_slice(people.counts, row)]))[: max(points)]
        numbers = _numbers_at(visitors, places, met)
        alone += [numbers[min(number, len(places)) - 1] == 1 for number in points]
    return {
        number: wilson(float(count), len(asked), confidence_level) for number, count in zip(points, alone, strict=True)
    }


def unicity_with_times(events: Events, *, confidence_level: float = 0.95, seed: int = 0) -> Estimate | None:
    """The share of people who are unique by four of their places and the hours of their visits there.

    None where the log has no times, or more rows than are worth it for one figure.
    """
    columns = events.log.columns
    if "clock" not in columns or events.log.row_counts["usable"] > MOST_ROWS:
        return None
    # a place and an hour as one number; half of 64 bits are enough to keep millions of them apart
    hour = f"(hash({columns['place']}, ({columns['clock']}) // {HOUR}) >> 1)::BIGINT"
    timed = events.with_columns({"place": f"(CASE WHEN {columns['place']} IS NOT NULL THEN {hour} END)"}, grid=None)
    counts = histograms(timed, progress=False)
    return unicity(counts, points=(TIMED_POINTS,), confidence_level=confidence_level, seed=seed)[TIMED_POINTS]


class TimesKnown(StrEnum):
    """What the times of a log say of a visit: its hour; its day alone; or only how long after the start it was."""

    HOUR = "hour"
    DAY = "day"
    TIME = "time"


def times_known(events: Events) -> TimesKnown:
    """What an intruder who knows the times of this log knows."""
    if events.log.row_counts.get("from_zero"):
        return TimesKnown.TIME
    of_day = f"count(*) FILTER (WHERE clock % {DAY} <> 0) AS timed"
    (found,) = events.log.query(f"SELECT {of_day} FROM {events.rows('clock')}", label="looking at times").to_pylist()
    return TimesKnown.HOUR if found["timed"] else TimesKnown.DAY


def _numbers_at(visitors: Any, places: NDArray[Any], met: NDArray[np.bool_]) -> list[int]:
    """How many people have been at the first place, at the first two, and so on; ``met`` is false for everyone."""
    common = visitors.indices[row_slice(visitors, places[0])]
    numbers = [len(common)]
    for place in places[1:]:
        met[common] = True
        there = visitors.indices[row_slice(visitors, place)]
        met_again = there[met[there]]
        met[common] = False
        common = met_again
        numbers.append(len(common))
    return numbers
