"""Times: columns of times as SQL for the moment (UTC) and for the local clock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from functools import cache
from typing import get_args
from zoneinfo import available_timezones

import duckdb

from singleout.ground.errors import SourceError, bad_argument, is_number, near, unknown_name
from singleout.ground.names import Weekday
from singleout.reading.database import literal
from singleout.reading.time_formats import HOUR, check_format, has_offset, stamp_sql

PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
"""Units that counts since 1970 are usually in."""
UNITS = PER_SECOND | {"min": Fraction(1, 60), "h": Fraction(1, 3_600), "d": Fraction(1, 86_400)}
"""How many of each unit a second has; the long ones are those of times since a study began."""
SECOND = 1_000_000
DAY = 86_400 * SECOND
WEEK = 7 * DAY
LATEST = 16_725_225_600 * SECOND  # the year 2500
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
YEAR_ONE = 719_162 * DAY
"""Clock readings count from 1 January of the year 1, a Monday, so that days and weeks divide evenly."""

SMALL_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"}
INTEGERS = SMALL_INTEGERS | {"BIGINT", "UBIGINT", "HUGEINT"}
FLOATS = {"FLOAT", "DOUBLE", "DECIMAL"}
FORMATTED = INTEGERS | FLOATS | {"VARCHAR"}
"""Types of columns whose times may be written in a format, such as 20251231140500."""
STAMPS = {"DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"}
ZONED = r":\d\d(\.\d+)?\s*(Z|UTC|[+-](0\d|1[0-5])(:?[0-5]\d)?)\s*$"
"""A written time with its offset from UTC: minutes or seconds, then Z, UTC or +01:00."""
WRITTEN = (
    rf"\s*\d{{4}}[-/]\d\d?[-/]\d\d?([ T]{HOUR}:\d\d(:\d\d(\.\d+)?)?(\s*(Z|UTC|[+-](0\d|1[0-5])(:?[0-5]\d)?))?)?\s*"
)
"""A whole written time. The database reads the beginning and ignores the rest, such as PM."""
NUMBER = r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*"


@dataclass(frozen=True)
class Clock:
    """How to read a column of times: the unit of numbers, and the time zone of local clocks.

    Numbers are Unix times. Timestamps without a zone are local times in ``zone``; those with one are moments.
    Weeks, days and daily windows always follow the clock in ``zone``.
    """

    unit: str = "s"
    zone: str = "UTC"
    format: str | None = None
    """How times are written, where that was said."""

    def __post_init__(self) -> None:
        if self.format is not None:
            check_format(self.format)
        if self.unit not in UNITS:
            raise unknown_name("read_events", "time_unit", str(self.unit), UNITS)
        if self.zone != "UTC" and self.zone not in _zones():
            must = "the name of a time zone, such as Europe/Zurich"
            raise bad_argument("read_events", "timezone", must, self.zone, near(self.zone, _zones(), 0.8))

    def moment(self, column: str, kind: str) -> str:
        """SQL for microseconds since 1970 UTC; NULL where the value cannot be read as a time."""
        kind = kind.split("(")[0]
        if self.format is not None and kind in FORMATTED:
            return self._from_format(text_of(column, kind), self.format)
        if kind in SMALL_INTEGERS:
            return self._from_small(f"({column})::BIGINT")
        if kind in INTEGERS:
            return self._from_whole(f"TRY_CAST({column} AS BIGINT)")
        if kind in FLOATS:
            return self._from_number(f"({column})::DOUBLE")
        if kind == "TIMESTAMP WITH TIME ZONE":
            return f"epoch_us({column})"
        if kind in STAMPS:
            return self._from_stamp(f"({column})::TIMESTAMP")
        if kind == "VARCHAR":
            return self._from_text(column)
        raise SourceError(
            f"the column of times is of type {kind}; it must contain numbers, times or text.", function="read_events"
        )

    def reading(self, moment: str) -> str:
        """SQL for what the clock in the zone shows at a moment, as microseconds since the year 1 on that clock."""
        if self.zone == "UTC":
            return f"({moment} + {YEAR_ONE})"
        return f"(epoch_us(timezone({literal(self.zone)}, make_timestamptz({moment}))) + {YEAR_ONE})"

    def _from_small(self, number: str) -> str:
        return f"({number} // 1000)" if self.unit == "ns" else f"({number} * {SECOND // UNITS[self.unit]})"

    def _from_whole(self, number: str) -> str:
        # what would overflow when multiplied is beyond the year 2500 anyway
        largest = 2**62 * UNITS[self.unit] // SECOND
        return f"(CASE WHEN {number} BETWEEN {-largest} AND {largest} THEN {self._from_small(number)} END)"

    def _from_number(self, number: str) -> str:
        return f"TRY_CAST(round({number} * {float(SECOND / UNITS[self.unit])!r}) AS BIGINT)"

    def _from_stamp(self, stamp: str) -> str:
        if self.zone == "UTC":
            return f"epoch_us({stamp})"
        return f"epoch_us(timezone({literal(self.zone)}, {stamp}))"

    def _from_format(self, text: str, form: str) -> str:
        stamp = stamp_sql(text, form)
        return f"epoch_us({stamp})" if has_offset(form) else self._from_stamp(stamp)

    def _from_text(self, text: str) -> str:
        # the database needs Z for UTC, and no space before +01:00
        tight = f"regexp_replace(replace(trim({text}), 'UTC', 'Z'), '\\s+([Z+-])', '\\1')"
        zoned = f"epoch_us(TRY_CAST({tight} AS TIMESTAMPTZ))"
        plain = self._from_stamp(f"TRY_CAST({text} AS TIMESTAMP)")
        stamp = f"CASE WHEN regexp_matches({text}, {literal(ZONED)}) THEN {zoned} ELSE {plain} END"
        number = self._from_number(f"TRY_CAST({text} AS DOUBLE)")
        return (
            f"CASE WHEN regexp_full_match({text}, {literal(NUMBER)}) THEN {number}"
            f" WHEN regexp_full_match({text}, {literal(WRITTEN)}) THEN {stamp} END"
        )


def text_of(column: str, kind: str) -> str:
    """SQL for a column as text; decimal numbers that are whole have no point."""
    if kind == "VARCHAR":
        return column
    text = f"({column})::VARCHAR"
    if kind in INTEGERS:
        return text
    whole = f"TRY_CAST({column} AS BIGINT)"
    return f"(CASE WHEN {whole} = {column} THEN {whole}::VARCHAR ELSE {text} END)"


@cache
def _zones() -> frozenset[str]:
    """Names of zones that Python and the database both know, and that mean the same on every machine."""
    with duckdb.connect(":memory:") as database:
        known = {name for (name,) in database.execute("SELECT name FROM pg_timezone_names()").fetchall()}
    return frozenset(available_timezones() & known) - {"localtime", "Factory"}


def weekday_number(function: str, argument: str, name: str) -> int:
    """0 for Monday to 6 for Sunday."""
    if name not in WEEKDAYS:
        raise unknown_name(function, argument, str(name), WEEKDAYS)
    return WEEKDAYS.index(name)


SECONDS_IN = {"": 1, "s": 1, "min": 60, "h": 3_600, "d": 86_400}


def microseconds_of(function: str, argument: str, length: str | float | timedelta | None) -> int | None:
    """A length of time as microseconds: seconds, a timedelta, or text such as '15min'. None stays None."""
    if length is None or (isinstance(length, str) and length.strip().lower() == "none"):
        return None
    must = "a length of time above zero, such as '24h', '15min', '30s', '2d', a number of seconds, or none"
    if isinstance(length, timedelta):
        seconds = length.total_seconds()
    elif isinstance(length, str):
        read = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d|)\s*", length)
        if read is None:
            raise bad_argument(function, argument, must, length)
        seconds = float(read[1]) * SECONDS_IN[read[2]]
    elif is_number(length):
        seconds = float(length)
    else:
        raise bad_argument(function, argument, must, length)
    if not 0 < seconds < LATEST / SECOND:
        raise bad_argument(function, argument, must, length)
    return round(seconds * SECOND)
