"""Fields of an event: SQL for ids and numbers. NaN and empty text are missing in files of every type."""

from __future__ import annotations

from dataclasses import dataclass

from singleout.ground.errors import DataError, SourceError
from singleout.reading.codes import composed_sql
from singleout.reading.database import literal
from singleout.reading.sources import Source
from singleout.reading.text_guesses import COMMA_NUMBER
from singleout.reading.times import FLOATS, INTEGERS

IDS_AS_TEXT = {
    "VARCHAR", "UUID", "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIME", "DECIMAL", "ENUM",
    "UBIGINT", "HUGEINT", "UHUGEINT", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS",
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """A condition that no row may meet, and the message for the first row that does."""

    condition: str
    message: str


Part = tuple[dict[str, str], tuple[Fault, ...], dict[str, str]]
"""Columns under our names, faults, and what counts as missing."""


def column_sql(source: Source, argument: str, name: str) -> str:
    """SQL for a column as it is, NULL where a value is missing."""
    column, kind = source.column("read_events", argument, name), source.column_types[name].split("(")[0]
    if kind == '"NULL"':
        raise DataError(f"`{argument}={name!r}` has no values: all of them are missing.", function="read_events")
    if kind in ("FLOAT", "DOUBLE"):
        return f"(CASE WHEN NOT isnan({column}) THEN {column} END)"
    return f"nullif({column}, '')" if kind == "VARCHAR" else column


def id_of(source: Source, argument: str, name: str) -> tuple[str, tuple[Fault, ...]]:
    """SQL for a column of ids: whole numbers stay numbers, all other types become text."""
    column, kind = column_sql(source, argument, name), source.column_types[name].split("(")[0]
    if kind in INTEGERS - IDS_AS_TEXT:
        return f"({column})::BIGINT", ()
    if kind in FLOATS - IDS_AS_TEXT:
        infinite = Fault(
            f"isinf({column})", f"the value of column {name!r} is infinite; ids must be finite numbers or text."
        )
        return f"(({column})::DOUBLE + 0.0)", (infinite,)  # adding zero makes -0.0 the same id as 0.0
    if kind == "VARCHAR":  # other programs write NaN for what is missing
        column = f"nullif(nullif({column}, 'NaN'), 'nan')"
    if kind in IDS_AS_TEXT:
        return composed_sql(column), ()
    if kind == "JSON":
        raise SourceError(
            f"`{argument}={name!r}` has values of mixed types. Make them all text or numbers.",
            function="read_events",
        )
    raise SourceError(
        f"`{argument}={name!r}` is of type {kind}; ids must be numbers, text, dates or times.", function="read_events"
    )


def number_of(source: Source, argument: str, name: str) -> tuple[str, tuple[Fault, ...]]:
    """SQL for a finite number, NULL where it is not one, and the fault of text that is not a number."""
    column, kind = column_sql(source, argument, name), source.column_types[name].split("(")[0]
    if kind in INTEGERS or kind == "DECIMAL":
        return f"({column})::DOUBLE", ()
    if kind in FLOATS:
        return f"(CASE WHEN isfinite({column}) THEN ({column})::DOUBLE END)", ()
    if kind == "VARCHAR":
        number = text_number(column)
        gone = f"{column} IS NOT NULL AND {number} IS NULL"
        comma = Fault(
            f"{gone} AND regexp_full_match({column}, {literal(COMMA_NUMBER)})",
            f"the value of column {name!r} has a comma. If it is a decimal comma, pass `decimal='comma'`.",
        )
        unread = Fault(gone, f"the value of column {name!r} is not a number.")
        return f"(CASE WHEN isfinite({number}) THEN {number} END)", (comma, unread)
    raise SourceError(f"`{argument}={name!r}` is of type {kind}; it must contain numbers.", function="read_events")


def text_number(column: str) -> str:
    """SQL for text as a number; NULL where it is not one. Unlike the database, 1_000 is not accepted."""
    return f"(CASE WHEN NOT contains({column}, '_') THEN TRY_CAST({column} AS DOUBLE) END)"
