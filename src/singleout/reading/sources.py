"""Sources of data: files of many kinds, frames, Arrow tables and streams, DuckDB relations, tables of warehouses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from singleout.ground.errors import LONGEST, DataError, InputError, SourceError, bad_argument, near
from singleout.ground.notes import Note, cut_middle, number_of
from singleout.reading.addresses import is_server
from singleout.reading.database import Database, quote
from singleout.reading.forms import Form
from singleout.reading.kinds import BINARY_NAMES, PACKED_NAMES, FileKind
from singleout.reading.locations import USUAL, hide_query, locate
from singleout.reading.names import has_same_names, look_like_names, same_name
from singleout.reading.opening import Opened, open_location
from singleout.reading.parts import label_files
from singleout.reading.streams import hide_words, keep_reader
from singleout.reading.text_faults import LONGEST as LONGEST_ROW
from singleout.reading.text_files import TextFiles, not_utf8
from singleout.reading.warehouse import RemoteTable, as_remote, connect

NAMES_SHOWN = 30
MUST = (
    "a path or glob, the address of a table on a server, a pandas, polars or Spark frame, an Arrow table or stream, a "
    "DuckDB relation, an Ibis table or an ADBC cursor"
)
NEARLY_THE_SAME = 0.7


@dataclass(frozen=True)
class Source:
    """A relation inside a private database, its columns with their types, and the files behind it."""

    database: Database
    stored: str
    """The relation's name; empty while its rows are still elsewhere."""
    column_types: dict[str, str]
    files: tuple[Path, ...] = ()
    text: TextFiles | None = None
    header: tuple[str, ...] | None = None
    """Names that stand in the first row of the data; None where they are declared, or were given."""
    labels: Mapping[Path, str] = field(default_factory=dict)
    """What messages call each file that is read; copies of ours go by the name of their origin."""
    notes: tuple[Note, ...] = ()
    """What was guessed, and what was left out, when it was opened."""
    argument: str = ""
    """How it was named, with the part that is read; empty for frames."""
    remote: RemoteTable | None = None
    """Where its rows lie, if that is a warehouse."""
    records_column: str | None = None
    """The column that says how many records each row stands for; None where each is one."""
    all_columns: tuple[str, ...] = ()
    """Those that are not read, too: of frames, streams and warehouses only those asked for are."""

    @property
    def records_sql(self) -> str:
        """SQL for the number of records that a row stands for."""
        return "1" if self.records_column is None else f"{quote(self.records_column)}::BIGINT"

    def count_sql(self, column: str | None = None) -> str:
        """SQL for the number of records, or of those that have a value in a column."""
        if self.records_column is None:
            return f"count({'*' if column is None else quote(column)})"
        having = "" if column is None else f" FILTER ({quote(column)} IS NOT NULL)"
        return f"coalesce(sum({self.records_sql}){having}, 0)::BIGINT"

    @property
    def elsewhere(self) -> RemoteTable | None:
        """Where single records can be counted and looked at without fetching them, if that is a warehouse."""
        return self.remote if self.records_column is None else None

    def first_records(self, number: int) -> str:
        """A subquery for the first records."""
        there = self.elsewhere
        relation = self.relation if there is None else there.sorted_rows(self.database, number)
        few = f"(SELECT * FROM {relation} LIMIT {number})"
        if self.records_column is None:
            return few
        times = f"unnest(range(least({self.records_sql}, {number})))"
        return f"(SELECT * FROM (SELECT *, {times} AS singleout_time FROM {few}) LIMIT {number})"

    @property
    def relation(self) -> str:
        """The relation with all rows; those of a warehouse are fetched now, and may stand for several records each."""
        return self.stored if self.remote is None else self.remote.fetch(self.database)

    def first_rows(self, number: int, name: str) -> str:
        """A subquery for a few rows that have a value in a column."""
        relation = self.stored if self.remote is None else self.remote.first_rows(self.database, number, name)
        return f"(SELECT * FROM {relation} WHERE {quote(name)} IS NOT NULL LIMIT {number})"

    @property
    def display_name(self) -> str:
        """What errors call it: its only file, the first of several by its number, its address, or just 'source'."""
        if not self.files:
            return self.argument or "source"
        if len(self.files) > 1:
            return next(iter(label_files(self.files).values()))
        label = self.labels.get(self.files[0])
        return label if label not in (None, str(self.files[0])) else self.files[0].name

    def row_in_words(self, row: int) -> str:
        """A row, counted from 1, and its file; of several files they are counted one after another."""
        files = max(len(self.files), len(self.labels))
        if files > 1:
            return f"row {row:,} of all {files:,} files"
        return f"{self.display_name}, row {row:,}" if self.files else f"row {row:,}"

    def column(self, function: str, argument: str, name: str, side: str = "", named: Iterable[str] = ()) -> str:
        """The SQL of a column; raises an error that lists the columns if it is missing, and names the side.

        ``named`` are all columns that are asked for.
        """
        if not isinstance(name, str):
            raise bad_argument(function, argument, "the name of a column", name)
        if name not in self.column_types:
            called = self.display_name if self.files or self.argument else side
            where = f" of {called}" if called else ""
            given = cut_middle(repr(name), LONGEST)
            raise SourceError(
                f"`{argument}={given}` is not a column{where}.", function=function, hint=self.columns_there(name, named)
            )
        return quote(name)

    def query(self, sql: str, *, function: str, label: str, progress: bool | None = None) -> pa.Table:
        """Run a query; a file that turns out to be broken raises an error with our own message."""
        try:
            return self.database.table(sql, label=label, progress=progress)
        except duckdb.Error as error:
            if self.files:
                broken = self._explain_bad_text(error) or unreadable(
                    tuple(self.labels) or self.files, error, self.labels
                )
                raise broken.within(function=function) from error
            # DuckDB's own message may quote a value
            raise DataError(
                f"the source contains values that cannot be used ({type(error).__name__}).", function=function
            ) from error

    def _explain_bad_text(self, error: duckdb.Error) -> SourceError | None:
        """What is wrong with text files, by line and row: a database assumes that no field spans two lines."""
        if self.text is None:
            return None
        try:
            not_text = "encoded" in str(error) or "unicode" in str(error).lower()
            found = self.text.not_text() if not_text else None
            fault = None if found else self.text.fault(LONGEST_ROW)
        except OSError:  # a compressed file that is cut off
            return None
        return found if fault is None else SourceError(fault)

    def check_rows(self, function: str, rows: int) -> None:
        """Refuse a reading of text files that lost a record."""
        if self.text is not None:
            self.text.check_rows(function, rows)

    def columns_there(self, name: str = "", named: Iterable[str] = ()) -> str:
        """The names of the columns, and the one closest to ``name``.

        The first line of a text file or sheet may be the first record, so only a close name is shown of it. It is no
        record where one of the columns ``named`` is in it.
        """
        if self.header is None:
            names = list(self.column_types)
            more = f" and {len(names) - NAMES_SHOWN:,} more" if len(names) > NAMES_SHOWN else ""
            return f"Its columns: {', '.join(names[:NAMES_SHOWN])}{more}. {near(name, names)}".rstrip()
        if not self._shows_header(named):
            fields = number_of(len(self.header), "fields")
            hint = "Does the file have a header line? If not, name its columns in their order with `columns_are`."
            hint = hint if len(self.header) > 1 else self.how_to_divide
            return f"The first line of the file ({fields}) does not look like column names and is not shown. {hint}"
        columns = number_of(len(self.header), "columns")
        more = self.near_name(name, named) if len(self.header) > 1 else self.how_to_divide
        return f"The first line of the file names {columns}. {more}".rstrip()

    def near_name(self, name: str, named: Iterable[str] = ()) -> str:
        """The column closest to ``name``, where names may be shown; nothing where none is close."""
        if self.header is None:
            return near(name, self.column_types)
        # of a file with another separator, one name is a whole record
        is_shown = len(self.header) > 1 and self._shows_header(named)
        return near(name, self.column_types, NEARLY_THE_SAME) if is_shown else ""

    def _shows_header(self, named: Iterable[str]) -> bool:
        """Whether the first line is no record."""
        header = self.header or ()
        return look_like_names(header) or not set(header).isdisjoint(named)

    @property
    def how_to_divide(self) -> str:
        """What to do about a file that was read as one column, hardly ever what was meant."""
        separator = "" if self.text is None else "the separator with `delimiter`, or "
        return f"Name {separator}the columns with `columns_are`."

    def renamed(self, names: Mapping[str, str]) -> Source:
        """The same with new names for some columns; an old column with a new name is left out."""
        if not names:
            return self
        there = [name for name in self.all_columns if name in names or name not in names.values()]
        kept = {name: names.get(name, name) for name in there if name in self.column_types}
        types = {new: self.column_types[old] for old, new in kept.items()}
        self = replace(self, all_columns=tuple(names.get(name, name) for name in there))
        if self.remote is not None:
            return replace(self, column_types=types, remote=self.remote.rename(kept))
        chosen = ", ".join(f"{quote(old)} AS {quote(new)}" for old, new in kept.items())
        relation = self.database.define(f"(SELECT {chosen} FROM {self.stored})")
        return replace(self, stored=relation, column_types=types)

    def with_note(self, note: Note) -> Source:
        """The same with one more note."""
        return replace(self, notes=(*self.notes, note))


def open_source(
    source: Any, *, function: str = "read_events", form: Form | None = None, columns: Iterable[Any] = ()
) -> Source:
    """Open a source in a database of its own. Reads names and types of columns; rows only where a file needs it.

    Only the ``columns`` named are used of a frame; all if none is named. Errors name ``function``. An open source stays
    as it is.
    """
    if isinstance(source, Source):
        return source
    form = form or Form()
    form.check(function)
    named = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    try:
        if named is not None and not is_server(named):
            return _from_files(Database(), named, form, function)
        if form.user_from_name:
            raise InputError("`user_from_name` requires files, one for each person.")
        if form.columns_are is not None:
            raise _names_of_its_own("a frame" if named is None else "a table on a server")
        remote = as_remote(source) if named is None else connect(named)
        if remote is not None:
            return _from_warehouse(Database(), remote, set(columns), "" if named is None else remote.label)
        if not hasattr(source, "__arrow_c_stream__") and not hasattr(source, "fetch_record_batch"):
            raise bad_argument(function, "source", MUST, type(source).__name__)
        return _from_frame(Database(), source, set(columns))
    except InputError as error:
        raise error.within(function=function) from None
    except OSError as error:
        raise SourceError(f"cannot read the source: {error.strerror or error}.", function=function) from error


def _from_warehouse(database: Database, remote: RemoteTable, columns: set[Any], argument: str) -> Source:
    """Only names and types of columns are asked for now; only the named columns will be read, unless one is missing."""
    names = remote.schema.names
    if has_same_names(names):
        raise same_name(remote.label, names)
    if columns and columns <= set(names):
        remote = remote.select([name for name in names if name in columns])
    kinds = database.column_types(database.view(remote.schema.empty_table()))
    return Source(database, "", kinds, argument=argument, remote=remote, all_columns=tuple(names))


def _from_frame(database: Database, source: Any, columns: set[Any]) -> Source:
    if not len(getattr(source, "columns", "x")):
        raise SourceError("the source is a frame without columns.")
    names = getattr(source, "column_names", None)  # of an Arrow table, whose columns are arrays
    names = list(map(str, getattr(source, "columns", ()) if names is None else names))
    if has_same_names(names):
        raise same_name("the source", names)
    relation, found = _from_memory(database, _select_columns(source, columns), columns)
    return Source(database, relation, database.column_types(relation), all_columns=tuple(names or found))


def _select_columns(source: Any, columns: set[Any]) -> Any:
    """Only the named columns of a pandas or polars frame; all if none is named, or if one is missing."""
    names = getattr(source, "columns", None)
    if (
        not columns
        or names is None
        or isinstance(source, pa.Table | duckdb.DuckDBPyRelation)
        or not columns <= set(names)
    ):
        return source
    return source[[name for name in names if name in columns]]


def _from_memory(database: Database, source: Any, columns: set[Any]) -> tuple[str, list[str]]:
    """A relation and all columns there are.

    Frames and tables are read in place; streams and foreign relations can be read only once, so they are stored.
    """
    try:
        if isinstance(source, pa.RecordBatchReader | duckdb.DuckDBPyRelation):
            reader = pa.RecordBatchReader.from_stream(source)
        elif hasattr(source, "fetch_record_batch"):
            with hide_words("the cursor"):
                reader = source.fetch_record_batch()
        else:
            table = pa.table(source)
            return database.view(table), table.column_names
        return keep_reader(database, reader, columns), reader.schema.names
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        # Arrow's own message quotes a value of the data, so it is not repeated
        raise SourceError(
            "the source has a column with values of mixed types. Give each column one type, "
            "for example frame[name] = frame[name].astype(str)."
        ) from error


def _from_files(database: Database, named: str, form: Form, function: str) -> Source:
    location = locate(named, function)
    try:
        opened = open_location(database, location, form)
        kinds = opened.column_types or database.column_types(opened.relation)
    except duckdb.Error as error:
        raise unreadable(location.files, error, label_files(location.files)) from error
    source = _as_source(database, opened, kinds, location.files, hide_query(named))
    if not set(form.columns_are or ()) <= set(kinds):
        raise _names_of_its_own(source.display_name)
    return source


def _names_of_its_own(what: str) -> InputError:
    """Names were given for columns that have names."""
    text = "`columns_are` names the columns of text and sheets without a header line"
    return InputError(f"{text}, but {what} has names of its own. Leave it out.")


def _as_source(
    database: Database, opened: Opened, kinds: dict[str, str], files: tuple[Path, ...], argument: str
) -> Source:
    found = opened.text, opened.header, opened.labels, opened.notes
    return Source(database, opened.relation, kinds, files, *found, argument, all_columns=tuple(kinds))


def unreadable(files: tuple[Path, ...], error: duckdb.Error, labels: Mapping[Path, str] | None = None) -> SourceError:
    """Say which file cannot be read, where and why. DuckDB's own message would quote the data."""
    text = str(error)
    named = sorted((file for file in files if str(file) in text), key=lambda file: text.index(str(file)))
    called = {file: str(file) for file in files} | dict(labels or {})
    first = called[(named or files)[0]]
    which = first if named or len(files) == 1 else f"one of the {len(files):,} files"
    line = re.search(r"[Ll]ine:? (\d+)", text)
    where = f" at line {int(line.group(1)):,}" if line else ""
    lower = text.lower()
    if "not utf-8 encoded" in lower or "invalid unicode" in lower or "unicode" in lower.partition("\n")[0]:
        return not_utf8(which, where)
    if "schema mismatch" in lower or "cast" in lower:
        return SourceError(f"{which} lacks a column, or has it with a different type from the other files.")
    if "state machine reached an invalid state" in text:
        return SourceError(f"{which} mixes line endings, or has a misplaced quote. Export the file again.")
    return SourceError(f"{which} is not a complete, readable {_kind_in_words(files[0])} file{where}.")


def _kind_in_words(file: Path) -> str:
    """What the name of a file says it is."""
    suffix = (file.with_suffix("") if file.suffix.lower() in PACKED_NAMES else file).suffix.lower()
    if suffix in BINARY_NAMES:
        return BINARY_NAMES[suffix]
    return suffix[1:].upper() if suffix in USUAL else FileKind.TEXT
