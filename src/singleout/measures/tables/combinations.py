"""Columns an intruder might learn in addition to those they know, and the records each choice isolates (R12 V)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, get_args

import numpy as np

from singleout.ground.errors import bad_argument, check_seed, is_number, is_whole, unknown_name
from singleout.ground.lazy import cached_property
from singleout.ground.names import Strategy
from singleout.ground.parallel import map_tiles
from singleout.ground.progress import stage
from singleout.reading.columns import Column
from singleout.statistics.partitions import WORTH_A_TILE, FewValued, Partition

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
ROUND = 4
"""Choices without their last column that are completed between two checks of the time."""
Chosen = tuple[int, ...]
"""Columns by their position among those that are not known, ascending unless ranked."""

LARGEST = 2**31 - 1


@dataclass(frozen=True)
class ColumnSearch:
    """The options of ``vulnerability``."""

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
            if not is_whole(value) or not 1 <= value <= LARGEST:
                raise bad_argument("vulnerability", argument, f"a whole number above zero, up to {LARGEST:,}", value)
        check_seed("vulnerability", self.seed)
        if self.budget is not None and (not is_number(self.budget) or self.budget <= 0):
            raise bad_argument("vulnerability", "budget", "a number of seconds above zero", self.budget)


def rare_levels(column: Column, min_count: int) -> int:
    """The number of distinct values of fewer than min_count records."""
    return int(np.count_nonzero(column.counts < min_count))


def rank_columns(columns: Sequence[Column], asked: ColumnSearch) -> list[int]:
    """Columns by distinct values (CORE-AV), or by those rarer than min_count (CORE-AT); equals in order of column."""
    at = asked.strategy == "core-at"
    power = [rare_levels(column, asked.min_count) if at else column.levels for column in columns]
    return sorted(range(len(columns)), key=lambda place: -power[place])


def draw_choices(number: int, add: int, times: int, seed: int) -> list[Chosen]:
    """NAIVE: distinct random choices of ``add`` columns; all of them if there are at most ``times``."""
    if comb(number, add) <= times:
        return list(combinations(range(number), add))
    rng = np.random.default_rng(seed)
    found: dict[Chosen, None] = {}
    while len(found) < times:
        found[tuple(sorted(rng.choice(number, add, replace=False).tolist()))] = None
    return list(found)


LARGEST = 2**31 - 1


@dataclass(eq=False)
class Search:
    """Records ordered by the known columns, so that each further choice of columns is one pass over their codes."""

    partition: Partition
    columns: list[Column]

    @classmethod
    def from_known(cls, known: Partition, columns: Sequence[Column]) -> Search:
        """Start from the groups of the known columns and the columns that are not known."""
        return cls(*known.lay_out(columns))

    @cached_property
    def singles(self) -> list[int]:
        """Records isolated by the known columns and each further one."""
        found = FewValued.among(self.columns, self.partition.k).small_with(self.partition)
        others = [place for place in range(len(self.columns)) if place not in found]
        counts = self.partition.small_with([self.columns[place] for place in others])
        found |= dict(zip(others, counts, strict=True))
        return [found[place] for place in range(len(self.columns))]

    def count_isolated(self, chosen: Chosen) -> int:
        """Records isolated by the known columns and these."""
        partition = self.partition
        for place in chosen[:-1]:
            partition = partition.refine(self.columns[place])
        return partition.small_with_one(self.columns[chosen[-1]])

    def each(self, wanted: Sequence[Chosen]) -> Iterator[dict[Chosen, int]]:
        """The given choices, one by one."""
        for chosen in wanted:
            yield {chosen: self.count_isolated(chosen)}

    def every(self, add: int, *, in_rounds: bool, progress: bool | None) -> Iterator[dict[Chosen, int]]:
        """All choices of ``add`` columns; those with the columns that isolate most by themselves come first.

        All at once, or ``in_rounds`` if the caller may stop early.
        """
        if add == 1:
            yield dict(zip(((place,) for place in range(len(self.columns))), self.singles, strict=True))
            return
        best_first = sorted(range(len(self.columns)), key=lambda place: -self.singles[place])
        begun = [chosen for chosen in combinations(best_first, add - 1) if chosen[-1] != best_first[-1]]
        few = FewValued.among([self.columns[place] for place in best_first], self.partition.k)
        size = ROUND if in_rounds else len(begun)
        tile = max(1, WORTH_A_TILE // max(1, len(self.partition.order) * len(self.columns)))
        for first in range(0, len(begun), size):
            ahead = begun[first : first + size]
            work: tuple[Any, ...] = ahead, best_first, self, few
            label = "trying combinations of columns"
            with stage(f"{first:,} of {len(begun):,}") if in_rounds else nullcontext():
                tiles = map_tiles(_complete, len(ahead), *work, label=label, progress=progress, tile=tile)
            yield {chosen: count for counts in tiles for chosen, count in counts}


def _complete(
    first: int,
    last: int,
    begun: list[Chosen],
    best_first: list[int],
    search: Search,
    few: FewValued,
) -> list[tuple[Chosen, int]]:
    """Complete choices without their last column by each that comes later; ``few`` are in order of ``best_first``."""
    found: list[tuple[Chosen, int]] = []
    for chosen in begun[first:last]:
        finer = search.partition
        for place in chosen:
            finer = finer.refine(search.columns[place])
        after = best_first.index(chosen[-1]) + 1
        counts = few.small_with(finer, after)
        for number, place in enumerate(best_first[after:], start=after):
            count = counts[number] if number in counts else finer.small_with_one(search.columns[place])
            found.append((tuple(sorted((*chosen, place))), count))
    return found


def within_budget(batches: Iterator[dict[Chosen, int]], budget: float | None) -> dict[Chosen, int]:
    """Take batches until the budget is used up; the first is always taken."""
    found: dict[Chosen, int] = {}
    started = time.monotonic()
    for batch in batches:
        found |= batch
        if budget is not None and time.monotonic() - started >= budget:
            break
    return found
