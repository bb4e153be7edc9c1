"""Event logs: who was where, when. A lazy query; nothing is read before a statistic needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import pyarrow as pa
import pyarrow.compute as pc

from singleout.ground.errors import DataError, InputError, bad_argument, is_number
from singleout.ground.notes import Note, in_a_row, nonzero
from singleout.reading.database import Database, quote
from singleout.reading.fields import Fault, column_sql, id_of, number_of
from singleout.reading.grid import Grid
from singleout.reading.sources import Source, open_source
from singleout.reading.times import DAY, LATEST, SMALL_INTEGERS, WEEK, YEAR_ONE, Clock
from singleout.reading.zero_times import from_zero_count, from_zero_note, number_time


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
        there = " AND ".join(f"{self.columns[name]} IS NOT NULL" for name in self._needed_columns())
        relation = self.source.relation
        if "line" in names:
            relation = f"(SELECT *, row_number() OVER () AS {self.line_name} FROM {relation})"
        return f"(SELECT {chosen} FROM {relation} WHERE {there})"

    @property
    def line_name(self) -> str:
        """A name that no column of the source has."""
        return quote("line" + "_" * max(map(len, self.source.column_types)))

    def _needed_columns(self) -> list[str]:
        return [name for name in ("person", "moment", "amount") if name in self.columns]

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
        there = " AND ".join(f"{self.columns[name]} IS NOT NULL" for name in self._needed_columns())
        counts = {
            "rows": "count(*)",
            "usable": f"count_if({there} AND {self.columns['placed']})",
            "whole_amounts": "true",
        }
        if "amount" in self.columns:
            amount = self.columns["amount"]
            counts["whole_amounts"] = f"coalesce(bool_and({amount} IS NULL OR {amount} = floor({amount})), true)"
        counts |= from_zero_count(self.columns)
        counts |= {f"missing_{name}": f"count_if({condition})" for name, condition in self.missing.items()}
        counts |= {f"fault_{k}": f"count_if({fault.condition})" for k, fault in enumerate(self.faults)}
        chosen = ", ".join(f"{sql} AS {name}" for name, sql in counts.items())
        (found,) = self.query(f"SELECT {chosen} FROM {self.source.relation}", label="checking events").to_pylist()
        if not found["rows"]:
            raise DataError(f"{self.source.display_name} contains no events.", function="read_events")
        self.source.check_rows("read_events", int(found["rows"]))
        for k, fault in enumerate(self.faults):
            if found[f"fault_{k}"]:
                raise self._locate_error(fault, found[f"fault_{k}"])
        if not found["usable"]:
            reasons = [
                f"{found[f'missing_{name}']:,} {_WHY[name]}" for name in self.missing if found[f"missing_{name}"]
            ]
            raise DataError(
                f"none of the {found['rows']:,} events can be used: {', '.join(reasons)}.", function="read_events"
            )
        return {name: int(value) for name, value in found.items()}

    @property
    def notes(self) -> tuple[Note, ...]:
        """Rows with missing values, and times that seem to count from zero."""
        left_out = [Note(self.row_counts[f"missing_{name}"], "events left out", _WHY[name]) for name in self.missing]
        return nonzero(*left_out, from_zero_note(self.row_counts, self.clock.unit))

    def _locate_error(self, fault: Fault, count: int) -> DataError:
        numbered = f"SELECT row_number() OVER () AS row, {fault.condition} AS bad FROM {self.source.relation}"
        (first,) = self.query(f"SELECT min(row) AS row FROM ({numbered}) WHERE bad").to_pylist()
        more = f" ({count:,} rows have this problem)" if count > 1 else ""
        return DataError(f"{self.source.row_in_words(first['row'])}: {fault.message}{more}", function="read_events")


_WHY = {
    "person": "without a user",
    "moment": "without a time",
    "place": "without a place",
    "amount": "without a count",
    "outside": "outside the box",
}


@dataclass(frozen=True, eq=False)
class Parts:
    """A split in two: a stored table of people with clock readings (begins, turns, ends).

    Both parts are counted in one scan; ``pending`` holds the result for the other part until it is needed.
    """

    table: str
    pending: dict[tuple[int, str], pa.Table] = field(default_factory=dict)

    def number(self, clock: str) -> str:
        """SQL for the part that a clock reading belongs to: 0, 1, or NULL outside both."""
        return (
            f"CASE WHEN {clock} < {self.table}.begins THEN NULL WHEN {clock} < {self.table}.turns THEN 0"
            f" WHEN {clock} < {self.table}.ends THEN 1 END"
        )


@final
@dataclass(frozen=True, eq=False)
class Events:
    """An event log, read lazily: who was where, when. After a split, one of its two parts."""

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

    def only_people(self, are_kept: Callable[[list[Any]], Sequence[bool]]) -> Events:
        """The events of some people; ``are_kept`` says of each id in a list whether it is one of theirs."""
        rows = self._rows("person", both=True)
        people = self.log.query(f"SELECT DISTINCT person FROM {rows} ORDER BY person", label="listing people")
        kept = people.filter(pa.array(are_kept(people["person"].to_pylist()), pa.bool_()))
        return replace(self, some_people=self.log.database.view(kept))

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
        log = replace(self.log, columns=self.log.columns | columns, **changes)
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

    def __repr__(self) -> str:
        places = "given places" if self.log.grid is None else str(self.log.grid)
        part = "" if self.parts is None else f", part {self.part + 1} of 2"
        return f"Events({len(self.files) or 'no'} files, {places}{part})"


def read_events(
    source: Any,
    *,
    user: str,
    time: str | None = None,
    time_unit: str = "s",
    timezone: str = "UTC",
    place: str | None = None,
    lat: str | None = None,
    lng: str | None = None,
    coordinate_scale: float = 1.0,
    grid: float | None = None,
    box: tuple[float, float, float] | None = None,
    count: str | None = None,
    channel: str | None = None,
    encoding: str = "utf-8",
) -> Events:
    """Read an event log: one row per event. Nothing is read before a statistic needs it.

    Parameters
    ----------
    source
        A path or glob (Parquet, CSV, JSON), a pandas or polars frame, an Arrow table or stream, or a DuckDB relation.
        The first line of a text file is its header, whatever it looks like.
    user, time, place, lat, lng, count, channel
        Names of columns. Give either ``place``, or ``lat`` and ``lng`` with ``grid``. ``count`` is how many times an
        event happened (1 if omitted).
    time_unit, timezone
        Unit of numeric times (s, ms, us or ns since 1970 UTC); time zone in which days and weeks are counted.
    coordinate_scale
        Factor from the values of the columns to degrees.
    grid, box
        Side of a square cell in metres; centre and side (latitude, longitude, side in metres) of a square to keep.
    encoding
        Encoding of text files: utf-8 or latin-1.
    """
    named = [name for name in (user, time, place, lat, lng, count, channel) if name is not None]
    opened = open_source(source, encoding=encoding, columns=named)
    clock = Clock(time_unit, timezone)
    if not is_number(coordinate_scale) or coordinate_scale == 0:
        raise bad_argument("read_events", "coordinate_scale", "a number other than zero", coordinate_scale)
    cells = _grid(user, place, lat, lng, grid, box)
    columns, faults, missing = _person(opened, user)
    degrees: tuple[str, ...] = ()
    parts = [_time(opened, time, clock)] if time is not None else []
    if cells is None:
        parts.append(_given_place(opened, str(place)))
    else:
        cell, degrees = _cell(opened, str(lat), str(lng), coordinate_scale, cells)
        parts.append(cell)
    if count is not None:
        parts.append(_amount(opened, count))
    if channel is not None:
        value, unread = id_of(opened, "channel", channel)
        parts.append(({"channel": value}, unread, {}))
    for more_columns, more_faults, more_missing in parts:
        columns, faults, missing = columns | more_columns, faults + more_faults, missing | more_missing
    return Events(EventLog(opened, columns, faults, missing, clock, cells, channel, degrees))


EXACT = 2**53
"""Whole numbers below this are exact as floating-point numbers."""

_TIME_FORMATS = "Accepted: 2012-04-09 17:30:00, 2012-04-09T17:30:00Z (or UTC, +01:00), or a number in `time_unit`."

Part = tuple[dict[str, str], tuple[Fault, ...], dict[str, str]]
"""Columns under our names, faults, and what counts as missing."""


def _grid(user: str, place: str | None, lat: str | None, lng: str | None, grid: float | None, box: Any) -> Grid | None:
    if place is not None:
        if place == user:
            raise bad_argument("read_events", "place", "a different column from user", place)
        given = [n for n, v in {"lat": lat, "lng": lng, "grid": grid, "box": box}.items() if v is not None]
        if given:
            listed = in_a_row([f"`{name}`" for name in given])
            raise InputError(f"give either `place` or {listed}, not both.", function="read_events")
        return None
    missing = [f"`{name}`" for name, value in {"lat": lat, "lng": lng, "grid": grid}.items() if value is None]
    if missing and (lat is not None or lng is not None):
        are = "is" if len(missing) == 1 else "are"
        hint = "Coordinates need `lat`, `lng` and `grid` (in metres)."
        raise InputError(f"{in_a_row(missing)} {are} missing.", function="read_events", hint=hint)
    if grid is None or missing:
        hint = "Give a column of place ids with `place`, or coordinates with `lat`, `lng` and `grid` (in metres)."
        raise InputError("`place` is missing.", function="read_events", hint=hint)
    try:
        return Grid(float(grid), None if box is None else tuple(float(number) for number in box))  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        must = "a number of metres, and box (latitude, longitude, side in metres)"
        raise bad_argument("read_events", "grid", must, (grid, box)) from error


def _person(source: Source, name: str) -> Part:
    person, faults = id_of(source, "user", name)
    return {"person": person}, faults, {"person": f"{person} IS NULL"}


def _time(source: Source, name: str, clock: Clock) -> Part:
    column = column_sql(source, "time", name)
    kind = source.column_types[name]
    moment = clock.moment(column, kind)
    unread = Fault(
        f"{column} IS NOT NULL AND {moment} IS NULL",
        f"the value of column {name!r} cannot be read as a time. {_TIME_FORMATS}",
    )
    late = Fault(f"{moment} > {LATEST}", f"the time is after the year 2500. Is `time_unit={clock.unit!r}` right?")
    early = Fault(f"{moment} < {-YEAR_ONE} + {WEEK}", "the time is before the year 1.")
    faults: tuple[Fault, ...] = (unread, late, early) if kind not in SMALL_INTEGERS else (late, early)
    if kind == "VARCHAR":
        numbers = f"TRY_CAST({column} AS DOUBLE) IS NOT NULL"
        mixed = f"{numbers} AND (SELECT count_if(NOT {numbers}) FROM {source.relation} WHERE {column} IS NOT NULL) > 0"
        faults += (Fault(mixed, f"column {name!r} mixes numbers and written times. Use one or the other."),)
    columns = {"moment": moment, "clock": clock.reading(moment)} | number_time(column, kind, moment)
    return columns, faults, {"moment": f"{column} IS NULL"}


def _given_place(source: Source, name: str) -> Part:
    place, faults = id_of(source, "place", name)
    return {"place": place, "placed": f"{place} IS NOT NULL"}, faults, {"place": f"{place} IS NULL"}


def _cell(source: Source, lat: str, lng: str, scale: float, grid: Grid) -> tuple[Part, tuple[str, ...]]:
    degrees, faults = [], []
    for argument, name, word, limit in (("lat", lat, "latitude", 90), ("lng", lng, "longitude", 180)):
        number, unread = number_of(source, argument, name)
        degree = f"({number} * {float(scale)!r})"
        message = f"the {word} is outside -{limit} to {limit} degrees. Is `coordinate_scale` right? Is the row intact?"
        faults += [*unread, Fault(f"abs({degree}) > {limit}", message)]
        degrees.append(degree)
    missing = {"place": " OR ".join(f"{degree} IS NULL" for degree in degrees)}
    if grid.box is not None:
        missing["outside"] = f"NOT ({grid.inside(*degrees)})"
    # `inside` needs no cell, and is NULL where a coordinate is
    placed = grid.inside(*degrees) if grid.box is not None else f"NOT ({missing['place']})"
    return ({"place": f"({grid.cell(*degrees)})", "placed": placed}, tuple(faults), missing), tuple(degrees)


def _amount(source: Source, name: str) -> Part:
    column, (number, unread) = column_sql(source, "count", name), number_of(source, "count", name)
    raw = f"TRY_CAST({quote(name)} AS DOUBLE)"
    faults = (
        *unread,
        Fault(f"{number} < 0", f"the value of column {name!r} is negative; counts must be 0 or more."),
        Fault(
            f"isfinite({raw}) AND {raw} >= {EXACT}",
            f"the value of column {name!r} is 2**53 or more; such counts lose digits.",
        ),
        Fault(
            f"isinf({raw}) OR isnan({raw})",
            f"the value of column {name!r} is not finite; counts must be finite numbers.",
        ),
    )
    return {"amount": number}, faults, {"amount": f"{column} IS NULL"}
