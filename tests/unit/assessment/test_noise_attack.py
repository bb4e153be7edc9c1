"""Counts recovered from shares, and the likelihood of noise against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout.assessment.noise_attack import COUNTS, compare_counts, may_have_noise, recover_counts
from tests.reference.noise import likelihoods

EPSILON = 0.4


def shares_of(counts):
    counts = np.asarray(counts, dtype=float)
    return so.Histograms(counts / counts.sum(axis=1, keepdims=True), range(len(counts)), range(counts.shape[1]))


@given(st.lists(st.lists(st.integers(0, 400), min_size=4, max_size=4).filter(any), min_size=1, max_size=6))
def test_shares_give_the_least_counts_that_have_them(rows):
    found = recover_counts(shares_of(rows)).toarray()
    least = [np.array(row) // np.gcd.reduce(row) for row in rows]
    assert found.tolist() == [row.tolist() for row in least]


def test_shares_that_are_not_of_whole_counts_are_not_recovered():
    assert recover_counts(so.Histograms([[np.pi, np.e]], ["a"], [1, 2])) is None
    assert list(compare_counts(so.Histograms([[np.pi, np.e]], ["a"], [1, 2]), shares_of([[1, 2]]))) == []


def noisy_sides(seed):
    """Counts with noise and their shares, and what is known: half of each count."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(0.3, 6, size=(40, 12))) + np.eye(40, 12, dtype=int)
    released = so.add_noise(so.Histograms(counts, range(40), range(12)), epsilon=EPSILON, seed=seed)
    known = so.Histograms(rng.binomial(counts, 0.5) + np.eye(40, 12, dtype=int), range(40), range(12))
    return released, known


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("names", [str, int], ids=["text", "numbers"])
def test_pairs_are_as_likely_as_the_noise_makes_them(seed, names):
    released, known = noisy_sides(seed)
    whole = recover_counts(shares_of(released.counts.toarray())).toarray()
    there = [names(place) for place in range(12)]
    file = so.Histograms(whole / whole.sum(axis=1, keepdims=True), range(40), there)
    sides = list(compare_counts(file, so.Histograms(known.counts, range(40), there)))
    for times, (mine, theirs) in zip((1, 2), sides, strict=True):
        likely = likelihoods(whole, times * known.counts.toarray(), EPSILON)
        nearest = so.match(mine, theirs, similarity=COUNTS, method="one-by-one")
        best = likely.max(axis=1)
        chosen = likely[nearest.released, nearest.known]
        assert chosen == pytest.approx(best[nearest.released])
        joint = so.match(mine, theirs, similarity=COUNTS)
        rows, columns = linear_sum_assignment(-likely)
        assert likely[joint.released, joint.known].sum() == pytest.approx(likely[rows, columns].sum())


def test_noise_is_seen_by_places_that_hardly_anyone_visits():
    log = so.synthetic_calls(people=300, seed=1)
    counts = so.histograms(log.events)
    assert not may_have_noise(counts)
    for epsilon in (0.1, 1.0, 2.0):
        assert may_have_noise(so.add_noise(counts, epsilon=epsilon, seed=1))


def test_a_file_with_noise_is_attacked_by_the_likelihood_of_its_counts():
    log = so.synthetic_calls(people=300, seed=1)
    sides = [so.histograms(side) for side in so.split(log.events, by="weeks")]
    found = so.frontier(*sides, [so.Protection.noise([0.15])], inside=(sides[0], [None]))
    plain = so.Protection(
        "noise", [0.15], lambda x, e, trial: so.add_noise(x, epsilon=e, seed=trial.seed), intruder_applies_it=False
    )
    without = so.frontier(*sides, [plain], inside=(sides[0], [None]))
    assert "likelihood of counts" in found.rows[1].attack
    assert found.rows[1].risk.value > without.rows[1].risk.value + 0.05
