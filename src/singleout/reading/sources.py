"""What a user may hand over as data: paths and globs, frames, Arrow tables and streams, DuckDB relations."""

from __future__ import annotations

import csv
import glob
import gzip
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from singleout.ground.errors import DataError, SourceError, bad_argument, near
from singleout.reading.database import Database, literal, quoted

CSV = (
    "read_csv({files}, header=true, {first}all_varchar=true, union_by_name=true, quote='\"', escape='\"', "
    "encoding={encoding})"
)
READERS = {
    ".parquet": "read_parquet({files})",
    ".pq": "read_parquet({files})",
    ".csv": CSV,
    ".tsv": CSV,
    ".txt": CSV,
    ".json": "read_json({files})",
    ".jsonl": "read_json({files})",
    ".ndjson": "read_json({files})",
}
PACKED = (".gz", ".zst")
ENCODINGS = ("utf-8", "latin-1")


@dataclass(frozen=True)
class Source:
    """A relation inside a private database, its columns with their types, and the files behind it."""

    database: Database
    relation: str
    kinds: dict[str, str]
    files: tuple[Path, ...] = ()

    @property
    def called(self) -> str:
        """How errors speak of it: the name of its first file, or just a source."""
        return self.files[0].name if self.files else "source"

    def column(self, function: str, argument: str, name: str) -> str:
        """The SQL of a column; an error that names those there are if it is missing."""
        if not isinstance(name, str):
            raise bad_argument(function, argument, "the name of a column", name)
        if name not in self.kinds:
            where = f" of {self.files[0].name}" if self.files else ""
            raise SourceError(f"{function}: {argument}={name!r} is not a column{where}. {self.columns_there(name)}")
        return quoted(name)

    def query(self, sql: str, *, function: str, label: str, progress: bool | None = None) -> pa.Table:
        """Run a query; a file that turns out to be broken on the way is an error of ours, in our words."""
        try:
            return self.database.table(sql, label=label, progress=progress)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            if self.files:
                raise SourceError(f"{function}: {unreadable(self.files, error)}") from error
            # DuckDB's own words may quote a value
            raise DataError(f"{function}: source holds values that cannot be used ({type(error).__name__}).") from error

    @property
    def has_names(self) -> bool:
        """Whether the columns' names may be shown: not where a text file's first line looks like data."""
        text_file = bool(self.files) and READERS[_suffix(self.files[0])] is CSV
        return not text_file or all(re.fullmatch(r"[A-Za-z_][\w.:-]*", column) for column in self.kinds)

    def columns_there(self, name: str = "") -> str:
        """The names there are, where they may be shown, and the one near to ``name``."""
        if not self.has_names:
            return (
                f"Its first line does not look like {len(self.kinds)} column names and is not shown. "
                "Does the file have a header line?"
            )
        return f"There are: {', '.join(self.kinds)}. {near(name, self.kinds)}".rstrip()


def open_source(
    source: Any, *, function: str = "read_events", encoding: str = "utf-8", columns: Iterable[Any] = ()
) -> Source:
    """Make a source visible to a database of its own. Reads names and types, not the rows.

    Of a frame only the ``columns`` named are looked at, all if none is. Errors speak for ``function``.
    """
    if encoding not in ENCODINGS:
        convert = "Convert other encodings first, for example: iconv -f CP1252 -t UTF-8 in.csv > out.csv"
        raise bad_argument(function, "encoding", f"one of {', '.join(ENCODINGS)}", encoding, convert)
    if not isinstance(source, str | os.PathLike) and not hasattr(source, "__arrow_c_stream__"):
        must = "a path or glob, a pandas or polars frame, an Arrow table or stream, or a DuckDB relation"
        raise bad_argument(function, "source", must, type(source).__name__)
    try:
        if isinstance(source, str | os.PathLike):
            return _from_files(Database(), str(source), encoding)
        return _from_frame(Database(), source, set(columns))
    except SourceError as error:
        raise SourceError(f"{function}: {error}") from error


def _from_frame(database: Database, source: Any, columns: set[Any]) -> Source:
    if not len(getattr(source, "columns", "x")):
        raise SourceError("source is a frame without columns.")
    if not getattr(getattr(source, "columns", None), "is_unique", True):
        raise SourceError("source has two columns of the same name. Rename one of them.")
    relation = _from_memory(database, _narrowed(source, columns))
    return Source(database, relation, database.kinds(relation))


def _narrowed(source: Any, columns: set[Any]) -> Any:
    """Only the named columns of a pandas or polars frame; all where none is named, or one is missing, to name it."""
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
    """Frames and tables are looked at in place; streams and foreign relations can be read once, so they are kept."""
    try:
        if isinstance(source, pa.RecordBatchReader | duckdb.DuckDBPyRelation):
            return database.keep_stream(pa.RecordBatchReader.from_stream(source))
        return database.view(pa.table(source))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        # Arrow's own message quotes a value of the data, so it is not repeated here
        raise SourceError(
            "source has a column whose values are of mixed types. Make each column one type, "
            "for example frame[name] = frame[name].astype(str)."
        ) from error


def _from_files(database: Database, pattern: str, encoding: str) -> Source:
    files = tuple(Path(name) for name in _matching_files(pattern))
    kinds_of_file = {_suffix(file) for file in files}
    if len(kinds_of_file) > 1:
        raise SourceError(f"{pattern} matches files of several kinds: {', '.join(sorted(kinds_of_file))}.")
    (kind,) = kinds_of_file
    header = _same_header(files) if READERS[kind] is CSV else b""
    names = "[" + ", ".join(literal(str(file)) for file in files) + "]"
    # left to itself, DuckDB takes a later line for the header where rows differ in length
    first = "skip=0, " if header.strip() else ""
    relation = READERS[kind].format(files=names, first=first, encoding=literal(encoding))
    try:
        kinds, mark = database.kinds(relation), _separator(header)
    except duckdb.Error as error:
        raise unreadable(files, error) from error
    if len(kinds) == 1 and mark:
        # DuckDB takes a file for one column where a row has too many fields, too few, or a loose quote
        _refuse_ragged(files, mark)
    return Source(database, relation, kinds, files)


def _matching_files(pattern: str) -> list[str]:
    if "://" in pattern:
        raise SourceError("source must be a local file; nothing is fetched from a network.")
    if Path(pattern).is_dir():
        raise SourceError(f"{pattern} is a folder. Name its files, for example {pattern}/*.parquet")
    files = [pattern] if Path(pattern).is_file() else sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - patterns may start anywhere
    if not files:
        raise SourceError(f"no file matches {pattern}")
    for file in files:
        if _suffix(Path(file)) not in READERS:
            raise SourceError(f"{file} has no ending we read. There are: {', '.join(READERS)}.")
        if Path(file).stat().st_size == 0:
            raise SourceError(f"{file} is empty.")
    return files


def _suffix(file: Path) -> str:
    return (file.with_suffix("") if file.suffix.lower() in PACKED else file).suffix.lower()


def _separator(header: bytes) -> str:
    """The mark that stands between the names of a header line; none where there is one name only."""
    marks = {mark: header.count(mark.encode()) for mark in ",;\t|"}
    best = max(marks, key=lambda mark: marks[mark])
    return best if marks[best] else ""


def _refuse_ragged(files: tuple[Path, ...], mark: str) -> None:
    """Name the first line that does not follow the header line."""
    for file in files:
        with gzip.open(file, "rt", errors="replace") if file.suffix == ".gz" else file.open(errors="replace") as opened:
            rows, line, number = csv.reader(opened, delimiter=mark, strict=True), 1, 0
            try:
                for fields in filter(None, rows):
                    number = number or len(fields)
                    if len(fields) != number:
                        raise SourceError(f"{file} has {len(fields)} fields instead of {number} at line {line:,}.")
                    line = rows.line_num + 1
            except csv.Error as error:
                raise SourceError(f"{file} has a quote out of place in the row at line {line:,}.") from error


def _same_header(files: tuple[Path, ...]) -> bytes:
    """The one header line of text files; refused where it differs, or is no UTF-8 by its first bytes."""
    heads = []
    for file in files:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            heads.append(opened.readline(1_000_000) if file.suffix != ".zst" else b"")
        if heads[-1].startswith((b"\xff\xfe", b"\xfe\xff")):
            raise SourceError(f"{file} is UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8 in.csv > out.csv")
        if heads[-1].strip() != heads[0].strip():
            raise SourceError(f"the header line of {file} differs from that of {files[0]}.")
    return heads[0]


def unreadable(files: tuple[Path, ...], error: duckdb.Error) -> SourceError:
    """Say which file cannot be read, where and why, in our words: DuckDB's quote the data."""
    text = str(error)
    named = sorted((file for file in files if str(file) in text), key=lambda file: text.index(str(file)))
    which = str((named or files)[0]) if named or len(files) == 1 else f"one of the {len(files)} files ({files[0]}, …)"
    line = re.search(r"[Ll]ine:? (\d+)", text)
    where = f" at line {int(line.group(1)):,}" if line else ""
    lower = text.lower()
    if "utf-8" in lower or "unicode" in lower or "encod" in lower:
        hint = "Pass encoding='latin-1' if that is what it is, or convert it, for example with iconv -t UTF-8."
        return SourceError(f"{which} is not UTF-8 text{where}. {hint}")
    if "schema mismatch" in lower or "cast" in lower:
        return SourceError(f"{which} lacks a column, or has it in another type than the other files.")
    kind = _suffix(files[0])[1:]
    found = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    why = f": {found.group(2)} or more fields instead of {found.group(1)}" if found else ""
    return SourceError(f"{which} is not a whole, readable {kind} file{where}{why}.")
