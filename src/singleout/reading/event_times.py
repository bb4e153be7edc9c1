"""The time of each event: one column, or a date and a time of day; written forms are recognised and announced."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import duckdb

from singleout.ground.errors import DataError, InputError
from singleout.ground.notes import Note
from singleout.reading.database import literal
from singleout.reading.fields import Fault, Part, column_sql
from singleout.reading.sources import Source
from singleout.reading.time_formats import EXAMPLE, guess_formats, in_words
from singleout.reading.times import (
    FLOATS,
    FORMATTED,
    INTEGERS,
    LATEST,
    SMALL_INTEGERS,
    STAMPS,
    WEEK,
    YEAR_ONE,
    Clock,
    text_of,
)
from singleout.reading.zero_times import number_time

SAMPLE = 1_000
"""Values by which a format is recognised; the whole column is read only where they leave a doubt."""
ACCEPTED = (
    "Accepted: 2012-04-09 17:30:00, 2012-04-09T17:30:00Z (or UTC, +01:00), a number in `time_unit`, or name the "
    f"format, such as `time_format={EXAMPLE!r}`."
)
MEND = "Correct or empty such values: rows without a time are left out and counted."
FORMAT_FLAG = f"--time-format '{EXAMPLE}'"
"""How a format is named on the command line, as an example."""
TIME_OF_DAY = r"\s*\d\d?:\d\d(:\d\d([.,]\d+)?)?( ?[AaPp]\.?[Mm]\.?)?\s*"
MIDNIGHT = r"[ T]0?0:00(:00(\.0+)?)?$"
"""What some programs write after a date."""


def time_part(source: Source, time: str | None, date: str | None, clock: Clock) -> tuple[Source, Part]:
    """SQL for the moment and the clock of each event, and the source with a note on a form that was recognised."""
    if time is None:
        raise InputError("`date` requires `time`, the column with the time of day.", function="read_events")
    column, kind = column_sql(source, "time", time), source.column_types[time]
    named = f"column {time!r}"
    if date is not None:
        column = _join(source, date, time)
        named, kind = f"columns {date!r} and {time!r}", "VARCHAR"
    guessed = None
    if clock.format is None and clock.unit == "s" and kind.split("(")[0] in FORMATTED:
        guessed = _recognise(source, time, column, kind, named, clock)
    if guessed is not None:
        clock = replace(clock, format=guessed)
        read = f"{named} {'is' if date is None else 'are'} read as {in_words(guessed)}"
        why = f"{read} ({guessed}); if that is wrong, set time_format"
        source = source.with_note(Note(1, "formats of times guessed", why))
    return source, _as_part(source, column, kind, named, clock)


def _as_part(source: Source, column: str, kind: str, named: str, clock: Clock) -> Part:
    moment = clock.moment(column, kind)
    accepted = f"Accepted: {clock.format}. {MEND}" if clock.format is not None else ACCEPTED
    unread = Fault(
        f"{column} IS NOT NULL AND {moment} IS NULL", f"the value of {named} cannot be read as a time. {accepted}"
    )
    right = "Correct it, or leave the row out." if kind == "VARCHAR" else f"Is `time_unit={clock.unit!r}` right?"
    late = Fault(f"{moment} > {LATEST}", f"the time in {named} is after the year 2500. {right}")
    early = Fault(
        f"{moment} < {-YEAR_ONE} + {WEEK}", f"the time in {named} is before the second week of year 1. {right}"
    )
    faults: tuple[Fault, ...] = (unread, late, early)
    if kind == "VARCHAR" and clock.format is None:  # the first fault that is met is reported
        faults = (_only_hours(column, moment, named), *faults)
    if kind in SMALL_INTEGERS and clock.format is None:
        faults = (late, early)
    columns = {"moment": moment, "clock": clock.reading(moment)}
    if clock.format is None:
        if kind == "VARCHAR":
            faults += (_mixed(source, column, named),)
        columns |= number_time(column, kind, moment)
    return columns, faults, {"moment": f"{column} IS NULL"}


def _only_hours(column: str, moment: str, named: str) -> Fault:
    alone = f"{moment} IS NULL AND regexp_full_match({column}, {literal(TIME_OF_DAY)})"
    return Fault(alone, f"{named} holds times of day without a date. Name the column of dates with `date`.")


def _mixed(source: Source, column: str, named: str) -> Fault:
    numbers = f"TRY_CAST({column} AS DOUBLE) IS NOT NULL"
    mixed = f"{numbers} AND (SELECT count_if(NOT {numbers}) FROM {source.relation} WHERE {column} IS NOT NULL) > 0"
    return Fault(mixed, f"{named} mixes numbers and written times. Use one or the other.")


# DATE AND TIME OF DAY


def _join(source: Source, date: str, time: str) -> str:
    """SQL for date and time of day as one text; NULL where one of them is missing."""
    day, day_kind = column_sql(source, "date", date), source.column_types[date].split("(")[0]
    hour, hour_kind = column_sql(source, "time", time), source.column_types[time].split("(")[0]
    if day_kind in STAMPS:
        day = f"strftime({day}, '%Y-%m-%d')"
    else:
        day = f"regexp_replace(trim({text_of(day, day_kind)}), {literal(MIDNIGHT)}, '')"
    if hour_kind in STAMPS:
        hour = f"strftime({hour}, '%H:%M:%S')"
    else:
        hour = f"trim({hour if hour_kind == 'VARCHAR' else _plain(hour, hour_kind)})"
        hour = f"(CASE WHEN regexp_full_match({hour}, '\\d\\d?') THEN {hour} || ':00' ELSE {hour} END)"
    return f"({day} || ' ' || {hour})"


def _plain(column: str, kind: str) -> str:
    """SQL for an hour or a time of day as text."""
    return text_of(column, kind) if kind in INTEGERS | FLOATS else f"({column})::VARCHAR"


# FORMATS


def _recognise(source: Source, time: str, column: str, kind: str, named: str, clock: Clock) -> str | None:
    """The common national format of most times; None for those that are always understood. Never guesses the order."""
    fitting = _fitting_formats(source, time, column, kind)
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    first, second = _count_unread(source, column, kind, [replace(clock, format=form) for form in fitting])
    if first == second:
        passed = [f"`time_format={form!r}`" for form in fitting]
        problem = f"in every date of {named} day and month could be swapped."
        if first:  # some are no dates, or have only one of the two orders
            problem = f"as many dates of {named} can be read with the day first as with the month first."
        raise DataError(problem, function="read_events", hint=f"Pass {' or '.join(passed)}.")
    return fitting[0] if first < second else fitting[1]


def _fitting_formats(source: Source, time: str, column: str, kind: str) -> list[str]:
    """The common national formats that most of the first times have."""
    text = text_of(column, kind.split("(")[0])
    values: list[str] = []
    with suppress(duckdb.Error):  # a broken file is reported where its rows are counted
        rows = source.database.table(
            f"SELECT {text} AS value FROM {source.first_rows(SAMPLE, time)} WHERE {column} IS NOT NULL"
        )
        values = [value for value in rows["value"].to_pylist() if value is not None]
    return guess_formats(values)


def _count_unread(source: Source, column: str, kind: str, clocks: Sequence[Clock]) -> list[int]:
    """How many values cannot be read as times by each of some clocks."""
    faults = [f"count_if({column} IS NOT NULL AND {clock.moment(column, kind)} IS NULL)" for clock in clocks]
    counts = ", ".join(f"{fault} AS n_{k}" for k, fault in enumerate(faults))
    (row,) = source.query(
        f"SELECT {counts} FROM {source.relation}", function="read_events", label="examining times"
    ).to_pylist()
    return list(row.values())


def count_no_times(source: Source, time: str, unit: str = "s") -> int:
    """How many values of a column are no times, by the format in which most of them are."""
    column, kind, clock = column_sql(source, "time", time), source.column_types[time], Clock(unit)
    plain = kind.split("(")[0]
    if plain not in FORMATTED:
        return 0
    formats = _fitting_formats(source, time, column, kind) if unit == "s" else []
    return min(_count_unread(source, column, kind, [replace(clock, format=form) for form in formats] or [clock]))


def swappable_formats(source: Source, time: str, date: str | None = None) -> tuple[str, ...]:
    """Both formats of a column, or of a date and a time of day, where day and month of all dates could be swapped."""
    column, kind = column_sql(source, "time", time), source.column_types[time]
    if date is not None:
        column, kind = _join(source, date, time), "VARCHAR"
    if kind.split("(")[0] not in FORMATTED:
        return ()
    fitting = _fitting_formats(source, time, column, kind)
    if len(fitting) < 2:
        return ()
    first, second = _count_unread(source, column, kind, [Clock("s", format=form) for form in fitting])
    return tuple(fitting) if first == second else ()


def count_others(source: Source, name: str, pattern: str) -> int:
    """How many values of a column do not have a pattern."""
    text = text_of(column_sql(source, "time", name), source.column_types[name].split("(")[0])
    (row,) = source.query(
        f"SELECT count_if(NOT regexp_full_match({text}, {literal(pattern)})) AS n FROM {source.relation}",
        function="read_events",
        label="examining times",
    ).to_pylist()
    return int(row["n"])
