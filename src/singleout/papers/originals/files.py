"""Data sets in their publishers' files, and how each is converted for the papers' experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from singleout.ground.errors import SourceError
from singleout.ground.notes import Note, in_lines


@dataclass(frozen=True)
class DatasetFiles:
    """The files of a data set, and the folder of ``--data`` that they are converted to."""

    folder: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Converted:
    """What was written: rows of each file by name, and what was left out."""

    rows: dict[str, int]
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"rows": self.rows, "notes": [note.to_dict() for note in self.notes]}

    def __str__(self) -> str:
        lines = [f"{name}: {number:,} rows" for name, number in self.rows.items()]
        return "\n".join([*lines, *in_lines(self.notes)])


@dataclass(frozen=True)
class Original:
    """A public data set: where it comes from, under which terms, and how its files are found and converted."""

    name: str
    title: str
    public_source: str
    terms: str
    given: str
    gives: str
    files: tuple[str, ...]
    find: Callable[[Path], DatasetFiles]
    convert: Callable[[DatasetFiles, Path], Converted]


def files_of(source: Path, *patterns: str) -> list[Path]:
    """The files of a folder, or the single file given, that match any of the patterns; sorted by path."""
    if not source.exists():
        raise SourceError(f"{source} does not exist.", function="convert")
    if source.is_file():
        return [source] if any(source.match(pattern) for pattern in patterns) else []
    return sorted({file for pattern in patterns for file in source.rglob(pattern) if file.is_file()})


def nothing_found(source: Path, what: str) -> SourceError:
    """Say what was expected."""
    return SourceError(f"{source} contains no {what}.", function="convert")


def write_parquet(path: Path, tables: Iterable[pa.Table], schema: pa.Schema) -> int:
    """Write tables one after another into one file; returns the number of rows."""
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table.select(schema.names).cast(schema))
            rows += table.num_rows
    return rows
