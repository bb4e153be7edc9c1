"""Scores of any kind between released and known people, ready for joint matching."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import pyarrow as pa
from scipy import sparse

from singleout._kernels import scores as kernels
from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument, is_whole, unknown_name
from singleout.ground.lazy import cached_property
from singleout.ground.names import AbsentPairs
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note
from singleout.ground.parallel import map_tiles
from singleout.similarity.grouped_scores import GroupedScores
from singleout.similarity.pairs import NO_PAIRS, Priced, SweepRequest
from singleout.statistics.classes import Classes, classes_of, row_digests
from singleout.statistics.ids import Ids, as_ids

ABSENT: tuple[AbsentPairs, ...] = get_args(AbsentPairs)
LARGEST = 1e150
MOST_PAIRS = 2**26
"""More pairs than this (a gigabyte) are computed block by block and never held in memory together."""
BLOCK_PAIRS = 2**23
Produce = Callable[[int, int], Floats]


@dataclass(frozen=True, eq=False, init=False)
class Scores(Tabular):
    """Similarity scores of released and known people: higher is more similar.

    Parameters
    ----------
    matrix
        Released by known; dense, or SciPy sparse.
    released, known
        Ids of the rows and columns.
    absent
        What a pair that a sparse matrix does not store means: a score of ``"zero"``, or a pair that is
        ``"forbidden"``. A stored zero is a score of zero.

    Examples
    --------
    >>> import singleout as so
    >>> so.Scores([[0.9, 0.2], [0.8, 0.7]], released=["r1", "r2"], known=["k1", "k2"])
    Scores(2 released by 2 known, 4 pairs, others zero)
    """

    released: Ids
    known: Ids
    absent: AbsentPairs
    notes: tuple[Note, ...]
    _stored: sparse.csr_array | None
    _produce: Produce | None

    def __init__(
        self,
        matrix: Any,
        released: Iterable[Any],
        known: Iterable[Any],
        *,
        absent: AbsentPairs = "zero",
        notes: tuple[Note, ...] = (),
    ) -> None:
        if absent not in ABSENT:
            raise unknown_name("Scores", "absent", str(absent), ABSENT)
        self._set(_clean_scores(matrix), None, released, known, absent, notes)
        for name, ids, length in zip(
            ("released", "known"), (self.released, self.known), self.matrix.shape, strict=True
        ):
            if len(ids) != length:
                raise bad_argument("Scores", name, f"{length} ids, one per row or column", f"{len(ids)} ids")

    @classmethod
    def streamed(
        cls, produce: Produce, released: Iterable[Any], known: Iterable[Any], *, notes: tuple[Note, ...] = ()
    ) -> Scores:
        """Scores that are computed when needed: ``produce(first, last)`` returns those rows, dense."""
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
                raise DataError(f"`{name}` contains duplicates. Give each person one row or column.", function="Scores")

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of released and of known people."""
        return len(self.released), len(self.known)

    @property
    def fits(self) -> bool:
        """Whether all pairs fit in memory."""
        return self._stored is not None or self.shape[0] * self.shape[1] <= MOST_PAIRS

    @property
    def matrix(self) -> sparse.csr_array:
        """All scores at once, as a SciPy sparse array; if dense, every pair is stored (see ``.toarray()``)."""
        if self._stored is None:
            if not self.fits:
                hint = "Iterate over scores.blocks(), or keep each person's best: scores.best(50)."
                raise DataError(
                    f"{self.shape[0]:,} by {self.shape[1]:,} pairs do not fit in memory. {hint}", function="Scores"
                )
            object.__setattr__(self, "_stored", _clean_scores(self._compute(0, self.shape[0])))
        return self._stored

    def blocks(self) -> Iterator[tuple[int, Floats]]:
        """Blocks of rows in order: the number of the first row, and their scores with everyone, dense.

        A forbidden pair is minus infinity.
        """
        rows = max(1, BLOCK_PAIRS // max(self.shape[1], 1))
        for first in range(0, self.shape[0], rows):
            yield first, self.rows(first, min(first + rows, self.shape[0]))

    def rows(self, first: int, last: int) -> Floats:
        """Scores of the rows first … last with everyone, dense."""
        return self._dense(first, last) if self.fits else self._compute(first, last)

    def classes(self) -> tuple[Classes, Classes]:
        """People of both sides who have the same scores with everyone."""
        turned = self.matrix.T.tocsr()
        turned.sort_indices()
        sides = (self.matrix, self.released), (turned, self.known)
        mine, theirs = (classes_of(row_digests(each.indptr, each.indices, each.data), ids) for each, ids in sides)
        return mine, theirs

    def between(self, released: Indices, known: Indices) -> sparse.csr_array:
        """The scores of some people with some others."""
        return self.matrix[released][:, known].tocsr()

    def of_pairs(self, released: Indices, known: Indices) -> Floats:
        """The score of each of these pairs."""
        return np.asarray(self.matrix[released, known]).ravel()

    @property
    def lowest(self) -> float:
        """The lowest score, at most zero."""
        return float(self.matrix.data.min(initial=0.0))

    def _compute(self, first: int, last: int) -> Floats:
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
        """Only the ``count`` best known people of each released person (ties by id); other pairs are forbidden."""
        if not is_whole(count) or count < 1:
            raise bad_argument("best", "count", "a whole number above zero", count)
        width = min(count, self.shape[1])
        order = np.argsort(self.known, kind="stable")
        columns, values = [], []
        for _, block in self.blocks():
            # ties are broken by id, whatever the order of the columns
            chosen = order[np.argsort(-block[:, order], axis=1, kind="stable")[:, :width]]
            columns.append(chosen)
            values.append(np.take_along_axis(block, chosen, axis=1))
        starts = np.arange(self.shape[0] + 1) * width
        data, indices = np.concatenate(values).ravel(), np.concatenate(columns).ravel()
        kept = np.isfinite(data)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(starts))[kept]
        table = sparse.csr_array((data[kept], (rows, indices[kept])), shape=self.shape)
        note = Note(
            self.shape[1] - width, "candidates left out for each released person", f"only the best {width} are kept"
        )
        return Scores(table, self.released, self.known, absent="forbidden", notes=(*self.notes, note))

    def to_arrow(self) -> pa.Table:
        """One row per pair with a score: row numbers, no ids."""
        pairs = self.matrix.tocoo()
        rows, columns = pairs.coords
        return pa.table({"released_row": rows, "known_row": columns, "score": pairs.data})

    def to_dict(self) -> dict[str, Any]:
        """Sizes and notes; no ids, and no single scores."""
        sizes = {"released": self.shape[0], "known": self.shape[1], "absent": self.absent}
        return sizes | {"notes": [note.to_dict() for note in self.notes]}

    def _shown_table(self) -> pa.Table:
        """The scores of the first released people with everyone, where those of all would not fit."""
        if self.fits:
            return self.to_arrow()
        block = self.rows(0, 1)[0]
        return pa.table({"released_row": np.zeros(len(block), int), "known_row": np.arange(len(block)), "score": block})

    def __repr__(self) -> str:
        rows, columns = self.shape
        pairs = "all pairs, computed when needed"
        if self._stored is not None:
            pairs = f"{self._stored.nnz:,} pairs, others {self.absent}"
        return f"Scores({rows:,} released by {columns:,} known, {pairs})" + "".join(f"\n  {n}" for n in self.notes)


def _clean_scores(matrix: Any) -> sparse.csr_array:
    """CSR with ascending columns; a dense matrix stores every pair, zeros included."""
    if not sparse.issparse(matrix):
        matrix = np.asarray(matrix)
    if matrix.dtype.kind not in "biuf":
        raise bad_argument("Scores", "matrix", "a matrix of numbers", str(matrix.dtype))
    if sparse.issparse(matrix):
        table = sparse.csr_array(matrix, dtype=np.float64, copy=True)
        table.sum_duplicates()
    else:
        dense = np.asarray(matrix, dtype=np.float64)
        if dense.ndim != 2:
            raise bad_argument("Scores", "matrix", "a matrix of released by known people", f"{dense.ndim} dimensions")
        rows, columns = dense.shape
        starts = np.arange(rows + 1) * columns
        table = sparse.csr_array((dense.ravel().copy(), np.tile(np.arange(columns), rows), starts), shape=dense.shape)
    bad = ~(np.abs(table.data) <= LARGEST)
    if bad.any():
        row = int(np.searchsorted(table.indptr, np.flatnonzero(bad)[0], side="right"))
        raise DataError(
            f"row {row:,} of `matrix` contains a number that is not finite or too large to sum.",
            function="Scores",
        )
    return table


@dataclass(frozen=True, eq=False)
class ScorePairs:
    """Pairs of classes of people who have the same scores with everyone.

    Gains are scores raised by ``lift``: enough that none is negative and, if pairs are forbidden, that one more pair is
    worth more than any better pairs.
    """

    table: sparse.csr_array
    lift: float
    background: float

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        return self.table.shape  # type: ignore[no-any-return]

    def price(self, rows: Indices, price: Floats, other_price: Floats, asked: SweepRequest) -> Priced:
        """Pairs of these rows that are worth more than the prices."""
        cheapest, others = np.argsort(other_price, kind="stable"), self.shape[1]
        prices = price, other_price, cheapest, asked.slack, asked.most, asked.every
        arguments = rows, *self._arrays, others, *prices, self.lift, self.background
        return Priced.join(
            rows, map_tiles(_price_tile, len(rows), *arguments, label="pricing", progress=asked.progress)
        )

    @property
    def complete(self) -> bool:
        """Whether pairs that are not stored may be made."""
        return self.background >= 0

    @cached_property
    def _arrays(self) -> tuple[Indices, Indices, Floats]:
        return self.table.indptr.astype(np.intp), self.table.indices.astype(np.intp), self.table.data

    @cached_property
    def _other_way(self) -> ScorePairs:
        turned = self.table.T.tocsr()
        turned.sort_indices()
        return ScorePairs(turned, self.lift, self.background)

    def swap_sides(self) -> ScorePairs:
        """The same pairs with the sides swapped."""
        return self._other_way

    def opening_prices(self) -> tuple[Floats, Floats]:
        """Zero: none is known to be attractive to all."""
        return np.zeros(self.shape[0]), np.zeros(self.shape[1])

    def spanning(self) -> tuple[Indices, Indices, Floats]:
        """None: what cannot be matched among the first candidates is found by the sweeps."""
        return NO_PAIRS

    def offsets(self, rows: Indices, columns: Indices) -> Floats:
        """What was added to the scores."""
        return np.full(len(rows), self.lift)


def _price_tile(first: int, last: int, rows: Indices, *arguments: Any) -> Any:
    return kernels.price_scores(rows[first:last], *arguments)


def score_pairs(scores: Scores | GroupedScores, rng: np.random.Generator) -> tuple[ScorePairs, Classes, Classes]:
    """Group people who have the same scores with everyone, and make all gains positive."""
    released, known = (each.shuffle(rng) for each in scores.classes())
    chosen = scores.between(released.first, known.first)
    chosen.sort_indices()
    low, high = float(chosen.data.min(initial=0.0)), float(chosen.data.max(initial=0.0))
    if scores.absent == "forbidden":
        fewer = min(len(released.label), len(known.label))
        lift = (high - low + 1.0) * (fewer + 1) - low
        return ScorePairs(chosen, lift, -1.0), released, known
    return ScorePairs(chosen, -low, -low), released, known
