"""The protected file, of the same type as the input."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from singleout.ground.files import write_json
from singleout.reading.database import Database, literal

NAME = "protected"
PARQUET, LINES, TABS = (".parquet", ".pq"), (".jsonl", ".ndjson"), (".tsv",)


def file_type(file: Path) -> str:
    """The file type, such as .csv, without that of compression."""
    return (file.with_suffix("") if file.suffix.lower() in (".gz", ".zst") else file).suffix.lower()


def release_name(suffix: str) -> str:
    """The name of the protected file, of the same file type as the input."""
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
