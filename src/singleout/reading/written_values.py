"""What the texts of a column look like: numbers, days, times of day, counts since 1970."""

from __future__ import annotations

import re

from singleout.reading.time_formats import are_most
from singleout.reading.times import PER_SECOND

DAY = r"(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4})"
CLOCK = r"\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?"
TIMED = re.compile(rf"\s*(?:{DAY}[ T]\s*)?({CLOCK})\s*|\s*(?:19|20)\d{{6}}(\d{{4,6}})")
"""A written time with a time of day, in words or as 20240115123000: dates alone may be birthdays."""
DATED = re.compile(rf"\s*({DAY})(?:[ T].*)?")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")
SINCE_1970 = (946_684_800, 2_051_222_400)
"""Seconds from the year 2000 to 2035."""
SHORT_SPAN = 15
"""The most years that dates of events span; birthdays span more."""


def times_of_day(values: list[str]) -> set[str]:
    """The distinct times of day, if most values are written times, or all counts since 1970; otherwise none."""
    written = [found for found in map(TIMED.fullmatch, values) if found]
    if are_most(len(written), len(values)):
        return {found[1] or found[2] for found in written}
    return {str(second % 86_400) for second in seconds_since_1970(values)}


def seconds_since_1970(values: list[str]) -> list[int]:
    """Whole seconds since 1970, if all values are such counts, in some unit, between 2000 and 2035."""
    unit = _unit_since_1970(values)
    return [] if unit is None else [int(float(value) // PER_SECOND[unit]) for value in values]


def time_unit_of(values: list[str]) -> str:
    """The unit of times that are counts since 1970; seconds where they are not, or cannot be recognised."""
    return _unit_since_1970(values) or "s"


def _unit_since_1970(values: list[str]) -> str | None:
    if not values or not all(map(NUMBER.fullmatch, values)):
        return None
    numbers, (first, last) = [float(value) for value in values], SINCE_1970
    fits = (
        unit for unit, factor in PER_SECOND.items() if first * factor <= min(numbers) and max(numbers) <= last * factor
    )
    return next(fits, None)


def is_day_of_an_event(values: list[str]) -> bool:
    """Whether most values are dates, all within a few years; dates of birth span more."""
    found = [DATED.fullmatch(value) for value in values]
    years = [int(part) for each in found if each for part in re.split(r"[-/.]", each[1]) if len(part) == 4]
    return are_most(len(years), len(values)) and max(years) - min(years) <= SHORT_SPAN


def has_fractions(values: list[str]) -> bool:
    """Whether all values are numbers, and not all of them whole."""
    return all(map(NUMBER.fullmatch, values)) and not all(float(value).is_integer() for value in values)
