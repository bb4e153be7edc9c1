"""Coarser columns of a table: left out, grouped into ranges, or with rare values combined."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from singleout.reading.tables import Column

RANGES = 10
RARE = 0.01
"""Values of a smaller share of the records are rare."""


@dataclass(frozen=True)
class Recoding:
    """One way to make a column coarser: ``how`` in words, the resulting column, and the information loss."""

    name: str
    how: str
    column: Column
    loss: float


def recodings(column: Column) -> list[Recoding]:
    """Every recoding that applies to a column, the mildest first."""
    whole = entropy(column)
    ways = chain(_combine_rare(column), _ranges(column), [("leave out", np.zeros_like(column.codes))])
    coarser = [(how, Column(column.name, codes, np.arange(codes.max(initial=0) + 1), False)) for how, codes in ways]
    found = [Recoding(column.name, how, new, 1 - entropy(new) / whole if whole else 0.0) for how, new in coarser]
    return sorted(found, key=lambda each: each.loss)


def entropy(column: Column) -> float:
    """Average information of a value, in bits, over records."""
    shares = column.counts[column.counts > 0] / max(len(column.codes), 1)
    return float(-(shares * np.log2(shares)).sum())


def _combine_rare(column: Column) -> list[tuple[str, np.typing.NDArray[np.int32]]]:
    rare = column.counts < RARE * len(column.codes)
    if not 2 <= rare.sum() < column.levels:
        return []
    number = np.where(rare, 0, np.cumsum(~rare))
    return [(f"combine values of fewer than {RARE:.0%} of the records", number[column.codes].astype(np.int32))]


def _ranges(column: Column) -> list[tuple[str, np.typing.NDArray[np.int32]]]:
    """Numbers only: neighbouring values grouped into ranges of about equally many records; missing stays separate."""
    if column.values.dtype.kind not in "iuf" or len(column.values) <= RANGES:
        return []
    counts = column.counts[: len(column.values)]
    middle = np.cumsum(counts) - counts / 2
    number = np.minimum((middle * RANGES / max(counts.sum(), 1)).astype(np.int32), RANGES - 1)
    codes = np.append(number, RANGES)[column.codes] if column.any_missing else number[column.codes]
    return [(f"group into {RANGES} ranges", codes.astype(np.int32))]
