"""What is done to a table: by coarser columns, by suppressed cells, or by averages of similar records.

Each way ends in the same thing: for every known column a new value of each record, and the records that stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError, bad_argument
from singleout.ground.names import TableMethod
from singleout.ground.notes import in_a_row, number_of
from singleout.ground.progress import show_progress
from singleout.measures.tables.margins import MarginChange, Protected, margin_change
from singleout.protection.cell_suppression import suppress_cells
from singleout.protection.column_levels import Level, as_it_is
from singleout.protection.lattice import DECIMALS, Combinations, Lattice, Limits, Loss, entropy
from singleout.protection.microaggregation import microaggregate
from singleout.reading.columns import Column, Rows

METHODS: tuple[TableMethod, ...] = get_args(TableMethod)
CELLS, AVERAGED = "cells", "averaged"


@dataclass(frozen=True, eq=False)
class ColumnChange:
    """What becomes of a column: a new code for each row, -1 where it becomes missing.

    ``coarser`` is the new code that a reader takes each old code for. ``labels`` are the values of new codes; None
    where values are written as they are.
    """

    column: Column
    level: Level
    after: Indices
    coarser: Indices
    labels: tuple[Any, ...] | None

    @property
    def suppressed(self) -> int:
        """Cells with a value that become missing although the column is released."""
        had_value = self.column.codes < len(self.column.values)
        return 0 if self.level.is_left_out else self.column.rows.of(had_value & (self.after < 0))

    @property
    def is_changed(self) -> bool:
        """Whether anything is done."""
        return self.level.labels is not None or self.level.is_left_out or self.suppressed > 0 or self.labels is not None

    def in_words(self) -> str:
        """What is done, as the subject of a sentence; empty if nothing is."""
        if self.suppressed:
            return f"suppressing {number_of(self.suppressed, 'cells')} of {self.column.name}"
        return self.level.does if self.is_changed else ""

    def write(self, values: pa.ChunkedArray) -> pa.ChunkedArray:
        """The column as it is written."""
        if self.labels is not None:
            labels = pa.array([*self.labels, None], from_pandas=True)
            return pa.chunked_array([labels.take(pa.array(self.after % len(labels)))])
        if not self.suppressed:
            return values
        return pc.if_else(pa.array(self.after < 0), pa.scalar(None, values.type), values)

    def for_margins(self, kept: NDArray[np.bool_]) -> Protected:
        """The column before and after, with records that are left out as missing."""
        after = np.where(kept, self.after, -1)
        before, numbers = self.column.codes.astype(np.intp), self.column.numbers
        read = np.array(self.labels, dtype=np.float64) if self.level.how == AVERAGED else None
        return Protected(self.column.name, before, after, self.coarser, numbers, read, self.column.times)


@dataclass(frozen=True, eq=False)
class TableChange:
    """What becomes of a table: its known columns, and the rows that are kept. ``loss`` as it was minimised.

    ``rows`` are those of the table; a row that stands for several records may be divided.
    """

    method: str
    columns: tuple[ColumnChange, ...]
    kept: NDArray[np.bool_]
    loss: float
    rows: Rows

    @property
    def left_out(self) -> int:
        """Records that are not in the file."""
        return self.rows.of(~self.kept)

    @property
    def suppressed(self) -> int:
        """Cells that become missing in columns that are released."""
        return sum(each.suppressed for each in self.columns)

    def apply(self, table: pa.Table) -> pa.Table:
        """The table as it is written, with as many rows as are kept."""
        table = table if self.rows.index is None else table.take(self.rows.index)
        for change in self.columns:
            number = table.column_names.index(change.column.name)
            if change.level.is_left_out:
                table = table.remove_column(number)
            elif change.is_changed:
                table = table.set_column(number, change.column.name, change.write(table.column(number)))
        return table if self.kept.all() else table.filter(pa.array(self.kept))

    def margins(self) -> MarginChange | None:
        """How far the margins that a reader gets of the columns that are left are off; None if none is."""
        left = [change.for_margins(self.kept) for change in self.columns if not change.level.is_left_out]
        return margin_change(left) if left else None

    def in_words(self) -> list[str]:
        """Everything that is done, column by column; what is left out comes last, columns and records together."""
        gone = [each.column.name for each in self.columns if each.level.is_left_out]
        done = [each.in_words() for each in self.columns if not each.level.is_left_out]
        if self.method == AVERAGED:
            names = in_a_row([each.column.name for each in self.columns])
            done, gone = [f"averaging {names} over groups of similar records"], []
        records = f"{number_of(self.left_out, 'records')} with rare combinations" if self.left_out else ""
        if len(gone) > 1 and records:
            done.append(f"leaving out {in_a_row(gone)}, and {records}")
        elif gone or records:
            done.append(f"leaving out {in_a_row([*gone, *filter(None, [records])])}")
        return [each for each in done if each]


def recode_by(levels: Sequence[Level], columns: Sequence[Column], kept: NDArray[np.bool_]) -> TableChange:
    """Every column at one of its levels."""
    changes = tuple(
        ColumnChange(
            column, level, level.codes[column.codes].astype(np.intp), level.codes.astype(np.intp), level.labels
        )
        for column, level in zip(columns, levels, strict=True)
    )
    return TableChange("recode", changes, kept, _information_lost(changes, kept), columns[0].rows)


def recode(
    columns: Sequence[Column],
    lattice: Lattice,
    levels: Sequence[Sequence[Level]],
    limits: Limits,
    loss: Loss,
    progress: bool | None = None,
) -> TableChange | None:
    """The least destructive combination of levels; None if none meets the limits."""
    with show_progress(f"searching {number_of(lattice.size, 'combinations')} of levels", progress) as advance:
        node = lattice.search(limits, loss, advance)
    if node is None:
        return None
    classes = lattice.classes(node.levels)
    gone = limits.leave_out(lattice, node.levels, classes)
    assert gone is not None
    kept = ~gone[classes.label][lattice.table.of_row]
    return recode_by([levels[c][level] for c, level in enumerate(node.levels)], columns, kept)


def suppress(columns: Sequence[Column], table: Combinations, k: int, progress: bool | None = None) -> TableChange:
    """Cells become missing until every combination has k records."""
    with show_progress("choosing cells to suppress", progress) as advance:
        rows, cells = suppress_cells(table, k, advance).of_rows(table)
    changes = []
    for number, column in enumerate(column.at(rows) for column in columns):
        own = np.arange(column.levels, dtype=np.intp)
        after = np.where(cells[:, number], -1, column.codes).astype(np.intp)
        changes.append(ColumnChange(column, as_it_is(column), after, own, None))
    everyone = np.ones(rows.number, dtype=bool)
    return TableChange(CELLS, tuple(changes), everyone, _information_lost(changes, everyone), rows)


def average(columns: Sequence[Column], k: int, progress: bool | None = None, rows: Rows | None = None) -> TableChange:
    """Numbers are replaced by the averages of groups of at least k similar records; whole numbers stay whole.

    Columns have one row per record; ``rows`` says which row of the table each is, where that stands for several.
    """
    numbers = [column.numbers for column in columns]
    records = len(columns[0].codes)
    for column in columns:
        if column.numbers is None or column.any_missing:
            why = "is not a column of numbers" if column.numbers is None else "has missing values"
            problem = f"micro-aggregation needs numbers without missing values, but {column.name!r} {why}."
            raise DataError(problem, function="protect_table", hint="Use the method recode or cells.")
    if k > records:
        raise bad_argument("protect_table", "k", f"at most the number of records, {records:,}", k)
    values = [each[column.codes] for column, each in zip(columns, numbers, strict=True) if each is not None]
    scaled = np.column_stack([(each - each.mean()) / (each.std() or 1.0) for each in values])
    label = microaggregate(scaled, k, method="mdav", norm="l2", progress=progress).labels
    changes = [_averaged(column, each, label) for column, each in zip(columns, values, strict=True)]
    everyone = np.ones(records, dtype=bool)
    lost = _information_lost(changes, everyone)
    return TableChange(AVERAGED, tuple(changes), everyone, lost, rows or Rows(records))


def _averaged(column: Column, values: NDArray[np.float64], label: Indices) -> ColumnChange:
    means = np.bincount(label, values) / np.bincount(label)
    whole = bool((values == np.round(values)).all())
    means = np.floor(means + 0.5) if whole else means
    labels, code = np.unique(means, return_inverse=True)
    numbers = column.numbers
    assert numbers is not None
    # a reader sees each average as a value; margins are compared at the closest value there was
    coarser = np.abs(numbers[:, None] - labels[None, :]).argmin(axis=1) if len(labels) else np.zeros(0, dtype=np.intp)
    plain: list[Any] = [int(each) for each in labels] if whole else labels.tolist()
    level = Level(AVERAGED, f"averaging {column.name}", np.arange(column.levels, dtype=np.int64), None)
    return ColumnChange(column, level, code[label].astype(np.intp), coarser.astype(np.intp), tuple(plain))


def _information_lost(changes: Sequence[ColumnChange], kept: NDArray[np.bool_]) -> float:
    """The share of the information in all columns that is lost; what is missing, or left out, keeps nothing.

    What is kept of a column is the mutual information of old and new values: the entropy of the new ones where they
    follow from the old, less where the same value may become several.
    """
    before = sum(entropy(each.column.counts) for each in changes)
    left = 0.0
    for each in changes:
        there = kept & (each.after >= 0)
        if not each.level.is_left_out and there.any():
            rows = each.column.rows
            information = _mutual_information(each.column.take(np.flatnonzero(there)), each.after[there])
            left += information * (rows.of(there) / rows.records)
    return round(max(0.0, 1 - left / before), DECIMALS) if before else 0.0


def _mutual_information(old: Column, new: Indices) -> float:
    levels = int(new.max()) + 1
    together = old.rows.by_value(old.codes.astype(np.int64) * levels + new)[1]
    return entropy(old.counts) + entropy(old.rows.count(new, levels)) - entropy(together)


def least_k(meets: Callable[[int], bool], most: int) -> int:
    """The smallest k up to ``most`` that is enough, which larger ones are too."""
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle) else (middle + 1, high)
    return low
