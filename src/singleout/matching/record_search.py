"""linkRecords (R12 Algorithm 1): rare combinations of common columns that lead to a single known record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from singleout._kernels.records import count_keys
from singleout.ground.arrays import Indices, Integers
from singleout.ground.lazy import cached_property
from singleout.ground.names import MissingInRecords
from singleout.ground.progress import Advance, show_progress

MISSING: tuple[MissingInRecords, ...] = get_args(MissingInRecords)
Columns = tuple[int, ...]
LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class Codes:
    """One side's common columns as numbers that mean the same value on both sides; -1 where missing."""

    columns: tuple[NDArray[np.int32], ...]
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.columns[0])

    def take(self, rows: Indices) -> Codes:
        """Only these records."""
        return Codes(tuple(column[rows] for column in self.columns), self.sizes)

    @cached_property
    def patterns(self) -> list[tuple[frozenset[int], Indices, Codes]]:
        """The records by the columns they lack: these columns, the rows, and the records themselves."""
        kinds = _by_pattern([column < 0 for column in self.columns])
        return [(lacks, rows, self.take(rows)) for lacks, rows in kinds]


@dataclass(frozen=True, eq=False)
class Linked:
    """Released records, the first columns on which they are rare, and how many share the values on both sides."""

    rows: Indices
    columns: tuple[Columns, ...]
    released_count: Indices
    known_count: Indices


@dataclass(frozen=True, eq=False)
class Linking:
    """Two sides and the limits of Algorithm 1. Columns are in order of power, the strongest first."""

    released: Codes
    known: Codes
    max_columns: int
    max_released: int
    max_known: int
    missing: str
    combined: int
    """Only this many columns, the strongest, make combinations; all are checked."""

    @property
    def everything(self) -> Columns:
        """All common columns."""
        return tuple(range(len(self.released.columns)))

    def agreeing(self) -> tuple[Indices, Indices]:
        """How many known records agree with each released one on all common columns, and the row of one that does."""
        if self.missing != "any":
            return self._count_with_values(self.known, self.released, self.everything)
        count, one = np.zeros(len(self.released), dtype=np.intp), np.full(len(self.released), -1, dtype=np.intp)
        for lacking, rows, part in self.released.patterns:
            count[rows], one[rows] = self._fullest(lacking, part)
        return count, one

    def _fullest(self, lacking: frozenset[int], part: Codes) -> tuple[Indices, Indices]:
        """Count the known records that agree in all columns that both have, and in at least one.

        A known record is left out if another agrees on the same columns and on more, so that nearly empty records hide
        nobody. ``part`` holds released records that lack the same columns.
        """
        count, one = np.zeros(len(part), dtype=np.intp), np.full(len(part), -1, dtype=np.intp)
        seen: list[frozenset[int]] = []
        # for each record the numbers of the sets of columns kept so far: mostly one, so there are few layers
        layers: list[Indices] = []
        for columns, sides in self._shared_columns(lacking):
            number, at = _count_agreeing(part, sides, columns)
            wider = np.array([*(frozenset(columns) < other for other in seen), False])
            rows = np.flatnonzero(number)
            for layer in layers:
                rows = rows[~wider[layer[rows]]]
            count[rows] += number[rows]
            one[rows] = at[rows]
            _store(layers, rows, len(seen), len(part))
            seen.append(frozenset(columns))
        return count, one

    def _shared_columns(self, lacking: frozenset[int]) -> list[tuple[Columns, list[tuple[Indices, Codes]]]]:
        """Known records by the columns they share with released ones that lack some; most columns first."""
        shared: dict[Columns, list[tuple[Indices, Codes]]] = {}
        for theirs, others, part in self.known.patterns:
            columns = tuple(column for column in self.everything if column not in lacking | theirs)
            if columns:
                shared.setdefault(columns, []).append((others, part))
        return sorted(shared.items(), key=lambda item: (-len(item[0]), item[0]))

    def count_identical(self) -> Indices:
        """How many released records, itself included, agree with each on all common columns.

        If missing agrees with anything: how many have all the values that it has.
        """
        if self.missing != "any":
            return self._count_with_values(self.released, self.released, self.everything)[0]
        count = np.zeros(len(self.released), dtype=np.intp)
        for lacking, rows, part in self.released.patterns:
            columns = tuple(column for column in self.everything if column not in lacking)
            count[rows] = self._count_with_values(self.released, part, columns)[0]
        return count

    def _count_with_values(self, among: Codes, wanted: Codes, columns: Columns) -> tuple[Indices, Indices]:
        """How many records ``among`` have the values of each wanted one on these columns, and the row of one that does.

        A missing value counts only if it is treated as a value.
        """
        count, one = count_keys(*record_keys((wanted, among), columns, never=self.missing != "value"))
        return count, one

    def links(self, single: Indices, one: Indices, progress: bool | None) -> Linked:
        """The released records that agree with a ``single`` known one and have a rare combination of values.

        ``one`` holds the known record of each released one.
        """
        size = min(self.max_columns, self.combined)
        # more columns never make a combination commoner: all linked records are linked by one of the largest sets
        with show_progress("finding rare combinations", progress) as advance:
            linked = self._first_rare(single, one, list(combinations(range(self.combined), size)), advance)
        with show_progress("finding which columns identify records", progress) as advance:
            return self._first_rare(linked.rows, one, list(sets_by_power(self.combined, size)), advance)

    def _first_rare(self, rows: Indices, one: Indices, sets: list[Columns], advance: Advance) -> Linked:
        """For each of these records, the first of the sets on which it is rare on both sides; others are left out."""
        which = np.full(len(rows), -1, dtype=np.intp)
        counts = np.zeros((2, len(rows)), dtype=np.intp)
        for number, columns in enumerate(sets):
            left = np.flatnonzero(which < 0)
            if not len(left):
                break
            mine, theirs = self._sharing(rows[left], one[rows[left]], columns)
            rare = (mine <= self.max_released) & (theirs <= self.max_known)
            which[left[rare]] = number
            counts[:, left[rare]] = mine[rare], theirs[rare]
            advance((number + 1) / len(sets))
        kept = which >= 0
        used = tuple(sets[number] for number in which[kept].tolist())
        return Linked(rows[kept], used, *counts[:, kept])

    def _sharing(self, rows: Indices, others: Indices, columns: Columns) -> tuple[Indices, Indices]:
        """How many released and known records have the values that each linked pair has in common on these columns."""
        counts = np.full((2, len(rows)), np.iinfo(np.intp).max, dtype=np.intp)
        for there, chosen in self._columns_of_pairs(rows, others, columns):
            if there:
                wanted = self.released.take(rows[chosen])
                counts[:, chosen] = [
                    self._count_with_values(side, wanted, there)[0] for side in (self.released, self.known)
                ]
        return counts[0], counts[1]

    def _columns_of_pairs(self, rows: Indices, others: Indices, columns: Columns) -> list[tuple[Columns, Indices]]:
        """Pairs by the columns that both have; all of them unless missing agrees with anything."""
        if self.missing != "any":
            return [(columns, np.arange(len(rows)))]
        lacking = [
            (self.released.columns[column][rows] < 0) | (self.known.columns[column][others] < 0) for column in columns
        ]
        return [
            (tuple(column for number, column in enumerate(columns) if number not in without), chosen)
            for without, chosen in _by_pattern(lacking)
        ]


def _count_agreeing(part: Codes, sides: list[tuple[Indices, Codes]], columns: Columns) -> tuple[Indices, Indices]:
    """How many records of the sides agree with each of these on columns that all have, and the row of one that does."""
    count, one = np.zeros(len(part), dtype=np.intp), np.full(len(part), -1, dtype=np.intp)
    for others, other_part in sides:
        number, at = count_keys(*record_keys((part, other_part), columns, never=False))
        count += number
        one[number > 0] = others[at[number > 0]]
    return count, one


def _store(layers: list[Indices], rows: Indices, number: int, size: int) -> None:
    """Store a number for these records, each in the first layer where it has none."""
    for layer in layers:
        free = rows[layer[rows] < 0]
        rows = rows[layer[rows] >= 0]
        layer[free] = number
    if len(rows):
        layers.append(np.full(size, -1, dtype=np.intp))
        layers[-1][rows] = number


def _by_pattern(lacking: list[NDArray[np.bool_]]) -> list[tuple[frozenset[int], Indices]]:
    """Records by the columns they lack: the numbers of these columns, and the records."""
    packed = np.packbits(lacking, axis=0).T
    kinds, which = np.unique(packed, axis=0, return_inverse=True)
    return [
        (frozenset(np.flatnonzero(np.unpackbits(kind, count=len(lacking))).tolist()), np.flatnonzero(which == number))
        for number, kind in enumerate(kinds)
    ]


def sets_by_power(columns: int, most: int) -> Iterator[Columns]:
    """Sets of up to ``most`` columns: those of stronger columns before any with a weaker one, small ones first."""
    for weakest in range(columns):
        for size in range(min(weakest + 1, most)):
            for others in combinations(range(weakest), size):
                yield (*others, weakest)


def number_of_sets(columns: int, most: int) -> int:
    """The number of sets of up to ``most`` columns."""
    return sum(comb(columns, size) for size in range(1, min(columns, most) + 1))


def record_keys(sides: tuple[Codes, Codes], columns: Columns, *, never: bool) -> tuple[Integers, Integers]:
    """One number per record for its values on these columns, the same on both sides; -1 if it matches nothing."""
    lengths = [len(side) for side in sides]
    key, bound = np.zeros(sum(lengths), dtype=np.int64), 1
    missing = np.zeros(sum(lengths), dtype=bool)
    for column in columns:
        values = np.concatenate([side.columns[column] for side in sides])
        size = sides[0].sizes[column] + 1
        if bound > LARGEST_KEY // size:
            ranks = np.unique(key, return_inverse=True)
            key, bound = ranks[1].astype(np.int64), len(ranks[0])
        key *= size
        key += values
        key += 1
        bound *= size
        if never:
            missing |= values < 0
    key[missing] = -1
    return key[: lengths[0]], key[lengths[0] :]
