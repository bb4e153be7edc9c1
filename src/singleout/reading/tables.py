"""Tables: one row per record, columns of any type. Read lazily; columns become codes once, when needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from singleout.ground.errors import DataError, bad_argument
from singleout.ground.names import DecimalSign, Encoding
from singleout.ground.notebooks import Described
from singleout.ground.notes import Note, number_of
from singleout.ground.parallel import map_jobs
from singleout.reading.codes import Values, composed_sql, encode
from singleout.reading.columns import Column, Rows
from singleout.reading.database import quote
from singleout.reading.fields import text_number
from singleout.reading.forms import make_form
from singleout.reading.sources import Source, open_source
from singleout.reading.times import SMALL_INTEGERS
from singleout.reading.warehouse import EVENTS

EXACT_DIGITS = 15
"""Decimals of up to this many digits are compared as numbers, longer ones as text."""
NOISE_DIGITS = 9
"""Decimal numbers that differ only beyond this many significant digits are most likely noise."""
SENTENCE = 3
"""Average number of spaces per distinct value from which a column counts as free text."""


COLUMNS_AT_ONCE = 1_000
"""A query of ten thousand columns takes the database minutes to plan, during which it cannot be interrupted."""


@dataclass(frozen=True, eq=False)
class Table(Described):
    """One row per record, read lazily. ``columns`` are those that count, without the survey weight.

    Of a warehouse come distinct rows: ``rows`` says how many there are, and how many records each stands for.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> table
    Table(500 records, 10 columns in memory)
    >>> len(table)
    500
    """

    source: Source
    columns: tuple[str, ...]
    survey_weight: str | None = None
    _encoded: dict[str, Column] = field(default_factory=dict, repr=False)
    """At ``rows``, as they came."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files behind it; empty for frames."""
        return self.source.files

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is unusual about the columns: identifiers, single values, free text, decimal numbers. Reads them all."""
        return self.notes_on(self.columns)

    def notes_on(self, names: Iterable[str]) -> tuple[Note, ...]:
        """The same for some of the columns, after what was guessed about the file."""
        return (*self.source.notes, *_notes(self.encode_rows(names)))

    def __len__(self) -> int:
        return self.rows.records

    @cached_property
    def rows(self) -> Rows:
        """Its rows, and how many records each stands for."""
        if self.source.records_column is not None:
            sql = f"SELECT {self.source.records_sql} AS n FROM {self.source.relation}"
            found = self.source.query(sql, function="read_table", label="counting records")["n"]
            return Rows(len(found), found.to_numpy().astype(np.int64))
        if self._encoded:
            return Rows(len(next(iter(self._encoded.values())).codes))
        rows = self.source.query(
            f"SELECT count(*) AS n FROM {self.source.relation}", function="read_table", label="counting records"
        )
        self.source.check_rows("read_table", rows["n"][0].as_py())
        return Rows(int(rows["n"][0].as_py()))

    def encode(self, names: Iterable[str], *, progress: bool | None = None) -> list[Column]:
        """Columns as codes, one per record, in the order given. New columns are read, and kept.

        Distinct rows are repeated as often as there are records, where the memory suffices.
        """
        columns = self.encode_rows(names, progress=progress)
        single = self.rows.single() if self.source.records_column is not None and columns else None
        return columns if single is None else [column.at(single) for column in columns]

    def encode_rows(
        self, names: Iterable[str], rows: Rows | None = None, *, progress: bool | None = None
    ) -> list[Column]:
        """Columns as codes, one per row, with the records of each; by default at the rows that came.

        Up to a thousand columns are read in one scan.
        """
        wanted = list(names)
        new = [name for name in dict.fromkeys(wanted) if name not in self._encoded]
        for first in range(0, len(new), COLUMNS_AT_ONCE):
            self._encoded.update(self._read(new[first : first + COLUMNS_AT_ONCE], progress))
        columns = [self._encoded[name] for name in wanted]
        return columns if rows is None else [column.at(rows) for column in columns]

    def _read(self, names: list[str], progress: bool | None) -> dict[str, Column]:
        chosen = ", ".join(
            f"{_comparable(quote(name), self.source.column_types[name])} AS column_{k}" for k, name in enumerate(names)
        )
        rows = self.source.query(
            f"SELECT {chosen} FROM {self.source.relation}",
            function="read_table",
            label="reading columns",
            progress=progress,
        )
        if not rows.num_rows:
            raise DataError(f"{self.source.display_name} contains no records.", function="read_table")
        self.source.check_rows("read_table", rows.num_rows)
        times = None if self.source.records_column is None else self.rows.times
        columns = map_jobs(
            lambda k: _column(names[k], *encode(rows[f"column_{k}"]), times),
            range(len(names)),
            label="coding columns",
            progress=False,
        )
        return dict(zip(names, columns, strict=True))

    @cached_property
    def survey_weights(self) -> NDArray[np.float64] | None:
        """How many people of the population each record of a row represents; None without a survey weight."""
        if self.survey_weight is None:
            return None
        column = quote(self.survey_weight)
        is_text = self.source.column_types[self.survey_weight] == "VARCHAR"
        number = text_number(column) if is_text else f"TRY_CAST({column} AS DOUBLE)"
        rows = self.source.query(
            f"SELECT {number} AS weight FROM {self.source.relation}",
            function="read_table",
            label="reading survey weights",
        )
        weights: NDArray[np.float64] = rows["weight"].to_numpy().astype(np.float64)
        bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
        if len(bad):
            more = f" ({len(bad):,} rows have this problem)" if len(bad) > 1 else ""
            raise DataError(
                f"{self.source.row_in_words(int(bad[0]) + 1)}: the survey weight in column {self.survey_weight!r} is "
                f"not a number of 0 or more{more}.",
                function="read_table",
                hint=f"Remove or correct {'them' if len(bad) > 1 else 'it'} first.",
            )
        return weights

    def check_columns(
        self, function: str, argument: str, names: Any, *, empty: bool = False, side: str = ""
    ) -> tuple[str, ...]:
        """Check a list of columns of this table; raises an error that lists the columns there are."""
        chosen = name_list(function, argument, names)
        if not chosen and not empty:
            raise bad_argument(function, argument, "a list of at least one column", chosen)
        for name in chosen:
            self.source.column(function, argument, name, side, chosen)
            if name not in self.columns:
                raise bad_argument(function, argument, "columns that read_table kept", name)
        return chosen

    def facts(self) -> dict[str, object]:
        """The columns, and the number of records once they are counted; files are not read for it."""
        elsewhere = bool(self.files) or self.source.remote is not None
        counted = not elsewhere or self._encoded or "rows" in vars(self)
        facts: dict[str, object] = {"records": len(self)} if counted else {}
        facts |= {"files": len(self.files)} if self.files else {}
        facts |= {"columns": list(self.columns)}
        return facts if self.survey_weight is None else facts | {"survey weight": self.survey_weight}

    def __repr__(self) -> str:
        weight = "" if self.survey_weight is None else f", survey weight {self.survey_weight!r}"
        where = f"of {len(self.files)} file{'s' * (len(self.files) > 1)}" if self.files else "in memory"
        where = where if self.source.remote is None else "of a warehouse"
        records = f"{self.facts()['records']:,} records, " if "records" in self.facts() else ""
        return f"Table({records}{number_of(len(self.columns), 'columns')} {where}{weight})"


def read_table(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    survey_weight: str | None = None,
    encoding: Encoding | None = None,
    delimiter: str | None = None,
    decimal: DecimalSign | None = None,
    columns_are: Sequence[str] | None = None,
) -> Table:
    """Read a table with one row per record (Ramachandran 2012 III-A: the releasable attributes).

    Values are equal if they are the same number, date or text. Missing values, NaN and empty text count as one value
    of their own. Decimal numbers must agree in every digit; columns of a text file are compared as text. Nothing is
    read before a measure needs it.

    Parameters
    ----------
    source
        A file, folder or glob (docs/how-to/own-data.md lists the kinds), such as ``survey.csv``,
        ``survey.xlsx?sheet=Answers`` or ``sqlite:///survey.db?table=answers``; a pandas or polars frame, an Arrow table
        or stream, or a DuckDB relation; an Ibis table, a Spark frame or ``postgresql://user@host/data?table=answers``
        (docs/how-to/warehouses.md).
    columns, drop
        The columns that count; by default all but ``drop`` and the survey weight. Drop what is not released: names,
        record numbers.
    survey_weight
        Column with the number of people in the population that each record represents.
    encoding, delimiter, decimal
        Of text files: utf-8, latin-1, windows-1252 or utf-16; the character between fields; point or comma.
    columns_are
        Names for the columns of a file without a header line, in their order.

    Returns
    -------
    Table
        The table, to be measured and protected.

    Examples
    --------
    >>> import singleout as so
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"name": ["Ann", "Bob"], "born": [1950, 1960], "town": ["Ulm", "Bonn"]})
    >>> so.read_table(frame, drop=["name"])
    Table(2 records, 2 columns in memory)
    """
    chosen = None if columns is None else name_list("read_table", "columns", columns)
    if chosen == ():
        raise bad_argument("read_table", "columns", "a list of at least one column, or omitted for all", columns)
    dropped = name_list("read_table", "drop", drop)
    needed = [*(chosen or ()), *dropped, *([] if survey_weight is None else [survey_weight])]
    form = make_form(encoding, delimiter, decimal, columns_are, function="read_table")
    opened = open_source(source, function="read_table", form=form, columns=needed if chosen else ())
    for argument, names in (("columns", chosen or ()), ("drop", dropped)):
        for name in names:
            opened.column("read_table", argument, name, named=needed)
    if survey_weight is not None:
        opened.column("read_table", "survey_weight", survey_weight, named=needed)
    both = [name for name in dropped if name in (chosen or ())]
    if both:
        raise bad_argument("read_table", "drop", "columns that are not in columns", both[0])
    if chosen and survey_weight in chosen:
        raise bad_argument("read_table", "survey_weight", "a column that is not in columns", survey_weight)
    kept = tuple(name for name in chosen or opened.column_types if name not in (*dropped, survey_weight))
    if chosen is None:  # the row labels of a pandas frame are not a column
        kept = tuple(name for name in kept if not re.fullmatch(r"__index_level_\d+__", name))
    if not kept:
        raise bad_argument("read_table", "columns", "at least one column that is not dropped", list(chosen or ()))
    if opened.remote is not None:
        used = [name for name in opened.column_types if name in (*kept, survey_weight)]
        kinds = {name: opened.column_types[name] for name in used}
        opened = replace(opened, column_types=kinds, remote=opened.remote.as_records(used), records_column=EVENTS)
    return Table(opened, kept, survey_weight)


def with_records(table: Table, column: str) -> Table:
    """The same table where a column says how many records each row stands for."""
    kinds = {name: kind for name, kind in table.source.column_types.items() if name != column}
    kept = tuple(name for name in table.columns if name != column)
    source = replace(table.source, column_types=kinds, records_column=column)
    others = tuple(name for name in source.all_columns if name != column)
    return Table(replace(source, all_columns=others), kept, table.survey_weight)


def check_table(function: str, table: object) -> None:
    """Refuse what is not a Table."""
    if not isinstance(table, Table):
        raise bad_argument(function, "table", "a Table", type(table).__name__, "Make it with so.read_table(…).")


def as_table(source: Any) -> Table:
    """A table as it is, or a source that ``read_table`` reads."""
    return source if isinstance(source, Table) else read_table(source)


def name_list(function: str, argument: str, names: Any) -> tuple[str, ...]:
    """Column names as a tuple; each may occur once only."""
    listed = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    if isinstance(names, str) or not all(isinstance(name, str) for name in listed):
        raise bad_argument(function, argument, "a list of column names, such as ['age', 'sex']", names)
    if len(set(listed)) < len(listed):
        twice = next(name for name in listed if listed.count(name) > 1)
        raise bad_argument(function, argument, f"a list without repeated columns; {twice!r} occurs twice", listed)
    return tuple(listed)


def _comparable(column: str, kind: str) -> str:
    """SQL for a column such that equal values compare equal and missing values are NULL."""
    plain = kind.split("(")[0]
    if kind in SMALL_INTEGERS or kind == "BIGINT":
        return column
    if plain == "FLOAT":  # by its shortest decimals: 0.1 in single precision equals 0.1 in another file
        return f"(CASE WHEN NOT isnan({column}) THEN {column}::VARCHAR::DOUBLE + 0.0 END)"
    if plain == "DOUBLE":  # adding zero makes -0.0 the same as 0.0
        return f"(CASE WHEN NOT isnan({column}) THEN {column} + 0.0 END)"
    if plain == "DECIMAL" and int(kind[len("DECIMAL(") :].split(",")[0]) <= EXACT_DIGITS:
        return f"({column})::DOUBLE"
    return f"nullif({composed_sql(column)}, '')"


def canonical(column: str, kind: str) -> str:
    """SQL for a column of the same type in which values that compare equal are the same: one zero, one missing."""
    plain = kind.split("(")[0]
    if plain in ("FLOAT", "DOUBLE"):
        return f"(CASE WHEN NOT isnan({column}) THEN {column} + 0.0::{plain} END)"
    return f"nullif({composed_sql(column)}, '')" if plain == "VARCHAR" else column


def _column(name: str, codes: NDArray[np.intp], values: Values, times: NDArray[np.int64] | None) -> Column:
    missing = codes < 0
    any_missing = bool(missing.any())
    codes[missing] = len(values)
    return Column(name, codes.astype(np.int32), values, any_missing, times)


def _notes(columns: list[Column]) -> tuple[Note, ...]:
    """What is unusual, with the names of the columns."""
    kinds: dict[Oddity, list[str]] = {}
    for column in columns:
        for kind in _oddities(column):
            kinds.setdefault(kind, []).append(column.name)
    return tuple(
        Note(len(names), f"{kind.what} ({', '.join(names)})", kind.why_one if len(names) == 1 else kind.why_many)
        for kind, names in kinds.items()
    )


class Oddity(NamedTuple):
    """What is unusual about columns, and why that matters, for one column and for several."""

    what: str
    why_one: str
    why_many: str


SINGLE_VALUE = Oddity("columns with a single value", "it distinguishes nobody", "they distinguish nobody")
NO_VALUE = SINGLE_VALUE._replace(what="columns without values")
ALL_DISTINCT = Oddity(
    "columns in which every value is distinct",
    "likely an identifier; drop it if it is not released",
    "likely identifiers; drop what is not released",
)
NOISY = Oddity(
    "columns of decimal numbers",
    *[f"compared exactly, and some values differ only after digit {NOISE_DIGITS}: round them first"] * 2,
)
WORDY = Oddity("columns of free text", *["each text is compared as a whole, character by character"] * 2)


def _oddities(column: Column) -> list[Oddity]:
    signs = {
        SINGLE_VALUE: column.levels == 1 < column.records and not column.any_missing,
        NO_VALUE: not len(column.values) and column.records > 1,
        ALL_DISTINCT: column.levels == column.records > 1,
        NOISY: column.values.dtype.kind == "f" and _noisy(column.values),
        WORDY: column.values.dtype.kind == "O" and _wordy(column.values),
    }
    return [oddity for oddity, there in signs.items() if there]


def _noisy(values: Values) -> bool:
    """Whether sorted numbers have neighbours that agree in their leading digits."""
    finite = values[np.isfinite(values)]
    scale = np.maximum(np.abs(finite[1:]), np.abs(finite[:-1]))
    return bool((np.diff(finite) < scale * 10.0**-NOISE_DIGITS).any())


def _wordy(values: Values) -> bool:
    return len(values) > 0 and sum(value.count(" ") for value in values) >= SENTENCE * len(values)
