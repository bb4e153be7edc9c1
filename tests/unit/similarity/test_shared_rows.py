"""The likelihood of events under rows that people share against its definition, and what it finds that shares hide."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout.similarity import shared_rows
from singleout.similarity.shared_rows import SHARED_ROWS, can_compare_rows, likeliest_rows
from tests.grouped import of_people as everyone
from tests.reference.noise import log_posterior


def sides(groups=8, size=3, places=6, seed=0, names=int):
    """Averages of groups, and half of everyone's events; the sides do not have all places in common."""
    rng = np.random.default_rng(seed)
    people = groups * size
    counts = rng.poisson(rng.gamma(0.5, 8, size=(people, places))) + 1
    group = np.repeat(np.arange(groups), size)
    means = np.array([(counts[group == each] / counts[group == each].sum(axis=1, keepdims=True)).mean(axis=0)
                      for each in range(groups)])  # fmt: skip
    there = [names(place) for place in range(places + 1)]
    known = rng.binomial(counts, 0.5)
    released = so.Histograms(means[group], range(people), there[:-1])
    return released, so.Histograms(np.column_stack([known[:, 1:], known[:, 0]]), range(people), there[1:])


def reference(released, known):
    """By the definition, at the places of both."""
    rows, events = released.counts.toarray(), known.counts.toarray()
    both = rows[:, 1:], events[:, :-1]
    return np.array([log_posterior(both[0].tolist(), mine.tolist()) for mine in both[1]]).T


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("names", [str, int], ids=["text", "numbers"])
def test_probabilities_are_those_of_the_definition(seed, names):
    released, known = sides(seed=seed, names=names)
    found, expected = everyone(likeliest_rows(released, known)).toarray(), reference(released, known)
    assert (found > 0).all(), "so few people are all candidates"
    assert found - found.min() == pytest.approx(expected - expected.min(), abs=1e-9)


def test_everyone_has_candidates_on_the_other_side(monkeypatch):
    """The members of the likeliest rows of everyone known, and the likeliest people for every row."""
    monkeypatch.setattr("singleout.similarity.likeliest.CANDIDATES", 4)
    released, known = sides(groups=20, size=3, seed=2)
    found, expected = everyone(likeliest_rows(released, known)).toarray() > 0, reference(released, known)
    anywhere = known.counts.toarray()[:, :-1].any(axis=1)  # somebody may only be known at a place that is not released
    expected[:, ~anywhere] = -np.inf
    of_known = expected >= np.sort(expected, axis=0)[-3 * shared_rows.ROWS_EACH]
    of_rows = expected >= np.sort(expected, axis=1)[:, -4][:, None]
    assert np.array_equal(found, (of_known | of_rows) & anywhere)


def test_matchings_are_the_likeliest(monkeypatch):
    monkeypatch.setattr(shared_rows, "ROWS_EACH", 30)
    released, known = sides(groups=30, size=4, seed=3)
    table = reference(released, known)
    joint = so.match(released, known, similarity=SHARED_ROWS)
    rows, columns = linear_sum_assignment(-table)
    assert table[joint.released, joint.known].sum() == pytest.approx(table[rows, columns].sum())
    for by, axis in (("released", 1), ("known", 0)):
        alone = so.match(released, known, similarity=SHARED_ROWS, method="one-by-one", by=by)
        own = alone.released if by == "released" else alone.known
        assert table[alone.released, alone.known] == pytest.approx(table.max(axis=axis)[own])


def test_a_row_goes_to_whom_it_is_likeliest_the_row_of_not_to_whom_it_is_most_like():
    released, known = sides(groups=150, size=4, places=4, seed=1)
    asked = {"method": "one-by-one", "by": "released"}
    by_rows, by_shares = (
        so.accuracy(so.match(released, known, similarity=each, **asked)).rate.value for each in (SHARED_ROWS, "js")
    )
    assert by_rows > 1.2 * by_shares


def test_people_without_a_place_in_common_are_no_pairs():
    """Of someone at few places most rows would be equally likely."""
    groups = np.repeat(np.eye(40, dtype=int), 3, axis=0)
    same = [so.Histograms(groups * number, range(120), range(40)) for number in (2, 1)]
    assert everyone(likeliest_rows(*same)).nnz == 120 * 3


def test_only_as_many_pairs_are_compared_as_take_some_seconds(monkeypatch):
    released, known = sides(groups=8, size=3)
    assert can_compare_rows(released, known)
    monkeypatch.setattr(shared_rows, "MOST_PAIRS", 8 * 24 - 1)
    assert not can_compare_rows(released, known)
    monkeypatch.setattr(shared_rows, "MOST_PAIRS", 8 * 24)
    assert can_compare_rows(released, known), "rows that several people share are one row"
    monkeypatch.setattr(shared_rows, "MOST_TERMS", 10)
    assert not can_compare_rows(released, known)
