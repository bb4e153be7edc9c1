"""The attack on exact shares by someone who knows half of the events behind them.

Shares that were not rounded give away the whole counts behind them, up to a factor. Someone who knows a random half of
a person's events knows counts that these contain, about half of each: ``P(k of c) = C(c, k) / 2^c`` at each place. The
likeliest pairs are found far more often than by comparing shares.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from singleout._kernels import halves
from singleout.ground.arrays import Flags, Floats
from singleout.ground.parallel import map_tiles
from singleout.similarity.comparison import MOST_PAIRS
from singleout.similarity.own_attack import OwnAttack
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

LARGEST_FACTOR = 8
UNLIKELY = 20.0
"""Factors are tried where the counts of somebody's places are all divisible by them more often than e to minus this."""
LARGEST_COUNT = 2**22
CANDIDATES = 32
"""The likeliest pairs of everyone on either side; more would take longer to match, and are never true."""


def can_compare_halves(released: Histograms, known: Histograms) -> bool:
    """Whether there are whole counts on both sides, few enough people for all pairs, and no channels."""
    if released.channels is not None or known.channels is not None:
        return False
    largest = max(side.counts.data.max(initial=0) for side in (released, known))
    whole = all(side.counts.dtype.kind == "i" for side in (released, known))
    return whole and len(released) * len(known) <= MOST_PAIRS and largest * LARGEST_FACTOR <= LARGEST_COUNT


def log_likelihoods(released: Histograms, known: Histograms) -> Floats:
    """Of every released person, by row, with everyone known."""
    mine, theirs = released.counts, known.counts
    totals = np.asarray(theirs.sum(axis=1), dtype=np.float64).ravel()
    _, rows, others = np.intersect1d(*comparable(released.places, known.places), return_indices=True)
    # counts of places that nobody known visits take part as well: they are a column in which nobody is
    column = np.full(mine.shape[1], len(rows))
    column[rows] = np.arange(len(rows))
    by_column = sparse.csc_array(theirs[:, others])
    starts = np.append(by_column.indptr, by_column.indptr[-1]).astype(np.int64)
    places = np.diff(mine.indptr)
    multiples = np.ones(len(released), dtype=np.int64)
    for factor in range(2, LARGEST_FACTOR + 1):
        multiples[places * np.log(factor) <= UNLIKELY] = factor
    largest = max(int(side.data.max(initial=0)) for side in (mine, theirs)) * LARGEST_FACTOR
    arguments = (
        mine.indptr.astype(np.int64),
        column[mine.indices].astype(np.int64),
        mine.data.astype(np.int64),
        multiples,
        starts,
        by_column.indices.astype(np.int64),
        by_column.data.astype(np.int64),
        totals,
        gammaln(np.arange(largest + 1) + 1.0),
    )
    parts = map_tiles(halves.half_likelihoods, len(released), *arguments, label="comparing counts", progress=False)
    return np.concatenate(parts) if parts else np.zeros((0, len(known)))


def _likeliest(table: Floats) -> Flags:
    """Those that are at least as likely as the last of the first few of their row."""
    if table.shape[1] <= CANDIDATES:
        return np.ones(table.shape, dtype=bool)
    least = np.partition(table, -CANDIDATES, axis=1)[:, -CANDIDATES]
    return table >= least[:, None]


class HalfCounts(OwnAttack):
    """Scores of whole counts behind a file with what is known: how likely the latter is a half of the former."""

    def __init__(self) -> None:
        super().__init__("half_counts", log_likelihoods)

    def scores(self, released: Histograms, known: Histograms) -> Scores:
        """The likeliest pairs of everyone; without ids, so that no order of people can help."""
        table = log_likelihoods(released, known)
        kept = _likeliest(table) | _likeliest(table.T).T
        rows, columns = np.nonzero(kept)
        # a stored zero is a score, but the least one is best told from none
        values = table[rows, columns] - float(table.min(initial=0.0)) + 1.0
        matrix = sparse.csr_array((values, (rows, columns)), shape=table.shape)
        return Scores(matrix, released.people, known.people, absent="forbidden")


HALF_COUNTS = HalfCounts()
