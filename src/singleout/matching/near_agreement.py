"""linkRecords where a few columns may disagree: a rare combination leads to known records, the others nearly agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from singleout._kernels.records import count_keys
from singleout.ground.arrays import Indices, Integers, count_up, equal_keys
from singleout.ground.progress import show_progress
from singleout.matching.record_search import Codes, Columns, Linked, record_keys

NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class NearLinking:
    """Two sides, the limits of Algorithm 1, and how many of the remaining columns may disagree.

    A known record is consistent with a released one if both have the same values on a rare combination and at most
    ``max_disagreements`` of the other columns differ. Missing values neither agree nor disagree.
    """

    released: Codes
    known: Codes
    max_released: int
    max_known: int
    max_disagreements: int

    def links(self, sets: Sequence[Columns], progress: bool | None) -> tuple[Linked, Indices, Indices]:
        """Released records with exactly one consistent known record; for all how many they have, and one of them."""
        width = len(self.known)
        pairs, number, counts = NOTHING, NOTHING, np.zeros((2, 0), dtype=np.intp)
        with show_progress("finding rare combinations", progress) as advance:
            for place, columns in enumerate(sets):
                rows, others, sharing = self._consistent(columns)
                key = rows * width + others
                new = ~np.isin(key, pairs)
                pairs = np.concatenate([pairs, key[new]])
                number = np.concatenate([number, np.full(int(new.sum()), place)])
                counts = np.concatenate([counts, sharing[:, new]], axis=1)
                advance((place + 1) / len(sets))
        rows, others = pairs // width, pairs % width
        count = np.bincount(rows, minlength=len(self.released))
        one = np.full(len(self.released), -1, dtype=np.intp)
        one[rows] = others
        chosen = np.flatnonzero(count[rows] == 1)
        chosen = chosen[np.argsort(rows[chosen])]
        used = tuple(sets[place] for place in number[chosen].tolist())
        return Linked(rows[chosen], used, *counts[:, chosen]), count, one

    def _consistent(self, columns: Columns) -> tuple[Indices, Indices, Integers]:
        """Pairs that a combination leads to and the other columns allow, and how many share it on both sides."""
        mine, theirs = record_keys((self.released, self.known), columns, never=True)
        sharing = count_keys(mine, mine)[0], count_keys(mine, theirs)[0]
        rare = np.flatnonzero((mine >= 0) & (sharing[0] <= self.max_released) & (sharing[1] <= self.max_known))
        order, start, size = equal_keys(mine[rare], theirs)
        rows = np.repeat(rare, size)
        others = order[np.repeat(start, size) + count_up(size)]
        near = self._disagreements(rows, others) <= self.max_disagreements
        rows, others = rows[near], others[near]
        return rows, others, np.stack([sharing[0][rows], sharing[1][rows]])

    def _disagreements(self, rows: Indices, others: Indices) -> Indices:
        """In how many columns each pair has different values; none of the combination, which agrees."""
        found = np.zeros(len(rows), dtype=np.intp)
        for mine, theirs in zip(self.released.columns, self.known.columns, strict=True):
            a, b = mine[rows], theirs[others]
            found += (a >= 0) & (b >= 0) & (a != b)
        return found
