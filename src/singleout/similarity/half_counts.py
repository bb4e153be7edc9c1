"""The attack on exact shares by someone who knows half of the events behind them.

Shares that were not rounded show the whole counts behind them, up to a factor. Someone who knows a random half of
a person's events knows counts that these contain, about half of each: ``P(k of c) = C(c, k) / 2^c`` at each place. Over
all rows that says how likely each is someone's; pairs are those that are likeliest over all matchings. They are found
far more often than by comparing shares.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from singleout._kernels import halves
from singleout.ground.arrays import Floats
from singleout.ground.parallel import map_tiles
from singleout.similarity.grouped_scores import GroupedScores, equal_rows
from singleout.similarity.likeliest import TINY, LikelihoodAttack, likeliest, marginals, possible_rows
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

LABEL = "comparing counts"
LARGEST_FACTOR = 8
UNLIKELY = 20.0
"""Factors are tried where the counts of somebody's places are all divisible by them more often than e to minus this."""
LARGEST_COUNT = 2**22
"""Up to which logarithms of factorials are looked up."""
MOST_PAIRS, MOST_TERMS = 2**28, 2**31
"""Pairs of people, and places that two have in common over all pairs: some twenty seconds. With noise everyone is at
half of all places."""
MOST_KEPT = 2**24
"""Pairs of which a table is kept, some 0.4 gigabytes while it is scaled."""
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


def log_posteriors(first: int, last: int, size: Floats, share: float, own: Floats, *arrays: Any) -> Floats:
    """Of some known people with each different row: how likely it is that one person with that row is they.

    How likely a half is under a row says which row is likeliest for a person, but not which person for a row: people
    of whom little is known would be likely under all of them. Of a file of which only a ``share`` of the rows is there,
    the likeliest row, or one with twice what is known (``own``), stands for a person's own; the others for all others.
    """
    likely = halves.half_likelihoods(first, last, *arrays)
    most = likely.max(axis=1, keepdims=True)
    rest = np.exp(likely - most) @ size - 1.0
    known = np.maximum(most[:, 0], own[first:last] if share < 1.0 else most[:, 0])
    found: Floats = likely - np.logaddexp(known, most[:, 0] + np.log(np.maximum(rest / share, TINY)))[:, None]
    return found


def likeliest_pairs(released: Histograms, known: Histograms, share: float = 1.0) -> GroupedScores:
    """Scores of the likeliest pairs of everyone on either side: how likely each is over all matchings, and one more.

    Where the table of all pairs is too large to be kept, or only a ``share`` of the released rows is there, how likely
    each is by itself, in logarithms.
    """
    groups = equal_rows(released, released.counts), equal_rows(known, known.counts)
    mine, theirs = released.only_rows(groups[0].first), known.only_rows(groups[1].first)
    sizes = [each.size.astype(np.float64) for each in groups]
    arrays = sizes[0], share, _twice_what_is_known(theirs), *arrays_of(mine, theirs)
    if share == 1.0 and len(mine) * len(theirs) <= MOST_KEPT:
        parts = map_tiles(log_posteriors, len(theirs), *arrays, label=LABEL, progress=False)
        table = marginals(np.exp(np.concatenate(parts)), (sizes[1], sizes[0]))
        person, row, value = likeliest(possible_rows, len(theirs), len(mine), table, label=LABEL)
        least = 0.0
    else:
        person, row, value = likeliest(log_posteriors, len(theirs), len(mine), *arrays, label=LABEL)
        least = float(value.min())
    scores = sparse.csr_array((value - least + 1.0, (row, person)), shape=(len(mine), len(theirs)))
    return GroupedScores(scores, groups)


def _twice_what_is_known(known: Histograms) -> Floats:
    """How likely what is known of each person is under a row with twice as much, as their own is likely to have."""
    counts = known.counts.astype(np.float64)
    number = counts.data
    counts.data = gammaln(2 * number + 1) - 2 * gammaln(number + 1) - 2 * number * halves.LN_2
    found: Floats = np.asarray(counts.sum(axis=1)).ravel()
    return found


def arrays_of(released: Histograms, known: Histograms) -> Arrays:
    """What the kernel takes: known counts by person, released ones by column."""
    mine, theirs = released.counts, known.counts
    totals = np.asarray(theirs.sum(axis=1), dtype=np.float64).ravel()
    _, columns, others = np.intersect1d(*comparable(released.places, known.places), return_indices=True)
    by_person, by_column = sparse.csr_array(theirs[:, others]), sparse.csc_array(mine[:, columns])
    places = np.diff(mine.indptr)
    multiples = np.ones(len(released), dtype=np.int64)
    for factor in range(2, LARGEST_FACTOR + 1):
        multiples[places * np.log(factor) <= UNLIKELY] = factor
    factors = np.arange(1, multiples.max(initial=1) + 1)
    # counts at places that nobody known visits take part as well, and all are divisible by chance once in as many times
    events = np.asarray(mine.sum(axis=1), dtype=np.float64).ravel()
    base = -events[:, None] * factors * halves.LN_2 - places[:, None] * np.log(factors)
    largest = min(max(int(side.data.max(initial=0)) for side in (mine, theirs)) * LARGEST_FACTOR, LARGEST_COUNT)
    by = [each.astype(np.int64) for each in (by_person.indptr, by_person.indices, by_person.data)]
    of = [each.astype(np.int64) for each in (by_column.indptr, by_column.indices, by_column.data)]
    return *by, totals, *of, multiples, base, gammaln(np.arange(largest + 1) + 1.0)


HALF_COUNTS = LikelihoodAttack("half_counts", likeliest_pairs)
"""Scores of whole counts behind a file with what is known: how likely the latter is a half of the former."""


def half_counts_of(share: float) -> LikelihoodAttack:
    """The same where only a share of the released rows is there."""
    return LikelihoodAttack(HALF_COUNTS.name, partial(likeliest_pairs, share=share))
