"""Joint matching of any scores: dense, sparse with zeros, sparse with forbidden pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import singleout as so
from singleout.matching import transport
from tests.reference.matching import all_maximal_matchings, least_cost, padded_cost

pytestmark = pytest.mark.kernels

tables = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 3.0]))
)


def scores(matrix, **options):
    rows, columns = matrix.shape
    return so.Scores(matrix, [f"r{k}" for k in range(rows)], [f"r{k}" for k in range(columns)], **options)


@given(table=tables)
def test_dense_scores_reach_the_greatest_total(table):
    matching = so.assign(scores(table))
    assert len(matching) == min(table.shape)
    assert matching.cost == pytest.approx(least_cost(-table), abs=1e-9)
    assert matching.relative_gap <= 1e-9


@given(table=tables)
def test_absent_scores_of_zero_are_zeros(table):
    sparse_table = sparse.csr_matrix(table)
    assert so.assign(scores(sparse_table)).cost == pytest.approx(least_cost(-table), abs=1e-9)


@given(table=tables, allowed=st.data())
def test_forbidden_pairs_are_never_made_and_as_many_as_possible_are(table, allowed):
    mask = allowed.draw(arrays(bool, table.shape))
    rows, columns = np.nonzero(mask)
    stored = sparse.csr_array((table[mask], (rows, columns)), shape=table.shape)
    matching = so.assign(scores(stored, absent="forbidden"))
    kept = [[pair for pair in pairs if mask[pair]] for pairs in all_maximal_matchings(*table.shape)]
    best = max((len(pairs), sum(table[pair] for pair in pairs)) for pairs in kept)
    assert all(mask[i, j] for i, j in zip(matching.released, matching.known, strict=True))
    assert (len(matching), -matching.cost) == (best[0], pytest.approx(best[1], abs=1e-9))


@pytest.mark.parametrize("size", [1, 12, 29])
def test_exactly_size_pairs(size):
    table = np.random.default_rng(size).normal(size=(30, 40))
    matching = so.assign(scores(table), size=size)
    assert len(matching) == size
    assert matching.cost == pytest.approx(padded_cost(-table, size), abs=1e-9)


def test_few_candidates_force_rounds_and_the_answer_stays(monkeypatch):
    table = np.random.default_rng(3).random((60, 50))
    expected = so.assign(scores(table)).cost
    monkeypatch.setattr(transport, "ROW_CANDIDATES", 2)
    monkeypatch.setattr(transport, "COLUMN_CANDIDATES", 1)
    assert so.assign(scores(table)).cost == pytest.approx(expected, abs=1e-9)
    assert expected == pytest.approx(least_by_scipy(-table))


def least_by_scipy(table):
    from scipy.optimize import linear_sum_assignment

    return table[linear_sum_assignment(table)].sum()


def test_scores_that_are_all_the_same_identify_one_person_in_expectation():
    found = so.accuracy(so.assign(scores(np.ones((9, 9)))))
    assert found.expected == pytest.approx(1.0)


def test_bad_scores_say_what_is_wrong():
    with pytest.raises(so.DataError, match="not finite"):
        scores(np.array([[np.nan]]))
    with pytest.raises(so.InputError, match="absent must be one of forbidden, zero"):
        scores(np.ones((1, 1)), absent="none")
    with pytest.raises(so.InputError, match="released must be 2 ids"):
        so.Scores(np.ones((2, 1)), ["a"], ["b"])
    with pytest.raises(so.DataError, match="known contains duplicates"):
        so.Scores(np.ones((1, 2)), ["a"], ["b", "b"])
    with pytest.raises(so.InputError, match="matrix must be a matrix of released by known"):
        so.Scores(np.ones(3), ["a"], ["b"])
    with pytest.raises(so.InputError, match="scores must be Scores, got 'list'"):
        so.assign([1])
    with pytest.raises(so.InputError, match="size must be omitted if pairs are forbidden"):
        so.assign(scores(np.ones((2, 2)), absent="forbidden"), size=1)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(2) * 1e200, "row 1 of matrix contains a number that is not finite or too large"),
        (np.eye(2) * 1j, "matrix must be a matrix of numbers"),
        (np.array([["1", "2"], ["3", "4"]]), "matrix must be a matrix of numbers"),
    ],
)
def test_what_cannot_be_added_up_is_refused(matrix, message):
    with pytest.raises(so.InputError, match=message):
        so.Scores(matrix, "ab", "ab")
