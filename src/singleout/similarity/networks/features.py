"""Graph kernels: which features of two networks are compared (M18 section 3.3), as rows, then inner products.

Every kernel yields dense rows (cosine or Gaussian) or sparse ones, from which scores are computed block by block.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh

from singleout._kernels import graphs as kernels
from singleout.ground.arrays import Floats
from singleout.ground.lazy import cached_property
from singleout.ground.parallel import map_jobs, map_tiles
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
    def variance(self) -> float:
        """σ²; if most rows are identical, the mean squared distance, and 1 if all are."""
        rows = [side[:: max(1, -(-len(side) // SAMPLE))] for side in (self.released, self.known)]
        squared = squared_distances(*rows)
        return float(np.median(np.sqrt(squared)) ** 2) or float(squared.mean()) or 1.0

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        return np.exp(-squared_distances(self.released[first:last], self.known) / (2 * self.variance))


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
    graphs = shapes.graphs
    arguments = graphs.node_starts, *graphs.arcs, shapes.label, shapes.labels, LONGEST
    parts = map_tiles(
        kernels.path_counts, len(graphs), *arguments, label="finding shortest paths", progress=progress, tile=64
    )
    return np.concatenate([counts for counts, _ in parts]), sum(capped for _, capped in parts)


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
    together = kernels.shared_starts(graphs.node_starts, *graphs.arcs, shapes.label, shapes.labels, LONGEST)
    return embed(sparse.csr_array(together), together.diagonal(), np.ones(len(together)))


@dataclass(frozen=True, eq=False)
class Refinement:
    """The label of every node after each round, as 64-bit numbers that mean the same on both sides."""

    node_starts: Any
    colours: Any
    """One row for each round, one column for each node."""

    def count(self, vocabulary: Any) -> tuple[sparse.csr_array, Floats]:
        """Counts of the labels in a vocabulary, and the length of the rows with all labels in them."""
        starts, colour, count = kernels.count_colours(self.node_starts, self.colours)
        graphs = len(starts) - 1
        owner = np.repeat(np.arange(graphs), np.diff(starts))
        lengths = np.sqrt(np.bincount(owner, count * count, graphs))
        column = np.minimum(np.searchsorted(vocabulary, colour), len(vocabulary) - 1)
        there = vocabulary[column] == colour
        kept = np.concatenate([[0], np.cumsum(there)])[starts]
        table = sparse.csr_array((count[there], column[there], kept), shape=(graphs, len(vocabulary)))
        return table, lengths

    def count_by_round(self, vocabulary: Any) -> sparse.csr_array:
        """Counts of the labels of each round, one row for every network in every round; all must be in it."""
        graphs, sizes = len(self.node_starts) - 1, np.diff(self.node_starts)
        rounds = len(self.colours)
        row = np.repeat(np.arange(rounds * graphs), np.tile(sizes, rounds))
        ends = row, np.searchsorted(vocabulary, self.colours).ravel()
        table = sparse.csr_array((np.ones(len(row)), ends), shape=(rounds * graphs, len(vocabulary)))
        table.sum_duplicates()
        return table

    @property
    def vocabulary(self) -> Any:
        """All labels in ascending order; one that no node has if there are no nodes."""
        return np.unique(self.colours) if self.colours.size else np.zeros(1, dtype=np.uint64)


def refinement(shapes: Shapes, rounds: int, direction: str) -> Refinement:
    """Refine labels ``rounds`` times (M18 section 3.3.2); each round has its own numbers."""
    graphs = shapes.graphs
    colour = shapes.label.astype(np.uint64)
    colours = [_of_round(colour, 0)]
    for number in range(1, rounds + 1):
        colour = kernels.refine(graphs.node_starts, *graphs.arcs, *graphs.arcs_back, colour, direction == "in+out")
        colours.append(_of_round(colour, number))
    return Refinement(graphs.node_starts, np.array(colours))


def _of_round(colour: Any, number: int) -> Any:
    """Labels of one round, moved apart from those of the others."""
    return kernels.mix_all(colour, np.uint64(1_000 + number))


def label_embedding(fitted: Refinement, vocabulary: Any) -> Floats:
    """A vector for each label: labels that nodes of one network have in the same round are close.

    That is where substructures of this kind co-occur for Yanardag and Vishwanathan (2015).
    """
    counts = fitted.count_by_round(vocabulary)
    standing, group, size = np.unique(_standing_for(counts), return_inverse=True, return_counts=True)
    kept = counts[:, standing]
    together = sparse.csr_array(kept.T @ kept)
    # a node does not co-occur with itself
    return embed(together, together.diagonal() - kept.sum(axis=0), size)[group]


def _standing_for(counts: sparse.csr_array) -> Any:
    """For each label the first of those that occur in the same network only, equally often.

    These have the same mutual information with everything but themselves, where it is lower, so that they differ in no
    direction of a positive eigenvalue: one of them stands for all. Most labels of later rounds are such.
    """
    by_label = counts.tocsc()
    (single,) = np.nonzero(np.diff(by_label.indptr) == 1)
    entry = by_label.indptr[single]
    network, count = by_label.indices[entry].astype(np.int64), by_label.data[entry].astype(np.int64)
    _, first, group = np.unique(network * (1 + count.max(initial=0)) + count, return_index=True, return_inverse=True)
    out = np.arange(counts.shape[1])
    out[single] = single[first[group]]
    return out


DIMENSIONS = 32
DENSE = 600
"""The most kinds for which all eigenvalues are computed at once."""
EQUAL = 9
"""Eigenvalues that agree in this many decimals are equal."""


def embed(together: sparse.csr_array, itself: Floats, size: Any) -> Floats:
    """Positive pointwise mutual information of co-occurrences, its leading eigenvectors scaled: M = L L'.

    A deterministic form of the learnt embeddings that M18 names. Eigenvalues below zero are clipped. ``itself`` is how
    often a kind meets its own. A row may stand for several kinds (``size``) that differ only in that: equal parts of
    one coordinate. The diagonal is how often two of those meet.
    """
    totals = together @ size + itself - together.diagonal()
    everything = float(totals @ size)
    pairs = together.tocoo()
    row, column = pairs.coords
    information = _positive_information(pairs.data, totals[row], totals[column], everything)
    own = _positive_information(itself, totals, totals, everything)
    # k equal rows and columns act on their mean as one with √k times the weight
    weight = np.sqrt(size)
    shared = sparse.csr_array((information, (row, column)), shape=together.shape)
    scaled = sparse.csr_array((information * weight[row] * weight[column], (row, column)), shape=together.shape)
    values, vectors = _leading(sparse.csr_array(scaled + sparse.diags_array(own - shared.diagonal())))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)) / weight[:, None])


def _positive_information(count: Floats, total: Floats, other: Floats, everything: float) -> Floats:
    """log(P(a, b) / P(a) P(b)), at least 0; 0 for what never co-occurs."""
    product = total * other
    met = (count > 0) & (product > 0)
    ratio = np.divide(count * everything, product, out=np.ones(len(count)), where=met)
    return np.asarray(np.maximum(np.log(ratio), 0.0))


def _leading(matrix: sparse.csr_array) -> tuple[Floats, Floats]:
    """The largest eigenvalues and their vectors, the largest first; of equal ones those of the first rows.

    Kinds that never co-occur, not even indirectly, are handled separately: many such parts have equal eigenvalues, and
    a search that starts from one vector finds only one of those.
    """
    parts, part = connected_components(matrix, directed=False)
    order, starts = np.argsort(part, kind="stable"), starts_of(np.bincount(part, minlength=parts))
    ordered = matrix[order][:, order]
    blocks = [ordered[first:last, first:last] for first, last in pairwise(starts)]
    found = map_jobs(_eigenpairs, blocks, label="embedding labels", progress=False)
    values = np.concatenate([each for each, _ in found])
    owner = np.repeat(np.arange(parts), [len(each) for each, _ in found])
    place = np.concatenate([np.arange(len(each)) for each, _ in found])
    leading = np.argsort(-np.round(values, EQUAL), kind="stable")[:DIMENSIONS]
    vectors = np.zeros((matrix.shape[0], len(leading)))
    for column, (chosen, number) in enumerate(zip(owner[leading], place[leading], strict=True)):
        vectors[order[starts[chosen] : starts[chosen + 1]], column] = found[chosen][1][:, number]
    return values[leading], vectors


def _eigenpairs(block: sparse.csr_array) -> tuple[Floats, Floats]:
    """The largest first; no more than are ever kept."""
    size = block.shape[0]
    if size <= DENSE:
        values, vectors = np.linalg.eigh(block.toarray())
    else:
        values, vectors = eigsh(_operator(block), k=DIMENSIONS, which="LA", v0=np.random.default_rng(0).random(size))
    first = np.argsort(-values, kind="stable")[:DIMENSIONS]
    return values[first], vectors[:, first]


def _operator(block: sparse.csr_array) -> LinearOperator:
    """Products with a symmetric matrix, without the GIL, so that blocks can be decomposed side by side.

    Numbers of columns are half as wide: what limits a product is how fast memory is read.
    """
    arrays = block.indptr.astype(np.int64), block.indices.astype(np.uint32), block.data
    return LinearOperator(block.shape, lambda vector: kernels.multiply(*arrays, vector.ravel()), dtype=np.float64)
