"""Matchings of any scores: dense, sparse with zeros or forbidden pairs, interrupted, rough; and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout.matching import joint_engine
from tests.reference.matching import all_maximal_matchings, least_cost, padded_cost
from tests.small_matchings import scores_of, sides_of_counts

pytestmark = pytest.mark.kernels

tables = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 3.0]))
)


@given(table=tables)
def test_dense_scores_reach_the_greatest_total(table):
    matching = so.assign(scores_of(table))
    assert len(matching) == min(table.shape)
    assert matching.cost == pytest.approx(least_cost(-table), abs=1e-9)
    assert matching.relative_gap <= 1e-9


@given(table=tables)
def test_absent_scores_of_zero_are_zeros(table):
    sparse_table = sparse.csr_matrix(table)
    assert so.assign(scores_of(sparse_table)).cost == pytest.approx(least_cost(-table), abs=1e-9)


@given(table=tables, allowed=st.data())
def test_forbidden_pairs_are_never_made_and_as_many_as_possible_are(table, allowed):
    mask = allowed.draw(arrays(bool, table.shape))
    rows, columns = np.nonzero(mask)
    stored = sparse.csr_array((table[mask], (rows, columns)), shape=table.shape)
    matching = so.assign(scores_of(stored, absent="forbidden"))
    kept = [[pair for pair in pairs if mask[pair]] for pairs in all_maximal_matchings(*table.shape)]
    best = max((len(pairs), sum(table[pair] for pair in pairs)) for pairs in kept)
    assert all(mask[i, j] for i, j in zip(matching.released, matching.known, strict=True))
    assert (len(matching), -matching.cost) == (best[0], pytest.approx(best[1], abs=1e-9))


@pytest.mark.parametrize("size", [1, 12, 29])
def test_exactly_size_pairs(size):
    table = np.random.default_rng(size).normal(size=(30, 40))
    matching = so.assign(scores_of(table), size=size)
    assert len(matching) == size
    assert matching.cost == pytest.approx(padded_cost(-table, size), abs=1e-9)


def test_few_candidates_force_rounds_and_the_answer_stays(monkeypatch):
    table = np.random.default_rng(3).random((60, 50))
    expected = so.assign(scores_of(table)).cost
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 2)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    assert so.assign(scores_of(table)).cost == pytest.approx(expected, abs=1e-9)
    assert expected == pytest.approx(least_by_scipy(-table))


def least_by_scipy(table):

    return table[linear_sum_assignment(table)].sum()


def test_scores_that_are_all_the_same_identify_one_person_in_expectation():
    found = so.accuracy(so.assign(scores_of(np.ones((9, 9)))))
    assert found.expected == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, r"size must be a whole number from 1 to 2 \(the smaller side\)"),
        ({"size": 3}, "size must be a whole number from 1 to 2"),
        ({"size": "2"}, "size must be a whole number"),
        ({"size": 1.5}, "size must be a whole number"),
        ({"tolerance": "a"}, "tolerance must be from 0"),
        ({"tolerance": float("nan")}, "tolerance must be from 0"),
        ({"tolerance": 0.1, "method": "one-by-one"}, "joint if size or tolerance is given"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"size": 1, "method": "one-by-one"}, "joint if size or tolerance is given"),
        ({"tolerance": -0.1}, "tolerance must be from 0"),
        ({"tolerance": 1.0}, "tolerance must be from 0"),
        ({"method": "both"}, "method must be one of joint, one-by-one"),
        ({"method": "one-by-one", "by": "me"}, "by must be one of released, known"),
    ],
)
def test_bad_options_say_what_they_must_be(options, message):
    with pytest.raises(so.InputError, match=message):
        so.match(*sides_of_counts(np.eye(3, dtype=int), np.eye(3, dtype=int)[:2]), **options)


@pytest.mark.parametrize("size", [None, 110])
@pytest.mark.parametrize("step", ["bid", "search_from_rows", "search_from_cols", "index"])
def test_an_interruption_carries_a_whole_matching_with_a_certified_gap(monkeypatch, size, step):
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 2)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(1)
    released, known = rng.poisson(0.7, (120, 10)), rng.poisson(0.7, (125, 10))
    real, calls = getattr(joint_engine.Graph, step), []

    def second_call_is_interrupted(self, *arguments):
        calls.append(step)
        if len(calls) == (1 if step == "bid" else 2):
            raise KeyboardInterrupt
        return real(self, *arguments)

    exact = so.match(*sides_of_counts(released, known), size=size)
    monkeypatch.setattr(joint_engine.Graph, step, second_call_is_interrupted)
    with pytest.raises(so.MatchingInterrupted, match="certified gap") as caught:
        so.match(*sides_of_counts(released, known), size=size)
    assert isinstance(caught.value, KeyboardInterrupt)
    matching = caught.value.matching
    assert len(matching) == (size or 120)
    assert len(set(matching.released.tolist())) == len(set(matching.known.tolist())) == len(matching)
    assert matching.bound - 1e-9 <= exact.cost <= matching.cost + 1e-9


def test_fewer_pairs_than_people_and_rough_matchings_are_noted(monkeypatch):
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 1)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(0)
    both = sides_of_counts(*(rng.poisson(0.6, (150, 10)) for _ in "ab"))
    assert so.match(*both).notes == ()
    (few,) = so.match(*both, size=20).notes
    assert (few.count, few.what) == (20, "pairs made")
    (rough,) = so.match(*both, tolerance=0.5).notes
    assert rough.what == "pairs not proven optimal"
    assert "within" in rough.why
