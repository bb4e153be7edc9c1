"""Suppressed cells: every combination, missing ones included, reaches k."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.protection.cell_suppression import MOST_COLUMNS, suppress_cells
from tests.small_lattices import combinations

records = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=6, max_size=60)


@given(rows=records, k=st.integers(2, 6))
def test_every_combination_reaches_k(rows, k):
    table = combinations(np.array(rows).T)
    cells = suppress_cells(table, k).of_rows(table)[1]
    after = [
        tuple(None if gone else v for v, gone in zip(row, mask, strict=True))
        for row, mask in zip(rows, cells, strict=True)
    ]
    assert min(after.count(row) for row in after) >= k


@given(rows=records, k=st.integers(2, 6))
def test_records_that_are_common_enough_keep_their_values(rows, k):
    table = combinations(np.array(rows).T)
    cells = suppress_cells(table, k)
    common = table.counts >= k
    if cells.also.sum() == 0 and not cells.cells[common].all(axis=1).any():
        assert not cells.cells[common].any()


def test_few_cells_are_enough_where_one_column_differs():
    rows = [(0, 0, 0)] * 5 + [(1, 1, number) for number in range(3)]
    table = combinations(np.array(rows).T)
    cells = suppress_cells(table, 3).of_rows(table)[1]
    assert cells.sum() == 3
    assert cells[5:, 2].all()


def test_the_best_of_all_ways_is_not_far():
    """Against every assignment of cells, on a table small enough to try them all."""
    rows = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 2)]
    table = combinations(np.array(rows).T)
    assert suppress_cells(table, 2).of_rows(table)[1].sum() == 4


def test_too_many_columns_and_too_few_records_are_refused():
    wide = combinations(np.zeros((MOST_COLUMNS + 1, 3), dtype=int))
    with pytest.raises(so.InputError, match=f"up to {MOST_COLUMNS} known columns"):
        suppress_cells(wide, 2)
    with pytest.raises(so.InputError, match="fewer than 9 records"):
        suppress_cells(combinations(np.zeros((2, 3), dtype=int)), 9)
