"""The joint matching is the cheapest there is, on every shape."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout.matching import joint
from tests.reference.matching import least_cost
from tests.reference.weights import TWINS, all_pairs

pytestmark = pytest.mark.kernels


def sides(released, known):
    places = list(range(released.shape[1]))
    return tuple(so.Histograms(counts, [f"u{k}" for k in range(len(counts))], places) for counts in (released, known))


def counts_of(people, places=4, most=3):
    return arrays(np.int64, (people, places), elements=st.integers(0, most))


shapes = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(lambda n: st.tuples(counts_of(n[0]), counts_of(n[1])))


def assert_is_a_matching(matching, released, known):
    assert len(matching) == min(len(released), len(known)), "everyone of the smaller side is matched"
    assert len(set(matching.released.tolist())) == len(matching)
    assert len(set(matching.known.tolist())) == len(matching)


@pytest.mark.parametrize("weight", TWINS)
@given(counts=shapes)
def test_cost_equals_trying_all_matchings(weight, counts):
    matching = so.match(*sides(*counts), weight=weight)
    expected = all_pairs(weight, *counts)
    assert_is_a_matching(matching, *counts)
    assert matching.cost == pytest.approx(least_cost(expected), abs=1e-9)
    np.testing.assert_allclose(matching.weights, expected[matching.released, matching.known], atol=1e-12)


@pytest.mark.parametrize("weight", TWINS)
@pytest.mark.parametrize("shape", [(40, 40), (25, 60), (60, 25)])
@pytest.mark.parametrize("ties", [False, True])
def test_cost_equals_scipys_on_random_problems_with_ties_and_empty_rows(weight, shape, ties):
    rng = np.random.default_rng(shape[0])
    released, known = (rng.poisson(0.3 if ties else 2.0, (people, 8)) for people in shape)
    released[0], known[-1] = 0, 0
    matching = so.match(*sides(released, known), weight=weight)
    table = all_pairs(weight, released, known)
    rows, columns = linear_sum_assignment(table)
    assert_is_a_matching(matching, released, known)
    assert matching.cost == pytest.approx(table[rows, columns].sum(), abs=1e-9)


def test_one_person_on_each_side_is_matched():
    matching = so.match(*sides(np.array([[2, 1]]), np.array([[1, 2]])))
    assert (matching.released.tolist(), matching.known.tolist()) == ([0], [0])


def test_above_the_limit_there_is_a_clear_error_and_no_large_matrix(monkeypatch):
    monkeypatch.setattr(joint, "MOST_PEOPLE", 3)
    counts = np.eye(4, dtype=int)
    with pytest.raises(so.TooLargeError, match=r"released has 4 people; joint matching takes up to 3 a side"):
        so.match(*sides(counts, counts[:2]))
    with pytest.raises(so.TooLargeError, match=r"known has 4 people"):
        so.match(*sides(counts[:2], counts))


def test_weights_come_in_bits_too_for_logarithms_only():
    apart = np.array([[1, 0], [0, 1]])
    matching = so.match(*sides(apart, apart[:1]))
    assert so.match(*sides(apart[1:], apart)).weights_in_bits().tolist() == [0.0]
    assert matching.weights_in_bits().tolist() == [0.0]
    with pytest.raises(so.InputError, match="js or glrt"):
        so.match(*sides(apart, apart), weight="l1").weights_in_bits()
