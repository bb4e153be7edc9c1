"""Rows that come as a stream: written to a compressed file some at a time, so that they are never all in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from singleout.ground.errors import SingleoutError, SourceError
from singleout.ground.progress import show_progress
from singleout.reading.database import Database, literal
from singleout.reading.names import has_same_names, same_name

ROWS, BYTES = 2**17, 2**25
"""Rows, and their size, that are written together: few sources send as many at a time."""


@contextmanager
def hide_words(label: str) -> Iterator[None]:
    """Report errors of another system without its words, which may quote the data.

    Drivers raise an OSError for whatever goes wrong there; one of this machine has a number.
    """
    try:
        yield
    except (MemoryError, SingleoutError):
        raise
    except OSError as error:
        if error.errno:
            raise
        problem = "could not be read to its end: a value could not be computed or sent, or the connection was lost."
        raise SourceError(f"{label} {problem}") from None
    except Exception as error:
        raise SourceError(f"{label} could not be read: {type(error).__name__}.") from error


def write_rows(reader: pa.RecordBatchReader, file: Path, names: Collection[str] | None = None) -> None:
    """Write the rows of a reader to a Parquet file, in their order; only some columns, where they are named."""
    schema = reader.schema if names is None else pa.schema([reader.schema.field(name) for name in names])
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as written:
        for batch in reader:
            chosen = batch if names is None else batch.select(list(names))
            waiting.append(chosen)
            rows, size = rows + chosen.num_rows, size + chosen.nbytes
            if rows >= ROWS or size >= BYTES:
                written.write_table(pa.Table.from_batches(waiting, schema), ROWS)
                waiting, rows, size = [], 0, 0
        written.write_table(pa.Table.from_batches(waiting, schema), ROWS)


def keep_reader(
    database: Database, reader: pa.RecordBatchReader, columns: Collection[Any], label: str = "the stream"
) -> str:
    """The rows of a reader as a relation that can be read again; only named columns, unless one of them is missing."""
    there = reader.schema.names
    if not there:
        raise SourceError("the source is a stream without columns.")
    if has_same_names(there):
        raise same_name("the source", there)
    names = [name for name in there if name in columns] if columns and set(columns) <= set(there) else there
    if not all(_stays_itself(reader.schema.field(name).type) for name in names):
        with hide_words(label):
            return database.keep_stream(reader)
    file = new_file(database, "stream")
    with show_progress(f"reading {label}", None), hide_words(label):
        write_rows(reader, file, names)
    return database.define(parquet(file))


def new_file(database: Database, name: str) -> Path:
    """A file in the database's folder that is not there yet."""
    return database.folder / f"{len(list(database.folder.iterdir()))}-{name}.parquet"


def parquet(file: Path) -> str:
    """A Parquet file as SQL."""
    return f"read_parquet({literal(str(file))})"


def _stays_itself(kind: pa.DataType) -> bool:
    """Whether values of a type are the same after they were written to a Parquet file and read by the database."""
    if isinstance(kind, pa.BaseExtensionType):
        return kind.extension_name != "arrow.bool8" and _stays_itself(kind.storage_type)
    if pa.types.is_duration(kind) or pa.types.is_run_end_encoded(kind):
        return False
    return all(_stays_itself(kind.field(k).type) for k in range(kind.num_fields))
