"""The attack on a file with noise: whole counts are recovered from its shares and compared with what is known.

Two-sided geometric noise makes a count less likely by the same factor with each step away from the true one. So the
most likely person is the one whose expected counts differ least from the released ones, all places added up, whatever
the scale of the noise. Similarities of shares miss this: noise puts everyone at half of all places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from scipy import sparse

from singleout._kernels import overlap
from singleout.ground.arrays import Floats, row_slice
from singleout.similarity.own_term import BUILT_IN_KERNELS
from singleout.similarity.registry import Similarity
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, comparable

COUNTS = Similarity("counts", "counts", 0.0, overlap.MINIMUM, BUILT_IN_KERNELS)
"""Twice what two people have in common, in counts; what they have alone is a column of its own (``compare_counts``)."""
TIMES = (1, 2)
"""What is known may be as much as was counted for the file, or half of it."""
LARGEST_TOTAL = 10**6
"""The digits of shares do not say which of larger totals it was."""
ROUNDING = 1e-9
FEWEST = 0.01
"""Of all people; noise puts at least as many at every place, unless there is so little of it that shares tell more."""


def may_have_noise(rows: Histograms) -> bool:
    """Whether even the least visited place has many people, as noise on zeros makes it; few files without noise do."""
    visitors = np.bincount(rows.counts.indices, minlength=rows.counts.shape[1])
    return bool(visitors.min(initial=len(rows)) >= FEWEST * len(rows))


def compare_counts(rows: Histograms, known: Histograms) -> Iterator[tuple[Histograms, Histograms]]:
    """Both sides such that the best pair by ``COUNTS`` is the likeliest; none where the shares are not of whole counts.

    The likelihood of expected counts e, given released ones r, grows with 2 Σ min(r, e) - Σ e. Its second part is one
    more column, of which everyone released has enough; all is doubled, so that it is a whole number.
    """
    counts = recover_counts(rows)
    if counts is None or rows.channels is not None or known.channels is not None:
        return
    places = comparable(rows.places, known.places)
    new = _unused_place(*places)
    for times in TIMES:
        expected = sparse.csr_array(known.counts * times)
        totals = np.asarray(expected.sum(axis=1)).ravel()
        enough = np.full(len(rows), 2 * totals.max())
        yield (
            _with_column(rows, 2 * counts, places[0], enough, new),
            _with_column(known, 2 * expected, places[1], totals.max() - totals, new),
        )


def recover_counts(rows: Histograms) -> sparse.csr_array | None:
    """The least whole counts that have the shares of a file; None where a row has none."""
    shares = rows.counts.astype(np.float64)
    for row in range(shares.shape[0]):
        piece = row_slice(shares, row)
        total = _least_total(shares.data[piece])
        if not total:
            return None
        shares.data[piece] = np.round(shares.data[piece] * total)
    return shares


def _least_total(shares: Floats) -> int:
    """The least number of which all shares are whole parts; 0 where there is none."""
    total = 1
    while True:
        parts = shares * total
        broken = np.flatnonzero(np.abs(parts - np.round(parts)) > ROUNDING * total)
        if not len(broken):
            return total
        # of the broken ones the last is as good as any
        total *= Fraction(float(parts[broken[-1]])).limit_denominator(LARGEST_TOTAL // total).denominator
        if total > LARGEST_TOTAL // 2:
            return 0


def _unused_place(first: Ids, second: Ids) -> object:
    """A place that neither side has, and that comes after all others."""
    last = max((side.max() for side in (first, second) if len(side)), default=0)
    return f"{last}+" if isinstance(last, str) else last + 1


def _with_column(side: Histograms, counts: sparse.csr_array, places: Ids, column: Floats, place: object) -> Histograms:
    wider = sparse.hstack([counts, sparse.csr_array(column[:, None])], format="csr")
    return replace(side, counts=wider, places=np.append(places, np.array([place], dtype=places.dtype)), records=None)
