"""The least destructive combination of coarser columns that meets a limit: exact, over every combination of levels.

Each column has levels, from its values as they are to none at all; a node takes one level of each. What a node loses
before any record is emptied is the sum of what its levels lose, so nodes are looked at in that order, and the search
ends when no node left can lose less than the best found. A node that fails rules out all that are finer, since merging
classes never makes them smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices

Rule = Callable[[Indices], NDArray[np.bool_] | None]
"""From the sizes of the classes of a node to those that are emptied so that the limit is met; None if none will do."""


@dataclass(frozen=True, eq=False)
class Combinations:
    """The different combinations of values in a table (rows), one code per column, and how many records have each."""

    codes: NDArray[np.int64]
    counts: Indices

    @classmethod
    def of(cls, columns: Sequence[NDArray[np.integer]]) -> Combinations:
        """From the codes of every record."""
        codes, counts = np.unique(np.column_stack(columns).astype(np.int64), axis=0, return_counts=True)
        return cls(codes, counts.astype(np.intp))

    @property
    def records(self) -> int:
        """All records."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class Node:
    """One level of each column, the information it loses with its emptied records, and how many those are."""

    levels: tuple[int, ...]
    loss: float
    emptied: int


@dataclass(frozen=True, eq=False)
class Lattice:
    """All combinations of levels. ``levels[c][l]`` maps each code of column c to its code at level l; 0 is as it is."""

    table: Combinations
    levels: Sequence[Sequence[NDArray[np.int64]]]

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return int(np.prod([len(each) for each in self.levels], dtype=np.float64))

    def classes(self, node: Sequence[int]) -> tuple[Indices, Indices]:
        """The class of each combination at a node, and the number of records of each class."""
        key = np.zeros(len(self.table.counts), dtype=np.int64)
        for column, level in enumerate(node):
            new = self.levels[column][level]
            key = key * (int(new.max(initial=0)) + 1) + new[self.table.codes[:, column]]
            if int(key.max(initial=0)) > 2**40:
                key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        label = np.unique(key, return_inverse=True)[1]
        return label, np.bincount(label, self.table.counts).astype(np.intp)

    def loss(self, node: Sequence[int], emptied: NDArray[np.bool_]) -> float:
        """The share of the information (entropy) in all columns that is lost; emptied combinations keep none.

        That records are emptied must not count as information: then emptying some would seem to be a gain.
        """
        kept = np.where(emptied, 0, self.table.counts)
        left = sum(
            _entropy(np.bincount(self.levels[column][level][self.table.codes[:, column]], kept))
            for column, level in enumerate(node)
        )
        return 1 - left * float(kept.sum()) / self.table.records / self._whole if self._whole else 0.0

    @cached_property
    def _whole(self) -> float:
        return float(sum(each[0] for each in self._entropies))

    @cached_property
    def _entropies(self) -> list[Floats]:
        """Of each level of each column, before any record is emptied."""
        return [
            np.array([_entropy(np.bincount(new[self.table.codes[:, column]], self.table.counts)) for new in each])
            for column, each in enumerate(self.levels)
        ]

    def search(self, rule: Rule) -> Node | None:
        """The node that loses least of those that meet a limit; None if even the coarsest fails."""
        nodes = np.array(list(product(*(range(len(each)) for each in self.levels))))
        entropies, whole = self._entropies, self._whole
        least = 1 - sum(entropies[column][nodes[:, column]] for column in range(nodes.shape[1])) / (whole or 1.0)
        failed = np.zeros(len(nodes), dtype=bool)
        best: Node | None = None
        for number in np.argsort(least, kind="stable").tolist():
            if best is not None and least[number] >= best.loss:
                break
            if failed[number]:
                continue
            node = tuple(nodes[number].tolist())
            label, sizes = self.classes(node)
            emptied = rule(sizes)
            if emptied is None:
                failed |= (nodes <= nodes[number]).all(axis=1)
                continue
            loss = self.loss(node, emptied[label])
            if best is None or loss < best.loss:
                best = Node(node, loss, int(sizes[emptied].sum()))
        return best


def _entropy(counts: NDArray[Any]) -> float:
    there = counts[counts > 0]
    shares = there / there.sum() if len(there) else there
    return float(-(shares * np.log2(shares)).sum())


# LIMITS


def every_class_at_least(k: int, most_emptied: int) -> Rule:
    """Every class has at least k records; smaller ones are emptied, at most this many records."""

    def rule(sizes: Indices) -> NDArray[np.bool_] | None:
        """The classes that are too small, if they are few enough."""
        small = sizes < k
        return small if int(sizes[small].sum()) <= most_emptied else None

    return rule


def mean_risk_at_most(limit: float, most_emptied: int) -> Rule:
    """Classes by records is within a limit; the smallest classes are emptied first, at most this many records."""

    def rule(sizes: Indices) -> NDArray[np.bool_] | None:
        """The fewest of the smallest classes whose absence is enough."""
        order = np.argsort(sizes, kind="stable")
        gone = np.concatenate([[0], np.cumsum(sizes[order])])[:-1]
        left = len(sizes) - np.arange(len(sizes))
        enough = np.flatnonzero((left <= limit * (sizes.sum() - gone)) & (gone <= most_emptied))
        if not len(enough):
            return None
        emptied = np.zeros(len(sizes), dtype=bool)
        emptied[order[: enough[0]]] = True
        return emptied

    return rule
