"""Indistinguishable people, grouped: a smaller problem, and an honest one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices
from singleout.statistics.ids import Ids

Digests = NDArray[np.uint64]
SALTS = np.array([0x9E3779B97F4A7C15, 0xD1B54A32D192ED03], dtype=np.uint64)
MULTIPLIERS = np.array([0xBF58476D1CE4E5B9, 0x94D049BB133111EB], dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Classes:
    """People of one side grouped by identical histograms, in an order that depends on content only.

    ``label`` of each person; ``members``: people, class by class, within a class in order of id.
    """

    label: Indices
    size: Indices
    members: Indices

    def shuffle(self, rng: np.random.Generator) -> Classes:
        """The same classes in random order."""
        number = rng.permutation(len(self.size))
        label = number[self.label]
        order = np.argsort(label[self.members], kind="stable")
        size = np.empty_like(self.size)
        size[number] = self.size
        return Classes(label, size, self.members[order])

    def refine(self, values: Floats) -> Classes:
        """The same classes, with people of different values apart."""
        rank = np.empty(len(self.label), dtype=np.intp)
        rank[self.members] = np.arange(len(self.members))
        return _group(np.stack([self.label.astype(np.float64), values]), rank)

    def join(self, digests: Digests) -> Classes:
        """Classes of equal digests, one a class, as one class."""
        rank = np.empty(len(self.label), dtype=np.intp)
        rank[self.members] = np.arange(len(self.members))
        return _group(digests[self.label].T, rank)

    def only(self, rows: Indices) -> Classes:
        """The classes of these people among themselves, by their new row numbers."""
        rank = np.empty(len(self.label), dtype=np.intp)
        rank[self.members] = np.arange(len(self.members))
        return _group(self.label[rows][None, :], rank[rows])

    @property
    def first(self) -> Indices:
        """One person of each class."""
        return np.asarray(self.members[np.cumsum(self.size) - self.size])


def classes_of(digests: Digests, people: Ids) -> Classes:
    """Group people of equal content. Order by a digest of it, then by id: the same for any order of rows."""
    rank = np.empty(len(people), dtype=np.intp)
    rank[np.argsort(people, kind="stable")] = np.arange(len(people))
    return _group(digests.T, rank)


def _group(keys: NDArray[Any], rank: Indices) -> Classes:
    """People with equal keys (one row per key) in order of the keys; within a class by rank."""
    members = np.lexsort((rank, *keys[::-1]))
    ordered = keys[:, members]
    new = np.r_[True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)][: len(rank)]
    number = np.cumsum(new) - 1
    label = np.empty(len(rank), dtype=np.intp)
    label[members] = number
    return Classes(label, np.bincount(number).astype(np.intp), members.astype(np.intp))


def row_digests(starts: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]) -> Digests:
    """Two numbers of 64 bits for each row of a CSR table: equal for equal rows, and else with probability 2^-128.

    Each is a sum over the entries of a row, mixed anew for each of the two.
    """
    wide = np.ascontiguousarray(values, dtype=np.float64 if values.dtype.kind == "f" else np.int64).view(np.uint64)
    column, filled = columns.astype(np.uint64), np.flatnonzero(np.diff(starts))
    digests = np.empty((len(starts) - 1, len(SALTS)), dtype=np.uint64)
    for number, salt in enumerate(SALTS):
        entries = _mix(_mix(column + salt) + wide)
        sums = np.zeros(len(starts) - 1, dtype=np.uint64)
        if len(filled):
            sums[filled] = np.add.reduceat(entries, np.asarray(starts)[filled])
        digests[:, number] = _mix(sums + salt)
    return digests


def _mix(bits: Digests) -> Digests:
    """Every bit of the result depends on every bit of the number (the finaliser of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * MULTIPLIERS[0]
    bits = (bits ^ (bits >> np.uint64(27))) * MULTIPLIERS[1]
    return bits ^ (bits >> np.uint64(31))
