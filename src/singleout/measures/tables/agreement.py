"""Inference without singling out: what is learnt of a record because all that look like it agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from singleout.reading.tables import Table
from singleout.statistics.partitions import partition_by


@dataclass(frozen=True)
class Agreement:
    """One column: the share of records in larger classes whose class agrees on it, and what blind guessing finds."""

    column: str
    share: float
    guessed: float


def agreements(table: Table, known: tuple[str, ...]) -> list[Agreement]:
    """For each column that is not known: the records of classes of two or more that have one and the same value there.

    Whoever knows the known columns of such a record learns the value without singling the record out. Columns of one
    value are left out. Those with most to learn beyond guessing come first.
    """
    partition = partition_by(table.coded(known), len(table), 1)
    if not len(partition.order):
        return []
    starts = partition.ends - partition.sizes
    found = []
    for column in table.coded(name for name in table.columns if name not in known):
        if column.levels < 2:
            continue
        codes = column.codes[partition.order]
        agree = np.minimum.reduceat(codes, starts) == np.maximum.reduceat(codes, starts)
        share = float(partition.sizes[agree].sum() / len(partition.order))
        found.append(Agreement(column.name, share, float(column.counts.max() / len(table))))
    return sorted(found, key=lambda each: (each.guessed - each.share, each.column))
