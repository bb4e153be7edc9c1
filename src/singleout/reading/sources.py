"""What a user may hand over as data: paths and globs, frames, Arrow tables and streams, DuckDB relations."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from singleout.ground.errors import SourceError, bad_argument, near
from singleout.reading.database import Database, literal, quoted

READERS = {
    ".parquet": "read_parquet({files}, union_by_name=true)",
    ".pq": "read_parquet({files}, union_by_name=true)",
    ".csv": "read_csv({files}, all_varchar=true, union_by_name=true, encoding={encoding})",
    ".tsv": "read_csv({files}, all_varchar=true, union_by_name=true, encoding={encoding})",
    ".txt": "read_csv({files}, all_varchar=true, union_by_name=true, encoding={encoding})",
    ".json": "read_json({files}, union_by_name=true)",
    ".jsonl": "read_json({files}, union_by_name=true)",
    ".ndjson": "read_json({files}, union_by_name=true)",
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

    def column(self, function: str, argument: str, name: str) -> str:
        """The SQL of a column; an error that names those there are if it is missing."""
        if name not in self.kinds:
            there = ", ".join(self.kinds)
            hint = near(name, self.kinds)
            raise SourceError(f"{function}: {argument}={name!r} is not a column. There are: {there}. {hint}".rstrip())
        return quoted(name)


def open_source(source: Any, *, encoding: str = "utf-8") -> Source:
    """Make a source visible to a database of its own. Reads names and types, not the rows."""
    if encoding not in ENCODINGS:
        convert = "Convert other encodings first, for example: iconv -f CP1252 -t UTF-8 in.csv > out.csv"
        raise bad_argument("read_events", "encoding", f"one of {', '.join(ENCODINGS)}", encoding, convert)
    database = Database()
    if isinstance(source, str | os.PathLike):
        return _from_files(database, str(source), encoding)
    if not hasattr(source, "__arrow_c_stream__"):
        must = "a path or glob, a pandas or polars frame, an Arrow table or stream, or a DuckDB relation"
        raise bad_argument("read_events", "source", must, type(source).__name__)
    relation = _from_memory(database, source)
    return Source(database, relation, database.kinds(relation))


def _from_memory(database: Database, source: Any) -> str:
    """Frames and tables are looked at in place; streams and foreign relations can be read once, so they are kept."""
    try:
        if isinstance(source, pa.RecordBatchReader | duckdb.DuckDBPyRelation):
            return database.keep_stream(pa.RecordBatchReader.from_stream(source))
        return database.view(pa.table(source))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        # Arrow's own message quotes a value of the data, so it is not repeated here
        raise SourceError(
            "read_events: source has a column whose values are of mixed types. Make each column one type, "
            "for example frame[name] = frame[name].astype(str)."
        ) from error


def _from_files(database: Database, pattern: str, encoding: str) -> Source:
    files = tuple(Path(name) for name in _matching_files(pattern))
    kinds_of_file = {_suffix(file) for file in files}
    if len(kinds_of_file) > 1:
        raise SourceError(f"read_events: {pattern} matches files of several kinds: {', '.join(sorted(kinds_of_file))}.")
    (kind,) = kinds_of_file
    names = "[" + ", ".join(literal(str(file)) for file in files) + "]"
    relation = READERS[kind].format(files=names, encoding=literal(encoding))
    try:
        return Source(database, relation, database.kinds(relation), files)
    except duckdb.Error as error:
        raise unreadable(files, error) from error


def _matching_files(pattern: str) -> list[str]:
    if "://" in pattern:
        raise SourceError("read_events: source must be a local file; nothing is fetched from a network.")
    if Path(pattern).is_dir():
        raise SourceError(f"read_events: {pattern} is a folder. Name its files, for example {pattern}/*.parquet")
    files = [pattern] if Path(pattern).is_file() else sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - patterns may start anywhere
    if not files:
        raise SourceError(f"read_events: no file matches {pattern}")
    for file in files:
        if _suffix(Path(file)) not in READERS:
            raise SourceError(f"read_events: {file} has no ending we read. There are: {', '.join(READERS)}.")
        if Path(file).stat().st_size == 0:
            raise SourceError(f"read_events: {file} is empty.")
    return files


def _suffix(file: Path) -> str:
    return (file.with_suffix("") if file.suffix.lower() in PACKED else file).suffix.lower()


def unreadable(files: tuple[Path, ...], error: duckdb.Error) -> SourceError:
    """Say which file cannot be read and why, in our words: DuckDB's quote the data."""
    which = str(files[0]) if len(files) == 1 else f"one of the {len(files)} files ({files[0]}, …)"
    text = str(error).lower()
    if "utf-8" in text or "unicode" in text or "encod" in text:
        hint = "Pass encoding='latin-1' if that is what it is, or convert it, for example with iconv -t UTF-8."
        return SourceError(f"read_events: {which} is not UTF-8 text. {hint}")
    if "union" in text or "schema mismatch" in text or "cast" in text:
        return SourceError(f"read_events: {which} cannot be read: a column has different types in different places.")
    return SourceError(f"read_events: {which} is not a whole, readable {_suffix(files[0])[1:]} file.")
