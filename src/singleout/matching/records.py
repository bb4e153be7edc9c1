"""linkRecords (R12 Algorithm 1): rare combinations of common columns that lead to a single known record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from singleout._kernels.records import count_keys
from singleout.ground.progress import Advance, shown
from singleout.matching.ties import Rows

MISSING = ("value", "never", "any")
Columns = tuple[int, ...]
Keys = NDArray[np.int64]
LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class Codes:
    """One side's common columns as numbers that mean the same value on both sides; -1 where missing."""

    columns: tuple[NDArray[np.int32], ...]
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.columns[0])

    def taken(self, rows: Rows) -> Codes:
        """Only these records."""
        return Codes(tuple(column[rows] for column in self.columns), self.sizes)

    @cached_property
    def patterns(self) -> list[tuple[frozenset[int], Rows, Codes]]:
        """The records by which columns they lack: these columns, the rows, and the records by themselves."""
        lacking = np.packbits([column < 0 for column in self.columns], axis=0).T
        kinds, which = np.unique(lacking, axis=0, return_inverse=True)
        parts = []
        for number, kind in enumerate(kinds):
            rows = np.flatnonzero(which == number)
            lacks = np.flatnonzero(np.unpackbits(kind, count=len(self.columns)))
            parts.append((frozenset(lacks.tolist()), rows, self.taken(rows)))
        return parts


@dataclass(frozen=True, eq=False)
class Linked:
    """Released records and the first columns on which they are rare, with how many share the values on both sides."""

    rows: Rows
    columns: tuple[Columns, ...]
    released_count: Rows
    known_count: Rows


@dataclass(frozen=True, eq=False)
class Linking:
    """Two sides and the limits of Algorithm 1. Columns stand in order of their power, the strongest first."""

    released: Codes
    known: Codes
    max_columns: int
    max_released: int
    max_known: int
    missing: str

    @property
    def everything(self) -> Columns:
        """All common columns."""
        return tuple(range(len(self.released.columns)))

    def counts(self, among: Codes, wanted: Codes, columns: Columns) -> tuple[Rows, Rows]:
        """How many records ``among`` agree with each wanted one on these columns, and the row of one that does."""
        if self.missing != "any":
            count, one = count_keys(*_keys((wanted, among), columns, never=self.missing == "never"))
            return count, one
        count, one = np.zeros(len(wanted), dtype=np.intp), np.full(len(wanted), -1, dtype=np.intp)
        for mine, rows, part in wanted.patterns:
            for theirs, others, other_part in among.patterns:
                there = tuple(column for column in columns if column not in mine | theirs)
                number, at = count_keys(*_keys((part, other_part), there, never=False))
                count[rows] += number
                one[rows[number > 0]] = others[at[number > 0]]
        return count, one

    def links(self, single: Rows, progress: bool | None) -> Linked:
        """Of the released records that agree with a ``single`` known one: those that a rare combination gives away."""
        size = min(self.max_columns, len(self.everything))
        # more columns never make a combination commoner: whoever is linked at all is by one of the largest sets
        with shown("finding rare combinations", progress) as advance:
            linked = self._first_rare(single, list(combinations(self.everything, size)), advance)
        with shown("finding which columns give records away", progress) as advance:
            return self._first_rare(linked.rows, list(sets_by_power(len(self.everything), size)), advance)

    def _first_rare(self, rows: Rows, sets: list[Columns], advance: Advance) -> Linked:
        """For each of these records the first of the sets on which it is rare on both sides; others are left out."""
        which = np.full(len(rows), -1, dtype=np.intp)
        counts = np.zeros((2, len(rows)), dtype=np.intp)
        for number, columns in enumerate(sets):
            left = np.flatnonzero(which < 0)
            if not len(left):
                break
            wanted = self.released.taken(rows[left])
            mine, theirs = (self.counts(side, wanted, columns)[0] for side in (self.released, self.known))
            rare = (mine <= self.max_released) & (theirs <= self.max_known)
            which[left[rare]] = number
            counts[:, left[rare]] = mine[rare], theirs[rare]
            advance((number + 1) / len(sets))
        kept = which >= 0
        used = tuple(sets[number] for number in which[kept].tolist())
        return Linked(rows[kept], used, *counts[:, kept])


def sets_by_power(columns: int, most: int) -> Iterator[Columns]:
    """Sets of up to ``most`` columns: those of stronger columns before any with a weaker one, small ones first."""
    for weakest in range(columns):
        for size in range(min(weakest + 1, most)):
            for others in combinations(range(weakest), size):
                yield (*others, weakest)


def number_of_sets(columns: int, most: int) -> int:
    """How many sets of up to ``most`` columns there are."""
    return sum(comb(columns, size) for size in range(1, min(columns, most) + 1))


def _keys(sides: tuple[Codes, Codes], columns: Columns, *, never: bool) -> tuple[Keys, Keys]:
    """One number per record for its values on these columns, the same on both sides; -1 where it matches nothing."""
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
