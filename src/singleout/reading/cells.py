"""Columns of Python values, as spreadsheets and statistics packages hand them over, as Arrow columns of one type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import pyarrow as pa

EXACT = 2**53
"""Above this not every whole number is a floating-point number."""


def as_column(values: Sequence[Any]) -> pa.Array:
    """Values of one column: numbers, dates, times or true and false where all are; text otherwise. Gaps are None."""
    kinds = {type(value) for value in values} - {type(None)}
    if not kinds:
        return pa.array([None] * len(values), pa.string())
    if kinds <= {int, float}:
        return _numbers(values)
    if kinds == {bool}:
        return pa.array(values, pa.bool_())
    if kinds <= {date, datetime}:
        return _dates(values)
    if kinds == {time}:
        return pa.array(values, pa.time64("us"))
    return pa.array([None if value is None else as_text(value) for value in values], pa.string())


def _numbers(values: Sequence[Any]) -> pa.Array:
    there = [value for value in values if value is not None]
    if all(abs(value) < EXACT and value == int(value) for value in there):  # NaN is not below anything
        return pa.array([None if value is None else int(value) for value in values], pa.int64())
    return pa.array([None if value is None else float(value) for value in values], pa.float64())


def _dates(values: Sequence[Any]) -> pa.Array:
    moments = [None if value is None else _moment(value) for value in values]
    if all(moment is None or moment.time() == time() for moment in moments):
        return pa.array([None if moment is None else moment.date() for moment in moments], pa.date32())
    return pa.array(moments, pa.timestamp("us"))


def _moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)


def as_text(value: Any) -> str:
    """A value as text: whole numbers without a point, dates as 2025-12-31, times as 14:05:00."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and abs(value) < EXACT and value == int(value):
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    return _AS_TEXT.get(type(value), str)(value)


def _duration(value: timedelta) -> str:
    seconds = round(value.total_seconds())
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


_AS_TEXT: dict[type, Callable[[Any], str]] = {
    date: date.isoformat,
    time: time.isoformat,
    timedelta: _duration,
    bool: lambda value: "true" if value else "false",
}
