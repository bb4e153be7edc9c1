"""Attacks on the whole counts behind the shares of a file: recovered from the shares, and compared with what is known.

Without noise what is known is a part of them (``similarity.half_counts``). Two-sided geometric noise makes a count less
likely by the same factor with each step away from the true one. So the most likely person is the one whose expected
counts differ least from the released ones, all places added up, whatever the scale of the noise. Similarities of shares
miss this: noise puts everyone at half of all places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from scipy import sparse

from singleout._kernels import overlap
from singleout.ground.arrays import Floats, row_slice
from singleout.ground.notes import Note, nonzero
from singleout.matching.matching import PreparedSides
from singleout.similarity.half_counts import HALF_COUNTS, can_compare_halves
from singleout.similarity.noisy_halves import NOISY_HALVES, can_compare_noise
from singleout.similarity.own_term import BUILT_IN_KERNELS
from singleout.similarity.registry import Compared, Similarity
from singleout.similarity.shared_rows import SHARED_ROWS
from singleout.statistics.classes import Classes
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, comparable

COUNTS = Similarity("counts", "counts", 0.0, overlap.MINIMUM, BUILT_IN_KERNELS)
"""Twice what two people have in common, in counts; what they have alone is a column of its own (``compare_counts``)."""
BY_COUNTS: tuple[Compared, ...] = (HALF_COUNTS, COUNTS, NOISY_HALVES)
"""Attacks on the counts behind shares, all but the first where there may be noise."""
BY_LIKELIHOOD: tuple[Compared, ...] = (*BY_COUNTS, SHARED_ROWS)
"""These, and the attack on averages of groups, behind which there are no counts of one person."""
TIMES = (1, 2)
"""What is known may be as much as was counted for the file, or half of it."""
EXACT = 2.0**-50
"""How far a share read from a file may be from the fraction it stands for, as a part of itself: its last few bits."""
BY_CHANCE = 0.01
"""How likely an arbitrary number may be to pass for a fraction; its other shares have to be such parts as well."""
LARGEST_TOTAL = 10**12
"""Of larger totals nearly every number is a whole part, as exactly as shares are stored."""
FEWEST_DIGITS = 3
ALL_DIGITS = 10**17
"""A fraction of a power of ten this large is a number that was rounded; a small one may be what was counted."""
FEWEST = 0.01
"""Of all people; noise puts at least as many at every place, unless there is so little of it that shares tell more."""


def may_have_noise(rows: Histograms, classes: Classes) -> bool:
    """Whether even the least visited place has many people, as noise on zeros makes it, and most rows are unique.

    Few files without noise are like that.
    """
    visitors = np.bincount(rows.counts.indices, minlength=rows.counts.shape[1])
    alone = np.count_nonzero(classes.size == 1)
    return bool(visitors.min(initial=len(rows)) >= FEWEST * len(rows) and 2 * alone > len(rows))


def compare_counts(
    rows: Histograms, counts: sparse.csr_array, known: Histograms
) -> Iterator[tuple[Histograms, Histograms]]:
    """Both sides such that the best pair by ``COUNTS`` is the likeliest; ``counts`` are those behind the rows' shares.

    The likelihood of expected counts e, given released ones r, grows with 2 Σ min(r, e) - Σ e. Its second part is one
    more column, of which everyone released has enough; all is doubled, so that it is a whole number.
    """
    if rows.channels is not None or known.channels is not None:
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


def sides_by_counts(
    rows: Histograms, counts: sparse.csr_array | None, known: Histograms, noisy: bool, seed: int
) -> Iterator[tuple[PreparedSides, Compared]]:
    """The counts behind the shares of a file and what is known, and how they are compared."""
    if counts is None:
        return
    exact = replace(rows, counts=counts.astype(np.int64), records=None)
    if can_compare_halves(exact, known):
        yield PreparedSides(exact, known, seed=seed, progress=False, as_they_are=True), HALF_COUNTS
    if noisy and can_compare_noise(exact, known):
        yield PreparedSides(exact, known, seed=seed, progress=False, as_they_are=True), NOISY_HALVES
    for sides in compare_counts(rows, counts, known) if noisy else ():
        yield PreparedSides(*sides, seed=seed, progress=False), COUNTS


def note_drawn(number: int | None) -> tuple[Note, ...]:
    """That there are too many pairs of people to compare all by counts."""
    why = "they alone were compared with everyone by the counts behind shares, since there are too many pairs for all; "
    why += "a few more might be found if everyone were"
    return nonzero(Note(number or 0, "people drawn at random", why))


def recover_counts(rows: Histograms) -> sparse.csr_array | None:
    """The least whole counts that have the shares of a file; None where most rows have none, or were rounded.

    Noise makes totals similar: a row whose own total does not follow gets the median of the others.
    """
    shares = rows.counts.astype(np.float64)
    pieces = [row_slice(shares, row) for row in range(shares.shape[0])]
    totals = [least_total(shares.data[piece]) for piece in pieces]
    found = [total for total in totals if total]
    rounded = sum(total >= 10**FEWEST_DIGITS and ALL_DIGITS % total == 0 for total in found)
    if 2 * (len(found) - rounded) <= len(totals):
        return None
    usual = float(np.median(found))
    for piece, total in zip(pieces, totals, strict=True):
        shares.data[piece] = np.round(shares.data[piece] * (total or usual))
    return shares


def least_total(shares: Floats) -> int:
    """The least number of which all shares are whole parts; 0 where their digits do not say."""
    total = 1
    while total <= LARGEST_TOTAL:
        parts = shares * total
        broken = parts[np.abs(parts - np.round(parts)) > EXACT * parts]
        if not len(broken):
            return total
        # the smallest has the most digits after the point
        part = float(broken.min())
        largest = math.isqrt(int(BY_CHANCE / (EXACT * part)))
        factor = Fraction(part).limit_denominator(max(1, largest)).denominator
        if factor == 1:
            return 0
        total *= factor
    return 0


def _unused_place(first: Ids, second: Ids) -> object:
    """A place that neither side has, and that comes after all others."""
    last = max((side.max() for side in (first, second) if len(side)), default=0)
    return f"{last}+" if isinstance(last, str) else last + 1


def _with_column(side: Histograms, counts: sparse.csr_array, places: Ids, column: Floats, place: object) -> Histograms:
    wider = sparse.hstack([counts, sparse.csr_array(column[:, None])], format="csr")
    return replace(side, counts=wider, places=np.append(places, np.array([place], dtype=places.dtype)), records=None)
