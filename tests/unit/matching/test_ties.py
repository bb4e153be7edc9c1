"""Ties are chance: nobody is identified because of where their row stands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from tests.small_matchings import few_counts, sides_of_counts


@pytest.mark.parametrize("similarity", ["js", "l1", "cosine", "dot", "glrt"])
@pytest.mark.parametrize("method", ["joint", "one-by-one"])
@pytest.mark.parametrize("people", [1, 7, 50])
def test_all_identical_histograms_give_one_over_n(similarity, method, people):
    same = np.tile([3, 1, 0, 2], (people, 1))
    found = so.accuracy(so.match(*sides_of_counts(same, same), similarity=similarity, method=method))
    assert found.expected == pytest.approx(1.0)
    assert found.rate.value == pytest.approx(1 / people) == pytest.approx(found.random)


@pytest.mark.parametrize("method", ["joint", "one-by-one"])
def test_scale_alone_tells_nobody_apart_where_only_shares_count(method):
    counts = np.array([[1, 2], [2, 4], [10, 20], [7, 14]])
    for similarity in ("js", "l1", "cosine", "dot"):
        assert so.accuracy(
            so.match(*sides_of_counts(counts, counts), similarity=similarity, method=method)
        ).expected == pytest.approx(1)
    # glrt keeps different lengths apart as classes, yet proportional histograms weigh nothing: all is a draw of lots
    draws = [
        so.accuracy(so.match(*sides_of_counts(counts, counts), similarity="glrt", method=method, seed=k))
        for k in range(60)
    ]
    assert np.mean([draw.expected for draw in draws]) == pytest.approx(1, abs=0.4)


def test_people_who_share_no_place_with_anybody_are_paired_off_blindly():
    # five people each alone at a place of their own on either side; one at a common place
    released, known = np.zeros((6, 11), int), np.zeros((6, 11), int)
    released[np.arange(5), np.arange(5)] = 1
    known[np.arange(5), np.arange(5, 10)] = 1
    released[5, 10] = known[5, 10] = 1
    for seed in range(5):
        found = so.accuracy(so.match(*sides_of_counts(released, known), seed=seed))
        assert found.expected == pytest.approx(1 + 1.0), "the common one for sure, one of five by chance"


@given(released=few_counts, known=few_counts, seed=st.integers(0, 3))
def test_chances_of_a_joint_matching_add_up_to_one_for_everyone(released, known, seed):
    released[0, 0] = known[0, 0] = 1
    matching = so.match(*sides_of_counts(released, known), seed=seed)
    i, j = np.meshgrid(np.arange(6), np.arange(6), indexing="ij")
    table = matching.chances.of(i.ravel(), j.ravel()).reshape(6, 6)
    np.testing.assert_allclose(table.sum(axis=0), 1)
    np.testing.assert_allclose(table.sum(axis=1), 1)


def test_the_mean_over_draws_is_the_expected_count():
    rng = np.random.default_rng(1)
    counts = rng.poisson(0.5, (20, 3))
    known = rng.poisson(0.5, (14, 3))
    found = [so.accuracy(so.match(*sides_of_counts(counts, known), seed=seed)) for seed in range(400)]
    mean_expected = np.mean([one.expected for one in found])
    assert np.mean([one.correct for one in found]) == pytest.approx(mean_expected, abs=0.3)
