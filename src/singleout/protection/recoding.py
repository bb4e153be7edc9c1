"""Coarser columns of a table: left out, grouped into ranges, or with rare values combined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from singleout.reading.tables import Column

RANGES = 10
RARE = 0.01
"""Values of a smaller share of the records are rare."""


@dataclass(frozen=True)
class Recoding:
    """One way to make a column coarser: ``how`` in short, what it ``does`` in words, the result, and what is lost."""

    name: str
    how: str
    does: str
    column: Column
    loss: float


class Recoded(NamedTuple):
    """Codes of a coarser column, how they were made in short, and in words: leaving out age."""

    how: str
    does: str
    codes: np.typing.NDArray[np.int32]


def recodings(column: Column) -> list[Recoding]:
    """Every recoding that applies to a column, the mildest first."""
    whole = entropy(column)
    without = Recoded("leave out", f"leaving out {column.name}", np.zeros_like(column.codes))
    found = []
    for way in (*_combine_rare(column), *_ranges(column), without):
        new = Column(column.name, way.codes, np.arange(way.codes.max(initial=0) + 1), False)
        found.append(Recoding(column.name, way.how, way.does, new, 1 - entropy(new) / whole if whole else 0.0))
    return sorted(found, key=lambda each: each.loss)


def entropy(column: Column) -> float:
    """Average information of a value, in bits, over records."""
    shares = column.counts[column.counts > 0] / max(len(column.codes), 1)
    return float(-(shares * np.log2(shares)).sum())


def _combine_rare(column: Column) -> list[Recoded]:
    rare = column.counts < RARE * len(column.codes)
    if not 2 <= rare.sum() < column.levels:
        return []
    number = np.where(rare, 0, np.cumsum(~rare))
    does = f"combining the values of {column.name} that fewer than {RARE:.0%} of records have"
    how = f"combine values that fewer than {RARE:.0%} of records have"
    return [Recoded(how, does, number[column.codes].astype(np.int32))]


def _ranges(column: Column) -> list[Recoded]:
    """Numbers only: neighbouring values grouped into ranges of about equally many records; missing stays separate."""
    if column.values.dtype.kind not in "iuf" or len(column.values) <= RANGES:
        return []
    counts = column.counts[: len(column.values)]
    middle = np.cumsum(counts) - counts / 2
    number = np.minimum((middle * RANGES / max(counts.sum(), 1)).astype(np.int32), RANGES - 1)
    codes = np.append(number, RANGES)[column.codes] if column.any_missing else number[column.codes]
    does = f"grouping the values of {column.name} into {RANGES} ranges"
    return [Recoded(f"group into {RANGES} ranges", does, codes.astype(np.int32))]
