"""How sure a matching is: margins, the second best hypothesis, rejection, and reasons."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import singleout as so
from singleout._kernels import alternatives as kernels
from singleout.matching import margins as decisions
from tests.reference import matching as twins
from tests.reference.costs import TWINS, all_pairs
from tests.small_matchings import pairs_of, sides_of_counts, tables_of_counts

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("similarity", TWINS)
@given(counts=tables_of_counts, data=st.data())
def test_a_margin_is_what_solving_again_without_the_pair_costs(similarity, counts, data):
    size = data.draw(st.none() | st.integers(1, min(map(len, counts))))
    matching = so.match(*sides_of_counts(*counts), similarity=similarity, size=size)
    expected = twins.margins(all_pairs(similarity, *counts), pairs_of(matching), size)
    margins = matching.margins()
    np.testing.assert_allclose(margins.values, expected, atol=1e-8)
    assert not margins.above.any()


@pytest.mark.parametrize("shape", [(60, 60), (40, 70), (70, 40)])
@pytest.mark.parametrize("rate", [0.15, 0.6])
@pytest.mark.parametrize("similarity", ["js", "glrt"])
def test_margins_hold_on_larger_problems_with_and_without_people_who_share_nothing(shape, rate, similarity):
    rng = np.random.default_rng(5)
    released, known = (rng.poisson(rate, (people, 14)) for people in shape)
    for size in (None, 30):
        matching = so.match(*sides_of_counts(released, known), similarity=similarity, size=size)
        expected = twins.margins(all_pairs(similarity, released, known), pairs_of(matching), size)
        np.testing.assert_allclose(matching.margins().values, expected, atol=1e-8)


scores_of = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, n, elements=st.integers(-3, 6).map(float)), arrays(np.bool_, n, elements=st.booleans())
    )
)


@given(drawn=scores_of)
def test_margins_of_dense_scores(drawn):
    matrix, _ = drawn
    matching = so.assign(so.Scores(matrix, range(len(matrix)), range(matrix.shape[1])))
    np.testing.assert_allclose(matching.margins().values, twins.margins(-matrix, pairs_of(matching)), atol=1e-8)


@given(drawn=scores_of)
def test_margins_of_sparse_scores_whose_other_pairs_count_zero(drawn):
    matrix, stored = drawn
    table = sparse.csr_array(np.where(stored, matrix, 0.0))
    matching = so.assign(so.Scores(table, range(len(matrix)), range(matrix.shape[1])))
    expected = twins.margins(-table.toarray(), pairs_of(matching))
    np.testing.assert_allclose(matching.margins().values, expected, atol=1e-8)


@given(drawn=scores_of)
def test_margins_where_pairs_are_forbidden(drawn):
    matrix, stored = drawn
    table = sparse.coo_array((matrix[stored], np.nonzero(stored)), shape=matrix.shape)
    scores = so.Scores(table, range(len(matrix)), range(matrix.shape[1]), absent="forbidden")
    matching = so.assign(scores)
    if not len(matching):
        assert len(matching.margins()) == 0
        return
    expected = twins.margins(-matrix, pairs_of(matching), len(matching), forbidden=~stored)
    np.testing.assert_allclose(matching.margins().values, expected, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_small_whole_scores_have_the_margins_of_the_dense_table(seed):
    rng = np.random.default_rng(seed)
    table = (rng.integers(-2, 3, rng.integers(1, 6, 2)) * rng.integers(0, 2)).astype(float)
    if not seed:
        table = np.array([[0.0, 0, 1], [-1, 0, 0], [0, 0, 0]])
    people = [range(length) for length in table.shape]
    thin, dense = (so.assign(so.Scores(scores, *people)) for scores in (sparse.csr_array(table), table))
    np.testing.assert_allclose(thin.margins().values, twins.margins(-table, pairs_of(thin), None), atol=1e-8)
    assert thin.second_best() == pytest.approx(dense.second_best())


def test_limits_cut_margins_off_and_say_so():
    rng = np.random.default_rng(2)
    counts = [rng.poisson(1.0, (50, 12)) for _ in "ab"]
    matching = so.match(*sides_of_counts(*counts))
    exact, cut = matching.margins(), matching.margins(limit=0.1)
    assert cut.limit == 0.1
    np.testing.assert_array_equal(cut.above, exact.values > 0.1)
    np.testing.assert_allclose(cut.values, np.minimum(exact.values, 0.1))


def test_where_steps_are_left_out_margins_are_bounds_and_say_so(monkeypatch):
    rng = np.random.default_rng(3)
    counts = [rng.poisson(1.0, (60, 12)) for _ in "ab"]
    matching = so.match(*sides_of_counts(*counts))
    exact = matching.margins()
    monkeypatch.setattr(decisions, "MOST_STEPS", 0)
    monkeypatch.setattr(decisions, "LEAST_STEPS", 3)
    matching = so.match(*sides_of_counts(*counts))  # margins are kept once they are known
    few = matching.margins()
    assert few.above.any()
    assert not few.above.all()
    np.testing.assert_allclose(few.values[~few.above], exact.values[~few.above], atol=1e-12)
    assert (few.values[few.above] <= exact.values[few.above] + 1e-12).all()
    assert matching.second_best() == pytest.approx(matching.cost + exact.values.min(), abs=1e-12)


@pytest.mark.parametrize("similarity", TWINS)
@given(counts=tables_of_counts)
def test_the_second_best_costs_as_much_as_the_second_of_all_hypotheses(similarity, counts):
    released, known = (side[:5] for side in counts)
    if not (released.sum(axis=0) * known.sum(axis=0)).any():
        return
    matching = so.match(*sides_of_counts(released, known), similarity=similarity)
    expected = twins.second_best_cost(all_pairs(similarity, released, known))
    assert matching.second_best() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_second_best_of_seven_people(seed):
    rng = np.random.default_rng(seed)
    released, known = (rng.poisson(1.5, (7, 6)) for _ in "ab")
    expected = twins.second_best_cost(all_pairs("js", released, known))
    assert so.match(*sides_of_counts(released, known)).second_best() == pytest.approx(expected, abs=1e-9)


def test_twins_have_no_margin_and_one_person_has_no_alternative():
    twins_there = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 2]])
    margins = so.match(*sides_of_counts(twins_there, twins_there)).margins()
    assert margins.values[:2].tolist() == [0.0, 0.0]
    assert margins.values[2] > 0
    alone = so.match(*sides_of_counts(np.array([[1, 1]]), np.array([[1, 2]])))
    assert alone.margins().values.tolist() == [np.inf]
    assert alone.second_best() == np.inf


def test_margins_are_the_same_for_any_seed_of_an_untied_matching():
    rng = np.random.default_rng(8)
    counts = [rng.poisson(3.0, (40, 12)) for _ in "ab"]
    first, second = (so.match(*sides_of_counts(*counts), seed=seed).margins().values for seed in (0, 1))
    np.testing.assert_allclose(first, second, atol=1e-9)


def test_margins_need_a_proof():
    rng = np.random.default_rng(0)
    counts = [rng.poisson(0.6, (150, 10)) for _ in "ab"]
    with pytest.raises(so.DataError, match="only a joint matching has margins"):
        so.match(*sides_of_counts(*counts), method="one-by-one").margins()
    with pytest.raises(so.InputError, match="limit must be above zero"):
        so.match(*sides_of_counts(*counts)).margins(limit=0)


def test_margins_of_a_rough_matching_are_refused(monkeypatch):
    monkeypatch.setattr("singleout.matching.joint_engine.ROW_CANDIDATES", 1)
    monkeypatch.setattr("singleout.matching.joint_engine.COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(0)
    counts = [rng.poisson(0.6, (150, 10)) for _ in "ab"]
    rough = so.match(*sides_of_counts(*counts), tolerance=0.5)
    assert rough.gap > 0
    with pytest.raises(so.DataError, match="tolerance=0"):
        rough.margins()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda a: so.match(*sides_of_counts(a, a), similarity="l1").decide(1.0, 10), "similarity js"),
        (lambda a: so.match(*sides_of_counts(a, a[:2])).decide(1.0, 10), "equal size"),
        (lambda a: so.match(*sides_of_counts(a, a), size=2).decide(1.0, 10), "all matched"),
        (lambda a: so.match(*sides_of_counts(a, a, channels=["x", "x", "y"])).decide(1.0, 10), "without channels"),
        (lambda a: so.match(*sides_of_counts(a, a)).decide(0.0, 10), "exponent must be a number above zero"),
        (lambda a: so.match(*sides_of_counts(a, a)).decide(1.0, 0), "length must be a whole number above zero"),
        (lambda a: so.match(*sides_of_counts(a, a)).decide("a", 10), "exponent must be a number above zero"),
        (lambda a: so.match(*sides_of_counts(a, a)).decide(1.0, 10**400), "length must be a whole number above zero"),
        (
            lambda a: so.match(*sides_of_counts(a, a), method="one-by-one").decide(1.0, 10),
            "decide: only a joint matching",
        ),
        (lambda a: so.match(*sides_of_counts(a, a)).margins(limit="a"), "limit must be above zero"),
        (lambda a: so.match(*sides_of_counts(a, a)).margins(limit=float("nan")), "limit must be above zero"),
        (lambda a: so.match(*sides_of_counts(a, a)).explain((0, 0)), "number of a pair, from 0 to 2"),
        (lambda a: so.match(*sides_of_counts(a, a)).explain(3), "number of a pair, from 0 to 2"),
        (lambda a: so.assign(so.Scores(a, "abc", "abc")).explain(0), "no places"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_reason(make, message):
    with pytest.raises(so.SingleoutError, match=message):
        make(np.eye(3, dtype=int) + 1)


def test_margins_are_worked_out_once():
    counts = np.eye(4, dtype=int) + 1
    matching = so.match(*sides_of_counts(counts, counts))
    assert matching.margins() is matching.margins()
    assert matching.margins(limit=0.1) is not matching.margins()


def test_a_matching_without_a_pair_has_nothing_to_measure():
    nobody = so.assign(so.Scores(sparse.csr_array((3, 3)), range(3), range(3), absent="forbidden"))
    with pytest.raises(so.DataError, match="the matching contains no pairs"):
        so.precision_by_margin(nobody)
    assert so.accuracy(nobody).rate.value == 0


def test_a_column_with_many_holders_that_is_reached_better_and_better_spoils_nothing():
    """Rows 0 to 9 reach column 0 one after the other, each at less cost than the one before; 200 rows hold it."""
    chain = np.arange(10)
    reach = np.full(210, np.inf)
    reach[:10] = chain
    costs = 100.0 - 5.0 * chain
    first = np.append(np.arange(11), np.full(200, 10)), np.zeros(10, dtype=np.intp), costs
    second = np.array([0, 200]), np.arange(10, 210), np.zeros(200)
    found = kernels.spread(reach, first, second)
    np.testing.assert_allclose(found[:10], chain)
    np.testing.assert_allclose(found[10:], (chain + costs).min())


def test_steps_are_sorted_by_cost_then_by_where_they_lead():
    rng = np.random.default_rng(0)
    start, end = rng.integers(0, 7, 300), rng.integers(0, 50, 300)
    cost = rng.integers(0, 4, 300).astype(float)
    starts, ends, costs = decisions._table(start, end, cost, 9)
    order = np.lexsort((end, cost, start))
    assert starts.tolist() == np.searchsorted(start[order], np.arange(10)).tolist()
    np.testing.assert_array_equal(ends, end[order])
    np.testing.assert_array_equal(costs, cost[order])
