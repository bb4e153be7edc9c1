"""Inference without singling out: what is learnt about a record because all indistinguishable ones agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from singleout.reading.tables import Table
from singleout.statistics.partitions import partition_by


@dataclass(frozen=True)
class Agreement:
    """One column: the share of records in larger classes whose class agrees on it, and the share guessed right."""

    column: str
    share: float
    guessed: float


def agreements(table: Table, known: tuple[str, ...]) -> list[Agreement]:
    """For each column that is not known: the records in classes of two or more that all have the same value.

    Anyone who knows the known columns of such a record learns the value without singling the record out. Columns with
    one value are left out. Those that reveal most beyond guessing come first.
    """
    partition = partition_by(table.encode(known), len(table), 1)
    if not len(partition.order):
        return []
    starts = partition.ends - partition.sizes
    found = []
    for column in table.encode(name for name in table.columns if name not in known):
        if column.levels < 2:
            continue
        codes = column.codes[partition.order]
        agree = np.minimum.reduceat(codes, starts) == np.maximum.reduceat(codes, starts)
        share = float(partition.sizes[agree].sum() / len(partition.order))
        found.append(Agreement(column.name, share, float(column.counts.max() / len(table))))
    return sorted(found, key=lambda each: (each.guessed - each.share, each.column))
