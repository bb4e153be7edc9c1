"""Scores of any kind: what they hold, how they are streamed, and what is refused."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity import scores
from tests.small_matchings import scores_of
from tests.small_networks import KERNELS, random_sides


@pytest.mark.kernels
def test_bad_scores_say_what_is_wrong():
    with pytest.raises(so.DataError, match="not finite"):
        scores_of(np.array([[np.nan]]))
    with pytest.raises(so.InputError, match="absent must be one of zero, forbidden"):
        scores_of(np.ones((1, 1)), absent="none")
    with pytest.raises(so.InputError, match="released must be 2 ids"):
        so.Scores(np.ones((2, 1)), ["a"], ["b"])
    with pytest.raises(so.DataError, match="known contains duplicates"):
        so.Scores(np.ones((1, 2)), ["a"], ["b", "b"])
    with pytest.raises(so.InputError, match="matrix must be a matrix of released by known"):
        so.Scores(np.ones(3), ["a"], ["b"])
    with pytest.raises(so.InputError, match=r"scores must be Scores \(got 'list'\)"):
        so.assign([1])
    with pytest.raises(so.InputError, match="size must be omitted if pairs are forbidden"):
        so.assign(scores_of(np.ones((2, 2)), absent="forbidden"), size=1)


@pytest.mark.kernels
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


@pytest.mark.parametrize("kernel", KERNELS)
def test_streamed_scores_equal_stored_ones(kernel, monkeypatch):
    released, known = random_sides(41, people=(9, 7))
    stored = so.graph_scores(released, known, kernel=kernel)
    expected, ranks, best = stored.matrix.toarray(), so.ranks(stored), stored.best(3).matrix.toarray()
    monkeypatch.setattr(scores, "MOST_PAIRS", 10)
    monkeypatch.setattr(scores, "BLOCK_PAIRS", 15)
    streamed = so.graph_scores(released, known, kernel=kernel)
    blocks = list(streamed.blocks())
    assert [first for first, _ in blocks] == [0, 2, 4, 6, 8]
    assert np.abs(np.concatenate([block for _, block in blocks]) - expected).max() < 1e-12
    assert so.ranks(streamed).tolist() == ranks.tolist()
    assert np.abs(streamed.best(3).matrix.toarray() - best).max() < 1e-12
    with pytest.raises(so.DataError, match=r"9 by 7 pairs do not fit in memory. Iterate over scores.blocks\(\)"):
        streamed.matrix  # noqa: B018


def test_best_keeps_the_highest_and_equals_in_order_of_id():
    table = np.array([[0.5, 0.9, 0.5, 0.5], [0.0, 0.0, 0.0, 1.0]])
    found = so.Scores(table, [1, 2], [40, 30, 20, 10]).best(2)
    assert found.absent == "forbidden"
    assert found.matrix.toarray().tolist() == [[0, 0.9, 0, 0.5], [0, 0, 0, 1.0]]
    assert found.matrix.indices[found.matrix.indptr[1] :].tolist() == [2, 3]
    assert so.Scores(table, [1, 2], [40, 30, 20, 10]).best(9).matrix.toarray().tolist() == table.tolist()
    for count in (0, 1.5, True):
        with pytest.raises(so.InputError, match="best: count must be a whole number above zero"):
            so.Scores(table, [1, 2], [4, 3, 2, 1]).best(count)
