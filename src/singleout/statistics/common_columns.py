"""Columns that two tables share, as whole numbers that mean the same value on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.arrays import Integers32
from singleout.ground.errors import DataError, SourceError
from singleout.ground.notes import Note, number_of
from singleout.reading.codes import Values
from singleout.reading.columns import Column
from singleout.reading.names import has_values
from singleout.reading.proposals import names_are_values
from singleout.reading.sources import Source
from singleout.reading.tables import Table, name_list
from singleout.statistics.ids import comparable

SIDES = ("released", "known")
NOTHING_SHARED = "nothing-shared"
"""The code of the note on a column that has no value in both tables."""
NUMBERS = "numbers"
MIDNIGHT = " 00:00:00"


@dataclass(frozen=True, eq=False)
class CommonColumn:
    """One column of both sides: codes from 0 to ``size`` - 1, -1 where missing; ``distinct`` values on the released."""

    name: str
    released: Integers32
    known: Integers32
    size: int
    distinct: int
    notes: tuple[Note, ...]


def common_names(function: str, tables: tuple[Table, Table], on: Sequence[str] | None) -> tuple[str, ...]:
    """The given columns, which must be on both sides; if none are given, every column that both have."""
    if on is not None:
        names = name_list(function, "on", on)
        for side, table in zip(SIDES, tables, strict=True):
            table.check_columns(function, "on", names, side=side)
        return names
    names = tuple(name for name in tables[0].columns if name in tables[1].columns)
    if not names:
        mine, theirs = (len(table.columns) for table in tables)
        raise DataError(
            "the two tables have no column name in common "
            f"(released: {number_of(mine, 'columns')}, known: {theirs:,}).",
            function=function,
            hint=" ".join([*_without_header(tables), "Rename the columns that mean the same."]),
        )
    for table in tables:
        _refuse_records(function, table.source)
    return names


def _refuse_records(function: str, source: Source) -> None:
    """Two files with the same first line may both lack a header: nobody named the columns, and results would."""
    header = source.header
    if header is None or not (len(header) == 1 or any(map(has_values, header)) or names_are_values(source)):
        return
    way = source.how_to_divide if len(header) == 1 else "Name the columns in their order with `columns_are`."
    raise SourceError(
        f"the first line of {source.display_name} may be a record, and is not shown.",
        function=function,
        hint=f"{way} If it names columns, list those that both have with `on`.",
    )


def _without_header(tables: tuple[Table, Table]) -> list[str]:
    texts = [(table.source.display_name, table.source.text) for table in tables]
    return [f"Does {name} have a header line?" for name, text in texts if text is not None and not text.has_names]


def common_columns(
    function: str,
    tables: tuple[Table, Table],
    names: Sequence[str],
    *,
    single: bool = True,
    progress: bool | None = None,
) -> list[CommonColumn]:
    """Read these columns of both tables and give equal values equal codes: of records, or of rows as they came."""
    for name in names:
        _refuse_different_types(function, tables, name)
    released, known = (
        encode_side(function, side, table, names, single=single, progress=progress)
        for side, table in zip(SIDES, tables, strict=True)
    )
    return [_common(tables, mine, theirs) for mine, theirs in zip(released, known, strict=True)]


def encode_side(
    function: str,
    side: str,
    table: Table,
    names: Sequence[str],
    *,
    single: bool = True,
    progress: bool | None = None,
) -> list[Column]:
    """Columns of one side as codes; errors name the side."""
    encode = table.encode if single else table.encode_rows
    try:
        return encode(names, progress=progress)
    except DataError as error:
        raise error.within(function=function, context=side) from None


def _refuse_different_types(function: str, tables: tuple[Table, Table], name: str) -> None:
    """Refuse types that have no equal values; numbers and dates can be compared with text that is written like them."""
    kinds = [table.source.column_types[name] for table in tables]
    families = {_family(kind) for kind in kinds}
    if len(families) > 1 and "VARCHAR" not in families:
        types = f"{kinds[0]} on the released side and {kinds[1]} on the known side"
        raise DataError(
            f"column {name!r} is {types}, which cannot be compared. Convert one of them.", function=function
        )


def _family(kind: str) -> str:
    plain = kind.split("(")[0]
    if plain in ("FLOAT", "DOUBLE", "DECIMAL") or plain.endswith("INT") or plain == "INTEGER":
        return NUMBERS
    return "VARCHAR" if plain in ("VARCHAR", "ENUM", "UUID") else plain


def _common(tables: tuple[Table, Table], mine: Column, theirs: Column) -> CommonColumn:
    values = comparable(*_without_midnight(tables, mine, theirs))
    number: dict[Any, int] = {}
    codes = []
    for side, column in zip(values, (mine, theirs), strict=True):
        new = [number.setdefault(value, len(number)) for value in side.tolist()]
        codes.append(np.array([*new, -1], dtype=np.int32)[column.codes])
    notes = _as_text(tables, mine.name) + _nothing_shared(mine.name, values, len(number))
    return CommonColumn(mine.name, codes[0], codes[1], len(number), len(mine.values), notes)


def _without_midnight(tables: tuple[Table, Table], mine: Column, theirs: Column) -> tuple[Values, Values]:
    """The values of both sides; if timestamps that are all midnight are compared with text, written as dates."""
    both = (mine.values, theirs.values)
    families = [_family(table.source.column_types[mine.name]) for table in tables]
    moments = [values for values, family in zip(both, families, strict=True) if family.startswith("TIMESTAMP")]
    if len(moments) != 1 or not all(value.endswith(MIDNIGHT) for value in moments[0].tolist()):
        return both
    released, known = (
        np.array([value.removesuffix(MIDNIGHT) for value in values.tolist()], dtype=object) for values in both
    )
    return released, known


def _as_text(tables: tuple[Table, Table], name: str) -> tuple[Note, ...]:
    kinds = [table.source.column_types[name] for table in tables]
    families = {_family(kind) for kind in kinds}
    if len(families) == 1:
        return ()
    unlike = "007 is not 7" if NUMBERS in families else "2.1.2020 is not 2020-01-02"
    return (Note(1, f"columns compared as text ({name})", f"the types are {' and '.join(kinds)}; {unlike}"),)


def _nothing_shared(name: str, values: tuple[Any, Any], distinct: int) -> tuple[Note, ...]:
    if distinct < len(values[0]) + len(values[1]):
        return ()
    what = f"columns without a common value ({name})"
    return (Note(1, what, "nothing can be linked by it: is it the same column?", NOTHING_SHARED),)
