"""The attack on counts with noise by someone who knows a random half of the events behind them.

What is known of a place says how many events there may be in all: rates differ between people as a gamma distribution
does, fitted to what is known of everyone, so the other half is negative binomial. Two-sided geometric noise, cut at
zero, is added to that. How much noise there is follows from the released counts of all people together.

Noise leaves many matchings nearly as likely as the best one. So pairs are not those of the likeliest matching: they are
chosen by how likely each is, all matchings taken together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln, logsumexp

from singleout.ground.arrays import Floats, Indices
from singleout.ground.parallel import map_tiles
from singleout.similarity.grouped_scores import GroupedScores, equal_rows
from singleout.similarity.likeliest import TINY, LikelihoodAttack, likeliest, marginals, possible_rows
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

LABEL = "comparing counts with noise"
MOST_PLACES, LARGEST_COUNT, MOST_STEPS = 200, 1_000, 2**29
"""With many places or large counts the likelihood of noise alone says nearly as much, in less time; steps are places
of known people times released people, some five seconds."""
MOST_PAIRS = 2**25
"""The table of all pairs is kept: a quarter of a gigabyte."""
BUDGETS = np.geomspace(0.02, 5.0, 30)
"""Values of epsilon, of which the likeliest is taken."""
LEAST, MOST = 0.05, 50.0
"""Of the shape of the distribution of rates: a fit to few people may be extreme."""


def can_compare_noise(released: Histograms, known: Histograms) -> bool:
    """Whether there are few enough people, places and events, in whole counts without channels."""
    if released.channels is not None or known.channels is not None:
        return False
    if any(side.counts.dtype.kind != "i" for side in (released, known)):
        return False
    counts, events = _common(released, known)
    largest = max(counts.max(initial=0), events.data.max(initial=0))
    few = 0 < counts.shape[1] <= MOST_PLACES and len(released) * len(known) <= MOST_PAIRS
    return bool(few and largest <= LARGEST_COUNT and events.nnz * len(released) <= MOST_STEPS)


def _common(released: Histograms, known: Histograms) -> tuple[Indices, sparse.csr_array]:
    """Released counts and known events at the places that both sides have."""
    _, mine, theirs = np.intersect1d(*comparable(released.places, known.places), return_indices=True)
    return released.counts[:, mine].toarray(), sparse.csr_array(known.counts[:, theirs])


def noise_table(largest: int, epsilon: float) -> Floats:
    """How likely each released count is, by column, for each true one, by row."""
    fall, number = float(np.exp(-epsilon)), np.arange(largest + 1)
    found: Floats = (1 - fall) / (1 + fall) * fall ** np.abs(number[:, None] - number[None, :])
    found[:, 0] = fall**number / (1 + fall)
    return found


def _rates(events: sparse.csr_array) -> tuple[Floats, Floats]:
    """Shape and rate of the gamma distribution of people's rates at each place, by moments."""
    people = events.shape[0]
    mean = np.maximum(np.asarray(events.sum(axis=0)).ravel() / people, 0.5 / people)
    square = np.asarray(events.multiply(events).sum(axis=0)).ravel() / people
    shape = np.clip(mean**2 / np.maximum(square - mean**2 - mean, TINY), LEAST, MOST)
    return shape, shape / mean


def _negative_binomial(size: Floats, chance: Floats, largest: int) -> Floats:
    """Its probabilities up to a number, by row; parameters by row."""
    number = np.arange(largest + 1)
    log = gammaln(number + size[:, None]) - gammaln(size)[:, None] - gammaln(number + 1)
    found: Floats = np.exp(log + size[:, None] * np.log(chance)[:, None] + number * np.log1p(-chance)[:, None])
    return found


def estimate_epsilon(counts: Indices, shape: Floats, rate: Floats, largest: int) -> float:
    """The budget under which the released counts of all people together are likeliest."""
    true = _negative_binomial(shape, rate / (rate + 2), largest)  # of twice what is known
    seen = np.array([np.bincount(column, minlength=largest + 1) for column in counts.T])
    fits = [float((seen * np.log(np.maximum(true @ noise_table(largest, each), TINY))).sum()) for each in BUDGETS]
    return float(BUDGETS[int(np.argmax(fits))])


def log_tables(counts: Indices, events: sparse.csr_array) -> Floats:
    """How likely each released count (last axis) is at a place (first axis) for each number of known events there."""
    known = int(events.data.max(initial=0))
    largest = min(max(int(counts.max(initial=0)), 2 * known + 20), LARGEST_COUNT)
    shape, rate = _rates(events)
    noise = noise_table(largest, estimate_epsilon(counts, shape, rate, largest))
    found = np.empty((counts.shape[1], known + 1, largest + 1))
    for number in range(known + 1):
        other = _negative_binomial(shape + number, (rate + 1) / (rate + 2), largest)
        true = np.zeros_like(other)
        true[:, number:] = other[:, : largest + 1 - number]
        found[:, number] = np.log(np.maximum(true @ noise, TINY))
    return found


def log_posteriors(first: int, last: int, events: Any, counts: Indices, tables: Floats, base: Floats) -> Floats:
    """Of some known people with each released row: how likely it is that it is theirs."""
    found = np.repeat(base[None, :], last - first, axis=0)
    for row in range(first, last):
        for entry in range(events.indptr[row], events.indptr[row + 1]):
            place, number = events.indices[entry], events.data[entry]
            found[row - first] += (tables[place, number] - tables[place, 0])[counts[:, place]]
    normalised: Floats = found - logsumexp(found, axis=1, keepdims=True)
    return normalised


def table_of(released: Histograms, known: Histograms) -> Floats:
    """How likely it is that each released row, by column, is that of each known person, by row."""
    counts, events = _common(released, known)
    tables = log_tables(counts, events)
    base = np.sum([tables[place, 0][counts[:, place]] for place in range(counts.shape[1])], axis=0)
    parts = map_tiles(log_posteriors, len(known), events, counts, tables, base, label=LABEL, progress=False)
    return marginals(np.exp(np.concatenate(parts)))


def likeliest_noisy(released: Histograms, known: Histograms) -> GroupedScores:
    """The probabilities of the likeliest pairs of everyone on either side, and one more."""
    counts, events = _common(released, known)
    groups = equal_rows(released, sparse.csr_array(counts)), equal_rows(known, events)
    table = table_of(released, known)[groups[1].first][:, groups[0].first]
    person, row, value = likeliest(possible_rows, *table.shape, table, label=LABEL)
    return GroupedScores(sparse.csr_array((value + 1.0, (row, person)), shape=table.T.shape), groups)


NOISY_HALVES = LikelihoodAttack("noisy_halves", likeliest_noisy)
"""Scores of counts with noise: how likely they are for someone of whose events half are known."""
