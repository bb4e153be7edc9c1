"""How many combinations of values there are by the number of records that share them (R12 Table II)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.errors import bad_argument, is_number
from singleout.ground.html import Pictured
from singleout.ground.notes import Note
from singleout.measures.intervals import Estimate, wilson
from singleout.reading.tables import Table
from singleout.statistics.partitions import Partition, Rows, partition_by

Floats = NDArray[np.float64]
SHOWN_BELOW = (10, 5)
"""The sizes of R12 Table II, beside 1."""


@dataclass(frozen=True, eq=False)
class Uniqueness(Pictured):
    """Classes of records that agree on ``columns``, by size.

    ``sizes`` holds the records of each class, ascending. With a survey weight ``frequencies`` holds how many people of
    the population each class stands for, in the same order: the sum of its weights, and at least its size.
    """

    columns: tuple[str, ...]
    sizes: Rows
    frequencies: Floats | None
    notes: tuple[Note, ...] = ()

    @property
    def records(self) -> int:
        """All records."""
        return int(self.sizes.sum())

    @property
    def by_size(self) -> dict[int, int]:
        """How many classes there are of each size."""
        sizes, classes = np.unique(self.sizes, return_counts=True)
        return dict(zip(sizes.tolist(), classes.tolist(), strict=True))

    @property
    def single(self) -> int:
        """Classes of one record: records that are unique."""
        return int(np.count_nonzero(self.sizes == 1))

    @property
    def rate(self) -> Estimate:
        """Share of the records that are unique."""
        return wilson(self.single, self.records)

    def below(self, size: int) -> int:
        """Classes of fewer records than this."""
        return int(np.count_nonzero(self.sizes < size))

    def population_below(self, people: float) -> int:
        """Classes that stand for fewer people of the population than this (k-map); needs a survey weight."""
        if self.frequencies is None:
            hint = "Read the table with survey_weight='…'."
            raise bad_argument("population_below", "table", "read with a survey weight", None, hint)
        if not is_number(people):
            raise bad_argument("population_below", "people", "a number", people)
        return int(np.count_nonzero(self.frequencies < people))

    def to_arrow(self) -> pa.Table:
        """One row per size: how many classes, and how many records in them."""
        sizes, classes = np.unique(self.sizes, return_counts=True)
        return pa.table({"size": sizes, "classes": classes, "records": sizes * classes})

    def __str__(self) -> str:
        lines = [f"{self.records:,} records in {len(self.sizes):,} classes by {', '.join(self.columns)}"]
        heading = "records in the class    classes"
        lines.append(heading if self.frequencies is None else f"{heading}    of so many people of the population")
        for label, below in [*((f"< {size}", size) for size in SHOWN_BELOW), ("1", 2)]:
            people = "" if self.frequencies is None else f"    {self.population_below(below):,}"
            lines.append(f"{label:>20} {self.below(below):10,}{people}")
        return "\n".join([*lines, f"unique records: {self.rate}"])

    __repr__ = __str__


def uniqueness(table: Table, *, columns: Sequence[str], progress: bool | None = None) -> Uniqueness:
    """Count the classes of records that agree on all of ``columns``, by size (R12 Table II).

    A record alone in its class is unique in this file; that it is unique in the population is another matter, which a
    survey weight speaks to. Missing is a value like any other.
    """
    checked_table("uniqueness", table)
    names = table.checked("uniqueness", "columns", columns)
    partition = partition_by(table.coded(names, progress=progress), len(table))
    sizes = partition.sizes
    frequencies = None if table.weights is None else class_frequencies(partition, table.weights)
    order = np.argsort(sizes, kind="stable") if frequencies is None else np.lexsort((frequencies, sizes))
    ordered = None if frequencies is None else frequencies[order]
    return Uniqueness(names, sizes[order], ordered, table.notes_on(names))


def checked_table(function: str, table: object) -> None:
    """Refuse what is not a Table."""
    if not isinstance(table, Table):
        raise bad_argument(function, "table", "a Table", type(table).__name__, "Make it with so.read_table(…).")


def class_frequencies(partition: Partition, weights: Floats) -> Floats:
    """Expected people of the population in each group: its weights added, and at least its records.

    Added in ascending order, so that the order of rows does not matter.
    """
    group = np.repeat(np.arange(len(partition.ends)), partition.sizes)
    own = weights[partition.order]
    ordered = own[np.lexsort((own, group))]
    sums = np.add.reduceat(ordered, partition.ends - partition.sizes) if len(ordered) else np.zeros(0)
    return np.maximum(sums, partition.sizes)
