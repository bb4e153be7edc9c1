"""What indistinguishable records reveal about a sensitive column: l-diversity and t-closeness of their classes.

Distinct l is the number of values in a class; entropy l is the exponential of their entropy (both Machanavajjhala and
others). t is how far the values of a class are from those of all records (Li and others): for categories half the sum
of differences, for numbers the earth mover's distance over their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices, Integers
from singleout.ground.plain_data import Count, NotNegative, Share
from singleout.reading.columns import Column

MOST_CELLS = 2**22
"""Classes by values that are in memory at once."""


class Sensitive(NamedTuple):
    """A sensitive column as codes of records, or of combinations of values; ``ordered`` where its values are."""

    name: str
    codes: Indices
    levels: int
    ordered: bool

    @classmethod
    def of(cls, column: Column, codes: NDArray[np.integer] | None = None) -> Sensitive:
        """A column of a table: numbers are ordered, also where they are text, if none is missing.

        ``codes`` are those of combinations of values; by default those of all records.
        """
        codes = column.codes if codes is None else codes
        if column.any_missing or column.numbers is None:
            return cls(column.name, codes.astype(np.intp), column.levels, False)
        _, rank = np.unique(column.numbers, return_inverse=True)
        return cls(column.name, rank[codes].astype(np.intp), int(rank.max(initial=0)) + 1, True)


@dataclass(frozen=True, eq=False)
class ClassValues:
    """How often each value of a sensitive column occurs in each class: ``count`` for every pair that does."""

    owner: Indices
    value: Indices
    count: Floats
    sizes: Floats
    levels: int
    ordered: bool

    @classmethod
    def of(cls, label: Indices, sensitive: Sensitive, counts: NDArray[np.integer]) -> ClassValues:
        """From the class of each row and how many records each row stands for."""
        pair = label.astype(np.int64) * sensitive.levels + sensitive.codes
        found, place = np.unique(pair, return_inverse=True)
        count = np.asarray(np.bincount(place, counts), dtype=np.float64)
        owner = (found // sensitive.levels).astype(np.intp)
        value = (found % sensitive.levels).astype(np.intp)
        sizes = np.asarray(np.bincount(owner, count, int(label.max(initial=-1)) + 1), dtype=np.float64)
        return cls(owner, value, count, sizes, sensitive.levels, sensitive.ordered)

    @property
    def _shares(self) -> Floats:
        return self.count / self.sizes[self.owner]

    def distinct(self) -> Indices:
        """The number of different values of each class."""
        return np.bincount(self.owner, minlength=len(self.sizes))

    def entropy(self) -> Floats:
        """The exponential of the entropy of each class: l where l values are equally frequent."""
        shares = self._shares
        return np.asarray(np.exp(np.bincount(self.owner, -shares * np.log(shares), len(self.sizes))))

    def distance(self, kept: NDArray[np.bool_]) -> Floats:
        """How far each class is from all records of the classes that are kept."""
        there = np.where(kept[self.owner], self.count, 0.0)
        total = float(there.sum()) or 1.0
        overall = np.bincount(self.value, there, self.levels) / total
        if self.ordered and self.levels > 1:
            return self._along_the_order(overall)
        # every value that a class has too often is missing elsewhere, so one side of the differences is enough
        excess = np.maximum(self._shares - overall[self.value], 0.0)
        return np.asarray(np.bincount(self.owner, excess, len(self.sizes)), dtype=np.float64)

    def _along_the_order(self, overall: Floats) -> Floats:
        """The earth mover's distance if neighbouring values are equally far apart, the ends at distance one."""
        target = np.cumsum(overall)
        found = np.empty(len(self.sizes))
        rows = max(1, MOST_CELLS // self.levels)
        starts = np.searchsorted(self.owner, np.arange(0, len(self.sizes) + rows, rows))
        shares = self._shares
        for number, first in enumerate(range(0, len(self.sizes), rows)):
            part = slice(starts[number], starts[number + 1])
            block = np.zeros((min(rows, len(self.sizes) - first), self.levels))
            block[self.owner[part] - first, self.value[part]] = shares[part]
            found[first : first + rows] = np.abs(np.cumsum(block, axis=1) - target).sum(axis=1) / (self.levels - 1)
        return found


@dataclass(frozen=True)
class Diversity:
    """One sensitive column: the least distinct and entropy l of any class, the greatest t, and who it concerns.

    ``revealed`` is the number of records whose class has a single value: anyone who knows their class knows it too.
    """

    column: str
    distinct: Count
    entropy: NotNegative
    t: Share
    revealed: Count


def diversity(label: Indices, sensitive: Sensitive, times: Integers | None = None) -> Diversity:
    """L and t of a table whose rows are in these classes, and how many records each stands for (None: one)."""
    values = ClassValues.of(label, sensitive, np.ones(len(label), dtype=np.int64) if times is None else times)
    distinct = values.distinct()
    distance = values.distance(np.ones(len(distinct), dtype=bool))
    revealed = int(values.sizes[distinct == 1].sum())
    least = float(values.entropy().min())
    return Diversity(sensitive.name, int(distinct.min()), least, float(distance.max()), revealed)
