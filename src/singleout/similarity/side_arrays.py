"""A table of one side as the overlap driver reads it: row by row, and column by column in blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from singleout._kernels.assignment import group_by_end
from singleout._kernels.overlap import Columns, Rows
from singleout.ground.arrays import Floats, Indices, Unsigned32
from singleout.ground.lazy import cached_property

ROWS_A_BLOCK = 2**15
"""Sums for this many rows at a time fit in a processor's cache."""


@dataclass(frozen=True, eq=False)
class Structure:
    """Where a table has entries: prepared once, whatever the values."""

    starts: Indices
    columns: Unsigned32
    width: int

    @classmethod
    def of(cls, table: sparse.csr_array) -> Structure:
        """Where this table has entries."""
        return cls(table.indptr.astype(np.int64), table.indices.astype(np.uint32), table.shape[1])

    def by_row(self, values: Floats, own: Floats, factor: Floats) -> Rows:
        """Values and own parts of the entries, and how much each row counts, for a kernel."""
        return Rows(self.starts, self.columns, values, own, factor)

    def by_column(self, values: Floats, own: Floats, factor: Floats) -> Columns:
        """The same by column; in every block and column rows are ascending."""
        blocks, cuts, people, order = self._columns
        return Columns(blocks, cuts, people, values[order], own[order], factor)

    @property
    def visitors(self) -> Indices:
        """How many rows have an entry in each column."""
        return np.bincount(self.columns, minlength=self.width)

    @cached_property
    def _columns(self) -> tuple[Indices, Indices, Unsigned32, Indices]:
        """Where blocks begin, where in each column, the rows of the entries within their block, and their order."""
        rows = len(self.starts) - 1
        row = np.repeat(np.arange(rows), np.diff(self.starts))
        blocks = np.append(np.arange(0, rows, ROWS_A_BLOCK), rows)
        place = row // ROWS_A_BLOCK * self.width + self.columns
        entries = np.bincount(place, minlength=(len(blocks) - 1) * self.width).reshape(-1, self.width)
        first = np.cumsum(self.visitors) - self.visitors
        cuts = np.vstack([first, np.cumsum(entries, axis=0) + first])
        order = group_by_end(self.columns, self.width)[1]
        return blocks, cuts, (row % ROWS_A_BLOCK).astype(np.uint32)[order], order
