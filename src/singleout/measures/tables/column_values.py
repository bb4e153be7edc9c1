"""Which values of a column identify people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.arrays import Indices
from singleout.ground.parallel import map_jobs
from singleout.reading.columns import Column
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
    work = partial(_levels_of, partition, np.flatnonzero(partition.is_small()))
    by_column = map_jobs(work, list(columns), label="examining values", progress=False)
    return tuple(level for levels in by_column for level in levels)


def _levels_of(partition: Partition, already: Indices, column: Column) -> list[Level]:
    isolated = np.bincount(column.codes[already], minlength=column.levels) + partition.codes_with(column)
    values, records, counts = [*column.values.tolist(), None], column.counts.tolist(), isolated.tolist()
    return [
        Level(column.name, values[code], records[code], counts[code])
        for code in np.argsort(-isolated, kind="stable").tolist()
    ]


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
