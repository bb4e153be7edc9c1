"""Which columns an intruder might learn beside those they know, and how many records each choice isolates (R12 V)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from singleout.ground.errors import bad_argument, is_number, is_whole, unknown_name
from singleout.ground.progress import shown
from singleout.reading.tables import Column
from singleout.statistics.partitions import Partition

STRATEGIES = ("core-av", "core-at", "naive", "all")
Chosen = tuple[int, ...]
"""Columns by their place among those that are not known, ascending unless ranked."""


@dataclass(frozen=True)
class Asked:
    """What ``vulnerability`` was asked."""

    add: int
    strategy: str
    ranks: int
    k: int
    min_count: int
    budget: float | None
    seed: int

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise unknown_name("vulnerability", "strategy", str(self.strategy), STRATEGIES)
        for argument in ("add", "ranks", "k", "min_count"):
            value = getattr(self, argument)
            if not is_whole(value) or value < 1:
                raise bad_argument("vulnerability", argument, "a whole number above zero", value)
        if not is_whole(self.seed) or self.seed < 0:
            raise bad_argument("vulnerability", "seed", "a whole number, zero or above", self.seed)
        if self.budget is not None and (not is_number(self.budget) or self.budget <= 0):
            raise bad_argument("vulnerability", "budget", "a number of seconds above zero", self.budget)


def rare_levels(column: Column, min_count: int) -> int:
    """Distinct values of fewer than min_count records."""
    return int(np.count_nonzero(column.counts < min_count))


def ranked(columns: Sequence[Column], asked: Asked) -> list[int]:
    """Columns by distinct values (CORE-AV), or by those rarer than min_count (CORE-AT); equal ones in their order."""
    at = asked.strategy == "core-at"
    power = [rare_levels(column, asked.min_count) if at else column.levels for column in columns]
    return sorted(range(len(columns)), key=lambda place: -power[place])


def drawn(number: int, add: int, times: int, seed: int) -> list[Chosen]:
    """NAIVE: different random choices of ``add`` columns; all there are if they are no more than ``times``."""
    if comb(number, add) <= times:
        return list(combinations(range(number), add))
    rng = np.random.default_rng(seed)
    found: dict[Chosen, None] = {}
    while len(found) < times:
        found[tuple(sorted(rng.choice(number, add, replace=False).tolist()))] = None
    return list(found)


@dataclass(eq=False)
class Search:
    """Records laid out by the known columns, so that each further choice of columns is one pass over their codes."""

    partition: Partition
    columns: list[Column]

    @classmethod
    def beside(cls, known: Partition, columns: Sequence[Column]) -> Search:
        """From the groups of the known columns and the columns that are not known."""
        return cls(*known.laid_out(columns))

    @cached_property
    def singles(self) -> list[int]:
        """Records isolated by the known columns and each further one."""
        return self.partition.small_with(self.columns)

    def isolated(self, chosen: Chosen) -> int:
        """Records isolated by the known columns and these."""
        partition = self.partition
        for place in chosen[:-1]:
            partition = partition.refined(self.columns[place])
        return partition.small_with([self.columns[chosen[-1]]])[0]

    def each(self, wanted: Sequence[Chosen]) -> Iterator[dict[Chosen, int]]:
        """The choices asked for, one by one."""
        for chosen in wanted:
            yield {chosen: self.isolated(chosen)}

    def every(self, add: int) -> Iterator[dict[Chosen, int]]:
        """All choices of ``add`` columns; those with the columns that isolate most by themselves come first."""
        if add == 1:
            yield {(place,): count for place, count in enumerate(self.singles)}
            return
        best_first = sorted(range(len(self.columns)), key=lambda place: -self.singles[place])
        yield from self._every(self.partition, best_first, (), add)

    def _every(self, partition: Partition, left: list[int], so_far: Chosen, add: int) -> Iterator[dict[Chosen, int]]:
        for number, place in enumerate(left[: len(left) - add + 1]):
            finer = partition.refined(self.columns[place])
            later, chosen = left[number + 1 :], (*so_far, place)
            if add > 2:
                yield from self._every(finer, later, chosen, add - 1)
                continue
            counts = finer.small_with([self.columns[last] for last in later])
            yield {tuple(sorted((*chosen, last))): count for last, count in zip(later, counts, strict=True)}


def within_budget(
    batches: Iterator[dict[Chosen, int]], possible: int, budget: float | None, progress: bool | None
) -> dict[Chosen, int]:
    """Take batches until the seconds are over; the first is always taken."""
    found: dict[Chosen, int] = {}
    started = time.monotonic()
    with shown("trying combinations of columns", progress) as advance:
        for batch in batches:
            found |= batch
            advance(len(found) / possible)
            if budget is not None and time.monotonic() - started >= budget:
                break
    return found
