"""The first stages of an audit of event logs: both sides, what each person did there, and their networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from singleout.assessment.audit_options import AuditOptions, time_is_missing
from singleout.assessment.audit_parts import Size
from singleout.ground.errors import DataError
from singleout.reading.events import Events
from singleout.reading.split import Sides
from singleout.reading.times import DAY, YEAR_ONE
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable
from singleout.statistics.moves import typical_days
from singleout.statistics.networks import Networks, networks

SLOW = 10_000
"""People above which glrt and the shape of movements take long: left out unless asked for."""
Progress = bool | None


class CountsOf(NamedTuple):
    """How often each person was at each place, on each side."""

    released: Histograms
    known: Histograms


class NetworksOf(NamedTuple):
    """Who goes from where to where, on each side."""

    released: Networks
    known: Networks


# READ and SPLIT


def split_sides(logs: Sequence[Events], options: AuditOptions) -> Sides:
    """Two logs as they are, or one split by time."""
    if len(logs) == 2:
        return Sides(*logs)
    if options.time is None:
        raise time_is_missing()
    return options.split_log(logs[0], seed=options.seed)


def split_rule(options: AuditOptions) -> str:
    """How one log is split."""
    return options.split or "halves"


# SUMMARISE


def count_sides(sides: Sides, progress: Progress) -> CountsOf:
    """Histograms of both sides, with somebody in common."""
    counts = CountsOf(*(histograms(side, progress=progress) for side in sides))
    if not np.intersect1d(*comparable(counts.released.people, counts.known.people)).size:
        hint = "Are they called the same in both? If only the names of columns differ, give `known_user`."
        raise DataError(f"nobody is on both sides. {hint}", function="audit")
    return counts


def build_networks(sides: Sides, counts: CountsOf, options: AuditOptions, progress: Progress) -> NetworksOf | None:
    """Networks of both sides; None where order means nothing, is not known, or was not asked for."""
    asked = options.topology
    if asked == "no" or options.time is None or (asked == "auto" and len(counts.released) > SLOW):
        return None
    try:
        return NetworksOf(*(networks(side, progress=progress) for side in sides))
    except DataError:
        if asked == "yes":
            raise
        return None


def measure_side(side: Events, counts: Histograms) -> Size:
    """How much one side holds, and which days it covers; each person's part of a split ends on days of their own."""
    days: tuple[str | None, str | None] = (None, None)
    rows = side.log.row_counts["usable"]
    if "clock" in side.log.columns:
        rows, days = _rows_and_days(side)
    return Size(len(counts), places=counts.number_of_places, rows=rows, first_day=days[0], last_day=days[1])


def _rows_and_days(side: Events) -> tuple[int, tuple[str, str]]:
    by_day = side.by_day()
    number = "count(*)" if by_day is side else "sum(events)"  # a row by day stands for several
    day = f"(clock) - {YEAR_ONE}) // {DAY}"
    chosen = f"{number}::BIGINT AS rows, (min{day} AS first, (max{day} AS last"
    sql = f"SELECT {chosen} FROM {by_day.rows('clock', *([] if by_day is side else ['events']))}"
    (found,) = by_day.log.query(sql, label="reading the period").to_pylist()
    first, last = (str(np.datetime64(int(found[name]), "D")) for name in ("first", "last"))
    return found["rows"], (first, last)


def count_days(sides: Sides, options: AuditOptions, progress: Progress) -> int | None:
    """Days of the median person; None where no time is given."""
    return None if options.time is None else typical_days(sides.released, progress=progress)
