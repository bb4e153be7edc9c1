"""How closely two values of a column agree, in levels: equal, similar, less similar, different; missing is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices
from singleout.ground.lazy import cached_property
from singleout.similarity.profiles.comparators import Comparator, Field, Texts

Levels = NDArray[np.int8]
MISSING = 0
EQUAL = 1
"""The level of values that the first comparator matches."""


@dataclass(frozen=True, eq=False)
class LevelField:
    """A column of both sides and its comparators, the strictest first: a pair has the level of the first that matches.

    Levels count from 1; the last is that of different values. 0: missing on either side, which is no evidence.
    """

    name: str
    comparators: tuple[Comparator, ...]
    column: Texts

    @property
    def levels(self) -> int:
        """Their number, without missing."""
        return len(self.comparators) + 1

    def compare(self, rows: Indices, others: Indices) -> Levels:
        """The level of each of these pairs of records."""
        found = np.full(len(rows), self.levels, dtype=np.int8)
        missing = (self.column.released[rows] < 0) | (self.column.known[others] < 0)
        found[missing] = MISSING
        left = np.flatnonzero(~missing)
        for level, comparator in enumerate(self.comparators, start=1):
            matches = Field(comparator, self.column).matches(rows[left], others[left])
            found[left[matches]] = level
            left = left[~matches]
        return found

    @cached_property
    def text_counts(self) -> tuple[Floats, Floats]:
        """How many released and known records have each text."""
        number = len(self.column.texts)
        released, known = (np.bincount(side[side >= 0], minlength=number).astype(np.float64) for side in self._sides)
        return released, known

    @property
    def _sides(self) -> tuple[Indices, Indices]:
        return self.column.released, self.column.known

    @property
    def present(self) -> tuple[int, int]:
        """Records of each side that have a value."""
        released, known = (int((side >= 0).sum()) for side in self._sides)
        return released, known

    @cached_property
    def rarity(self) -> Floats:
        """For each text, how much rarer it is than those on which two random records agree: ln of c̄ / c.

        c counts the records of both sides that have the text, c̄ = Σ c² / Σ c. If two records agree, the text is drawn
        by c where they match and by c² where they do not, so agreement on it is c̄ / c times the usual evidence.
        """
        released, known = self.text_counts
        count = released + known
        if not len(count):
            return np.zeros(0)
        return np.asarray(np.log((count**2).sum() / count.sum()) - np.log(count))

    def rare_agreement(self, level: Levels, rows: Indices) -> Floats:
        """What rarity adds to the evidence of pairs of these released rows: something only if the values are equal."""
        added = np.zeros(len(rows))
        if self.comparators[0].name == "exact":
            equal = level == EQUAL
            added[equal] = self.rarity[self.column.released[rows[equal]]]
        return added


def compare_all(fields: Sequence[LevelField], rows: Indices, others: Indices) -> Levels:
    """The levels of each pair in each field, one row per pair."""
    return np.stack([field.compare(rows, others) for field in fields], axis=1)


def count_patterns(levels: Levels) -> tuple[Levels, Floats]:
    """The distinct rows, and how many there are of each."""
    key = np.zeros(len(levels), dtype=np.int64)
    for column in levels.T:
        # ranked again at each step, so that it never exceeds the number of rows
        key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    return levels[first], count.astype(np.float64)


SHORT = 3
FEW = 12
"""Texts of at most this many letters at the median, or columns of at most this many values, are equal or different."""


def usual_comparators(column: Texts, *, similar: bool) -> tuple[str, ...]:
    """The comparators of a column unless others are given; ``similar``: whether misspelt texts can be recognised."""
    lengths = [len(text) for text in column.texts]
    if not similar or len(lengths) <= FEW or np.median(lengths) <= SHORT:
        return ("exact",)
    digits = sum(sum(sign.isdigit() for sign in text) for text in column.texts)
    if 2 * digits >= sum(lengths):
        return ("exact", "edits:1", "edits:2")
    return ("exact", "similar:0.92", "similar:0.8")
