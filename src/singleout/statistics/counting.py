"""The grouping query behind a histogram, built from the options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np
import pyarrow as pa

from singleout.ground.errors import InputError, bad_argument, unknown_name
from singleout.ground.names import Measure
from singleout.reading.events import Events
from singleout.reading.times import DAY, SECOND, weekday_number

MEASURES: tuple[Measure, ...] = get_args(Measure)
EVENT, SECOND_OF_STAY, UNIT_OF_COUNT = "event", "second", "unit of the count"
WEEKDAY = f"(clock // {DAY} % 7)"
DAYPART = f"(clock % {DAY} // {DAY // 4})"


@dataclass(frozen=True)
class Counting:
    """A grouping query, built from the options."""

    events: Events
    measure: str
    window: tuple[int, int] | None
    channel: str | None
    days: tuple[int, ...] | None
    overnight: bool = False

    def __post_init__(self) -> None:
        if self.overnight and self.measure != "dwell":
            raise bad_argument("histograms", "overnight", "False unless measure='dwell'", self.overnight)
        needs_time = self.is_dwell or self.window or self.days or self.channel in ("weekday", "daypart")
        if needs_time and "clock" not in self.events.log.columns:
            hint = "Name it: `time='…'`."
            raise bad_argument("histograms", "events", "read with a time column", None, hint)
        if self.is_dwell and "amount" in self.events.log.columns:
            raise bad_argument("histograms", "measure", "'events' if there is a count column", self.measure)
        known = {"weekday", "daypart", *filter(None, [self.events.log.channel_name])}
        if self.channel is not None and self.channel not in known:
            raise unknown_name("histograms", "channel", self.channel, known)

    @property
    def is_dwell(self) -> bool:
        """Whether seconds are counted, and not events."""
        return self.measure == "dwell"

    @property
    def unit(self) -> str:
        """The unit of what is counted."""
        if self.is_dwell:
            return SECOND_OF_STAY
        return UNIT_OF_COUNT if "amount" in self.events.log.columns else EVENT

    @property
    def own_channel(self) -> bool:
        """Whether the channel is a column of the log, not computed from its times."""
        return self.channel is not None and self.channel == self.events.log.channel_name

    @cached_property
    def counted(self) -> Events:
        """What is counted: events by day where they suffice and are far fewer."""
        needs_rows = self.is_dwell or self.window or self.channel == "daypart"
        return self.events if needs_rows else self.events.by_day()

    def count(self, people: str | None, progress: bool | None) -> pa.Table:
        """People, places, channels and sums, of a stored table of ``people`` only if given."""
        if people is None:
            return self.events.query_part(self._sql(both=True), label="counting", progress=progress)
        sql = self._sql(both=False, only=f"WHERE person IN (SELECT person FROM {people})")
        return self.events.log.query(sql, label="counting", progress=progress)

    def _sql(self, *, both: bool, only: str = "") -> str:
        """The query; a person without a place keeps a row."""
        groups = "part, person, place" if self.channel is None else "part, person, place, channel"
        records = ", count(*) AS records" if self.is_dwell else ""
        return f"SELECT {groups}, {self._sum()} AS total{records} FROM ({self._rows(both)}) {only} GROUP BY {groups}"

    def _rows(self, both: bool) -> str:
        timed = "clock" in self.counted.log.columns
        names = ["person", "place", *(["clock"] if timed else []), *(["channel"] if self.own_channel else [])]
        if "amount" in self.counted.log.columns:
            names.append("amount")
        rows = self.counted.rows(*names, both=both)
        return self._stays(rows) if self.is_dwell else self._instants(rows)

    def _on_days(self) -> str:
        """SQL for whether an event is on one of the given days; empty for any day."""
        return "" if self.days is None else f"{WEEKDAY} IN ({', '.join(map(str, self.days))})"

    def _instants(self, rows: str) -> str:
        inside = [self._on_days()]
        if self.window is not None:
            start, stop = (second * SECOND for second in self.window)
            inside.append(f"clock % {DAY} >= {start} AND clock % {DAY} < {stop}")
        wanted = " AND ".join(filter(None, inside))
        place = f"CASE WHEN {wanted} THEN place END AS place" if wanted else "place"
        amount = ", amount" if "amount" in self.counted.log.columns else ""
        return f"SELECT part, person, {place}{self._channel()}{amount} FROM {rows}"

    def _stays(self, rows: str) -> str:
        start, stop = self.window or (0, 86_400)
        days_apart = "" if self.overnight else f", clock // {DAY}"
        ordered = (
            f"SELECT *, clock // {SECOND} AS second, clock // {DAY} * 86400 AS midnight,"
            f" lead(clock // {SECOND}) OVER (PARTITION BY part, person{days_apart} ORDER BY clock, place)"
            f" AS following FROM {rows}"
        )
        if self.overnight:
            leaves = f"coalesce(following, midnight + {stop})"
            # without a run of days opens is NULL, which least and greatest would skip
            seconds = f"CASE WHEN opens IS NULL THEN 0 ELSE least({leaves}, closes) - greatest(second, opens) END"
            ordered = (
                f"SELECT * FROM ({ordered}) LEFT JOIN {self._runs(start, stop)} ON second < closes AND {leaves} > opens"
            )
        else:
            leaves = f"least(coalesce(following, midnight + {stop}), midnight + {stop})"
            seconds = f"greatest(0, {leaves} - greatest(second, midnight + {start}))"
            if self.days is not None:
                seconds = f"CASE WHEN {self._on_days()} THEN {seconds} ELSE 0 END"
        return (
            f"SELECT part, person, CASE WHEN {seconds} > 0 THEN place END AS place{self._channel()},"
            f" {seconds} AS amount FROM ({ordered})"
        )

    def _runs(self, start: int, stop: int) -> str:
        """A table of the seconds at which runs of days open and close: on their first day and on their last."""
        ends = self.events.log.database.row(
            f"SELECT min(clock) // {DAY} AS first, max(clock) // {DAY} AS last FROM {self.events.log.select('clock')}"
        )
        first, last = (int(str(ends[name])) for name in ("first", "last"))
        days = np.arange(first, last + 1)
        used = days if self.days is None else days[np.isin(days % 7, self.days)]
        breaks = np.flatnonzero(np.diff(used) > 1)
        opens = used[np.append(0, breaks + 1)] if len(used) else used
        closes = used[np.append(breaks, len(used) - 1)] if len(used) else used
        return self.events.log.database.view(
            pa.table({"opens": opens * 86_400 + start, "closes": closes * 86_400 + stop})
        )

    def _channel(self) -> str:
        if self.channel is None:
            return ""
        if self.own_channel:
            return ", channel"
        return f", {WEEKDAY} AS channel" if self.channel == "weekday" else f", {DAYPART} AS channel"

    def _sum(self) -> str:
        """Whole amounts are added as integers. Others in ascending order: float sums depend on the order."""
        if self.measure == "events" and "amount" not in self.counted.log.columns:
            return "count(*)::DOUBLE"
        if self.counted.log.row_counts["whole_amounts"]:
            return "sum(amount::BIGINT)::DOUBLE"
        return "list_aggregate(list(amount ORDER BY amount), 'sum')::DOUBLE"

    def present_people(self) -> str:
        """A stored table of people present for the whole window on every day used."""
        if self.window is None:
            raise InputError("`whole_window` requires `window`.", function="histograms")
        start, stop = (second * SECOND for second in self.window)
        rows = f"(SELECT * FROM {self.events.rows('person', 'clock')} WHERE {self._on_days() or 'true'})"
        seen = (
            f"SELECT person, clock // {DAY} AS day,"
            f" min(clock % {DAY}) <= {start} AND max(clock % {DAY}) >= {stop} AS whole FROM {rows} GROUP BY ALL"
        )
        daily = self.events.log.database.keep(seen, label="finding people who were present")
        return self.events.log.database.keep(
            f"SELECT person FROM {daily} GROUP BY person"
            f" HAVING count_if(whole) = (SELECT count(DISTINCT day) FROM {daily})"
        )

    def people_without(self, people: str) -> int:
        """How many people with events are not in that table."""
        everyone = self.events.rows("person")
        counts = self.events.log.database.row(
            f"SELECT count(DISTINCT person) - (SELECT count(*) FROM {people}) AS people FROM {everyone}"
        )
        return int(str(counts["people"]))


def seconds_of(window: tuple[str, str] | None) -> tuple[int, int] | None:
    """Seconds since midnight at which a daily window starts and stops."""
    if window is None:
        return None
    must = "two times of day, the earlier first, such as 09:00-17:00"
    try:
        start, stop = (_second_of_day(text) for text in window)
    except (ValueError, TypeError, AttributeError) as error:
        raise bad_argument("histograms", "window", must, _as_typed(window)) from error
    if not 0 <= start < stop <= 86_400:
        raise bad_argument("histograms", "window", must, _as_typed(window), "It cannot cross midnight.")
    return start, stop


def _as_typed(window: object) -> object:
    """A window as the command line takes it, if it can be written so."""
    if isinstance(window, tuple | list) and all(isinstance(text, str) for text in window):
        return "-".join(window)
    return window


def _second_of_day(text: str) -> int:
    hours, minutes = text.split(":")
    if not (0 <= int(minutes) < 60 and 0 <= int(hours) <= 24):
        raise ValueError(text)
    return int(hours) * 3600 + int(minutes) * 60


def day_numbers(days: Sequence[str] | None) -> tuple[int, ...] | None:
    """Weekdays as numbers, Monday 0, each once."""
    if days is None:
        return None
    if isinstance(days, str) or not days:
        raise bad_argument("histograms", "days", "a list of weekdays, such as ['monday']", days)
    return tuple(sorted({weekday_number("histograms", "days", day) for day in days}))
