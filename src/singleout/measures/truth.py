"""True pairs of profiles and records: by id, by a mapping, or by a column that both sides have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from singleout.ground.arrays import Indices, count_up, equal_keys
from singleout.ground.errors import DataError, bad_argument, is_whole
from singleout.reading.tables import Table
from singleout.statistics.common_columns import SIDES, common_columns

Pairs = tuple[Indices, Indices]


def pairs_by_column(function: str, tables: tuple[Table, Table], column: str) -> Pairs:
    """All pairs of rows with the same value, not missing, in a column; in order of the released rows."""
    for side, table in zip(SIDES, tables, strict=True):
        table.source.column(function, "truth", column, side)
    (common,) = common_columns(function, tables, [column])
    released, known = common.released.astype(np.intp), common.known.astype(np.intp)
    order, start, size = equal_keys(released, known)
    return np.repeat(np.arange(len(released)), size), order[np.repeat(start, size) + count_up(size)]


def pairs_by_rows(function: str, truth: Mapping[Any, Any], sizes: tuple[int, int]) -> Pairs:
    """Pairs of row numbers, from a mapping of released rows to known rows."""
    if not isinstance(truth, Mapping):
        must = "the name of a column on both sides, or a mapping of released rows to known rows"
        raise bad_argument(function, "truth", must, type(truth).__name__)
    for side, rows, size in zip(SIDES, (list(truth), list(truth.values())), sizes, strict=True):
        if not all(is_whole(row) and 0 <= row < size for row in rows):
            raise DataError(f"`truth` must contain row numbers of {side}, from 0 to {size - 1:,}.", function=function)
    pairs = np.array(sorted(truth.items()), dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
