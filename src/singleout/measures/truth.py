"""Who is who, for profiles and records: by id, by a mapping, or by a column that both sides have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from singleout.ground.errors import DataError, bad_argument, is_whole
from singleout.matching.ties import Rows
from singleout.reading.tables import Table
from singleout.statistics.common_columns import SIDES, common_columns

Pairs = tuple[Rows, Rows]


def pairs_by_column(function: str, tables: tuple[Table, Table], column: str) -> Pairs:
    """All pairs of rows with the same value of a column, which is not missing; in order of the released rows."""
    for side, table in zip(SIDES, tables, strict=True):
        table.source.column(function, "truth", column, side)
    (common,) = common_columns(function, tables, [column])
    released, known = common.released.astype(np.intp), common.known.astype(np.intp)
    order = np.argsort(known, kind="stable")
    start, end = (np.searchsorted(known[order], released, side) for side in ("left", "right"))
    size = np.where(released >= 0, end - start, 0)
    rows = np.repeat(np.arange(len(released)), size)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(size) - size, size)
    return rows, order[np.repeat(start, size) + within]


def pairs_by_rows(function: str, truth: Mapping[Any, Any], sizes: tuple[int, int]) -> Pairs:
    """Pairs of row numbers, from a mapping of released rows to known rows."""
    if not isinstance(truth, Mapping):
        must = "the name of a column on both sides, or a mapping of released rows to known rows"
        raise bad_argument(function, "truth", must, type(truth).__name__)
    for side, rows, size in zip(SIDES, (list(truth), list(truth.values())), sizes, strict=True):
        if not all(is_whole(row) and 0 <= row < size for row in rows):
            raise DataError(f"truth must hold row numbers of {side}, from 0 to {size - 1:,}.", function=function)
    pairs = np.array(sorted(truth.items()), dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
