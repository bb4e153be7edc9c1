"""Which pairs of a large table are among the likeliest of either side, whatever the tiles."""

import numpy as np
import pytest

from singleout.similarity.likeliest import CANDIDATES, likeliest, marginals


def rows_of(first, last, table):
    return table[first:last]


@pytest.mark.parametrize("shape", [(5, 9), (300, 40), (40, 300), (600, 600)])
@pytest.mark.parametrize("ties", [True, False])
def test_the_likeliest_of_either_side_and_all_ties_with_the_last_of_them(shape, ties):
    table = np.random.default_rng(1).random(shape)
    table = np.round(table, 1) if ties else table
    rows, columns, values = likeliest(rows_of, *shape, table, label="x")
    found = np.zeros(shape, dtype=bool)
    found[rows, columns] = True
    least = [np.sort(each, axis=1)[:, -min(CANDIDATES, each.shape[1])] for each in (table, table.T)]
    assert np.array_equal(found, (table >= least[0][:, None]) | (table >= least[1]))
    assert np.array_equal(values, table[rows, columns])


@pytest.mark.parametrize("shape", [(6, 6), (4, 9), (9, 4)])
def test_everyone_on_the_smaller_side_is_matched_and_nobody_twice(shape):
    table = np.random.default_rng(1).random(shape) ** 4
    found = marginals(table)
    sums = [found.sum(axis=axis) for axis in (0, 1)]
    fewer = 1 if shape[0] < shape[1] else 0
    assert sums[fewer] == pytest.approx(1, abs=0.05)
    assert (sums[1 - fewer] <= 1 + 0.05).all()


def test_a_row_that_stands_for_several_people_is_scaled_as_they_would_be():
    rng = np.random.default_rng(4)
    few, sizes = rng.random((5, 4)), (np.array([1.0, 2, 1, 3, 1]), np.array([2.0, 1, 4, 1]))
    everyone = np.repeat(np.repeat(few, sizes[0].astype(int), axis=0), sizes[1].astype(int), axis=1)
    starts = [np.cumsum(each).astype(int) - each.astype(int) for each in sizes]
    assert marginals(few, sizes) == pytest.approx(marginals(everyone)[starts[0]][:, starts[1]])
