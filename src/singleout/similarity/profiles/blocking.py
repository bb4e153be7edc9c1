"""Candidates: the known people that a released person is compared with, and their scores (R12 IV-B)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices, count_up
from singleout.ground.lazy import cached_property
from singleout.similarity.profiles.comparators import Field


@dataclass(frozen=True, eq=False)
class Blocks:
    """Who is a candidate of whom: those who match in every blocking field.

    Fields compared by key are looked up; the others filter what is left. ``itself``: both sides are the same file, and
    nobody is their own candidate.
    """

    released_key: Indices
    known_key: Indices
    filters: tuple[Field, ...] = ()
    itself: bool = False

    @classmethod
    def of(cls, people: tuple[int, int], fields: Iterable[Field] = (), *, itself: bool = False) -> Blocks:
        """Blocks of released and known people by these fields; without fields all are candidates of all."""
        listed = list(fields)
        keys = combine_keys(people, [field.keys() for field in listed if field.comparator.by_key])
        return cls(*keys, tuple(field for field in listed if not field.comparator.by_key), itself)

    @cached_property
    def known_order(self) -> Indices:
        """Known rows in order of their keys."""
        return np.argsort(self.known_key, kind="stable")

    @cached_property
    def spans(self) -> tuple[Indices, Indices]:
        """Where the block of each released person starts among the ordered known ones, and how large it is."""
        ordered = self.known_key[self.known_order]
        start, end = (np.searchsorted(ordered, self.released_key, side) for side in ("left", "right"))
        return start, np.where(self.released_key >= 0, end - start, 0)

    @property
    def largest(self) -> int:
        """People in the largest block that anyone is compared with."""
        return int(self.spans[1].max(initial=0))

    @property
    def everyone(self) -> bool:
        """Whether all known people are candidates of all released ones."""
        return not self.filters and not self.itself and bool((self.spans[1] == len(self.known_key)).all())

    def pairs(self, first: int, last: int) -> tuple[Indices, Indices]:
        """The candidates of these rows, row by row."""
        start, size = (array[first:last] for array in self.spans)
        rows = np.repeat(np.arange(first, last), size)
        others = self.known_order[np.repeat(start, size) + count_up(size)]
        kept = self._filter(rows, others)
        return rows[kept], others[kept]

    def allow(self, rows: Indices, others: Indices) -> NDArray[np.bool_]:
        """Which of these pairs are candidates."""
        key = self.released_key[rows]
        return np.asarray((key >= 0) & (key == self.known_key[others]) & self._filter(rows, others))

    def _filter(self, rows: Indices, others: Indices) -> NDArray[np.bool_]:
        kept = rows != others if self.itself else np.ones(len(rows), dtype=bool)
        for field in self.filters:
            kept[kept] = field.matches(rows[kept], others[kept])
        return kept


def combine_keys(people: tuple[int, int], keys: list[tuple[Indices, Indices]]) -> tuple[Indices, Indices]:
    """One key for several, ranked again at each step so that it never exceeds the number of people."""
    both = np.zeros(sum(people), dtype=np.intp)
    for pair in keys:
        more = np.concatenate(pair)
        missing = (both < 0) | (more < 0)
        both = np.unique(both * (more.max(initial=0) + 1) + more, return_inverse=True)[1].astype(np.intp)
        both[missing] = -1
    return both[: people[0]], both[people[0] :]


class Scorer(Protocol):
    """Gives pairs of people their scores."""

    def of(self, rows: Indices, others: Indices) -> Floats:
        """The score of each of these pairs; zero or more."""
        ...


@dataclass(frozen=True, eq=False)
class FieldScores:
    """fieldsMatch (R12 Algorithm 2): the sum of the weights of the fields that match."""

    compare: tuple[tuple[Field, float], ...]

    def of(self, rows: Indices, others: Indices) -> Floats:
        """Fields are added in a fixed order, so that equal matches give equal scores."""
        scores = np.zeros(len(rows))
        for field, weight in self.compare:
            scores += weight * field.matches(rows, others)
        return scores


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates with their scores, computed for some rows at a time and never stored as a whole."""

    blocks: Blocks
    scorer: Scorer

    def score(self, first: int, last: int) -> tuple[Indices, Indices, Floats]:
        """The candidates of these rows, row by row, and their scores."""
        rows, others = self.blocks.pairs(first, last)
        return rows, others, self.scorer.of(rows, others)
