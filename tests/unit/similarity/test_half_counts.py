"""The likelihood of known halves of counts against its definition, and what it finds that shares hide."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout._kernels.halves import half_likelihoods
from singleout.similarity.half_counts import (
    CANDIDATES,
    HALF_COUNTS,
    arrays_of,
    can_compare_halves,
    likeliest_pairs,
)
from tests.reference.noise import half_likelihood


def sides(people=12, places=5, seed=0, names=int):
    """Least whole counts behind shares, and half of the events, at some places that the other side does not have."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(0.4, 12, size=(people, places))) + np.eye(people, places, dtype=int)
    least = counts // np.maximum(np.gcd.reduce(counts, axis=1), 1)[:, None]
    known = rng.binomial(counts, 0.5)
    there = [names(place) for place in range(places + 1)]
    return (
        so.Histograms(least, range(people), there[:-1]),
        so.Histograms(known[:, 1:], range(people), there[1:-1]),
        least,
        known,
    )


def log_likelihoods(released, known):
    return half_likelihoods(0, len(released), *arrays_of(released, known))


@pytest.mark.kernels
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("names", [str, int], ids=["text", "numbers"])
def test_likelihoods_are_those_of_the_definition(seed, names):
    released, known, least, theirs = sides(seed=seed, names=names)
    theirs = np.column_stack([np.zeros(len(theirs), dtype=int), theirs[:, 1:]])
    expected = [[half_likelihood(mine.tolist(), row.tolist()) for row in theirs] for mine in least]
    assert log_likelihoods(released, known) == pytest.approx(np.array(expected))


def test_matchings_are_the_likeliest():
    released, known, *_ = sides(people=3 * CANDIDATES, places=9, seed=3)
    table = log_likelihoods(released, known)
    joint = so.match(released, known, similarity=HALF_COUNTS)
    rows, columns = linear_sum_assignment(-table)
    assert table[joint.released, joint.known].sum() == pytest.approx(table[rows, columns].sum())
    for by, axis in (("released", 1), ("known", 0)):
        alone = so.match(released, known, similarity=HALF_COUNTS, method="one-by-one", by=by)
        chosen = table[alone.released, alone.known]
        own = alone.released if by == "released" else alone.known
        assert chosen == pytest.approx(table.max(axis=axis)[own])


@pytest.mark.parametrize("people", [4, 300])
def test_the_likeliest_pairs_are_those_of_everyone(people):
    """Whatever the tiles: ties with the last of them are among them."""
    released, known, *_ = sides(people=people, places=4, seed=5)
    table, kept = log_likelihoods(released, known), likeliest_pairs(released, known)
    number = min(people, CANDIDATES)
    least = (np.sort(table, axis=1)[:, -number][:, None], np.sort(table, axis=0)[-number])
    expected = (table >= least[0]) | (table >= least[1])
    assert np.array_equal(kept.toarray() > 0, expected)
    assert np.diff(kept.toarray()[expected] - table[expected]) == pytest.approx(0, abs=1e-9)


def test_only_whole_counts_without_channels_of_few_enough_people_are_compared():
    released, known, *_ = sides()
    assert can_compare_halves(released, known)
    assert not can_compare_halves(so.Histograms(released.counts / 2, released.people, released.places), known)
    many = so.Histograms(np.ones((12_000, 1), dtype=int), range(12_000), [1])
    assert not can_compare_halves(many, many)
    everywhere = so.Histograms(np.ones((1_500, 1_000), dtype=int), range(1_500), range(1_000))
    assert not can_compare_halves(everywhere, everywhere), "over two billion places in common"
    large = so.Histograms(np.full((2, 1), 2**22), range(2), [1])
    assert not can_compare_halves(large, known)
