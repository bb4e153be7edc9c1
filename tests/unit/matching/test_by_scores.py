"""Matchings of any scores: dense, sparse with zeros or forbidden pairs, few candidates, ties."""

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
from tests.small_matchings import scores_of

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
