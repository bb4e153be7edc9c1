"""Scores of any kind between released and known people, ready for joint matching."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from singleout._kernels import scores as kernels
from singleout.ground.errors import DataError, bad_argument, is_whole, unknown_name
from singleout.ground.notes import Note
from singleout.ground.parallel import map_tiles
from singleout.similarity.pairs import NO_PAIRS, Asked, Floats, Priced, Rows
from singleout.statistics.classes import Classes, classes_of, row_contents
from singleout.statistics.ids import Ids, as_ids

ABSENT = ("zero", "forbidden")
LARGEST = 1e150
MOST_PAIRS = 2**26
"""More pairs than this are worked out block by block and never held together: a gigabyte."""
BLOCK_PAIRS = 2**23
Produce = Callable[[int, int], Floats]


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

    released: Ids
    known: Ids
    absent: str
    notes: tuple[Note, ...]
    _stored: sparse.csr_array | None
    _produce: Produce | None

    def __init__(
        self,
        matrix: Any,
        released: Iterable[Any],
        known: Iterable[Any],
        *,
        absent: str = "zero",
        notes: tuple[Note, ...] = (),
    ) -> None:
        if absent not in ABSENT:
            raise unknown_name("Scores", "absent", str(absent), ABSENT)
        self._set(_clean_scores(matrix), None, released, known, absent, notes)
        for name, ids, length in zip(
            ("released", "known"), (self.released, self.known), self.matrix.shape, strict=True
        ):
            if len(ids) != length:
                raise bad_argument("Scores", name, f"{length} ids, one per line of the matrix", f"{len(ids)} ids")

    @classmethod
    def streamed(
        cls, produce: Produce, released: Iterable[Any], known: Iterable[Any], *, notes: tuple[Note, ...] = ()
    ) -> Scores:
        """Scores that are worked out when asked for: ``produce(first, last)`` gives those rows, dense."""
        scores = object.__new__(cls)
        scores._set(None, produce, released, known, "zero", notes)
        return scores

    def _set(
        self, stored: sparse.csr_array | None, produce: Produce | None, released: Any, known: Any, *rest: Any
    ) -> None:
        absent, notes = rest
        fields = {"_stored": stored, "_produce": produce, "absent": absent, "notes": notes}
        fields |= {"released": as_ids("Scores", "released", released), "known": as_ids("Scores", "known", known)}
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        for name in ("released", "known"):
            if len(set(fields[name].tolist())) < len(fields[name]):
                raise DataError(f"{name} holds duplicates. Give one line per person.", function="Scores")

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of released and of known people."""
        return len(self.released), len(self.known)

    @property
    def fits(self) -> bool:
        """Whether all pairs may be held at once."""
        return self._stored is not None or self.shape[0] * self.shape[1] <= MOST_PAIRS

    @property
    def matrix(self) -> sparse.csr_array:
        """All scores at once, as a SciPy sparse array; dense ones store every pair: ``.toarray()`` makes them plain."""
        if self._stored is None:
            if not self.fits:
                hint = "Go through scores.blocks(), or keep each person's best: scores.best(50)."
                raise DataError(
                    f"{self.shape[0]:,} by {self.shape[1]:,} pairs do not fit in memory. {hint}", function="Scores"
                )
            object.__setattr__(self, "_stored", _clean_scores(self._worked_out(0, self.shape[0])))
        return self._stored

    def blocks(self) -> Iterator[tuple[int, Floats]]:
        """Rows in order, some at a time: the number of the first, and their scores with everybody, dense.

        A forbidden pair is minus infinity.
        """
        rows = max(1, BLOCK_PAIRS // max(self.shape[1], 1))
        for first in range(0, self.shape[0], rows):
            yield first, self.rows(first, min(first + rows, self.shape[0]))

    def rows(self, first: int, last: int) -> Floats:
        """Scores of the rows first … last with everybody, dense."""
        return self._dense(first, last) if self.fits else self._worked_out(first, last)

    def _worked_out(self, first: int, last: int) -> Floats:
        assert self._produce is not None
        return self._produce(first, last)

    def _dense(self, first: int, last: int) -> Floats:
        part = self.matrix[first:last]
        if self.absent == "zero" or part.nnz == part.shape[0] * part.shape[1]:
            return np.asarray(part.toarray())
        filled = np.full(part.shape, -np.inf)
        filled[part.tocoo().coords] = part.tocoo().data
        return filled

    def best(self, count: int) -> Scores:
        """Only each released person's ``count`` best known people (equals in order of id); other pairs forbidden."""
        if not is_whole(count) or count < 1:
            raise bad_argument("best", "count", "a whole number above zero", count)
        width = min(count, self.shape[1])
        order = np.argsort(self.known, kind="stable")
        columns, values = [], []
        for _, block in self.blocks():
            # the order of id decides between equals, whatever the order of the columns
            chosen = order[np.argsort(-block[:, order], axis=1, kind="stable")[:, :width]]
            columns.append(chosen)
            values.append(np.take_along_axis(block, chosen, axis=1))
        starts = np.arange(self.shape[0] + 1) * width
        data, indices = np.concatenate(values).ravel(), np.concatenate(columns).ravel()
        kept = np.isfinite(data)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(starts))[kept]
        table = sparse.csr_array((data[kept], (rows, indices[kept])), shape=self.shape)
        note = Note(self.shape[1] - width, "known people left out for each released one", f"only the best {width} kept")
        return Scores(table, self.released, self.known, absent="forbidden", notes=(*self.notes, note))

    def __repr__(self) -> str:
        rows, columns = self.shape
        pairs = "all pairs, worked out when asked for"
        if self._stored is not None:
            pairs = f"{self._stored.nnz:,} pairs, others {self.absent}"
        return f"Scores({rows:,} released by {columns:,} known, {pairs})" + "".join(f"\n  {n}" for n in self.notes)


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
        raise DataError(
            f"matrix row {row:,} holds a number that is not finite, or too large to be added up.", function="Scores"
        )
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
