"""The likelihood of known halves of counts against its definition, and what it finds that shares hide."""

import math

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp

import singleout as so
from singleout._kernels.halves import half_likelihoods
from singleout.similarity import half_counts
from singleout.similarity.half_counts import (
    FEWEST_COMPARED,
    HALF_COUNTS,
    MOST_PAIRS,
    arrays_of,
    can_compare_halves,
    likeliest_pairs,
    people_to_compare,
)
from singleout.similarity.likeliest import CANDIDATES, marginals
from tests.grouped import of_people as everyone
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
    return half_likelihoods(0, len(known), *arrays_of(released, known)).T


def probabilities(released, known):
    """How likely each pair is over all matchings, one person for each row of the table."""
    table = log_likelihoods(released, known).T
    likely = np.exp(table - logsumexp(table, axis=1, keepdims=True))
    return marginals(likely).T


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
    table = probabilities(released, known)
    joint = so.match(released, known, similarity=HALF_COUNTS)
    rows, columns = linear_sum_assignment(-table)
    assert table[joint.released, joint.known].sum() == pytest.approx(table[rows, columns].sum())
    for by, axis in (("released", 1), ("known", 0)):
        alone = so.match(released, known, similarity=HALF_COUNTS, method="one-by-one", by=by)
        chosen = table[alone.released, alone.known]
        own = alone.released if by == "released" else alone.known
        assert chosen == pytest.approx(table.max(axis=axis)[own])


@pytest.mark.parametrize("kept", [True, False], ids=["over all matchings", "by itself"])
@pytest.mark.parametrize("people", [4, 300])
def test_the_likeliest_pairs_are_those_of_everyone(people, kept, monkeypatch):
    """Whatever the tiles: ties with the last of them are among them."""
    released, known, *_ = sides(people=people, places=4, seed=5)
    if kept:
        table = probabilities(released, known)
        table[table == 0] = -np.inf
    else:
        monkeypatch.setattr(half_counts, "MOST_KEPT", 0)
        table = log_likelihoods(released, known)
        table = table - logsumexp(table, axis=0, keepdims=True)
    # people with equal counts are one: the likeliest are so many different ones
    (first, label), (other, column) = (
        np.unique(side.counts.toarray(), axis=0, return_index=True, return_inverse=True)[1:]
        for side in (released, known)
    )
    of_groups = table[first][:, other]
    sizes = [min(number, CANDIDATES) for number in of_groups.shape]
    least = np.sort(of_groups, axis=1)[:, -sizes[1]][:, None], np.sort(of_groups, axis=0)[-sizes[0]]
    close = 1e-9  # sums of groups and of people are rounded differently
    expected = ((of_groups >= least[0] - close) | (of_groups >= least[1] - close)) & (of_groups > -np.inf)
    found = everyone(likeliest_pairs(released, known)).toarray()
    surely = ((of_groups >= least[0] + close) | (of_groups >= least[1] + close)) & (of_groups > -np.inf)
    assert (found[surely[label][:, column]] > 0).all()
    assert not found[~expected[label][:, column]].any()
    there = found > 0
    assert np.ptp(found[there] - table[there]) == pytest.approx(0, abs=1e-9)


def test_of_whom_little_is_known_is_not_everyones_likeliest():
    """A half is likely under many rows if it is small: only over all rows it says which person a row is."""
    rng = np.random.default_rng(2)
    counts = rng.poisson(rng.gamma(3, 0.5, size=(600, 8))) + np.eye(600, 8, dtype=int)
    released = so.Histograms(counts, range(600), range(8))
    known = so.Histograms(rng.binomial(counts, 0.5), range(600), range(8))
    found = so.match(released, known, similarity=HALF_COUNTS, method="one-by-one", by="released")
    table = log_likelihoods(released, known)
    undivided = (table.argmax(axis=1) == np.arange(600)).mean()
    assert so.accuracy(found).rate.value > 1.5 * undivided


def test_only_whole_counts_without_channels_are_compared():
    released, known, *_ = sides()
    assert can_compare_halves(released, known)
    assert not can_compare_halves(so.Histograms(released.counts / 2, released.people, released.places), known)


def test_where_there_are_too_many_pairs_some_people_are_compared_with_everyone():
    released, known, *_ = sides()
    assert people_to_compare(released, known) is None
    many = so.Histograms(np.arange(1, 20_001)[:, None], range(20_000), [1])
    assert people_to_compare(many, many) == MOST_PAIRS // 20_000
    counts = np.ones((1_500, 1_000), dtype=int)
    counts[:, 0] += np.arange(1_500)
    everywhere = so.Histograms(counts, range(1_500), range(1_000))
    assert people_to_compare(everywhere, everywhere) == 1_431, "over two billion places in common"
    most = so.Histograms(np.arange(1, 400_001)[:, None], range(400_000), [1])
    assert people_to_compare(most, most) == FEWEST_COMPARED


def test_people_with_equal_counts_are_compared_once():
    """A million people at one place have few different counts: no draw is needed, and no table of a million."""
    counts = np.random.default_rng(0).integers(1, 9, size=(1_000_000, 1))
    many = so.Histograms(counts, range(1_000_000), [1])
    assert people_to_compare(many, many) is None
    assert likeliest_pairs(many, many).table.nnz <= 8 * 8


@pytest.mark.parametrize("seed", range(3))
def test_groups_are_matched_as_their_people_would_be(seed):
    """The same total and the same chances as by a table of everyone, where many have equal counts."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.7, size=(200, 3)) + np.eye(200, 3, dtype=int)
    known = so.Histograms(rng.binomial(counts, 0.5), range(200), range(3))
    released = so.Histograms(counts, range(200), range(3))
    table = so.Scores(everyone(likeliest_pairs(released, known)), range(200), range(200), absent="forbidden")
    for found, expected in (
        (so.match(released, known, similarity=HALF_COUNTS), so.assign(table)),
        (so.match(released, known, similarity=HALF_COUNTS, method="one-by-one"), None),
    ):
        by_hand = table.matrix.toarray().max(axis=1).sum() if expected is None else -expected.costs.sum()
        assert len(found) == (200 if expected is None else len(expected))
        assert -found.costs.sum() == pytest.approx(by_hand)


@pytest.mark.kernels
def test_large_counts_are_as_likely_as_their_definition_says(monkeypatch):
    """Seconds of a year; above what is looked up, logarithms of factorials are computed."""
    monkeypatch.setattr(half_counts, "LARGEST_COUNT", 1_000)
    counts = np.array([[9_000, 40, 0], [31_000_000, 7, 12]])
    known = np.array([[4_400, 22, 0], [15_503_000, 2, 9]])
    released, theirs = (so.Histograms(each, range(2), range(3)) for each in (counts, known))
    ways = [
        [sum(math.lgamma(c + 1) - math.lgamma(k + 1) - math.lgamma(c - k + 1) - c * math.log(2) for c, k in pairs)]
        for pairs in (zip(mine, own, strict=True) for mine, own in zip(counts, known, strict=True))
    ]
    found = log_likelihoods(released, theirs)
    assert np.diag(found) == pytest.approx(np.array(ways).ravel(), abs=1e-5)
