"""The attack on rows that several people share: whose known events are most likely under which row.

A row that averages a group says how its members' events are spread, on average. The events that someone is known to
have then have a probability under every row, and these give how likely it is that each row is theirs. A row may be
most like many people, and most likely that of another one, who is like no other row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from singleout.ground.arrays import Floats
from singleout.similarity.grouped_scores import GroupedScores, equal_rows
from singleout.similarity.likeliest import LikelihoodAttack, likeliest
from singleout.statistics.classes import Classes
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

LABEL = "comparing rows that people share"
BACKGROUND = 0.02
"""Share of anyone's events that are like everyone's, whatever their row says: no row is impossible."""
ROWS_EACH = 2
"""The likeliest rows of everyone known."""
MOST_PAIRS, MOST_TERMS = 2**27, 2**31
"""Rows and people, and places that they have in common over all pairs: some ten seconds."""


def can_compare_rows(released: Histograms, known: Histograms) -> bool:
    """Whether there are few enough different rows and people for all pairs, and no channels."""
    if released.channels is not None or known.channels is not None:
        return False
    rows, events = _rows_and_events(released, known)[:2]
    visitors = [np.bincount(side.indices, minlength=side.shape[1]).astype(np.float64) for side in (rows, events)]
    return rows.shape[0] * events.shape[0] <= MOST_PAIRS and float(np.dot(*visitors)) <= MOST_TERMS


def log_posteriors(first: int, last: int, events: sparse.csr_array, weights: sparse.csr_array, size: Floats) -> Floats:
    """Of some known people with each different row: how likely it is that one person with that row is they.

    Minus infinity where they have no place in common: of someone with few events that would be a tie of most rows.
    """
    likely = (events[first:last] @ weights.T).toarray()
    found: Floats = likely - logsumexp(likely, axis=1, b=size, keepdims=True)
    found[likely == 0.0] = -np.inf
    return found


def _rows_and_events(
    released: Histograms, known: Histograms
) -> tuple[sparse.csr_array, sparse.csr_array, tuple[Classes, Classes]]:
    """The different rows as shares, and different known events, at the places that both sides have; and the groups."""
    _, mine, theirs = np.intersect1d(*comparable(released.places, known.places), return_indices=True)
    shares, events = released.shares(), sparse.csr_array(known.counts[:, theirs].astype(np.float64))
    groups = equal_rows(released, shares), equal_rows(known, events)
    return sparse.csr_array(shares[groups[0].first][:, mine]), events[groups[1].first], groups


def likeliest_rows(released: Histograms, known: Histograms) -> GroupedScores:
    """The log-probabilities of the likeliest pairs of everyone on either side, above the least by one or more."""
    rows, events, groups = _rows_and_events(released, known)
    size = groups[0].size.astype(np.float64)
    usual = size @ rows / size.sum()  # people's average share of each place
    weights = rows.tocoo()
    odds = (1.0 - BACKGROUND) / BACKGROUND * weights.data / usual[weights.coords[1]]
    weights = sparse.csr_array((np.log1p(odds), weights.coords), shape=rows.shape)
    asked: dict[str, Any] = {"label": LABEL, "of_row": ROWS_EACH}
    person, row, value = likeliest(log_posteriors, events.shape[0], len(size), events, weights, size, **asked)
    table = sparse.csr_array((value - value.min(initial=0.0) + 1.0, (row, person)), shape=(len(size), events.shape[0]))
    return GroupedScores(table, groups)


SHARED_ROWS = LikelihoodAttack("shared_rows", likeliest_rows)
"""Scores of rows with what is known: how likely it is that a row is someone's."""
