"""Records that agree on some columns, in groups; one more column splits the groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout._kernels.partition import count_small, refine, small_rows
from singleout.ground.parallel import map_tiles
from singleout.reading.tables import Column

Rows = NDArray[np.intp]
WORTH_A_TILE = 200_000
"""Records that a tile should at least look at: below, handing it out costs more than the work."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Records grouped by their values in some columns.

    Only groups of more than ``k`` are kept: ``order`` lists their records group by group, ``ends`` says where each
    group ends. All other ``records`` are in groups of at most k, and stay so whatever column is added (R12 Claim 1).
    """

    order: Rows
    ends: Rows
    records: int
    k: int

    @property
    def small(self) -> int:
        """Records in groups of at most k."""
        return self.records - len(self.order)

    @property
    def sizes(self) -> Rows:
        """Records of each group that is kept."""
        return np.diff(self.ends, prepend=0)

    def refined(self, column: Column) -> Partition:
        """Every group split by one more column."""
        order, ends = refine(self.order, self.ends, column.codes, column.levels, self.k)
        return Partition(order, ends, self.records, self.k)

    def is_small(self) -> NDArray[np.bool_]:
        """Of each record whether its group is of at most k."""
        small = np.ones(self.records, dtype=bool)
        small[self.order] = False
        return small

    def small_with(self, columns: Sequence[Column]) -> list[int]:
        """For each of these columns, added by itself: how many records are in groups of at most k then."""
        return [self.small + count for count in self._each(count_small, columns)]

    def small_with_one(self, column: Column) -> int:
        """The same for one column."""
        return self.small + int(count_small(self.order, self.ends, column.codes, column.levels, self.k))

    def rows_with(self, columns: Sequence[Column]) -> list[Rows]:
        """For each of these columns, added by itself: the records that only it puts into groups of at most k."""
        return self._each(small_rows, columns)

    def _each(self, kernel: Callable[..., Any], columns: Sequence[Column]) -> list[Any]:
        tile = max(1, WORTH_A_TILE // max(1, len(self.order)))
        tiles = map_tiles(_applied, len(columns), kernel, self, columns, label="counting", progress=False, tile=tile)
        return [found for tile_found in tiles for found in tile_found]

    def laid_out(self, columns: Iterable[Column]) -> tuple[Partition, list[Column]]:
        """The same groups over records renumbered in their order, so that a group's codes lie side by side.

        Records of small groups are left out of the codes; they are counted as before.
        """
        moved = [Column(c.name, c.codes[self.order], c.values, c.any_missing) for c in columns]
        order = np.arange(len(self.order), dtype=np.intp)
        return Partition(order, self.ends, self.records, self.k), moved


def _applied(
    first: int, last: int, kernel: Callable[..., Any], partition: Partition, columns: Sequence[Column]
) -> list[Any]:
    groups = partition.order, partition.ends
    return [kernel(*groups, column.codes, column.levels, partition.k) for column in columns[first:last]]


def everyone(records: int, k: int) -> Partition:
    """All records in one group: nothing is known of them."""
    kept = records if records > k else 0
    ends = np.array([kept] if kept else [], dtype=np.intp)
    return Partition(np.arange(kept, dtype=np.intp), ends, records, k)


def partition_by(columns: Iterable[Column], records: int, k: int = 0) -> Partition:
    """Records grouped by their values in all of these columns."""
    partition = everyone(records, k)
    for column in columns:
        partition = partition.refined(column)
    return partition
