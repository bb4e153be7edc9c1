"""One by one: the nearest, in both directions, with ties as chance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so
from tests.reference.costs import TWINS, all_pairs
from tests.reference.matching import one_by_one_chances
from tests.small_matchings import sides_of_counts

pytestmark = pytest.mark.kernels


shapes = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda n: st.tuples(*[arrays(np.int64, (people, 3), elements=st.integers(0, 3)) for people in n])
)


def all_chances(matching, released, known):
    i, j = np.meshgrid(np.arange(len(released)), np.arange(len(known)), indexing="ij")
    return matching.chances.of(i.ravel(), j.ravel()).reshape(i.shape)


def without_empty_columns(costs, counts):
    """Under glrt nobody is taken for a person without events, unless all are without (docs/methods/similarities.md)."""
    empty = counts.sum(axis=1) == 0
    return np.where(empty & ~empty.all(), np.inf, 0.0)[None, :] + costs


@pytest.mark.parametrize("similarity", TWINS)
@pytest.mark.parametrize("by", ["released", "known"])
@given(counts=shapes)
def test_chances_are_one_over_the_number_of_equally_near(similarity, by, counts):
    released, known = counts
    matching = so.match(*sides_of_counts(released, known), similarity=similarity, method="one-by-one", by=by)
    costs = all_pairs(similarity, released, known)
    table, others = (costs, known) if by == "released" else (costs.T, released)
    if similarity == "glrt":
        table = without_empty_columns(table, others)
    expected = one_by_one_chances(table)
    found = all_chances(matching, released, known)
    np.testing.assert_allclose(found if by == "released" else found.T, expected, atol=1e-12)


@pytest.mark.parametrize("by", ["released", "known"])
@given(counts=shapes, seed=st.integers(0, 5))
def test_the_draw_takes_only_pairs_that_have_a_chance_and_everybody_gets_one(by, counts, seed):
    matching = so.match(*sides_of_counts(*counts), method="one-by-one", by=by, seed=seed)
    own = matching.released if by == "released" else matching.known
    assert sorted(own.tolist()) == list(range(len(counts[0] if by == "released" else counts[1])))
    assert (matching.chances.of(matching.released, matching.known) > 0).all()


def test_lots_fall_evenly_on_the_equally_near():
    released, known = np.array([[1, 1]]), np.array([[2, 2], [1, 1], [3, 3], [5, 0]])
    drawn = [
        so.match(*sides_of_counts(released, known), method="one-by-one", seed=seed).known[0] for seed in range(300)
    ]
    assert np.bincount(drawn, minlength=4).tolist()[3] == 0
    assert (np.bincount(drawn, minlength=4)[:3] > 70).all()
