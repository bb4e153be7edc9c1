"""Which values of a column identify people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.reading.tables import Column
from singleout.statistics.partitions import Partition


@dataclass(frozen=True, slots=True, repr=False)
class Level:
    """One value of a column: how many records have it, and how many of these the known columns with it isolate.

    ``hidden``: this many ``levels`` combined, because few people have them; ``value`` is then None, as it is for
    missing values.
    """

    column: str
    value: Any
    records: int
    isolated: int
    levels: int = 1
    hidden: bool = False

    @property
    def share(self) -> float:
        """The share of its records that are isolated."""
        return self.isolated / self.records

    @property
    def kind(self) -> str:
        """Whether the value is shown, missing, or hidden."""
        if self.hidden:
            return "hidden"
        return "missing" if self.value is None else "value"

    def __repr__(self) -> str:
        return f"Level({self.column!r}, {self.records:,} records, {self.isolated:,} isolated)"


def find_levels(partition: Partition, columns: Iterable[Column]) -> tuple[Level, ...]:
    """Every value of every column, in addition to the known columns of the partition; the most isolated first."""
    known = np.flatnonzero(partition.is_small())
    found: list[Level] = []
    for column in columns:
        rows = np.concatenate([known, *partition.rows_with([column])])
        isolated = np.bincount(column.codes[rows], minlength=column.levels)
        own = [
            Level(column.name, column.value(code), int(column.counts[code]), int(isolated[code]))
            for code in np.argsort(-isolated, kind="stable").tolist()
        ]
        found += own
    return tuple(found)


def levels_to_arrow(levels: Iterable[Level]) -> pa.Table:
    """One row per value; values as text."""
    rows = [
        {
            "column": level.column,
            "kind": level.kind,
            "value": None if level.value is None else str(level.value),
            "levels": level.levels,
            "records": level.records,
            "isolated": level.isolated,
            "share": level.share,
        }
        for level in levels
    ]
    text = {"column": pa.string(), "kind": pa.string(), "value": pa.string()}
    numbers = {"levels": pa.int64(), "records": pa.int64(), "isolated": pa.int64(), "share": pa.float64()}
    return pa.Table.from_pylist(rows, schema=pa.schema(text | numbers))
