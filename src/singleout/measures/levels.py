"""Which values of a column give people away; values of few people are put together before they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.reading.tables import Column
from singleout.statistics.partitions import Partition

FEWEST_PEOPLE = 5
"""Values of fewer people are not told unless they are to be revealed."""


@dataclass(frozen=True, slots=True, repr=False)
class Level:
    """One value of a column: how many records have it, and how many of these the known columns with it isolate.

    ``hidden``: so many ``levels`` put together, because few people have them; ``value`` is None then, as it is for
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
        """Of its records, those isolated."""
        return self.isolated / self.records

    @property
    def is_small(self) -> bool:
        """Whether so few people have it, or are isolated by it, that telling it might point at them."""
        return self.records < FEWEST_PEOPLE or 0 < self.isolated < FEWEST_PEOPLE

    @property
    def kind(self) -> str:
        """Whether the value is told, missing, or hidden."""
        if self.hidden:
            return "hidden"
        return "missing" if self.value is None else "value"

    def __repr__(self) -> str:
        return f"Level({self.column!r}, {self.records:,} records, {self.isolated:,} isolated)"


def levels_of(partition: Partition, columns: Iterable[Column]) -> tuple[Level, ...]:
    """Every value of every column, beside the known columns that made the groups; the most isolated first."""
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


def masked(levels: Sequence[Level]) -> tuple[Level, ...]:
    """The same with values of few people put together, column by column; what stays is at least five people each.

    All but one value of a column and its total would give the last one back. So what is put together holds at least
    two values and five people: the smallest other values join it until that holds, or none is left.
    """
    told: list[Level] = []
    for _, group in groupby(levels, key=lambda level: level.column):
        told += _masked_column(list(group))
    return tuple(told)


def _masked_column(levels: list[Level]) -> list[Level]:
    small = [level for level in levels if level.is_small]
    if not small:
        return levels
    larger = iter(sorted((level for level in levels if not level.is_small), key=lambda level: level.records))
    while len(small) < 2 or _together(small).records < FEWEST_PEOPLE:
        joins = next(larger, None)
        if joins is None:
            break
        small.append(joins)
    put_away = {id(level) for level in small}
    return [*(level for level in levels if id(level) not in put_away), _together(small)]


def _together(levels: list[Level]) -> Level:
    records, isolated = (sum(getattr(level, name) for level in levels) for name in ("records", "isolated"))
    return Level(levels[0].column, None, records, isolated, len(levels), hidden=True)


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
