"""A table of one side as the overlap driver reads it: row by row, and column by column in blocks of rows."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from singleout._kernels.overlap import Columns, Rows
from singleout.ground.arrays import Floats

ROWS_A_BLOCK = 2**15
"""Sums for this many rows at a time fit in a processor's cache."""


def by_row(table: sparse.csr_array, own: Floats, factor: Floats) -> Rows:
    """``own``: the own part of each entry; ``factor``: how much each row counts."""
    return Rows(table.indptr.astype(np.int64), table.indices.astype(np.int32), table.data, own, factor)


def by_column(table: sparse.csr_array, own: Floats, factor: Floats) -> Columns:
    """The same by column; in every block and column rows are ascending."""
    rows, columns = table.shape
    row = np.repeat(np.arange(rows), np.diff(table.indptr))
    column = table.indices.astype(np.int64)
    blocks = np.append(np.arange(0, rows, ROWS_A_BLOCK), rows)
    entries = np.bincount(row // ROWS_A_BLOCK * columns + column, minlength=(len(blocks) - 1) * columns)
    first = np.cumsum(np.bincount(column, minlength=columns)) - np.bincount(column, minlength=columns)
    cuts = np.vstack([first, np.cumsum(entries.reshape(-1, columns), axis=0) + first])
    order = np.argsort(column, kind="stable")
    return Columns(blocks, cuts, (row % ROWS_A_BLOCK).astype(np.int32)[order], table.data[order], own[order], factor)
