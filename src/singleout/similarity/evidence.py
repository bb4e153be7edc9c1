"""Evidence: rare places say more than common ones, and people with more events more than people with few.

js counts a visit to a place where everybody goes as much as one to a place where three people go, and trusts a
histogram of one event as much as one of three hundred. Both are mended by factors, of places and of people, that leave
a gain a sum over common places.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from singleout.ground.arrays import Floats

HALF_RELIABLE = 5
"""Events at which a person counts half as much as one with very many."""


def rarity_by_people(known: sparse.csr_array) -> Floats:
    """ln(1 + people / people at the place), over known people with events; most for a place without known people."""
    people = int((np.diff(known.indptr) > 0).sum())
    visitors = np.bincount(known.indices, minlength=known.shape[1])
    return np.log1p(people / np.maximum(visitors, 1))


def rarity_by_visits(known: sparse.csr_array) -> Floats:
    """The root of ln(1 + visits / visits to the place), over known people; a place without visits as one with one.

    In GPS logs most cells with few people are only passed: there visits say better than people what is rare.
    """
    visits = np.bincount(known.indices, known.data, known.shape[1])
    return np.asarray(np.sqrt(np.log1p(visits.sum() / np.where(visits > 0, visits, 1))))


def saturating_reliability(events: Floats) -> Floats:
    """N / (n + 5): nearly the same for everyone with many events."""
    return np.asarray(events / (events + HALF_RELIABLE))


def growing_reliability(events: Floats) -> Floats:
    """The root of ln(1 + n): grows slowly, and without end, so that it also distinguishes long traces."""
    return np.sqrt(np.log1p(events))
