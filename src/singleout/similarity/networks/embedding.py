"""Vectors of kinds of substructures: those that co-occur more often than chance are close (M18 section 3.3)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from singleout._kernels import embedding as kernels
from singleout.ground.arrays import Floats
from singleout.ground.parallel import map_jobs, map_tiles, one_blas_thread
from singleout.statistics.graphs import starts_of

DIMENSIONS = 32
DENSE = 600
"""The most kinds for which all eigenvalues are computed at once."""
EQUAL = 9
"""Eigenvalues that agree in this many decimals are equal."""
FEWER = (2, 8)
"""Eigenvalues that are looked for first where most of the largest may lie in other parts."""
ENTRIES_PER_TILE = 2**17
"""Of products with a vector: shorter ones cost less than handing them to a thread."""

Table = tuple[Any, Any, Any]
"""A square table: where the entries of each row start, their columns, and their values."""
Pairs = tuple[Floats, Floats]
"""Eigenvalues, the largest first, and their vectors as columns."""


def label_embedding(counts: sparse.csr_array) -> Floats:
    """A vector for each label (column): labels that nodes of one network have in the same round (row) are close.

    That is where substructures of this kind co-occur for Yanardag and Vishwanathan (2015).
    """
    standing, group, size = np.unique(_standing_for(counts), return_inverse=True, return_counts=True)
    kept = counts[:, standing]
    # a node does not co-occur with itself
    itself = kept.multiply(kept).sum(axis=0) - kept.sum(axis=0)
    by_label = kept.tocsc()
    arguments = [each for table in (by_label, kept) for each in (table.indptr, table.indices, table.data)]
    together = _in_tiles(kernels.co_occurrences, len(standing), *arguments)
    return embed(together, itself, size)[group]


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


def _in_tiles(work: Any, rows: int, *arguments: Any) -> Table:
    """The table whose rows ``work`` returns tile by tile, after how many entries each of them has."""
    parts = map_tiles(work, rows, *arguments, label="embedding labels", progress=False)
    entries, columns, values = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return starts_of(entries), columns, values


def embed(together: Table, itself: Floats, size: Any) -> Floats:
    """Positive pointwise mutual information of co-occurrences, its leading eigenvectors scaled: M = L L'.

    A deterministic form of the learnt embeddings that M18 names. Eigenvalues below zero are clipped. ``itself`` is how
    often a kind meets its own. A row may stand for several kinds (``size``) that differ only in that: equal parts of
    one coordinate. The diagonal is how often two of those meet.
    """
    totals = kernels.margins(*together, itself, size)
    # k equal rows and columns act on their mean as one with √k times the weight
    table = _in_tiles(kernels.information, len(size), *together, itself, size, totals, float(totals @ size))
    values, vectors = _leading(table)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)) / np.sqrt(size)[:, None])


def _leading(table: Table) -> Pairs:
    """The largest eigenvalues and their vectors, the largest first; of equal ones those of the first rows.

    Kinds that never co-occur, not even indirectly, are handled separately: many such parts have equal eigenvalues, and
    a search that starts from one vector finds only one of those.
    """
    part = kernels.parts_of(*table[:2])
    order, starts = np.argsort(part, kind="stable"), starts_of(np.bincount(part))
    place = np.empty_like(order)
    place[order] = np.arange(len(order)) - starts[part[order]]
    rows = [order[first:last] for first, last in pairwise(starts)]
    found = _decompose([kernels.one_part(each, place, *table) for each in rows])
    values = np.concatenate([each for each, _ in found])
    owner = np.repeat(np.arange(len(rows)), [len(each) for each, _ in found])
    number = np.concatenate([np.arange(len(each)) for each, _ in found])
    leading = np.argsort(-np.round(values, EQUAL), kind="stable")[:DIMENSIONS]
    vectors = np.zeros((len(order), len(leading)))
    for column, chosen in enumerate(leading):
        vectors[rows[owner[chosen]], column] = found[owner[chosen]][1][:, number[chosen]]
    return values[leading], vectors


def _decompose(parts: list[Table]) -> list[Pairs]:
    """Of each part the eigenvalues that may be among the largest of all, at least; no more than are ever kept.

    First of the part that seems to have most of them: the others can then stop at those that are too small.
    """
    is_large = [len(part[0]) - 1 > DENSE for part in parts]
    small = [part for part, large in zip(parts, is_large, strict=True) if not large]
    of_small = iter(map_jobs(_all_pairs, small, label="embedding labels", progress=False))
    found = {number: next(of_small) for number, large in enumerate(is_large) if not large}
    likely = {number: -_largest_of_diagonal(part) for number, part in enumerate(parts) if is_large[number]}
    for number in sorted(likely, key=lambda number: likely[number]):
        so_far = np.sort(np.concatenate([np.full(DIMENSIONS, -np.inf), *(values for values, _ in found.values())]))
        found[number] = _pairs_above(so_far[-DIMENSIONS], parts[number])
    return [found[number] for number in range(len(parts))]


def _largest_of_diagonal(part: Table) -> float:
    """The sum of the largest entries of the diagonal: that of as many eigenvalues is no lower (Ky Fan)."""
    return float(np.sort(kernels.diagonal(*part))[-DIMENSIONS:].sum())


def _all_pairs(part: Table) -> Pairs:
    starts, columns, entries = part
    table = np.zeros((len(starts) - 1, len(starts) - 1))
    table[np.repeat(np.arange(len(table)), np.diff(starts)), columns] = entries
    return _largest_first(*np.linalg.eigh(table))


def _pairs_above(lowest: float, part: Table) -> Pairs:
    """All eigenvalues that are not below the lowest, at least; no more than are ever kept."""
    size = len(part[0]) - 1
    tile = -(-size * ENTRIES_PER_TILE // len(part[1]))

    def multiply(vector: Any) -> Floats:
        options: dict[str, Any] = {"label": "embedding labels", "progress": False, "tile": tile, "here": True}
        return np.concatenate(map_tiles(kernels.multiply, size, *part, vector.ravel(), **options))

    operator = LinearOperator((size, size), multiply, dtype=np.float64)
    for count in (*(FEWER if np.isfinite(lowest) else ()), DIMENSIONS):
        with one_blas_thread:
            values, vectors = eigsh(operator, k=count, which="LA", v0=np.random.default_rng(0).random(size))
        if np.round(values.min(), EQUAL) < np.round(lowest, EQUAL):
            break
    return _largest_first(values, vectors)


def _largest_first(values: Floats, vectors: Floats) -> Pairs:
    first = np.argsort(-values, kind="stable")[:DIMENSIONS]
    return values[first], vectors[:, first]
