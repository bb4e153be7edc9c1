"""Small steps on arrays: counting up, rows of sparse matrices, equal keys."""

import numpy as np
import pytest
from scipy import sparse

from singleout.ground.arrays import count_up, equal_keys, read_only, row_slice


@pytest.mark.parametrize(
    ("lengths", "expected"), [([], []), ([0, 0], []), ([3], [0, 1, 2]), ([2, 0, 3, 1], [0, 1, 0, 1, 2, 0])]
)
def test_counting_starts_anew_for_each_length(lengths, expected):
    assert count_up(np.array(lengths, dtype=np.int64)).tolist() == expected


def test_a_read_only_view_leaves_the_array_as_it_is():
    array = np.arange(3)
    with pytest.raises(ValueError, match="read-only"):
        read_only(array)[0] = 1
    array[0] = 7
    assert read_only(array).tolist() == [7, 1, 2]


def test_the_entries_of_a_row_are_those_of_the_dense_row():
    table = np.array([[0, 3, 0], [0, 0, 0], [1, 0, 2]])
    rows, columns = sparse.csr_array(table), sparse.csc_array(table)
    for number in range(3):
        piece = row_slice(rows, np.int64(number))
        assert dict(zip(rows.indices[piece], rows.data[piece], strict=True)) == {
            column: value for column, value in enumerate(table[number].tolist()) if value
        }
        assert columns.data[row_slice(columns, number)].tolist() == [each for each in table[:, number].tolist() if each]


def test_equal_keys_are_all_found_in_their_order_and_negative_ones_equal_nothing():
    keys, others = np.array([5, -1, 7, 2]), np.array([2, 5, -1, 5, 9])
    order, start, size = equal_keys(keys, others)
    assert size.tolist() == [2, 0, 0, 1]
    found = [order[first : first + many].tolist() for first, many in zip(start, size, strict=True)]
    assert found == [[1, 3], [], [], [0]]


def test_no_keys_on_the_other_side_equal_none():
    _, _, size = equal_keys(np.array([0, 1]), np.array([], dtype=np.int64))
    assert size.tolist() == [0, 0]
