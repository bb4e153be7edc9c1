"""Cell suppression: single values become missing until every combination occurs in at least k records.

A missing value counts as a value here. Counting it as agreeing with everything would call a record safe that is the
only one left which can be a certain person's. Records whose combination is too rare lose the fewest columns with which
enough of them become equal; those that lose the same columns are chosen together, most records first. Then each is
moved back to a combination with fewer missing values, where that still leaves k records in the one it came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError, InputError
from singleout.ground.progress import Advance
from singleout.protection.lattice import Combinations
from singleout.reading.columns import Rows

MOST_COLUMNS = 10
"""All sets of this many columns can be tried."""
Pattern = NDArray[np.bool_]
"""The columns that are suppressed."""


@dataclass(frozen=True, eq=False)
class Suppressed:
    """``cells`` says for each combination of values which columns are suppressed.

    ``also`` is how many records of each combination lose all known values in addition, so that records which share
    nothing with anyone are not alone with their missing values.
    """

    cells: NDArray[np.bool_]
    also: Indices

    def of_rows(self, table: Combinations) -> tuple[Rows, NDArray[np.bool_]]:
        """The same for each row, in the order of the file: the first of those that lose everything in addition.

        A row that stands for several records is divided where only some of them do.
        """
        times = np.ones(table.rows.number, dtype=np.int64) if table.rows.times is None else table.rows.times
        losing = np.zeros(len(times), dtype=np.int64)
        for combination in np.flatnonzero(self.also).tolist():
            own = np.flatnonzero(table.of_row == combination)
            before = np.cumsum(times[own]) - times[own]
            losing[own] = np.clip(self.also[combination] - before, 0, times[own])
        cells = self.cells[table.of_row]
        cells[losing == times] = True
        parts = 1 + ((losing > 0) & (losing < times))
        if (parts == 1).all():
            return table.rows, cells
        index = np.repeat(np.arange(len(times)), parts)
        second = np.cumsum(parts)[parts == 2] - 1
        divided, cells = times[index], cells[index]
        divided[second - 1] = losing[parts == 2]
        divided[second] -= losing[parts == 2]
        cells[second - 1] = True
        return Rows(len(index), divided, index), cells


def suppress_cells(table: Combinations, k: int, advance: Advance = lambda share: None) -> Suppressed:
    """Suppress few cells such that every combination of known values, missing ones included, has k records."""
    columns = table.codes.shape[1]
    if columns > MOST_COLUMNS:
        problem = f"cell suppression takes up to {MOST_COLUMNS} known columns (got {columns})."
        raise InputError(problem, function="protect_table", hint="Use the method recode.")
    if table.records < k:
        raise DataError(f"there are fewer than {k:,} records.", function="protect_table")
    cells = np.zeros(table.codes.shape, dtype=bool)
    left = table.counts < k
    for size in range(1, columns + 1):
        advance((size - 1) / columns)
        patterns = list(_patterns(columns, size))
        while left.any():
            best = max((_resolved(table, cells, left, pattern, k) for pattern in patterns), key=lambda each: each[0])
            if not best[0]:
                break
            cells[best[1]] = best[2]
            left[best[1]] = False
    cells[left] = True
    _move_back(table, cells, k)
    return Suppressed(cells, _pad(table, cells, k))


def _patterns(columns: int, size: int) -> Iterator[Pattern]:
    for chosen in combinations(range(columns), size):
        pattern = np.zeros(columns, dtype=bool)
        pattern[list(chosen)] = True
        yield pattern


def _resolved(
    table: Combinations, cells: NDArray[np.bool_], left: NDArray[np.bool_], pattern: Pattern, k: int
) -> tuple[int, Indices, Pattern]:
    """The records that would be in large enough classes with these columns suppressed, and their combinations."""
    candidates = np.flatnonzero(left | (cells == pattern).all(axis=1))
    key = _numbered(table.codes[candidates][:, ~pattern])
    enough = np.bincount(key, table.counts[candidates]) >= k
    chosen = candidates[enough[key] & left[candidates]]
    return int(table.counts[chosen].sum()), chosen, pattern


def _numbered(codes: NDArray[np.int64]) -> Indices:
    """Equal rows get equal numbers."""
    if not codes.shape[1]:
        return np.zeros(len(codes), dtype=np.intp)
    key = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        key = key * (int(column.max(initial=0)) + 1) + column
        key = np.unique(key, return_inverse=True)[1]
    return key.astype(np.intp)


def classes_of(table: Combinations, cells: NDArray[np.bool_]) -> Indices:
    """The class of each combination with these cells suppressed."""
    return _numbered(np.where(cells, 0, table.codes + 1))


def _move_back(table: Combinations, cells: NDArray[np.bool_], k: int) -> None:
    """Combinations with many missing values join an existing class with fewer, where theirs stays large enough."""
    label = classes_of(table, cells)
    sizes = np.bincount(label, table.counts)
    there = {_row(cells[one], table.codes[one]): int(label[one]) for one in np.unique(label, return_index=True)[1]}
    used = sorted({tuple(row) for row in np.unique(cells, axis=0).tolist()}, key=sum)
    changed = np.flatnonzero(cells.any(axis=1))
    for one in changed[np.argsort(-cells[changed].sum(axis=1), kind="stable")].tolist():
        own, count = int(label[one]), int(table.counts[one])
        if 0 < sizes[own] - count < k:
            continue
        for pattern in used:
            if sum(pattern) >= cells[one].sum():
                break
            target = there.get(_row(np.array(pattern), table.codes[one]))
            if target is not None and sizes[target] >= k:
                sizes[own] -= count
                sizes[target] += count
                cells[one], label[one] = pattern, target
                break


def _row(pattern: Pattern, codes: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(np.where(pattern, -1, codes).tolist())


def _pad(table: Combinations, cells: NDArray[np.bool_], k: int) -> Indices:
    """Records that lose everything besides those that had to, so that there are k of them; from the largest classes."""
    also = np.zeros(len(table.counts), dtype=np.intp)
    label = classes_of(table, cells)
    sizes = np.bincount(label, table.counts).astype(np.int64)
    empty = cells.all(axis=1)
    needed = k - int(table.counts[empty].sum()) if empty.any() else 0
    while needed > 0:
        able = np.where(empty, 0, table.counts - also)
        roomy = np.where(sizes[label] - np.minimum(needed, able) >= k, able, 0)
        if not roomy.any():  # a whole class has to follow
            smallest = label[np.flatnonzero(able)[np.argmin(sizes[label[able > 0]])]]
            follow = (label == smallest) & ~empty
            cells[follow] = True
            return also if int(table.counts[cells.all(axis=1)].sum()) >= k else _pad(table, cells, k)
        one = int(np.argmax(roomy))
        taken = min(needed, int(roomy[one]))
        also[one] += taken
        sizes[label[one]] -= taken
        needed -= taken
    return also
