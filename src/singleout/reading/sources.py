"""Sources of data: paths and globs, frames, Arrow tables and streams, DuckDB relations."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from singleout.ground.errors import LONGEST, DataError, SourceError, bad_argument, near
from singleout.ground.notes import cut_middle, number_of
from singleout.reading.database import Database, literal, quote
from singleout.reading.text_faults import LONGEST as LONGEST_ROW
from singleout.reading.text_faults import PACKED
from singleout.reading.text_files import TextFiles, has_same_names, not_utf8, read_header, same_name

TEXT = (".csv", ".tsv", ".txt")
READERS = {
    ".parquet": "read_parquet({files}, hive_partitioning=false)",
    ".pq": "read_parquet({files}, hive_partitioning=false)",
    **dict.fromkeys(TEXT, ""),
    ".json": "read_json({files}, hive_partitioning=false)",
    ".jsonl": "read_json({files}, hive_partitioning=false)",
    ".ndjson": "read_json({files}, hive_partitioning=false)",
}
ENCODINGS = ("utf-8", "latin-1")
NAMES_SHOWN = 30
NEARLY_THE_SAME = 0.7


@dataclass(frozen=True)
class Source:
    """A relation inside a private database, its columns with their types, and the files behind it."""

    database: Database
    relation: str
    column_types: dict[str, str]
    files: tuple[Path, ...] = ()
    text: TextFiles | None = None

    @property
    def display_name(self) -> str:
        """What errors call it: the name of its first file, or just 'source'."""
        return self.files[0].name if self.files else "source"

    def row_in_words(self, row: int) -> str:
        """A row, counted from 1, and its file; of several files they are counted one after another."""
        if len(self.files) > 1:
            return f"row {row:,} of all {len(self.files):,} files"
        return f"{self.files[0].name}, row {row:,}" if self.files else f"row {row:,}"

    def column(self, function: str, argument: str, name: str, side: str = "") -> str:
        """The SQL of a column; raises an error that lists the columns if it is missing, and names the side."""
        if not isinstance(name, str):
            raise bad_argument(function, argument, "the name of a column", name)
        if name not in self.column_types:
            where = f" of {self.files[0].name if self.files else side}" if self.files or side else ""
            given = cut_middle(repr(name), LONGEST)
            raise SourceError(
                f"`{argument}={given}` is not a column{where}.", function=function, hint=self.columns_there(name)
            )
        return quote(name)

    def query(self, sql: str, *, function: str, label: str, progress: bool | None = None) -> pa.Table:
        """Run a query; a file that turns out to be broken raises an error with our own message."""
        try:
            return self.database.table(sql, label=label, progress=progress)
        except duckdb.Error as error:
            if self.files:
                broken = self._explain_bad_text(error) or unreadable(self.files, error)
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

    def columns_there(self, name: str = "") -> str:
        """The names of the columns, and the one closest to ``name``.

        The first line of a text file may be the first record, so only a close name is shown of it.
        """
        if self.text is None:
            names = list(self.column_types)
            more = f" and {len(names) - NAMES_SHOWN:,} more" if len(names) > NAMES_SHOWN else ""
            return f"Its columns: {', '.join(names[:NAMES_SHOWN])}{more}. {near(name, names)}".rstrip()
        if not self.text.has_names:
            fields = number_of(len(self.column_types), "fields")
            hint = "Does the file have a header line?"
            return f"Its first line ({fields}) does not look like column names and is not shown. {hint}"
        columns = number_of(len(self.column_types), "columns")
        return f"Its first line names {columns}. {near(name, self.column_types, NEARLY_THE_SAME)}".rstrip()


def open_source(
    source: Any, *, function: str = "read_events", encoding: str = "utf-8", columns: Iterable[Any] = ()
) -> Source:
    """Open a source in a database of its own. Reads names and types of columns, not the rows.

    Only the ``columns`` named are used of a frame; all if none is named. Errors name ``function``. An open source stays
    as it is.
    """
    if isinstance(source, Source):
        return source
    if encoding not in ENCODINGS:
        convert = "Convert files in other encodings first, for example: iconv -f CP1252 -t UTF-8 in.csv > out.csv"
        raise bad_argument(function, "encoding", f"one of {', '.join(ENCODINGS)}", encoding, convert)
    if not isinstance(source, str | os.PathLike) and not hasattr(source, "__arrow_c_stream__"):
        must = "a path or glob, a pandas or polars frame, an Arrow table or stream, or a DuckDB relation"
        raise bad_argument(function, "source", must, type(source).__name__)
    files = input_files(os.fspath(source), function) if isinstance(source, str | os.PathLike) else ()
    try:
        if files:
            return _from_files(Database(), files, encoding)
        return _from_frame(Database(), source, set(columns))
    except SourceError as error:
        raise error.within(function=function) from None


def _from_frame(database: Database, source: Any, columns: set[Any]) -> Source:
    if not len(getattr(source, "columns", "x")):
        raise SourceError("the source is a frame without columns.")
    names = getattr(source, "column_names", None)  # of an Arrow table, whose columns are arrays
    if has_same_names(map(str, getattr(source, "columns", ()) if names is None else names)):
        raise same_name("the source")
    relation = _from_memory(database, _select_columns(source, columns))
    return Source(database, relation, database.column_types(relation))


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


def _from_memory(database: Database, source: Any) -> str:
    """Frames and tables are read in place; streams and foreign relations can be read only once, so they are stored."""
    try:
        if isinstance(source, pa.RecordBatchReader | duckdb.DuckDBPyRelation):
            return database.keep_stream(pa.RecordBatchReader.from_stream(source))
        return database.view(pa.table(source))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        # Arrow's own message quotes a value of the data, so it is not repeated
        raise SourceError(
            "the source has a column with values of mixed types. Give each column one type, "
            "for example frame[name] = frame[name].astype(str)."
        ) from error


def _from_files(database: Database, files: tuple[Path, ...], encoding: str) -> Source:
    kind = _suffix(files[0])
    names = "[" + ", ".join(literal(_escape_glob(file)) for file in files) + "]"
    text = read_header(files, encoding) if kind in TEXT else None
    relation = READERS[kind].format(files=names) if text is None else text.relation(names)
    try:
        relation = database.define(relation)
        kinds = database.column_types(relation) if text is None else dict.fromkeys(text.names, "VARCHAR")
        return Source(database, relation, kinds, files, text)
    except duckdb.Error as error:
        raise unreadable(files, error) from error


def _escape_glob(file: Path) -> str:
    """An absolute path in which the special characters of a pattern stand for themselves."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in str(file.absolute()))


def input_files(source: str | Path, function: str) -> tuple[Path, ...]:
    """The files of a path or pattern, all of one type. A path that exists is that file, whatever characters it has."""
    try:
        return _matching_files(str(source))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(f"cannot read {cut_middle(str(source), 200)}: {reason}.", function=function) from error
    except SourceError as error:
        raise error.within(function=function) from None


def _matching_files(pattern: str) -> tuple[Path, ...]:
    if "://" in pattern:
        raise SourceError("the source must be a local file; nothing is downloaded.")
    if not pattern:
        raise SourceError("the source must be the name of a file; the name given is empty.")
    if Path(pattern).is_dir():
        raise SourceError(f"{pattern} is a folder. Give the files in it, for example {pattern}/*.parquet")
    there = os.path.lexists(pattern)
    files = tuple(map(Path, [pattern] if there else sorted(glob.glob(pattern, recursive=True))))  # noqa: PTH207 - patterns may start anywhere
    if not files:
        pattern = cut_middle(pattern, 200)
        is_pattern = any(sign in pattern for sign in "*?[")
        raise SourceError(f"no file matches {pattern}." if is_pattern else f"{pattern}: no such file.")
    for file in files:
        _check_file(file)
    kinds = {_suffix(file) for file in files}
    if len(kinds) > 1:
        raise SourceError(f"{pattern} matches files of several types: {', '.join(sorted(kinds))}.")
    for file in files if kinds <= {".parquet", ".pq"} else ():
        _check_parquet(file)
    return files


def _check_file(file: Path) -> None:
    if _suffix(file) not in READERS:
        raise SourceError(f"{file}: unsupported file type. Supported: {', '.join(READERS)}.")
    if not file.is_file():
        file.stat()  # says what is wrong with a link
        raise SourceError(f"{file} is not a regular file.")
    if file.stat().st_size == 0:
        raise SourceError(f"{file} is empty.")
    with file.open("rb"):  # may it be read?
        pass
    try:
        str(file.absolute()).encode()
    except UnicodeEncodeError as error:
        raise SourceError("the name of a file, or of a folder that contains it, is not UTF-8. Rename it.") from error


def _check_parquet(file: Path) -> None:
    """Refuse two columns with the same name: a database would rename the second."""
    try:
        names = pq.read_schema(file).names
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # the fault of the disk or of permissions
            raise
        raise SourceError(f"{file} is not a complete, readable Parquet file.") from error
    if has_same_names(names):
        raise same_name(str(file))


def _suffix(file: Path) -> str:
    return (file.with_suffix("") if file.suffix.lower() in PACKED else file).suffix.lower()


def unreadable(files: tuple[Path, ...], error: duckdb.Error) -> SourceError:
    """Say which file cannot be read, where and why. DuckDB's own message would quote the data."""
    text = str(error)
    named = sorted((file for file in files if str(file) in text), key=lambda file: text.index(str(file)))
    which = str((named or files)[0]) if named or len(files) == 1 else f"one of the {len(files)} files ({files[0]}, …)"
    line = re.search(r"[Ll]ine:? (\d+)", text)
    where = f" at line {int(line.group(1)):,}" if line else ""
    lower = text.lower()
    if "not utf-8 encoded" in lower or "invalid unicode" in lower or "unicode" in lower.partition("\n")[0]:
        return not_utf8(which, where)
    if "schema mismatch" in lower or "cast" in lower:
        return SourceError(f"{which} lacks a column, or has it with a different type from the other files.")
    kind = _suffix(files[0])[1:]
    kind = "Parquet" if kind in ("parquet", "pq") else kind.upper()
    if "state machine reached an invalid state" in text:
        return SourceError(f"{which} mixes line endings, or has a misplaced quote. Export the file again.")
    return SourceError(f"{which} is not a complete, readable {kind} file{where}.")
