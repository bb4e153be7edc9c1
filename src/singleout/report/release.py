"""A protected file: one row per released person and place, under fresh pseudonyms, in the type of the input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from singleout.ground.earlier import MANIFEST
from singleout.ground.files import whole_folder, write_json
from singleout.reading.sources import READERS as ENDINGS
from singleout.statistics.histograms import Histograms

NAME, RESULT = "protected", "result.json"
KEY = "key.csv"
DIGITS = 6
"""Of degrees: a tenth of a metre."""
PARQUET, LINES, TABS = (".parquet", ".pq"), (".jsonl", ".ndjson"), (".tsv",)
RELEASE_FILES = (*(f"{NAME}{ending}" for ending in ENDINGS), KEY, RESULT)


def release_table(protected: Histograms, seed: int) -> tuple[pa.Table, pa.Table]:
    """Person, place and share, under pseudonyms; and the key to these, which is never released.

    People are numbered anew from one, in an order drawn from the seed. People without events left have no row. Cells of
    a grid come with the coordinates of their middle.
    """
    shares = protected.shares().tocoo()
    row, column = shares.coords
    # drawn over people in order of id, so that the order of rows tells nothing and does not matter
    number = np.empty(len(protected), dtype=np.int64)
    number[np.argsort(protected.people, kind="stable")] = 1 + np.random.default_rng(seed).permutation(len(protected))
    order = np.lexsort((column, number[row]))
    columns: dict[str, Any] = {"person": number[row[order]]}
    if protected.channels is not None:
        columns["channel"] = pa.array(protected.channels[column[order]].tolist())
    places = protected.places[column[order]]
    columns |= {"place": pa.array(places.tolist())}
    if protected.grid is not None:
        columns |= dict(zip(("lat", "lng"), np.round(protected.grid.middles(places), DIGITS), strict=True))
    columns |= {"share": shares.data[order]}
    there = np.unique(row)
    key = pa.table({"person": number[there], "id": pa.array(protected.people[there].tolist())}).sort_by("person")
    return pa.table(columns), key


def ending_of(file: Path) -> str:
    """The ending of a file, without that of a packed one."""
    return (file.with_suffix("") if file.suffix.lower() in (".gz", ".zst") else file).suffix.lower()


def release_name(suffix: str) -> str:
    """The name of the protected file, in the type of an input with this ending."""
    return f"{NAME}{suffix}"


def without_formulas(table: pa.Table) -> pa.Table:
    """The same with an apostrophe before every text that a spreadsheet would run as a formula.

    Text that begins with an apostrophe gets one more, so that names which differ stay apart.
    """
    for number, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            safe = pc.replace_substring_regex(table[field.name], r"^(['=+\-@\t\r\n])", r"'\1")
            table = table.set_column(number, field.name, safe)
    return table


def write_release(target: Path, tables: Mapping[str, pa.Table], result: Any, manifest: dict[str, Any]) -> None:
    """Write the protected file, result.json and manifest.json, whole or not at all.

    The manifest holds the seed, and the key says who is who: only their owner may read them.
    """
    with whole_folder(target, manifest, RELEASE_FILES, private=[MANIFEST, KEY]) as folder:
        for name, table in tables.items():
            write_table(table, folder / name)
        write_json(folder / RESULT, result)


def write_table(table: pa.Table, file: Path) -> None:
    """Write rows in the type that the file's name says."""
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
