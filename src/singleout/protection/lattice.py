"""The least destructive combination of coarser columns that meets limits: exact, over every combination of levels.

Each column has levels, from its values as they are to none at all; a node takes one level of each. Merging classes
never makes them smaller, so a node that fails rules out all that are finer, and what a node loses before any record is
left out is a lower bound for all that are coarser. Nodes are visited in the order of the information they lose, until
no node left can lose less than the best found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices
from singleout.ground.lazy import cached_property
from singleout.ground.progress import Advance
from singleout.reading.columns import Column, Rows, as_rows
from singleout.statistics.partitions import partition_by

DECIMALS = 12
"""Losses are compared to this many, so that the order in which they were added up does not matter."""
DENSE = 2**22
"""Up to this many possible classes are counted directly, without sorting."""


@dataclass(frozen=True, eq=False)
class Combinations:
    """The different combinations of values in a table, one code per column, and how many records have each.

    ``of_row`` is the combination of each of the ``rows`` of the table.
    """

    codes: NDArray[np.int64]
    counts: Indices
    of_row: Indices
    rows: Rows

    @classmethod
    def of(cls, columns: Sequence[Column], rows: Rows | int) -> Combinations:
        """From the codes of every row."""
        groups = partition_by(columns, rows)
        first = groups.order[np.concatenate([[0], groups.ends[:-1]]).astype(np.intp)]
        codes = np.column_stack([column.codes[first] for column in columns]).astype(np.int64)
        # by content, whatever the order of the file
        order = np.lexsort(codes.T)
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))
        return cls(codes[order], groups.sizes[order].astype(np.intp), groups.spread(place), as_rows(rows))

    @property
    def records(self) -> int:
        """All records."""
        return self.rows.records


@dataclass(eq=False)
class Classes:
    """The classes of a node: ``key`` numbers, with gaps, that of each combination."""

    key: NDArray[np.int64]
    counts: Indices

    @cached_property
    def _dense(self) -> Floats:
        return np.asarray(np.bincount(self.key, self.counts), dtype=np.float64)

    @cached_property
    def sizes(self) -> Indices:
        """The number of records of each class."""
        return self._dense[self._dense > 0].astype(np.intp)

    @cached_property
    def label(self) -> Indices:
        """The class of each combination."""
        return np.asarray((np.cumsum(self._dense > 0) - 1)[self.key], dtype=np.intp)


class Limits(Protocol):
    """What a node must meet, possibly after some classes are left out of the file."""

    @property
    def monotone(self) -> bool:
        """Whether a node that fails rules out all that are finer."""

    def is_possible(self, sizes: Indices, classes: Indices) -> bool:
        """False where the numbers of classes by size already rule a node out; sizes ascend."""

    def leave_out(self, lattice: Lattice, node: Sequence[int], classes: Classes) -> NDArray[np.bool_] | None:
        """The classes that are left out so that the limits are met; None if that is not possible."""


class Loss(Protocol):
    """What a file loses: never less at a coarser node, and never less if records are left out."""

    def bounds(self, lattice: Lattice, nodes: NDArray[np.int64]) -> Floats:
        """The least that each node loses, as far as that is known before any is looked at."""

    def at_least(self, lattice: Lattice, node: tuple[int, ...]) -> float:
        """What a node loses if no record has to be left out."""

    def of(self, lattice: Lattice, node: Sequence[int], classes: Classes, left_out: NDArray[np.bool_]) -> float:
        """What a node loses without these classes."""


@dataclass(frozen=True)
class Node:
    """One level of each column, what it loses with the records left out, and how many those are."""

    levels: tuple[int, ...]
    loss: float
    left_out: int


@dataclass(eq=False)
class Lattice:
    """All combinations of levels. ``levels[c][l]`` maps each code of column c to its code at level l; 0 is as it is."""

    table: Combinations
    levels: Sequence[Sequence[NDArray[np.int64]]]
    _by_size: dict[tuple[int, ...], tuple[Indices, Indices]] = field(default_factory=dict, repr=False)
    _last: tuple[tuple[int, ...], Classes] | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return number_of_nodes([len(each) for each in self.levels])

    def classes(self, node: Sequence[int]) -> Classes:
        """The classes of a node; those of the last one asked for are kept."""
        if self._last is None or self._last[0] != tuple(node):
            self._last = tuple(node), self._group(node)
        return self._last[1]

    def _group(self, node: Sequence[int]) -> Classes:
        key = np.zeros(len(self.table.counts), dtype=np.int64)
        limit = max(DENSE, 4 * len(key))
        possible = 1
        for column, level in enumerate(node):
            new = self.levels[column][level]
            width = int(new.max(initial=0)) + 1
            if possible * width > limit and possible > len(key):
                key = np.unique(key, return_inverse=True)[1].astype(np.int64)
                possible = int(key.max(initial=0)) + 1
            key = key * width + new[self.table.codes[:, column]]
            possible *= width
        if possible > limit:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        return Classes(key, self.table.counts)

    def by_size(self, node: tuple[int, ...]) -> tuple[Indices, Indices]:
        """The sizes of classes of a node, ascending, and how many classes have each; counted once."""
        if node not in self._by_size:
            self._by_size[node] = _count_sizes(self.classes(node).sizes)
        return self._by_size[node]

    @cached_property
    def entropies(self) -> list[Floats]:
        """Of each level of each column, over all records."""
        return [
            np.array([entropy(np.bincount(new[self.table.codes[:, column]], self.table.counts)) for new in each])
            for column, each in enumerate(self.levels)
        ]

    @cached_property
    def originals(self) -> Floats:
        """Of each column as it is, whether that is one of its levels or not."""
        codes, counts = self.table.codes, self.table.counts
        return np.array([entropy(np.bincount(codes[:, column], counts)) for column in range(len(self.levels))])

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """All of them, one per row."""
        return np.array(list(product(*(range(len(each)) for each in self.levels))), dtype=np.int64)

    def information_lost(self, nodes: NDArray[np.int64], importance: Floats) -> Floats:
        """The share of the information (entropy) in all columns that nodes lose before any record is left out."""
        whole = float(importance @ self.originals)
        left = sum(importance[c] * self.entropies[c][nodes[:, c]] for c in range(nodes.shape[1]))
        lost = np.asarray(1 - left / whole if whole else np.zeros(len(nodes)), dtype=np.float64)
        return np.round(lost, DECIMALS)

    def search(self, limits: Limits, loss: Loss, advance: Advance = lambda share: None) -> Node | None:
        """The node that loses least of those that meet the limits; None if even the coarsest fails.

        Of the nodes that might still be the best, the one in the middle is looked at as long as that meets the limits,
        since all that lose as much are then out; after one that fails, and rules out all that are finer, the one that
        loses most.
        """
        search = _Search(self, limits, loss)
        most, met = max(len(search.left), 1), True
        while len(search.left):
            advance(1 - len(search.left) / most)
            met = search.visit(int(search.left[len(search.left) // 2 if met else -1]))
        return search.best


def _count_sizes(sizes: Indices) -> tuple[Indices, Indices]:
    """The different sizes, ascending, and how many there are of each; quickly where none is large."""
    if int(sizes.max(initial=0)) > DENSE:
        return np.unique(sizes, return_counts=True)
    times = np.bincount(sizes)
    there = np.flatnonzero(times)
    return there, times[there]


class _Search:
    """Nodes that might still be the best (``left``), those that lose most last."""

    def __init__(self, lattice: Lattice, limits: Limits, loss: Loss) -> None:
        self.lattice, self.limits, self.loss = lattice, limits, loss
        self.nodes = lattice.nodes
        self.bounds = loss.bounds(lattice, self.nodes)
        information = lattice.information_lost(self.nodes, np.ones(self.nodes.shape[1]))
        self.left: Indices = np.lexsort((information, self.bounds)).astype(np.intp)
        self.best: Node | None = None

    def visit(self, number: int) -> bool:
        """Whether a node meets the limits; it and all that it decides are no longer left."""
        levels = tuple(self.nodes[number].tolist())
        found = self._evaluate(levels)
        rest = self.left[self.left != number]
        of_rest = self.nodes[rest]
        at_least = self.loss.at_least(self.lattice, levels)
        coarser = rest[(of_rest >= self.nodes[number]).all(axis=1)]
        self.bounds[coarser] = np.maximum(self.bounds[coarser], at_least)
        if found is None and self.limits.monotone:
            rest = rest[~(of_rest <= self.nodes[number]).all(axis=1)]
        if found is not None and (self.best is None or _is_better(found, self.best)):
            self.best = found
        self.left = rest if self.best is None else rest[self.bounds[rest] < self.best.loss]
        return found is not None

    def _evaluate(self, levels: tuple[int, ...]) -> Node | None:
        """A node that meets the limits."""
        if not self.limits.is_possible(*self.lattice.by_size(levels)):
            return None
        classes = self.lattice.classes(levels)
        left_out = self.limits.leave_out(self.lattice, levels, classes)
        if left_out is None:
            return None
        whole = self.loss.at_least(self.lattice, levels)
        lost = self.loss.of(self.lattice, levels, classes, left_out) if left_out.any() else whole
        return Node(levels, lost, int(classes.sizes[left_out].sum()))


def _is_better(one: Node, other: Node) -> bool:
    """By loss, then by levels, so that the order of the search does not matter."""
    return (one.loss, one.levels) < (other.loss, other.levels)


def number_of_nodes(depths: Sequence[int]) -> int:
    """How many combinations of levels there are."""
    return int(np.prod(depths, dtype=np.float64))


def entropy(counts: NDArray[np.floating] | NDArray[np.integer]) -> float:
    """Average information of a value, in bits."""
    there = counts[counts > 0]
    shares = there / there.sum() if len(there) else there
    return float(-(shares * np.log2(shares)).sum())
