"""What the overlap driver reads: the same table by row and by column, whatever the blocks; and its logarithm."""

import math

import numpy as np
import pytest
from scipy import sparse

import singleout as so
from singleout._kernels.overlap import log
from singleout.similarity import side_arrays
from singleout.similarity.alignment import align_sides
from singleout.similarity.overlaps import overlaps
from singleout.similarity.pairs import SweepRequest
from singleout.similarity.registry import BUILT_IN, STRONGER

pytestmark = pytest.mark.kernels


def table_of(columns, shape):
    """The dense table that blocks and columns hold."""
    dense = np.zeros(shape)
    for block in range(len(columns.blocks) - 1):
        for column in range(shape[1]):
            piece = slice(columns.cuts[block, column], columns.cuts[block + 1, column])
            people = columns.blocks[block] + columns.people[piece]
            assert (np.diff(people) > 0).all()
            assert (people < columns.blocks[block + 1]).all()
            dense[people, column] = columns.values[piece]
    return dense


@pytest.mark.parametrize("rows_a_block", [1, 3, 7, 100])
def test_blocks_and_columns_hold_the_table(monkeypatch, rows_a_block):
    monkeypatch.setattr(side_arrays, "ROWS_A_BLOCK", rows_a_block)
    dense = np.random.default_rng(0).poisson(0.4, (17, 5)).astype(float)
    table = sparse.csr_array(dense)
    more = table.data, np.zeros(table.nnz), np.ones(17)
    structure = side_arrays.Structure.of(table)
    np.testing.assert_array_equal(table_of(structure.by_column(*more), dense.shape), dense)
    np.testing.assert_array_equal(structure.visitors, (dense > 0).sum(axis=0))
    rows = structure.by_row(*more)
    again = sparse.csr_array((rows.values, rows.columns, rows.starts), shape=dense.shape)
    np.testing.assert_array_equal(again.toarray(), dense)


@pytest.mark.parametrize("rows_a_block", [3, 100])
@pytest.mark.parametrize("similarity", [*BUILT_IN, "evidence"])
def test_sweeps_find_the_best_pairs_whatever_the_blocks(monkeypatch, similarity, rows_a_block):
    """By a look at everyone or at the people met: the pairs above the prices, from all gains written out."""
    monkeypatch.setattr(side_arrays, "ROWS_A_BLOCK", rows_a_block)
    rng = np.random.default_rng(1)
    # every second person is everywhere, so that both ways of looking are taken
    tables = [
        rng.poisson(np.where(np.arange(23)[:, None] % 2, 0.2, 3.0), (23, 8)) + np.eye(23, 8, dtype=int) for _ in "ab"
    ]
    sides = [so.Histograms(table, range(23), range(8)) for table in tables]
    pairs = overlaps(align_sides(*sides), (BUILT_IN | STRONGER)[similarity])
    constants = pairs.constants(np.arange(pairs.shape[0])[:, None], np.arange(pairs.shape[1])[None, :])
    gains = pairs.gains() + (pairs.lift - constants if pairs.lift else 0.0)
    price, other_price = (rng.random(side) * gains.mean() for side in gains.shape)
    asked = SweepRequest(0.01 * gains.mean(), 4, False, every=True)
    found = pairs.price(np.arange(len(price)), price, other_price, asked)
    values = gains - other_price
    assert found.best == pytest.approx(np.maximum(values.max(axis=1), price), rel=1e-12)
    for row in range(len(price)):
        mine = found.row == row
        above = np.sort(values[row][values[row] > price[row] + asked.slack])[::-1][:4]
        kept = found.gain[mine] - other_price[found.other[mine]]
        assert np.sort(kept)[::-1] == pytest.approx(above, rel=1e-12)
        assert found.gain[mine] == pytest.approx(gains[row, found.other[mine]], rel=1e-12)


def test_the_logarithm_is_exact_to_the_last_digits():
    rng = np.random.default_rng(2)
    numbers = np.concatenate([rng.random(2000) * 2, 10.0 ** rng.uniform(-300, 300, 2000), np.arange(1.0, 500.0)])
    for number in numbers.tolist():
        assert log(number) == pytest.approx(math.log(number), rel=4e-16, abs=2.3e-16)
    assert log(1.0) == 0.0
