"""Two sides over the same columns."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity.alignment import align_sides
from tests.small_logs import side


def test_columns_are_aligned_by_place_id():
    released = so.Histograms(np.array([[1, 2]]), ["a"], ["gym", "bar"])
    known = so.Histograms(np.array([[3, 4]]), ["a"], ["home", "gym"])
    (first, second), channel, column_of_known = align_sides(released, known)
    assert first.toarray().tolist() == [[2, 1, 0]]
    assert second.toarray().tolist() == [[0, 4, 3]]
    assert channel.tolist() == [0, 0, 0]
    assert column_of_known.tolist() == [2, 1]


def test_channels_come_first_and_are_numbered_from_zero():
    released = so.Histograms(np.array([[1, 2]]), ["a"], ["gym", "gym"], channels=["x", "y"])
    known = so.Histograms(np.array([[3]]), ["a"], ["gym"], channels=["y"])
    (first, second), channel, _ = align_sides(released, known)
    assert channel.tolist() == [0, 1]
    assert (first.toarray().tolist(), second.toarray().tolist()) == ([[1, 2]], [[0, 3]])


def test_sides_without_a_common_place_or_with_channels_on_one_side_are_refused():
    with pytest.raises(so.DataError, match="no place in common"):
        align_sides(side([[1]], ["bar"]), side([[1]], ["gym"]))
    with pytest.raises(so.DataError, match="one side has channels and the other does not"):
        align_sides(side([[1]], ["bar"]), side([[1]], ["bar"], channels=["x"]))
