"""Inference without singling out: what is learnt about a record because all indistinguishable ones agree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from singleout.reading.tables import Table
from singleout.statistics.partitions import partition_by


@dataclass(frozen=True)
class Agreement:
    """One column: the share of records in larger classes whose class agrees on it, and the share guessed right.

    ``agreed`` and ``unusual`` are shares of all records: those of such classes, and those of them that have another
    value than the most common one.
    """

    column: str
    share: float
    guessed: float
    agreed: float
    unusual: float

    def revealed(self, sensitive: Collection[str]) -> float:
        """The share of records that reveal something: any value of a sensitive column, or where guessing does worse.

        Of other columns only unusual values: that nearly everyone has the usual one is no secret.
        """
        return self.agreed if self.column in sensitive or self.share > self.guessed else self.unusual


def agreements(table: Table, known: tuple[str, ...]) -> list[Agreement]:
    """For each column that is not known: the records in classes of two or more that all have the same value.

    Anyone who knows the known columns of such a record learns the value without singling the record out. Columns with
    one value are left out. Those that reveal most beyond guessing come first.
    """
    partition = partition_by(table.encode_rows(known), table.rows)
    sizes = partition.sizes
    larger = sizes > 1
    if not larger.any():
        return []
    starts = np.concatenate([[0], partition.ends[:-1]])
    found = []
    for column in table.encode_rows(name for name in table.columns if name not in known):
        if column.levels < 2:
            continue
        codes = column.codes[partition.order]
        least = np.minimum.reduceat(codes, starts)
        agree = larger & (least == np.maximum.reduceat(codes, starts))
        records = sizes[agree].sum()
        unusual = sizes[agree & (least != column.counts.argmax())].sum()
        guessed = float(column.counts.max() / len(table))
        shares = (float(each / len(table)) for each in (records, unusual))
        found.append(Agreement(column.name, float(records / sizes[larger].sum()), guessed, *shares))
    return sorted(found, key=lambda each: (each.guessed - each.share, each.column))
