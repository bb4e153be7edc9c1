"""Scores of people with equal data: one score for all pairs of two groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from singleout.ground.arrays import Floats, Indices
from singleout.ground.notes import Note
from singleout.statistics.classes import Classes, classes_of, row_digests
from singleout.statistics.histograms import Histograms


@dataclass(frozen=True, eq=False)
class GroupedScores:
    """Scores of groups of people, released by known; pairs that are not stored are forbidden.

    Where many have equal data, a table of people would take thousands of times the memory.
    """

    table: sparse.csr_array
    groups: tuple[Classes, Classes]
    absent = "forbidden"
    notes: tuple[Note, ...] = ()

    def classes(self) -> tuple[Classes, Classes]:
        """People of both sides who have the same scores with everyone: groups, some of them joined."""
        mine, theirs = self.groups
        tables = self.table, self.table.T.tocsr()
        digests = [row_digests(each.indptr, each.indices, each.data) for each in tables]
        return mine.join(digests[0]), theirs.join(digests[1])

    def between(self, released: Indices, known: Indices) -> sparse.csr_array:
        """The scores of some people with some others."""
        return self.table[self.groups[0].label[released]][:, self.groups[1].label[known]].tocsr()

    def of_pairs(self, released: Indices, known: Indices) -> Floats:
        """The score of each of these pairs."""
        return np.asarray(self.table[self.groups[0].label[released], self.groups[1].label[known]]).ravel()

    @property
    def lowest(self) -> float:
        """The lowest score, at most zero."""
        return float(self.table.data.min(initial=0.0))


def equal_rows(side: Histograms, counts: sparse.csr_array) -> Classes:
    """People with equal rows of a table."""
    return classes_of(row_digests(counts.indptr, counts.indices, counts.data), side.people)
