"""The likelihood of counts with noise, given half of the events, against its definition; and what it finds."""

import numpy as np
import pytest
from scipy.special import logsumexp

import singleout as so
from singleout.assessment.noise_attack import COUNTS, compare_counts
from singleout.similarity import noisy_halves
from singleout.similarity.noisy_halves import (
    NOISY_HALVES,
    _common,
    _rates,
    can_compare_noise,
    estimate_epsilon,
    likeliest_noisy,
    noise_table,
)
from tests.grouped import of_people as everyone
from tests.reference.noise import each_as_likely_as_all_matchings, noisy_half_likelihood


def sides(people=20, places=5, seed=0, epsilon=0.5, names=int):
    """Counts with noise, and half of the events behind them, at some places that the other side does not have."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(0.6, 8, size=(people, places))) + np.eye(people, places, dtype=int)
    there = [names(place) for place in range(places + 1)]
    noisy = so.add_noise(so.Histograms(counts, range(people), there[:-1]), epsilon=epsilon, seed=seed)
    known = rng.binomial(counts, 0.5)
    return noisy, so.Histograms(np.column_stack([known[:, 1:], known[:, 0]]), range(people), there[1:])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("names", [str, int], ids=["text", "numbers"])
def test_probabilities_are_those_of_the_definition(seed, names):
    released, known = sides(seed=seed, names=names)
    counts, events = _common(released, known)
    shape, rate = _rates(events)
    largest = max(int(counts.max()), 2 * int(events.data.max()) + 20)
    epsilon = estimate_epsilon(counts, shape, rate, largest)
    table = np.array(
        [
            [noisy_half_likelihood(row, mine, shape, rate, epsilon, largest) for row in counts.tolist()]
            for mine in events.toarray().tolist()
        ]
    )
    expected = np.array(
        each_as_likely_as_all_matchings(np.exp(table - logsumexp(table, axis=1, keepdims=True)).tolist())
    )
    found = everyone(likeliest_noisy(released, known)).toarray()
    assert (found > 0).all(), "so few people are all candidates"
    assert found - 1.0 == pytest.approx(expected.T, abs=1e-9)


def test_noise_is_what_add_noise_adds():
    one = so.Histograms(np.full((4_000, 50), 3), range(4_000), range(50))
    noisy = so.add_noise(one, epsilon=0.7, seed=1).counts.toarray().ravel()
    shares = np.bincount(noisy, minlength=13)[:13] / noisy.size
    assert shares == pytest.approx(noise_table(12, 0.7)[3], abs=0.003)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_how_much_noise_there_is_follows_from_the_counts_of_all(epsilon):
    released, known = sides(people=3_000, places=8, seed=2, epsilon=epsilon)
    counts, events = _common(released, known)
    assert estimate_epsilon(counts, *_rates(events), int(counts.max())) == pytest.approx(epsilon, rel=0.3)


def test_it_finds_more_than_what_differs_least_does():
    released, known = sides(people=1_500, places=8, seed=3)
    exact = so.accuracy(so.match(released, known, similarity=NOISY_HALVES)).rate.value
    others = [
        so.accuracy(so.match(*each, similarity=COUNTS)).rate.value
        for each in compare_counts(released, released.counts, known)
    ]
    assert exact > 1.15 * max(others)


def test_only_few_places_and_small_whole_counts_are_compared(monkeypatch):
    released, known = sides()
    assert can_compare_noise(released, known)
    assert not can_compare_noise(so.Histograms(released.counts / 2, released.people, released.places), known)
    for name, value in (("MOST_PLACES", 3), ("LARGEST_COUNT", 3), ("MOST_STEPS", 30), ("MOST_PAIRS", 30)):
        with monkeypatch.context() as changed:
            changed.setattr(noisy_halves, name, value)
            assert not can_compare_noise(released, known)
