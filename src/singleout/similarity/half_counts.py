"""The attack on exact shares by someone who knows half of the events behind them.

Shares that were not rounded show the whole counts behind them, up to a factor. Someone who knows a random half of
a person's events knows counts that these contain, about half of each: ``P(k of c) = C(c, k) / 2^c`` at each place. The
likeliest pairs are found far more often than by comparing shares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from singleout._kernels import halves
from singleout.ground.arrays import Flags, Floats, Indices
from singleout.ground.parallel import map_tiles
from singleout.similarity.own_attack import OwnAttack
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

LABEL = "comparing counts"
LARGEST_FACTOR = 8
UNLIKELY = 20.0
"""Factors are tried where the counts of somebody's places are all divisible by them more often than e to minus this."""
LARGEST_COUNT = 2**22
MOST_PAIRS, MOST_TERMS = 2**27, 2**31
"""Pairs of people, and places that two have in common over all pairs: some ten seconds. With noise everyone is at half
of all places."""
CANDIDATES = 32
"""The likeliest pairs of everyone on either side; more would take longer to match, and are hardly ever true."""


def can_compare_halves(released: Histograms, known: Histograms) -> bool:
    """Whether there are whole counts on both sides, few enough people and places for all pairs, and no channels."""
    if released.channels is not None or known.channels is not None:
        return False
    largest = max(side.counts.data.max(initial=0) for side in (released, known))
    whole = all(side.counts.dtype.kind == "i" for side in (released, known))
    fits = len(released) * len(known) <= MOST_PAIRS and largest * LARGEST_FACTOR <= LARGEST_COUNT
    return bool(whole and fits and _terms(released, known) <= MOST_TERMS)


def _terms(released: Histograms, known: Histograms) -> int:
    """Places that two people have in common, added up over all pairs."""
    _, rows, others = np.intersect1d(*comparable(released.places, known.places), return_indices=True)
    visitors = [np.bincount(side.counts.indices, minlength=side.counts.shape[1]) for side in (released, known)]
    return int(visitors[0][rows] @ visitors[1][others])


Arrays = tuple[Any, ...]


def likeliest_pairs(released: Histograms, known: Histograms) -> sparse.csr_array:
    """The log-likelihoods of the likeliest pairs of everyone on either side, above the least of all by one or more."""
    parts = map_tiles(_likeliest_of_tile, len(released), *arrays_of(released, known), label=LABEL, progress=False)
    rows, columns, values, best = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.lexsort((-values, columns))
    starts = np.searchsorted(columns[order], np.arange(len(known)))
    last = np.minimum(starts + CANDIDATES, np.append(starts[1:], len(order))) - 1
    kept = best | (values >= values[order][last][columns])
    matrix = (values[kept] - values.min() + 1.0, (rows[kept], columns[kept]))
    return sparse.csr_array(matrix, shape=(len(released), len(known)))


def _likeliest_of_tile(first: int, last: int, *arrays: Any) -> tuple[Indices, Indices, Floats, Flags]:
    """Rows, columns and log-likelihoods of pairs that may be among the likeliest, and which are by their row."""
    table = halves.half_likelihoods(first, last, *arrays)
    best = table >= _least(table)[:, None]
    rows, columns = np.nonzero(best | (table >= _least(table.T)))
    return rows + first, columns, table[rows, columns], best[rows, columns]


def _least(table: Floats) -> Floats:
    """The last of the first few of each row."""
    number = min(CANDIDATES, table.shape[1])
    found: Floats = np.partition(table, -number, axis=1)[:, -number]
    return found


def arrays_of(released: Histograms, known: Histograms) -> Arrays:
    """What the kernel takes: released counts by row, known ones by column."""
    mine, theirs = released.counts, known.counts
    totals = np.asarray(theirs.sum(axis=1), dtype=np.float64).ravel()
    _, rows, others = np.intersect1d(*comparable(released.places, known.places), return_indices=True)
    # counts of places that nobody known visits take part as well: they are a column in which nobody is
    column = np.full(mine.shape[1], len(rows))
    column[rows] = np.arange(len(rows))
    by_column = sparse.csc_array(theirs[:, others])
    starts = np.append(by_column.indptr, by_column.indptr[-1])
    places = np.diff(mine.indptr)
    multiples = np.ones(len(released), dtype=np.int64)
    for factor in range(2, LARGEST_FACTOR + 1):
        multiples[places * np.log(factor) <= UNLIKELY] = factor
    largest = max(int(side.data.max(initial=0)) for side in (mine, theirs)) * LARGEST_FACTOR
    whole = (mine.indptr, column[mine.indices], mine.data, multiples, starts, by_column.indices, by_column.data)
    logs = gammaln(np.arange(largest + 1) + 1.0)
    return *(each.astype(np.int64) for each in whole), totals, logs


class HalfCounts(OwnAttack):
    """Scores of whole counts behind a file with what is known: how likely the latter is a half of the former."""

    def __init__(self) -> None:
        super().__init__("half_counts", likeliest_pairs)

    def scores(self, released: Histograms, known: Histograms) -> Scores:
        """The likeliest pairs of everyone; no order of people can help, since the scores do not depend on it."""
        return Scores(likeliest_pairs(released, known), released.people, known.people, absent="forbidden")


HALF_COUNTS = HalfCounts()
