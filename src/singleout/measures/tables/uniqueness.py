"""The number of combinations of values by the number of records that share them (R12 Table II)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from singleout.ground.arrays import Indices
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note
from singleout.ground.text_tables import align_rows
from singleout.measures.intervals import Estimate, counted
from singleout.measures.tables.population import PopulationRisk, population_risk
from singleout.reading.tables import Table, check_table
from singleout.statistics.partitions import partition_by

SHOWN_BELOW = (10, 5)
"""The sizes of R12 Table II, in addition to 1."""


@dataclass(frozen=True, eq=False)
class Uniqueness(Pictured):
    """Classes of records that agree on ``columns``: ``sizes`` is the number of records of each, ascending.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.uniqueness(table, columns=["area", "language"])
    >>> found.below(5)
    21
    """

    columns: tuple[str, ...]
    sizes: Indices
    notes: tuple[Note, ...] = ()
    population: PopulationRisk | None = None
    """The estimate for the population, if records have a survey weight."""

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
        """Share of the records that are unique; exact."""
        return counted(self.single, self.records)

    def below(self, size: int) -> int:
        """Classes of fewer records than this."""
        return int(np.count_nonzero(self.sizes < size))

    def to_arrow(self) -> pa.Table:
        """One row per size: how many classes, and how many records in them."""
        sizes, classes = np.unique(self.sizes, return_counts=True)
        return pa.table({"size": sizes, "classes": classes, "records": sizes * classes})

    def __str__(self) -> str:
        first = f"{self.records:,} records in {len(self.sizes):,} classes by {', '.join(self.columns)}"
        rows = [*((f"< {size}", self.below(size)) for size in SHOWN_BELOW), ("1", self.single)]
        table = align_rows(rows, "records in the class:>", "classes:>,")
        among = [] if self.population is None else [self.population.in_words()]
        return "\n".join([first, *table, f"unique records: {self.rate}", *among])

    __repr__ = __str__


def uniqueness(table: Table, *, columns: Sequence[str], progress: bool | None = None) -> Uniqueness:
    """Count the classes of records that agree on all of ``columns``, by size (Ramachandran 2012 Table II).

    A record that is alone in its class is unique in this file; whether it is unique in the population is a different
    question. With a survey weight it is answered by ``population_risk``. Missing counts as a value.

    Parameters
    ----------
    table
        A table of ``so.read_table``.
    columns
        Columns whose combinations are counted.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Uniqueness
        Classes by size.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> so.uniqueness(table, columns=["area", "language"]).single
    1
    """
    check_table("uniqueness", table)
    names = table.check_columns("uniqueness", "columns", columns)
    partition = partition_by(table.encode_rows(names, progress=progress), table.rows)
    among = None if table.survey_weight is None else population_risk(table, columns=names, progress=progress)
    return Uniqueness(names, np.sort(partition.sizes), table.notes_on(names), among)
