"""Groups of records that agree on some columns; one more column splits the groups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout._kernels.partition import FEW, count_small, count_unique, refine, small_codes, small_rows
from singleout.ground.arrays import Indices, Integers
from singleout.ground.parallel import map_jobs, map_tiles
from singleout.reading.columns import Column, Rows, as_rows

WORTH_A_TILE = 200_000
"""The least records per tile: below, distributing it costs more than the work."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Records grouped by their values in some columns.

    Only groups of more than ``k`` are kept: ``order`` lists their records group by group, ``ends`` says where each
    group ends. All other ``records`` are in groups of at most k, and remain so whatever column is added (R12 Claim 1).

    Where rows stand for several records each, ``times``, they are grouped in place of records, and only ``sizes`` adds
    up what they stand for. For k above 0 they are split first (``Rows.split``), so that what is small is counted right.
    """

    order: Indices
    ends: Indices
    records: int
    k: int
    times: Integers | None = None

    @property
    def small(self) -> int:
        """Records in groups of at most k."""
        return self.records - len(self.order)

    @property
    def sizes(self) -> Indices:
        """Records of each group that is kept."""
        rows = np.diff(self.ends, prepend=0)
        if self.times is None or not len(rows):
            return rows
        return np.add.reduceat(self.times[self.order], self.ends - rows).astype(np.intp)

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """For each row what its group has, where all groups are kept."""
        found = np.empty(self.records, dtype=values.dtype)
        found[self.order] = np.repeat(values, np.diff(self.ends, prepend=0))
        return found

    def refine(self, column: Column) -> Partition:
        """Every group split by one more column."""
        order, ends = refine(self.order, self.ends, column.codes, column.levels, self.k)
        return Partition(order, ends, self.records, self.k, self.times)

    def is_small(self) -> NDArray[np.bool_]:
        """For each record, whether its group has at most k records."""
        small = np.ones(self.records, dtype=bool)
        small[self.order] = False
        return small

    def small_with(self, columns: Sequence[Column]) -> list[int]:
        """For each of these columns, added by itself: how many records are then in groups of at most k."""
        return [self.small + count for count in self._each(count_small, columns)]

    def small_with_one(self, column: Column) -> int:
        """The same for one column."""
        return self.small + int(count_small(self.order, self.ends, column.codes, column.levels, self.k))

    def rows_with(self, columns: Sequence[Column]) -> list[Indices]:
        """For each of these columns, added by itself: the records that only it puts into groups of at most k."""
        return self._each(small_rows, columns)

    def codes_with(self, column: Column) -> NDArray[np.int64]:
        """For each code of a column: how many of its records only that column puts into groups of at most k."""
        return np.asarray(small_codes(self.order, self.ends, column.codes, column.levels, self.k))

    def _each(self, kernel: Callable[..., Any], columns: Sequence[Column]) -> list[Any]:
        tile = max(1, WORTH_A_TILE // max(1, len(self.order)))
        tiles = map_tiles(_apply_tile, len(columns), kernel, self, columns, label="counting", progress=False, tile=tile)
        return [found for tile_found in tiles for found in tile_found]

    def lay_out(self, columns: Iterable[Column]) -> tuple[Partition, list[Column]]:
        """The same groups over records renumbered in their order, so that a group's codes are adjacent.

        Records of small groups are left out of the codes; they are counted as before.
        """
        moved = map_jobs(self._move, list(columns), label="ordering records", progress=False)
        order = np.arange(len(self.order), dtype=np.intp)
        times = None if self.times is None else self.times[self.order]
        return Partition(order, self.ends, self.records, self.k, times), moved

    def _move(self, column: Column) -> Column:
        return column.take(self.order)


@dataclass(frozen=True, eq=False)
class FewValued:
    """The columns of a list that have few values, record by record: one pass over the groups counts for all of them.

    Only for k = 1; for other k there are none.
    """

    places: list[int]
    """Where they are in the list."""
    codes: NDArray[np.uint8]

    @classmethod
    def among(cls, columns: Sequence[Column], k: int) -> FewValued:
        """Those among the columns of a table, of which there is at least one."""
        places = [place for place, column in enumerate(columns) if column.levels <= FEW and k == 1]
        codes = np.empty((len(columns[0].codes), len(places)), dtype=np.uint8)
        for number, place in enumerate(places):
            codes[:, number] = columns[place].codes
        return cls(places, codes)

    def small_with(self, partition: Partition, first: int = 0) -> dict[int, int]:
        """For each of them from place ``first`` on, added by itself: how many records are then alone in their group."""
        begin = bisect_left(self.places, first)
        if begin == len(self.places):
            return {}
        counts = count_unique(partition.order, partition.ends, self.codes, begin).tolist()
        return {place: partition.small + count for place, count in zip(self.places[begin:], counts, strict=True)}


def _apply_tile(
    first: int, last: int, kernel: Callable[..., Any], partition: Partition, columns: Sequence[Column]
) -> list[Any]:
    groups = partition.order, partition.ends
    return [kernel(*groups, column.codes, column.levels, partition.k) for column in columns[first:last]]


def everyone(rows: Rows | int, k: int) -> Partition:
    """All records in one group: nothing is known about them."""
    rows = as_rows(rows)
    assert rows.times is None or k <= rows.exact, "rows must be split before small groups of records are counted"
    kept = rows.number if rows.number > k else 0
    ends = np.array([kept] if kept else [], dtype=np.intp)
    return Partition(np.arange(kept, dtype=np.intp), ends, rows.number, k, rows.times)


def partition_by(columns: Iterable[Column], rows: Rows | int, k: int = 0) -> Partition:
    """Records grouped by their values in all of these columns."""
    partition = everyone(rows, k)
    for column in columns:
        partition = partition.refine(column)
    return partition
