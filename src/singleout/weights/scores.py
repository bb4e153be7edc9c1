"""Scores of any kind between released and known people, ready for joint matching."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from singleout._kernels import scores as kernels
from singleout.ground.errors import DataError, bad_argument, unknown_name
from singleout.ground.parallel import map_tiles
from singleout.statistics.classes import Classes, classes_of, row_contents
from singleout.statistics.ids import Ids, as_ids
from singleout.weights.pairs import NO_PAIRS, Asked, Floats, Priced, Rows

ABSENT = ("zero", "forbidden")
LARGEST = 1e150


@dataclass(frozen=True, eq=False, init=False)
class Scores:
    """How alike released and known people are: higher is more alike.

    Parameters
    ----------
    matrix
        Released by known; dense, or SciPy sparse.
    released, known
        Ids of the rows and columns.
    absent
        What a pair means that a sparse matrix does not store: a score of ``"zero"``, or a pair that is
        ``"forbidden"``. A stored zero is a score of zero.
    """

    matrix: sparse.csr_array
    released: Ids
    known: Ids
    absent: str

    def __init__(self, matrix: Any, released: Iterable[Any], known: Iterable[Any], *, absent: str = "zero") -> None:
        if absent not in ABSENT:
            raise unknown_name("Scores", "absent", str(absent), ABSENT)
        object.__setattr__(self, "matrix", _clean_scores(matrix))
        object.__setattr__(self, "released", as_ids("Scores", "released", released))
        object.__setattr__(self, "known", as_ids("Scores", "known", known))
        object.__setattr__(self, "absent", absent)
        for name, ids, length in zip(
            ("released", "known"), (self.released, self.known), self.matrix.shape, strict=True
        ):
            if len(ids) != length:
                raise bad_argument("Scores", name, f"{length} ids, one per line of the matrix", f"{len(ids)} ids")
            if len(set(ids.tolist())) < length:
                raise DataError(f"Scores: {name} holds duplicates. Give one line per person.")

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        return f"Scores({rows:,} released by {columns:,} known, {self.matrix.nnz:,} pairs, others {self.absent})"


def _clean_scores(matrix: Any) -> sparse.csr_array:
    """CSR with ascending columns; a dense matrix stores every pair, zeros included."""
    if not sparse.issparse(matrix):
        matrix = np.asarray(matrix)
    if matrix.dtype.kind not in "biuf":
        raise bad_argument("Scores", "matrix", "of numbers", str(matrix.dtype))
    if sparse.issparse(matrix):
        table = sparse.csr_array(matrix, dtype=np.float64, copy=True)
        table.sum_duplicates()
    else:
        dense = np.asarray(matrix, dtype=np.float64)
        if dense.ndim != 2:
            raise bad_argument("Scores", "matrix", "of released by known people", f"{dense.ndim} dimensions")
        rows, columns = dense.shape
        starts = np.arange(rows + 1) * columns
        table = sparse.csr_array((dense.ravel().copy(), np.tile(np.arange(columns), rows), starts), shape=dense.shape)
    bad = ~(np.abs(table.data) <= LARGEST)
    if bad.any():
        row = int(np.searchsorted(table.indptr, np.flatnonzero(bad)[0], side="right"))
        raise DataError(f"Scores: matrix row {row:,} holds a number that is not finite, or too large to be added up.")
    return table


@dataclass(frozen=True, eq=False)
class ScorePairs:
    """Pairs of classes of people whose scores are the same with everybody.

    Gains are scores moved up by ``lift``: far enough that none is negative and, where pairs are forbidden, that one
    more pair is worth more than any better ones.
    """

    table: sparse.csr_array
    lift: float
    background: float

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        return self.table.shape  # type: ignore[no-any-return]

    def price(self, rows: Rows, price: Floats, other_price: Floats, asked: Asked) -> Priced:
        """Pairs of these rows that are worth more than the prices."""
        cheapest, others = np.argsort(other_price, kind="stable"), self.shape[1]
        prices = price, other_price, cheapest, asked.slack, asked.most, asked.every
        arguments = rows, *self._arrays, others, *prices, self.lift, self.background
        return Priced.joined(rows, map_tiles(_priced, len(rows), *arguments, label="pricing", progress=asked.progress))

    @property
    def complete(self) -> bool:
        """Whether pairs that are not stored may be made all the same."""
        return self.background >= 0

    @cached_property
    def _arrays(self) -> tuple[Rows, Rows, Floats]:
        return self.table.indptr.astype(np.intp), self.table.indices.astype(np.intp), self.table.data

    @cached_property
    def _other_way(self) -> ScorePairs:
        turned = self.table.T.tocsr()
        turned.sort_indices()
        return ScorePairs(turned, self.lift, self.background)

    def exchanged(self) -> ScorePairs:
        """The same pairs with the sides exchanged."""
        return self._other_way

    def opening_prices(self) -> tuple[Floats, Floats]:
        """None is known to be dear to all."""
        return np.zeros(self.shape[0]), np.zeros(self.shape[1])

    def spanning(self) -> tuple[Rows, Rows, Floats]:
        """None: what cannot be matched on the first candidates is found by the sweeps."""
        return NO_PAIRS

    def offsets(self, rows: Rows, columns: Rows) -> Floats:
        """What was added to the scores."""
        return np.full(len(rows), self.lift)


def _priced(first: int, last: int, rows: Rows, *arguments: Any) -> Any:
    return kernels.price_scores(rows[first:last], *arguments)


def score_pairs(scores: Scores, rng: np.random.Generator) -> tuple[ScorePairs, Classes, Classes]:
    """Group people whose scores are the same with everybody, and make all gains positive."""
    table = scores.matrix
    turned = table.T.tocsr()
    turned.sort_indices()
    released = classes_of(row_contents(table.indptr, table.indices, table.data), scores.released, rng)
    known = classes_of(row_contents(turned.indptr, turned.indices, turned.data), scores.known, rng)
    chosen = table[released.first][:, known.first].tocsr()
    chosen.sort_indices()
    low, high = float(chosen.data.min(initial=0.0)), float(chosen.data.max(initial=0.0))
    if scores.absent == "forbidden":
        lift = (high - low + 1.0) * (min(table.shape) + 1) - low
        return ScorePairs(chosen, lift, -1.0), released, known
    return ScorePairs(chosen, -low, -low), released, known
