"""Which pairs of a large table are among the likeliest of either side, whatever the tiles."""

import numpy as np
import pytest

from singleout.similarity.likeliest import CANDIDATES, likeliest


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
