"""What columns isolate, as results: combinations, columns, values; for one set of known columns or several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.errors import bad_argument, is_whole
from singleout.ground.lazy import cached_property
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, cut_middle, nonzero
from singleout.ground.numbers import percent
from singleout.ground.progress import show_progress
from singleout.ground.text_tables import align_rows
from singleout.measures.disclosure import hide_levels, values_to_hide
from singleout.measures.intervals import Estimate, counted
from singleout.measures.tables.column_values import Level, find_levels, levels_to_arrow
from singleout.measures.tables.combinations import ColumnSearch, rare_levels
from singleout.reading.columns import Column, Rows
from singleout.reading.tables import Table
from singleout.statistics.partitions import Partition, everyone, partition_by

SHOWN = 10


@dataclass(frozen=True)
class Combination:
    """Columns added to the known ones, and how many records they isolate together.

    ``share`` is of the vulnerable records. ``ranks`` are the positions of the columns in the order of the strategy,
    None for NAIVE and the exhaustive search.
    """

    columns: tuple[str, ...]
    isolated: int
    vulnerable: int
    ranks: tuple[int, ...] | None = None
    known: str = ""

    @property
    def share(self) -> float:
        """Isolated records among the vulnerable; 0 if no record is vulnerable."""
        return self.isolated / self.vulnerable if self.vulnerable else 0.0

    @property
    def interval(self) -> Estimate | None:
        """The share, counted and so exact; None if no record is vulnerable."""
        return counted(self.isolated, self.vulnerable) if self.vulnerable else None


@dataclass(frozen=True)
class ColumnRisk:
    """Records that one column isolates ``alone`` (R12 Fig. 3a) and ``with_known`` columns (Fig. 3b).

    ``needed``: vulnerable records that would not be vulnerable if this column were left out. ``rare``: values of fewer
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
    """Which columns isolate vulnerable records: those whose class on all columns has at most k records.

    ``rows`` in rank order, for the exhaustive search by what they isolate. ``by_known`` records are isolated by the
    known columns alone; ``random`` is the share that as many random columns isolate on average. ``tried`` combinations
    were counted of the ``possible`` ones of the strategy.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.vulnerability(table, known_columns=["area", "region", "home"])
    >>> [row.columns for row in found.rows][:2]
    [('occupation',), ('income',)]
    """

    table: Table
    known: tuple[str, ...]
    asked: ColumnSearch
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
        """Share of the records that are vulnerable; exact."""
        return counted(self.vulnerable, self.records)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Unusual columns, and combinations not tried within the budget."""
        left = self.possible - self.tried
        why = f"the budget of {self.asked.budget} seconds was used up; the rows are the best of those tried"
        known = f" for {self.name}" if self.name else ""
        return (*self.table.notes, *nonzero(Note(left, f"combinations not tried{known}", why)))

    def union(self, ranks: int | Iterable[int]) -> Combination:
        """Records isolated by at least one of these rows, counted from 1; a number n means the first n rows.

        Ramachandran 2012, V-B: different combinations may isolate different people.
        """
        places = list(ranks) if isinstance(ranks, Iterable) else list(range(1, int(ranks) + 1))
        if not places or not all(is_whole(place) and 1 <= place <= len(self.rows) for place in places):
            raise bad_argument("union", "ranks", f"whole numbers from 1 to {len(self.rows)}", ranks)
        chosen = [self.rows[place - 1].columns for place in places]
        isolated = np.zeros(self._rows.number, dtype=bool)
        for names in chosen:
            isolated |= self._partition(names).is_small()
        columns = tuple(dict.fromkeys(name for names in chosen for name in names))
        return Combination(columns, int(isolated.sum()), self.vulnerable, known=self.name)

    @cached_property
    def by_column(self) -> tuple[ColumnRisk, ...]:
        """Every column of the table; those that isolate most in addition to the known ones come first."""
        columns = self.table.encode_rows(self.table.columns, self._rows)
        start = everyone(self._rows, self.asked.k)
        with show_progress("leaving out one column at a time", None):
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
        """Every value of every column that is not known: its records, and those it isolates with the known columns.

        Contains values of single people: ``levels_to_arrow`` hides them unless ``reveal``.
        """
        others = self.table.encode_rows((name for name in self.table.columns if name not in self.known), self._rows)
        with show_progress("examining every value", None):
            return find_levels(self._partition(()), others)

    def levels_to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """``by_level`` as a table; values of fewer than five people are combined unless ``reveal``.

        Tables of several known sets could be subtracted from each other: ``KnownSets.levels_to_arrow`` hides the same
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
        return partition_by(self.table.encode_rows([*self.known, *added], self._rows), self._rows, self.asked.k)

    @property
    def _rows(self) -> Rows:
        """Rows that can be counted as records in groups of at most k."""
        return self.table.rows.split(self.asked.k)

    def __str__(self) -> str:
        everybody = (
            f"{self.vulnerable:,} of {self.records:,} records are vulnerable: at most {self.asked.k} identical on all"
        )
        knows = f"Known: {', '.join(self.known) or 'nothing'}; isolates {self.by_known:,}."
        lines = [f"{everybody} {len(self.table.columns)} columns.", knows]
        rows: list[tuple[object, ...]] = []
        rows += [
            (cut_middle(", ".join(row.columns), 30), row.isolated, percent(row.share)) for row in self.rows[:SHOWN]
        ]
        if len(self.rows) > SHOWN:
            rows.append((f"… {len(self.rows) - SHOWN:,} more",))
        rows.append(("at random", None, percent(self.random)))
        return "\n".join([*lines, *align_rows(rows, "added:<", "isolated:>,", "% of vulnerable:>")])

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class KnownSets(Pictured):
    """Results for several sets of known columns, side by side; ``sets[name]`` is the result of one set.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.vulnerability(table, known_columns={"where": ["area"], "what": ["income"]})
    >>> list(found.sets)
    ['where', 'what']
    """

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
        """``by_level`` of each set; values of few people are combined unless ``reveal``, the same in every set."""
        if reveal:
            return {name: found.by_level for name, found in self.sets.items()}
        return {name: hide_levels(found.by_level, self._hidden) for name, found in self.sets.items()}

    @cached_property
    def _hidden(self) -> dict[str, set[Any]]:
        every = [found.by_level for found in self.sets.values()]
        table = next(iter(self.sets.values())).table
        names = dict.fromkeys(level.column for levels in every for level in levels)
        return values_to_hide(every, table.encode_rows(names))

    def levels_to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """``levels`` as one table, with the name of each set."""
        parts = [prepend_known(name, levels_to_arrow(levels)) for name, levels in self.levels(reveal=reveal).items()]
        return pa.concat_tables(parts)

    def to_arrow(self) -> pa.Table:
        """One row per set and combination."""
        return combinations_to_arrow(self.rows)

    def __str__(self) -> str:
        rows = []
        for name, found in self.sets.items():
            best = max(found.rows, key=lambda row: row.isolated)
            added = cut_middle(", ".join(best.columns), 22)
            rows.append((cut_middle(name, 18), found.by_known, added, best.isolated, best.share, found.random))
        heads = "known:<", "isolates:>,", "best column added:<", "isolates:>,", "share:>.1%", "random:>.1%"
        return "\n".join(align_rows(rows, *heads))

    def headline(self) -> str:
        """What is side by side."""
        return f"{len(self.sets)} sets of known columns, and the columns that isolate records together with them"

    __repr__ = __str__


def prepend_known(name: str, table: pa.Table) -> pa.Table:
    """The table with the name of its known set as first column."""
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
    """For each column: records in groups of at most k by all other columns, in addition to those of the partition.

    One half is added before the other half is examined, and so on: columns · log columns splits instead of squared.
    """
    if len(columns) == 1:
        return [partition.small]
    middle = len(columns) // 2
    found = []
    for these, others in ((columns[:middle], columns[middle:]), (columns[middle:], columns[:middle])):
        finer = partition
        for column in others:
            finer = finer.refine(column)
        found += small_without_each(these, finer)
    return found
