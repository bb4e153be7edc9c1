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

from singleout.ground.files import MANIFEST, whole_folder, write_json
from singleout.statistics.histograms import Histograms

NAME, RESULT = "protected", "result.json"
PARQUET, LINES, TABS = (".parquet", ".pq"), (".jsonl", ".ndjson"), (".tsv",)


def release_table(protected: Histograms, seed: int) -> pa.Table:
    """Person, place and share; people are numbered anew from one, in an order drawn from the seed.

    Whoever has no events left has no row.
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
    columns |= {"place": pa.array(protected.places[column[order]].tolist()), "share": shares.data[order]}
    return pa.table(columns)


def release_name(suffix: str) -> str:
    """The name of the protected file, in the type of an input with this ending."""
    return f"{NAME}{suffix}"


def without_formulas(table: pa.Table) -> pa.Table:
    """The same with an apostrophe before every text that a spreadsheet would run as a formula."""
    for number, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            safe = pc.replace_substring_regex(table[field.name], r"^([=+\-@\t\r\n])", r"'\1")
            table = table.set_column(number, field.name, safe)
    return table


def write_release(target: Path, tables: Mapping[str, pa.Table], result: Any, manifest: dict[str, Any]) -> None:
    """Write the protected file, result.json and manifest.json, whole or not at all.

    The manifest holds the seed, which undoes pseudonyms and noise: only its owner may read it.
    """
    with whole_folder(target, manifest, private=[MANIFEST]) as folder:
        for name, table in tables.items():
            _write(table, folder / name)
        write_json(folder / RESULT, result)


def _write(table: pa.Table, file: Path) -> None:
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
