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
from singleout.similarity.grouped_scores import GroupedScores, equal_rows
from singleout.similarity.likeliest import LikelihoodAttack, likeliest
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

LABEL = "comparing counts"
LARGEST_FACTOR = 8
UNLIKELY = 20.0
"""Factors are tried where the counts of somebody's places are all divisible by them more often than e to minus this."""
LARGEST_COUNT = 2**22
"""Up to which logarithms of factorials are looked up."""
MOST_PAIRS, MOST_TERMS = 2**27, 2**31
"""Pairs of people, and places that two have in common over all pairs: some ten seconds. With noise everyone is at half
of all places."""
FEWEST_COMPARED = 1_000
"""People of one side who are compared with everyone on the other where that is more pairs: with fewer, intervals would
be wide, and small limits never be met."""


def can_compare_halves(released: Histograms, known: Histograms) -> bool:
    """Whether there are whole counts on both sides, and no channels."""
    if released.channels is not None or known.channels is not None:
        return False
    return all(side.counts.dtype.kind == "i" for side in (released, known))


def people_to_compare(released: Histograms, known: Histograms) -> int | None:
    """Of how many people on one side all pairs with the other can be compared; None: of everyone."""
    few = [side.only_rows(equal_rows(side, side.counts).first) for side in (released, known)]
    pairs, terms = len(few[0]) * len(few[1]), _terms(*few)
    share = min(1.0, MOST_PAIRS / max(pairs, 1), MOST_TERMS / max(terms, 1))
    return None if share >= 1.0 else max(FEWEST_COMPARED, int(share * min(len(released), len(known))))


def _terms(released: Histograms, known: Histograms) -> int:
    """Places that two people have in common, added up over all pairs."""
    _, rows, others = np.intersect1d(*comparable(released.places, known.places), return_indices=True)
    visitors = [np.bincount(side.counts.indices, minlength=side.counts.shape[1]) for side in (released, known)]
    return int(visitors[0][rows] @ visitors[1][others])


Arrays = tuple[Any, ...]


def likeliest_pairs(released: Histograms, known: Histograms) -> GroupedScores:
    """The log-likelihoods of the likeliest pairs of everyone on either side, above the least of all by one or more."""
    groups = equal_rows(released, released.counts), equal_rows(known, known.counts)
    mine, theirs = released.only_rows(groups[0].first), known.only_rows(groups[1].first)
    arrays = arrays_of(mine, theirs)
    rows, columns, values = likeliest(halves.half_likelihoods, len(mine), len(theirs), *arrays, label=LABEL)
    table = sparse.csr_array((values - values.min() + 1.0, (rows, columns)), shape=(len(mine), len(theirs)))
    return GroupedScores(table, groups)


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
    largest = min(max(int(side.data.max(initial=0)) for side in (mine, theirs)) * LARGEST_FACTOR, LARGEST_COUNT)
    whole = (mine.indptr, column[mine.indices], mine.data, multiples, starts, by_column.indices, by_column.data)
    logs = gammaln(np.arange(largest + 1) + 1.0)
    return *(each.astype(np.int64) for each in whole), totals, logs


HALF_COUNTS = LikelihoodAttack("half_counts", likeliest_pairs)
"""Scores of whole counts behind a file with what is known: how likely the latter is a half of the former."""
