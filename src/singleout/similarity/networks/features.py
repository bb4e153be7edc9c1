"""Graph kernels: which features of two networks are compared (M18 section 3.3), as rows, then inner products.

Every kernel yields dense rows (cosine or Gaussian) or sparse ones, from which scores are computed block by block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from singleout._kernels import graphs as kernels
from singleout._kernels import hops
from singleout.ground.arrays import Floats
from singleout.ground.lazy import cached_property
from singleout.ground.parallel import map_tiles
from singleout.similarity.networks.embedding import embed
from singleout.similarity.networks.shapes import Shapes
from singleout.statistics.graphs import Graphs, starts_of

LONGEST = 64
"""Longer paths count as this many hops."""
BINS = 1_000
SAMPLE = 2_000
"""The most people per side for the median distance."""


class Compared(Protocol):
    """Two sides, and the scores of some released rows with all known ones."""

    def block(self, first: int, last: int) -> Floats:
        """Scores of the rows first … last, dense."""


@dataclass(frozen=True, eq=False)
class Cosine:
    """Cosines between dense rows; a row of zeros has a score of 0 with everyone (M18 eq. 1)."""

    released: Floats
    known: Floats

    @cached_property
    def _directions(self) -> tuple[Floats, Floats]:
        return _normalise(self.released), _normalise(self.known)

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        released, known = self._directions
        return np.asarray(released[first:last] @ known.T)


def _normalise(rows: Floats) -> Floats:
    length = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(rows, length, out=np.zeros_like(rows), where=length > 0))


@dataclass(frozen=True, eq=False)
class Inner:
    """Inner products of dense rows."""

    released: Floats
    known: Floats

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        return np.asarray(self.released[first:last] @ self.known.T)


@dataclass(frozen=True, eq=False)
class Gaussian:
    """exp(-d² / 2σ²) between dense rows, σ their median distance (M18 section 3.3.1). σ does not change any order."""

    released: Floats
    known: Floats

    @cached_property
    def _sampled(self) -> Floats:
        """Squared distances of some rows; of all rows if there are few."""
        return squared_distances(*(side[:: max(1, -(-len(side) // SAMPLE))] for side in (self.released, self.known)))

    @cached_property
    def variance(self) -> float:
        """σ²; if most rows are identical, the mean squared distance, and 1 if all are."""
        return float(np.median(np.sqrt(self._sampled)) ** 2) or float(self._sampled.mean()) or 1.0

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        if self._sampled.shape == (len(self.released), len(self.known)):
            squared = self._sampled[first:last]
        else:
            squared = squared_distances(self.released[first:last], self.known)
        return np.exp(-squared / (2 * self.variance))


def squared_distances(rows: Floats, others: Floats) -> Floats:
    """Between all rows; never below zero."""
    squares = (rows * rows).sum(axis=1)[:, None] + (others * others).sum(axis=1)[None, :] - 2 * rows @ others.T
    # differences of equal rows due to rounding are not distances
    squares[squares < 1e-14] = 0.0
    return np.asarray(squares)


@dataclass(frozen=True, eq=False)
class Size:
    """Only the numbers of nodes and edges: the baseline that a topology must beat."""

    released: Graphs
    known: Graphs

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        score = np.zeros((last - first, len(self.known)))
        for count in ("nodes", "edges"):
            mine, theirs = (np.log1p(getattr(side, count)) for side in (self.released, self.known))
            score -= np.abs(mine[first:last, None] - theirs[None, :])
        return np.exp(score)


@dataclass(frozen=True, eq=False)
class SparseCosine:
    """Cosines between sparse rows over the same columns; lengths are given, since rows may have more than is shared."""

    released: sparse.csr_array
    known: sparse.csr_array
    released_lengths: Floats
    known_lengths: Floats

    @cached_property
    def _by_feature(self) -> tuple[Any, Any, Any]:
        turned = self.known.T.tocsr()
        turned.sort_indices()
        return turned.indptr.astype(np.int64), turned.indices.astype(np.int64), turned.data

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        rows = self.released[first:last]
        arrays = rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data
        arguments = *arrays, *self._by_feature, self.known.shape[0]
        parts = map_tiles(kernels.shared_products, last - first, *arguments, label="comparing networks")
        lengths = self.released_lengths[first:last, None] * self.known_lengths[None, :]
        products = np.concatenate(parts)
        return np.asarray(np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0))


def degrees(graphs: Graphs) -> Floats:
    """Share of each network's nodes by degree in and out, up to 999."""
    return _node_shares(graphs, np.minimum(_at_nodes(graphs, np.ones(len(graphs.weight))), BINS - 1))


def strengths(graphs: Graphs) -> Floats:
    """Share of each network's nodes by their share of all transitions in and out, in 1000 bins."""
    total = np.maximum(graphs.traversals, 1e-300)[graphs.node_owner]
    share = _at_nodes(graphs, graphs.weight) / total
    # a share of 0.3 lies in bin 300, whatever 0.3 * 1000 rounds to
    return _node_shares(graphs, np.minimum(np.floor(share * BINS + 1e-9), BINS - 1))


def _at_nodes(graphs: Graphs, weight: Floats) -> Floats:
    base = graphs.node_starts[graphs.owner]
    ends = np.concatenate([base + graphs.source, base + graphs.target])
    return np.asarray(np.bincount(ends, np.concatenate([weight, weight]), len(graphs.visits)), dtype=np.float64)


def _node_shares(graphs: Graphs, bins: Any) -> Floats:
    counts = np.bincount(graphs.node_owner * BINS + bins.astype(np.int64), minlength=len(graphs) * BINS).reshape(
        -1, BINS
    )
    return counts / np.maximum(graphs.nodes, 1)[:, None]


def paths(shapes: Shapes, progress: bool | None) -> tuple[Floats, int]:
    """Counts of (label of the start, label of the end, hops) over ordered pairs; and how many were longer than 64."""
    if "paths" not in shapes.kept:
        graphs = shapes.graphs
        arguments = graphs.node_starts, *graphs.arcs, shapes.label, shapes.labels, LONGEST
        parts = map_tiles(
            hops.path_counts, len(graphs), *arguments, label="finding shortest paths", progress=progress, tile=64
        )
        shapes.kept["paths"] = np.concatenate([counts for counts, _ in parts]), sum(capped for _, capped in parts)
    return shapes.kept["paths"]  # type: ignore[no-any-return]


def near_paths(counts: Floats, labels: int, gamma: float) -> Floats:
    """Path counts smoothed by their edit distance: K = φ' M φ with M a product of three Laplacian kernels.

    With M = L L' the rows L'φ have K as their inner product; M is never formed.
    """
    by_label, by_hops = (_laplacian_root(size, gamma) for size in (labels, LONGEST))
    table = counts.reshape(-1, labels, labels, LONGEST) @ by_hops
    table = np.einsum("gabn,ac,bd->gcdn", table, by_label, by_label, optimize=True)
    return np.asarray(table.reshape(len(counts), -1))


def _laplacian_root(size: int, gamma: float) -> Floats:
    step = np.arange(size)
    return np.asarray(np.linalg.cholesky(np.exp(-gamma * np.abs(step[:, None] - step[None, :]))))


def path_embedding(shapes: Shapes) -> Floats:
    """A vector for each kind of path: kinds that start at the same nodes are close (fitted on the known side only)."""
    graphs = shapes.graphs
    together = hops.shared_starts(graphs.node_starts, *graphs.arcs, shapes.label, shapes.labels, LONGEST)
    row, column = np.nonzero(together)
    starts = starts_of(np.bincount(row, minlength=len(together)))
    table = starts, column.astype(np.uint32), together[row, column]
    return embed(table, together.diagonal().copy(), np.ones(len(together)))


@dataclass(frozen=True, eq=False)
class Refinement:
    """The label of every node after each round, as 64-bit numbers that mean the same on both sides."""

    node_starts: Any
    colours: Any
    """One row for each round, one column for each node."""

    def count(self, vocabulary: Any) -> tuple[sparse.csr_array, Floats]:
        """Counts of the labels in a vocabulary, and the length of the rows with all labels in them."""
        graphs = len(self.node_starts) - 1
        arguments = self.node_starts, self.colours, vocabulary
        parts = map_tiles(kernels.count_colours, graphs, *arguments, label="counting labels", progress=False)
        squares, entries, columns, counts = (np.concatenate([part[k] for part in parts]) for k in range(4))
        table = sparse.csr_array((counts, columns, starts_of(entries)), shape=(graphs, len(vocabulary)))
        return table, np.sqrt(squares)

    @cached_property
    def _labels(self) -> tuple[Any, Any]:
        """All labels in ascending order, and the round of each; one that no node has if there are no nodes."""
        labels = [np.unique(each) for each in self.colours] if self.colours.size else [np.zeros(1, dtype=np.uint64)]
        label = np.concatenate(labels)
        order = np.argsort(label)
        return label[order], np.repeat(np.arange(len(labels)), [len(each) for each in labels])[order]

    @property
    def vocabulary(self) -> Any:
        """All labels in ascending order."""
        return self._labels[0]

    def split_rounds(self, counts: sparse.csr_array) -> sparse.csr_array:
        """Counts of the vocabulary, one row for every network in every round instead of one for every network."""
        number = self._labels[1][counts.indices]
        graph = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        order = np.argsort(number, kind="stable")
        rows = len(self.colours) * counts.shape[0]
        starts = starts_of(np.bincount(number * counts.shape[0] + graph, minlength=rows))
        return sparse.csr_array((counts.data[order], counts.indices[order], starts), shape=(rows, counts.shape[1]))


def refinement(shapes: Shapes, rounds: int, direction: str) -> Refinement:
    """Refine labels ``rounds`` times (M18 section 3.3.2); each round has its own numbers."""
    key = rounds, direction
    if key not in shapes.kept:
        graphs = shapes.graphs
        colour = shapes.label.astype(np.uint64)
        colours = [_of_round(colour, 0)]
        for number in range(1, rounds + 1):
            colour = kernels.refine(graphs.node_starts, *graphs.arcs, *graphs.arcs_back, colour, direction == "in+out")
            colours.append(_of_round(colour, number))
        shapes.kept[key] = Refinement(graphs.node_starts, np.array(colours))
    return shapes.kept[key]  # type: ignore[no-any-return]


def _of_round(colour: Any, number: int) -> Any:
    """Labels of one round, moved apart from those of the others."""
    return kernels.mix_all(colour, np.uint64(1_000 + number))
