"""The protected file, of the same type as the input where that is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from singleout.ground.files import write_json
from singleout.reading.database import Database, literal
from singleout.reading.kinds import BINARY_NAMES, PACKED_NAMES, FileKind

NAME = "protected"
PARQUET, LINES, TABS = (".parquet", ".pq"), (".jsonl", ".ndjson"), (".tsv",)
WRITTEN_TYPES = (*PARQUET, ".csv", *TABS, ".txt", ".json", *LINES)
"""Types of files that are written."""
AS_PARQUET = (FileKind.FEATHER, FileKind.ORC, FileKind.SQLITE, FileKind.DUCKDB)


def file_type(file: Path) -> str:
    """The type of the protected file: that of the input, where it is written; .csv for what people open in a table."""
    suffix = (file.with_suffix("") if file.suffix.lower() in PACKED_NAMES else file).suffix.lower()
    if suffix in WRITTEN_TYPES:
        return suffix
    return ".parquet" if BINARY_NAMES.get(suffix) in AS_PARQUET else ".csv"


def type_like(files: Sequence[Path]) -> str:
    """The type of the protected file: that of the first input; Parquet where there is no file, as of a server."""
    return file_type(files[0]) if files else PARQUET[0]


def release_name(suffix: str) -> str:
    """The name of the protected file."""
    return f"{NAME}{suffix}"


def without_formulas(table: pa.Table) -> pa.Table:
    """The same with an apostrophe before every text that a spreadsheet would run as a formula.

    Text that begins with an apostrophe gets one more, so that different names stay different.
    """
    for number, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            safe = pc.replace_substring_regex(table[field.name], r"^(['=+\-@\t\r\n])", r"'\1")
            table = table.set_column(number, field.name, safe)
    return table


def write_table(table: pa.Table, file: Path) -> None:
    """Write rows in the file type that the name ends in."""
    if file.suffix in PARQUET:
        pq.write_table(table, file)
    elif file.suffix in LINES:
        lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in table.to_pylist())
        file.write_text("".join(lines), encoding="utf-8")
    elif file.suffix == ".json":
        write_json(file, table.to_pylist())
    else:
        options = pyarrow.csv.WriteOptions(delimiter="\t" if file.suffix in TABS else ",")
        pyarrow.csv.write_csv(table, file, options)


def sort_rows(table: pa.Table) -> pa.Table:
    """Rows in the order of their values, first column first: the order then says nothing that the values do not."""
    keys = pa.table([_sortable(column) for column in table.columns], names=[str(k) for k in range(table.num_columns)])
    return table.take(pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names]))


def _sortable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Values that Arrow can sort; others by how they are written."""
    if pa.types.is_nested(column.type) or pa.types.is_dictionary(column.type):
        return pa.chunked_array(
            [pa.array([None if each is None else repr(each) for each in column.to_pylist()], pa.string())]
        )
    return column


def write_columns(table: pa.Table, file: Path, separator: str = ",") -> None:
    """Write a table as it is, whatever its types: text is quoted only where it must be."""
    if file.suffix in PARQUET:
        pq.write_table(table, file)
        return
    text = f"FORMAT csv, HEADER, DELIMITER {literal(separator)}"
    lines = f"FORMAT json, ARRAY {'true' if file.suffix == '.json' else 'false'}"
    options = lines if file.suffix in (*LINES, ".json") else text
    database = Database()
    database.table(f"COPY {database.view(table)} TO {literal(str(file.absolute()))} ({options})", label="writing")
