"""Pairs found by sweeps, joined from tiles; and pairs by which everyone can be matched."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from singleout.similarity.pairs import Priced, corner_pairs


def test_pairs_of_tiles_are_joined_without_the_padding():
    rows = np.array([4, 7, 9])
    tiles = [
        (np.array([0.5, 0.0]), np.array([2, 0]), np.array([[1, 3], [-1, -1]]), np.array([[0.9, 0.8], [0.0, 0.0]])),
        (np.array([0.2]), np.array([1]), np.array([[5, -1]]), np.array([[0.7, 0.0]])),
    ]
    found = Priced.join(rows, tiles)
    assert found.best.tolist() == [0.5, 0.0, 0.2]
    assert (found.row.tolist(), found.other.tolist()) == ([4, 4, 9], [1, 3, 5])
    assert found.gain.tolist() == [0.9, 0.8, 0.7]


def test_a_sweep_over_no_rows_finds_nothing():
    found = Priced.join(np.empty(0, np.intp), [])
    assert [len(part) for part in (found.best, found.row, found.other, found.gain)] == [0, 0, 0, 0]


def test_rows_fill_columns_in_the_order_given():
    rows, columns = corner_pairs(np.array([1, 0]), np.array([2, 3]), np.array([0, 2, 1]), np.array([2, 1, 2]))
    # row 1 has three: two go to column 0, one to column 2; row 0 has two: one to column 2, one to column 1
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == [(1, 0), (1, 2), (0, 2), (0, 1)]


sizes = st.lists(st.integers(1, 4), min_size=1, max_size=5).map(np.array)


@given(supply=sizes, demand=sizes, data=st.data())
def test_by_these_pairs_everyone_of_the_smaller_side_can_be_matched(supply, demand, data):
    orders = [np.array(data.draw(st.permutations(range(len(side))))) for side in (supply, demand)]
    rows, columns = corner_pairs(orders[0], supply, orders[1], demand)
    left = [supply.copy(), demand.copy()]
    for row, column in zip(rows, columns, strict=True):
        flow = min(left[0][row], left[1][column])
        left[0][row] -= flow
        left[1][column] -= flow
    assert min(side.sum() for side in left) == 0
    assert len(rows) <= len(supply) + len(demand) - 1, "no more than a solution at a corner has"
