"""Event logs: who was where, when. A lazy query; nothing is read before a statistic needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import pyarrow as pa
import pyarrow.compute as pc

from singleout.ground.errors import bad_argument, is_number
from singleout.ground.names import DecimalSign, Encoding, TimeUnit
from singleout.ground.notebooks import Described
from singleout.ground.notes import Note, nonzero
from singleout.reading.daily import add_up, counts_by_day
from singleout.reading.database import Database, quote
from singleout.reading.event_columns import choose_grid, read_amount, read_cell, read_person, read_place
from singleout.reading.event_facts import event_facts, in_one_line
from singleout.reading.event_times import time_part
from singleout.reading.fields import Fault, id_of
from singleout.reading.forms import make_form, user_column
from singleout.reading.grid import Grid
from singleout.reading.row_counts import WHY, check_counts, count_rows
from singleout.reading.sources import Source, open_source
from singleout.reading.times import DAY, Clock
from singleout.reading.zero_times import from_zero_note


@dataclass(eq=False)
class EventLog:
    """The columns of a source under our names, their possible faults, and the counts of rows."""

    source: Source
    columns: dict[str, str]
    faults: tuple[Fault, ...]
    missing: dict[str, str]
    clock: Clock
    grid: Grid | None = None
    channel_name: str | None = None
    degrees: tuple[str, ...] = ()
    """SQL for latitude and longitude, where places are cells of a grid."""
    adds_up: bool = True
    """Whether events by day may be stored; not for each of many protections that are tried."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The columns of the source by what they were given for."""
    scale: float = 1.0
    """Degrees for each unit of coordinates."""

    @property
    def database(self) -> Database:
        """Where queries run."""
        return self.source.database

    def query(self, sql: str, *, label: str = "reading events", progress: bool | None = None) -> pa.Table:
        """Run a query; errors carry our own message."""
        return self.source.query(sql, function="read_events", label=label, progress=progress)

    def select(self, *names: str) -> str:
        """A subquery with these columns, of rows that have a person and a time; ``line`` numbers the rows read."""
        chosen = ", ".join(f"{self.line_name if name == 'line' else self.columns[name]} AS {name}" for name in names)
        relation = self.source.relation
        if "line" in names:
            relation = f"(SELECT *, row_number() OVER () AS {self.line_name} FROM {relation})"
        return f"(SELECT {chosen} FROM {relation} WHERE {self.there})"

    @property
    def line_name(self) -> str:
        """A name that no column of the source has."""
        return quote("line" + "_" * max(map(len, self.source.column_types)))

    @property
    def there(self) -> str:
        """SQL for whether an event has a person, a time and a count, as far as those were named."""
        needed = [name for name in ("person", "moment", "amount") if name in self.columns]
        return " AND ".join(f"{self.columns[name]} IS NOT NULL" for name in needed)

    @cached_property
    def people(self) -> int:
        """How many people are in the source, whether or not their events can be used."""
        (row,) = self.query(
            f"SELECT count(DISTINCT {self.columns['person']}) AS n FROM {self.source.relation}"
        ).to_pylist()
        return int(row["n"])

    @cached_property
    def row_counts(self) -> dict[str, int]:
        """Counts of rows, missing values and faults, from one pass over the rows. Raises for the first fault."""
        return check_counts(self, count_rows(self))

    @cached_property
    def daily(self) -> EventLog | None:
        """The same events by day: a row, with a count, for a person's events at a place on a day.

        None where such rows are not far fewer. Otherwise the pass that makes them also counts rows and people.
        """
        daily = add_up(self) if self.adds_up else None
        if daily is not None:
            found = counts_by_day(self, daily)
            self.row_counts = self.row_counts if found is None else check_counts(self, found)
            self.people = daily.people
        return daily

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was guessed, rows with missing values, and times that seem to count from zero."""
        left_out = [Note(self.row_counts[f"missing_{name}"], "events left out", WHY[name]) for name in self.missing]
        zero = from_zero_note(self.row_counts, self.clock.unit)
        return nonzero(*self.source.notes, *left_out, zero, *self.notes_on_fetching)

    @property
    def notes_on_fetching(self) -> tuple[Note, ...]:
        """Whether single events came from a warehouse, so far."""
        if self.source.remote is None or not self.source.remote.is_fetched:
            return ()
        why = "what was asked needs their order or exact times, or cannot be added up there"
        return (Note(self.row_counts["rows"], "events fetched from the warehouse", why),)


@dataclass(frozen=True, eq=False)
class Parts:
    """A split in two: a stored table of people with clock readings (begins, turns, ends).

    Both parts are counted in one scan; ``pending`` holds the result for the other part until it is needed.
    """

    table: str
    whole_days: bool = False
    """Whether all readings are midnights."""
    pending: dict[tuple[int, str], pa.Table] = field(default_factory=dict)

    def number(self, clock: str) -> str:
        """SQL for the part that a clock reading belongs to: 0, 1, or NULL outside both."""
        return (
            f"CASE WHEN {clock} < {self.table}.begins THEN NULL WHEN {clock} < {self.table}.turns THEN 0"
            f" WHEN {clock} < {self.table}.ends THEN 1 END"
        )


@final
@dataclass(frozen=True, eq=False)
class Events(Described):
    """An event log, read lazily: who was where, when. After a split, one of its two parts.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> log.events
    Events(4,423 events, 50 people, 266 places, 2012-04-09 to 2012-04-22)
    >>> log.events.notes
    ()
    """

    log: EventLog
    parts: Parts | None = None
    part: int = 0
    step_notes: tuple[Note, ...] = ()
    last_days: str | None = None
    """A stored table of people, parts and the last day that is kept for each."""
    some_people: str | None = None
    """A stored table of the people who are looked at; None: everyone."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was left out, how much, and why. Reads the source once."""
        return self.log.notes + self.step_notes

    @property
    def files(self) -> tuple[Path, ...]:
        """The files behind it; empty for frames."""
        return self.log.source.files

    def rows(self, *names: str, both: bool = False) -> str:
        """A subquery for statistics: these columns and the number of the part, of rows that have a person and a time.

        Rows of this part only, unless ``both`` is true.
        """
        self.log.row_counts  # noqa: B018 - raises if rows have faults, before anything is counted
        if self.last_days is None and self.some_people is None:
            return self._rows(*names, both=both)
        timed = {"clock"} if self.last_days is not None else set()
        wanted = ", ".join(f"event.{name}" for name in names)
        shorter = "" if self.last_days is None else f" JOIN {self.last_days} USING (person, part)"
        tests = [] if self.last_days is None else [f"clock // {DAY} <= last_day"]
        if self.some_people is not None:
            tests.append(f"event.person IN (SELECT person FROM {self.some_people})")
        return (
            f"(SELECT {wanted}, event.part FROM {self._rows(*{*names, 'person', *timed}, both=both)} event{shorter}"
            f" WHERE {' AND '.join(tests)})"
        )

    @cached_property
    def active_days(self) -> str:
        """A stored table of the days on which each person has events, numbered in each part: for many lengths once."""
        days = f"SELECT DISTINCT person, part, clock // {DAY} AS day FROM {self.rows('person', 'clock', both=True)}"
        numbered = f"SELECT *, row_number() OVER (PARTITION BY person, part ORDER BY day) AS number FROM ({days})"
        return self.log.database.keep(numbered, label="finding days")

    def by_day(self) -> Events:
        """The same events for work that needs no times of day: events by day, if those are far fewer."""
        if self.parts is not None and not self.parts.whole_days:
            return self
        return self if self.log.daily is None else replace(self, log=self.log.daily)

    def only_people(self, are_kept: Callable[[list[Any]], Sequence[bool]]) -> Events:
        """The events of some people; ``are_kept`` says of each id in a list whether it is one of theirs."""
        people = self._people()
        kept = people.filter(pa.array(are_kept(people["person"].to_pylist()), pa.bool_()))
        return replace(self, some_people=self.log.database.view(kept))

    @cached_property
    def number_of_people(self) -> int:
        """How many people are looked at, whether or not their events can be used."""
        if self.some_people is None:
            return self.log.people
        return int(str(self.log.database.row(f"SELECT count(*) AS n FROM {self.some_people}")["n"]))

    def list_people(self) -> list[Any]:
        """The ids of all people, in order."""
        return self._people()["person"].to_pylist()  # type: ignore[no-any-return]

    def _people(self) -> pa.Table:
        rows = self._rows("person", both=True)
        return self.log.query(f"SELECT DISTINCT person FROM {rows} ORDER BY person", label="listing people")

    def _rows(self, *names: str, both: bool) -> str:
        if self.parts is None:
            return f"(SELECT *, 0 AS part FROM {self.log.select(*names)})"
        wanted = ", ".join(f"event.{name}" for name in names)
        numbered = (
            f"SELECT {wanted}, {self.parts.number('event.clock')} AS part"
            f" FROM {self.log.select(*{*names, 'person', 'clock'})} event JOIN {self.parts.table} USING (person)"
        )
        return f"(SELECT * FROM ({numbered}) WHERE part {'IS NOT NULL' if both else f'= {self.part}'})"

    def query_part(self, sql: str, *, label: str, progress: bool | None = None) -> pa.Table:
        """The rows of this part from a query over both; those of the other part are kept for it."""
        if self.parts is None:
            return self.log.query(sql, label=label, progress=progress)
        mine = self.parts.pending.pop((self.part, sql), None)
        if mine is None:
            both, other = self.log.query(sql, label=label, progress=progress), 1 - self.part
            self.parts.pending[other, sql] = both.filter(pc.field("part") == other)
            mine = both.filter(pc.field("part") == self.part)
        return mine

    def with_columns(self, columns: dict[str, str], *notes: Note, **changes: Any) -> Events:
        """The same events with other SQL for some columns; ``changes`` are made to the log as well."""
        log = replace(self.log, columns=self.log.columns | columns, adds_up=False, **changes)
        parts = None if self.parts is None else replace(self.parts, pending={})
        return replace(self, log=log, parts=parts, step_notes=self.step_notes + nonzero(*notes))

    def merged_places(self) -> dict[Any, Any] | None:
        """The place that most events of each original place now have; None if places are as they were read.

        Larger cells may divide a cell: the majority of its events decides, then the smaller id.
        """
        if "fine" not in self.log.columns:
            return None
        counts = f"SELECT fine, place, count(*) AS events FROM {self.log.select('fine', 'place')} GROUP BY ALL"
        pairs = self.log.query(
            f"SELECT fine, first(place ORDER BY events DESC, place) AS place FROM ({counts}) GROUP BY fine"
        )
        return dict(zip(pairs["fine"].to_pylist(), pairs["place"].to_pylist(), strict=True))

    @cached_property
    def _facts(self) -> dict[str, object]:
        return event_facts(self)

    def facts(self) -> dict[str, object]:
        """Sizes and period, where they are known or in memory; files are not read for it."""
        known_later = bool(self.files) and "row_counts" in vars(self.log)
        return event_facts(self) if known_later else self._facts

    def __repr__(self) -> str:
        return f"Events({in_one_line(self.facts())})"


def read_events(
    source: Any,
    *,
    user: str | None = None,
    time: str | None = None,
    date: str | None = None,
    time_format: str | None = None,
    time_unit: TimeUnit = "s",
    timezone: str = "UTC",
    place: str | None = None,
    lat: str | None = None,
    lng: str | None = None,
    coordinate_scale: float = 1.0,
    grid: float | None = None,
    box: tuple[float, float, float] | None = None,
    count: str | None = None,
    channel: str | None = None,
    user_from_name: bool = False,
    encoding: Encoding | None = None,
    delimiter: str | None = None,
    decimal: DecimalSign | None = None,
    columns_are: Sequence[str] | None = None,
) -> Events:
    """Read an event log: one row per event. Nothing is read before a statistic needs it.

    Parameters
    ----------
    source
        A file, folder or glob (kinds: docs/how-to/own-data.md), such as ``taps.csv``, ``taps.xlsx?sheet=May`` or
        ``sqlite:///visits.db?table=taps``; a pandas or polars frame, an Arrow table or stream, or a DuckDB relation; an
        Ibis table, a Spark frame or ``postgresql://user@host/data?table=taps`` (docs/how-to/warehouses.md).
    user, time, place, lat, lng, count, channel
        Names of columns. Give either ``place``, or ``lat`` and ``lng`` with ``grid``. ``count`` is how many times an
        event happened (1 if omitted).
    date
        Column with the date, where ``time`` holds only the time of day, or the hour.
    time_format
        How times are written, such as ``"%d.%m.%Y %H:%M"``; common forms are recognised, which the notes say.
    time_unit, timezone
        Unit of numeric times (s, ms, us or ns since 1970 UTC); time zone in which days and weeks are counted.
    coordinate_scale
        Factor from the values of the columns to degrees.
    grid, box
        Side of a square cell in metres; centre and side (latitude, longitude, side in metres) of a square to keep.
    user_from_name
        Each file holds one person, whose id is the name of the file; in place of ``user``.
    encoding, delimiter, decimal
        Of text files: utf-8, latin-1, windows-1252 or utf-16; the character between fields; point or comma.
    columns_are
        Names for the columns of a file without a header line, in their order.

    Returns
    -------
    Events
        The events, to be split and counted.

    Examples
    --------
    >>> import singleout as so
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"card": ["a", "a", "b"], "stop": [1, 2, 1]})
    >>> frame["at"] = ["2025-09-01 07:30", "2025-09-02 18:10", "2025-09-01 09:00"]
    >>> so.read_events(frame, user="card", time="at", place="stop")
    Events(3 events, 2 people, 2 places, 2025-09-01 to 2025-09-02)
    """
    form = make_form(encoding, delimiter, decimal, columns_are, user_from_name=user_from_name, function="read_events")
    user = user_column(user, form)
    named = [name for name in (user, time, date, place, lat, lng, count, channel) if name is not None]
    opened = open_source(source, form=form, columns=named)
    clock = Clock(time_unit, timezone, time_format)
    if not is_number(coordinate_scale) or coordinate_scale == 0:
        raise bad_argument("read_events", "coordinate_scale", "a number other than zero", coordinate_scale)
    cells = choose_grid(user, place, lat, lng, grid, box)
    columns, faults, missing = read_person(opened, user)
    degrees: tuple[str, ...] = ()
    parts = []
    if time is not None or date is not None:
        opened, when = time_part(opened, time, date, clock)
        parts.append(when)
    if cells is None:
        parts.append(read_place(opened, str(place)))
    else:
        cell, degrees = read_cell(opened, str(lat), str(lng), coordinate_scale, cells)
        parts.append(cell)
    if count is not None:
        parts.append(read_amount(opened, count))
    if channel is not None:
        value, unread = id_of(opened, "channel", channel)
        parts.append(({"channel": value}, unread, {}))
    for more_columns, more_faults, more_missing in parts:
        columns, faults, missing = columns | more_columns, faults + more_faults, missing | more_missing
    given = {"user": user, "time": time, "date": date, "place": place, "lat": lat, "lng": lng, "count": count}
    names = {argument: name for argument, name in given.items() if name is not None}
    return Events(
        EventLog(
            opened, columns, faults, missing, clock, cells, channel, degrees, names=names, scale=float(coordinate_scale)
        )
    )
