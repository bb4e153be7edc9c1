"""What columns isolate, as values: combinations, columns, levels; one set of known columns or several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.errors import bad_argument, is_whole
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, counted, shortened
from singleout.ground.progress import shown
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.tables.combinations import Asked, rare_levels
from singleout.measures.tables.levels import Level, levels_of, levels_to_arrow, masked, to_hide
from singleout.reading.tables import Column, Table
from singleout.statistics.partitions import Partition, everyone, partition_by

SHOWN = 10


@dataclass(frozen=True)
class Combination:
    """Columns added to the known ones, and how many records they isolate together.

    ``share`` is of the vulnerable records. ``ranks`` are the places of the columns in the order of the strategy, None
    for NAIVE and the exhaustive search.
    """

    columns: tuple[str, ...]
    isolated: int
    vulnerable: int
    ranks: tuple[int, ...] | None = None
    known: str = ""

    @property
    def share(self) -> float:
        """Isolated records among the vulnerable; 0 where nobody is vulnerable."""
        return self.isolated / self.vulnerable if self.vulnerable else 0.0

    @property
    def interval(self) -> Estimate | None:
        """The share with Wilson's interval, for whoever reads the file as a sample; None where nobody is vulnerable."""
        return wilson(self.isolated, self.vulnerable) if self.vulnerable else None


@dataclass(frozen=True)
class ColumnRisk:
    """What one column does: records isolated by it ``alone`` (R12 Fig. 3a) and ``with_known`` columns (Fig. 3b).

    ``needed``: vulnerable records that would not be vulnerable if this column were left out. ``rare``: levels of fewer
    than min_count records.
    """

    column: str
    is_known: bool
    levels: int
    rare: int
    alone: int
    with_known: int
    needed: int


@dataclass(frozen=True, eq=False)
class Vulnerability(Pictured):
    """What columns isolate vulnerable records: those whose class on all columns has at most k records.

    ``rows`` in rank order, for the exhaustive search by what they isolate. ``by_known`` records are isolated by the
    known columns alone; ``random`` is the share that as many columns added at random isolate in the mean. ``tried`` are
    the combinations counted of those ``possible`` by the strategy.
    """

    table: Table
    known: tuple[str, ...]
    asked: Asked
    vulnerable: int
    by_known: int
    rows: tuple[Combination, ...]
    random: float
    with_known: dict[str, int]
    tried: int
    possible: int
    name: str = ""

    @property
    def records(self) -> int:
        """All records."""
        return len(self.table)

    @property
    def rate(self) -> Estimate:
        """Share of the records that are vulnerable, with Wilson's interval."""
        return wilson(self.vulnerable, self.records)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Odd columns, and combinations that the budget left untried."""
        left = self.possible - self.tried
        why = f"the budget of {self.asked.budget} seconds was over; the rows are the best of those tried"
        beside = f" beside {self.name}" if self.name else ""
        return (*self.table.notes, *counted(Note(left, f"combinations not tried{beside}", why)))

    def union(self, ranks: int | Iterable[int]) -> Combination:
        """Records isolated by at least one of the rows at these places, counted from 1; a number is the first so many.

        R12 V-B: different combinations may find different people.
        """
        places = list(ranks) if isinstance(ranks, Iterable) else list(range(1, int(ranks) + 1))
        if not places or not all(is_whole(place) and 1 <= place <= len(self.rows) for place in places):
            raise bad_argument("union", "ranks", f"whole numbers from 1 to {len(self.rows)}", ranks)
        chosen = [self.rows[place - 1].columns for place in places]
        isolated = np.zeros(self.records, dtype=bool)
        for names in chosen:
            isolated |= self._partition(names).is_small()
        columns = tuple(dict.fromkeys(name for names in chosen for name in names))
        return Combination(columns, int(isolated.sum()), self.vulnerable, known=self.name)

    @cached_property
    def by_column(self) -> tuple[ColumnRisk, ...]:
        """Every column of the table, those that isolate most beside the known ones first."""
        columns = self.table.coded(self.table.columns)
        start = everyone(self.records, self.asked.k)
        with shown("leaving out each column", None):
            alone = start.small_with(columns)
            without = small_without_each(columns, start)
        risks = [
            ColumnRisk(
                column=column.name,
                is_known=column.name in self.known,
                levels=column.levels,
                rare=rare_levels(column, self.asked.min_count),
                alone=alone[number],
                with_known=self.with_known.get(column.name, self.by_known),
                needed=self.vulnerable - without[number],
            )
            for number, column in enumerate(columns)
        ]
        return tuple(sorted(risks, key=lambda risk: (risk.is_known, -risk.with_known)))

    @cached_property
    def by_level(self) -> tuple[Level, ...]:
        """Every value of every column that is not known: its records, and those isolated by it beside the known ones.

        Holds values of single people: ``levels_to_arrow`` hides them unless told otherwise.
        """
        others = self.table.coded(name for name in self.table.columns if name not in self.known)
        with shown("looking at every value", None):
            return levels_of(self._partition(()), others)

    def levels_to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """``by_level`` as a table; values of fewer than five people are put together unless ``reveal``.

        Tables of several known sets can be subtracted from each other: ``KnownSets.levels_to_arrow`` hides the same
        values in all of them.
        """
        return levels_to_arrow(KnownSets({self.name: self}).levels(reveal=reveal)[self.name])

    def columns_to_arrow(self) -> pa.Table:
        """``by_column`` as a table."""
        return pa.Table.from_pylist([vars(risk) for risk in self.by_column])

    def to_arrow(self) -> pa.Table:
        """One row per combination: columns, counts and shares, no values."""
        return combinations_to_arrow(self.rows)

    def _partition(self, added: Sequence[str]) -> Partition:
        return partition_by(self.table.coded([*self.known, *added]), self.records, self.asked.k)

    def __str__(self) -> str:
        everybody = (
            f"{self.vulnerable:,} of {self.records:,} records are vulnerable: at most {self.asked.k} alike on all"
        )
        knows = f"Known: {', '.join(self.known) or 'nothing'}; isolates {self.by_known:,}."
        lines = [f"{everybody} {len(self.table.columns)} columns.", knows]
        lines.append(f"{'added':30} {'isolated':>10} {'of the vulnerable':>18}  interval")
        for row in self.rows[:SHOWN]:
            bounds = "" if row.interval is None else f"[{row.interval.low:.1%}, {row.interval.high:.1%}]"
            lines.append(f"{shortened(', '.join(row.columns), 30):30} {row.isolated:10,} {row.share:18.1%}  {bounds}")
        if len(self.rows) > SHOWN:
            lines.append(f"… {len(self.rows) - SHOWN:,} more")
        return "\n".join([*lines, f"{'at random':30} {'':10} {self.random:18.1%}"])

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class KnownSets(Pictured):
    """The same question for several sets of known columns, side by side; ``sets[name]`` is each answer."""

    sets: dict[str, Vulnerability]

    def __getitem__(self, name: str) -> Vulnerability:
        return self.sets[name]

    @property
    def vulnerable(self) -> int:
        """Vulnerable records: the same for every set."""
        return next(iter(self.sets.values())).vulnerable

    @property
    def rows(self) -> tuple[Combination, ...]:
        """The rows of every set, each with the name of its set."""
        return tuple(row for found in self.sets.values() for row in found.rows)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes of all sets, each once."""
        return tuple(dict.fromkeys(note for found in self.sets.values() for note in found.notes))

    def levels(self, *, reveal: bool = False) -> dict[str, tuple[Level, ...]]:
        """``by_level`` of each set; values of few people are put together unless ``reveal``, the same in every set."""
        if reveal:
            return {name: found.by_level for name, found in self.sets.items()}
        return {name: masked(found.by_level, self._hidden) for name, found in self.sets.items()}

    @cached_property
    def _hidden(self) -> dict[str, set[Any]]:
        every = [found.by_level for found in self.sets.values()]
        table = next(iter(self.sets.values())).table
        return to_hide(every, table.coded(dict.fromkeys(level.column for levels in every for level in levels)))

    def levels_to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """``levels`` as one table, with the name of each set."""
        parts = [with_known(name, levels_to_arrow(levels)) for name, levels in self.levels(reveal=reveal).items()]
        return pa.concat_tables(parts)

    def to_arrow(self) -> pa.Table:
        """One row per set and combination."""
        return combinations_to_arrow(self.rows)

    def __str__(self) -> str:
        lines = [f"{'known':18} {'isolates':>10} {'best addition':22} {'isolates':>10} {'share':>7} {'random':>7}"]
        for name, found in self.sets.items():
            best = max(found.rows, key=lambda row: row.isolated)
            added = ", ".join(best.columns)
            counts = f"{best.isolated:10,} {best.share:7.1%} {found.random:7.1%}"
            lines.append(f"{shortened(name, 18):18} {found.by_known:10,} {shortened(added, 22):22} {counts}")
        return "\n".join(lines)

    __repr__ = __str__


def with_known(name: str, table: pa.Table) -> pa.Table:
    """A table with the name of its known set in front."""
    return table.add_column(0, "known", pa.array([name] * table.num_rows, pa.string()))


def combinations_to_arrow(rows: Sequence[Combination]) -> pa.Table:
    """One row per combination."""
    return pa.table(
        {
            "known": pa.array([row.known for row in rows], pa.string()),
            "columns": pa.array([list(row.columns) for row in rows], pa.list_(pa.string())),
            "ranks": pa.array([None if row.ranks is None else list(row.ranks) for row in rows], pa.list_(pa.int64())),
            "isolated": pa.array([row.isolated for row in rows], pa.int64()),
            "share": pa.array([row.share for row in rows], pa.float64()),
            "low": pa.array([row.interval and row.interval.low for row in rows], pa.float64()),
            "high": pa.array([row.interval and row.interval.high for row in rows], pa.float64()),
        }
    )


def small_without_each(columns: Sequence[Column], partition: Partition) -> list[int]:
    """For each column: records in groups of at most k by all the others, beside what made the groups already.

    One half is added before the other half is looked at, and so on: columns · log columns splits instead of squared.
    """
    if len(columns) == 1:
        return [partition.small]
    middle = len(columns) // 2
    found = []
    for these, others in ((columns[:middle], columns[middle:]), (columns[middle:], columns[:middle])):
        finer = partition
        for column in others:
            finer = finer.refined(column)
        found += small_without_each(these, finer)
    return found
