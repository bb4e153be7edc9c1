"""The joint matching is the cheapest there is, on every shape."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout.matching import joint, joint_engine
from tests.reference.costs import TWINS, all_pairs
from tests.reference.matching import least_cost, least_cost_of_size, padded_cost
from tests.small_matchings import sides_of_counts

pytestmark = pytest.mark.kernels


def counts_of(people, places=4, most=3):
    return arrays(np.int64, (people, places), elements=st.integers(0, most))


shapes = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(lambda n: st.tuples(counts_of(n[0]), counts_of(n[1])))


def assert_is_a_matching(matching, released, known):
    assert len(matching) == min(len(released), len(known)), "everyone of the smaller side is matched"
    assert len(set(matching.released.tolist())) == len(matching)
    assert len(set(matching.known.tolist())) == len(matching)


@pytest.mark.parametrize("similarity", TWINS)
@given(counts=shapes)
def test_cost_equals_trying_all_matchings(similarity, counts):
    matching = so.match(*sides_of_counts(*counts), similarity=similarity)
    expected = all_pairs(similarity, *counts)
    assert_is_a_matching(matching, *counts)
    assert matching.cost == pytest.approx(least_cost(expected), abs=1e-9)
    np.testing.assert_allclose(matching.costs, expected[matching.released, matching.known], atol=1e-12)


@pytest.mark.parametrize("similarity", TWINS)
@pytest.mark.parametrize("shape", [(40, 40), (25, 60), (60, 25)])
@pytest.mark.parametrize("ties", [False, True])
def test_cost_equals_scipys_on_random_problems_with_ties_and_empty_rows(similarity, shape, ties):
    rng = np.random.default_rng(shape[0])
    released, known = (rng.poisson(0.3 if ties else 2.0, (people, 8)) for people in shape)
    released[0], known[-1] = 0, 0
    matching = so.match(*sides_of_counts(released, known), similarity=similarity)
    expected = all_pairs(similarity, released, known)
    rows, columns = linear_sum_assignment(expected)
    assert_is_a_matching(matching, released, known)
    assert matching.cost == pytest.approx(expected[rows, columns].sum(), abs=1e-9)


def test_one_person_on_each_side_is_matched():
    matching = so.match(*sides_of_counts(np.array([[2, 1]]), np.array([[1, 2]])))
    assert (matching.released.tolist(), matching.known.tolist()) == ([0], [0])


@pytest.mark.parametrize("similarity", TWINS)
@given(counts=shapes, data=st.data())
def test_exactly_size_pairs_cost_as_little_as_trying_all(similarity, counts, data):
    released, known = counts
    size = data.draw(st.integers(1, min(len(released), len(known))))
    matching = so.match(*sides_of_counts(released, known), similarity=similarity, size=size)
    expected = all_pairs(similarity, released, known)
    assert len(matching) == size
    assert len(set(matching.released.tolist())) == len(set(matching.known.tolist())) == size
    assert matching.cost == pytest.approx(least_cost_of_size(expected, size), abs=1e-9)
    assert matching.gap <= 1e-9 * max(1.0, matching.gain)


@pytest.mark.parametrize("similarity", TWINS)
@pytest.mark.parametrize("size", [1, 17, 39, 40])
def test_size_equals_a_padded_assignment(similarity, size):
    rng = np.random.default_rng(size)
    released, known = rng.poisson(0.5, (40, 9)), rng.poisson(0.5, (55, 9))
    matching = so.match(*sides_of_counts(released, known), similarity=similarity, size=size)
    assert len(matching) == size
    assert matching.cost == pytest.approx(padded_cost(all_pairs(similarity, released, known), size), abs=1e-9)


@pytest.mark.parametrize("similarity", TWINS)
@given(counts=shapes)
def test_the_bound_is_below_every_matching_and_meets_the_cost(similarity, counts):
    matching = so.match(*sides_of_counts(*counts), similarity=similarity)
    least = least_cost(all_pairs(similarity, *counts))
    assert matching.gap >= 0
    assert matching.bound <= least + 1e-9
    assert matching.relative_gap <= 1e-9


@pytest.mark.parametrize("similarity", ["js", "dot"])
def test_prices_prove_the_optimum_where_few_candidates_force_several_rounds(similarity, monkeypatch):
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 2)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(4)
    released, known = rng.poisson(0.8, (70, 12)), rng.poisson(0.8, (60, 12))
    matching = so.match(*sides_of_counts(released, known), similarity=similarity)
    expected = all_pairs(similarity, released, known)
    rows, columns = linear_sum_assignment(expected)
    assert matching.cost == pytest.approx(expected[rows, columns].sum(), abs=1e-9)
    assert matching.relative_gap <= 1e-9


def test_tolerance_stops_early_and_tells_the_truth_about_the_gap(monkeypatch):
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 1)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(0)
    released, known = (rng.poisson(0.6, (150, 10)) for _ in "ab")
    exact = so.match(*sides_of_counts(released, known))
    rough = so.match(*sides_of_counts(released, known), tolerance=0.2)
    assert exact.relative_gap <= 1e-9
    assert rough.relative_gap <= 0.2
    assert rough.bound - 1e-9 <= exact.cost <= rough.cost + 1e-9


def test_weights_come_in_bits_too_for_logarithms_only():
    apart = np.array([[1, 0], [0, 1]])
    matching = so.match(*sides_of_counts(apart, apart[:1]))
    assert so.match(*sides_of_counts(apart[1:], apart)).costs_in_bits().tolist() == [0.0]
    assert matching.costs_in_bits().tolist() == [0.0]
    with pytest.raises(so.InputError, match="js or glrt"):
        so.match(*sides_of_counts(apart, apart), similarity="l1").costs_in_bits()


def test_a_perfect_match_weighs_nothing_to_the_last_bit():
    counts = np.array([[3, 1, 4], [1, 5, 9], [2, 6, 5]])
    for similarity in ("js", "l1", "cosine"):
        assert so.match(*sides_of_counts(counts, counts), similarity=similarity).costs.min() == 0.0


def groups_and_people(seed, groups=6, members=10, places=9):
    """A file of groups with identical rows, and people who are all different."""
    rng = np.random.default_rng(seed)
    return np.repeat(rng.poisson(2.0, (groups, places)), members, axis=0), rng.poisson(2.0, (groups * members, places))


@pytest.mark.parametrize("similarity", TWINS)
@pytest.mark.parametrize("seed", range(3))
def test_a_file_of_groups_is_matched_with_many_people_at_scipys_cost(similarity, seed):
    released, known = groups_and_people(seed)
    matching = so.match(*sides_of_counts(released, known), similarity=similarity)
    expected = all_pairs(similarity, released, known)
    rows, columns = linear_sum_assignment(expected)
    assert_is_a_matching(matching, released, known)
    assert matching.cost == pytest.approx(expected[rows, columns].sum(), abs=1e-9)
    assert (matching.gap, len(matching.proof.solution.prices.rows)) == (0.0, len(matching.chances.released.size))


@pytest.mark.parametrize("similarity", ["js", "evidence", "glrt"])
def test_the_side_that_bids_does_not_matter(similarity, monkeypatch):
    sides = sides_of_counts(*groups_and_people(7))
    swapped = so.match(*sides, similarity=similarity)
    monkeypatch.setattr(joint, "FEW_TO_MANY", 1_000)
    plain = so.match(*sides, similarity=similarity)
    assert swapped.cost == pytest.approx(plain.cost, abs=1e-9)
    margins = [np.sort(each.margins().values) for each in (swapped, plain)]
    np.testing.assert_allclose(*margins, atol=1e-9)
    assert so.accuracy(swapped).expected == pytest.approx(so.accuracy(plain).expected, abs=1e-9)


def test_an_interrupted_matching_of_groups_has_its_sides_the_right_way_round(monkeypatch):
    released, known = groups_and_people(1)
    start = joint_engine._Run.start

    def start_and_stop(run, **asked):
        start(run, **asked)
        raise KeyboardInterrupt

    monkeypatch.setattr(joint_engine._Run, "start", start_and_stop)
    with pytest.raises(so.MatchingInterrupted, match="certified gap") as interrupted:
        so.match(*sides_of_counts(released, known))
    matching = interrupted.value.matching
    assert_is_a_matching(matching, released, known)
    assert matching.bound <= matching.cost + 1e-9


@pytest.mark.parametrize("similarity", ["js", "glrt"])
def test_rounds_with_rough_prices_only_end_at_the_least_cost(similarity, monkeypatch):
    # one candidate a row, so that nearly all pairs that matter are missing for several rounds
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 1)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(5)
    released, known = (rng.poisson(1.0, (80, 12)) for _ in "ab")
    matching = so.match(*sides_of_counts(released, known), similarity=similarity)
    expected = all_pairs(similarity, released, known)
    rows, columns = linear_sum_assignment(expected)
    assert matching.proof.solution.rounds > 2
    assert matching.cost == pytest.approx(expected[rows, columns].sum(), abs=1e-9)
    assert matching.gap == 0.0
