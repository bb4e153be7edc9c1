"""Lists of nearest records give what a new search would, however many are grouped meanwhile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.protection.nearest_lists import RESERVE, NearestLists, OpeningLists
from singleout.protection.record_distances import DenseSpace, SparseSpace
from tests.small_groups import NORMS, counts_to_group, histograms_of, shares_of

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("norm", NORMS)
@given(table=counts_to_group, most=st.integers(1, 3), seed=st.integers(0, 100))
def test_the_nearest_are_those_of_a_new_search(norm, table, most, seed):
    shares, rng = shares_of(table), np.random.default_rng(seed)
    for space in (SparseSpace(histograms_of(shares).counts.astype(np.float64), norm), DenseSpace(shares, norm)):
        lists, alive = NearestLists(space, most, OpeningLists(space)), np.ones(len(table), dtype=bool)
        while alive.sum() > most:
            rows = np.flatnonzero(alive)
            np.testing.assert_array_equal(lists.nearest(rows, alive), space.nearest(rows, most, alive))
            alive[rng.choice(rows, min(most, len(rows)), replace=False)] = False


def test_opening_lists_for_small_groups_serve_larger_ones():
    searched = []

    class Counting(DenseSpace):
        def nearest(self, rows, most, alive):
            searched.append(most)
            return super().nearest(rows, most, alive)

    space = Counting(np.random.default_rng(0).normal(size=(30, 3)), "l2")
    opening, everyone = OpeningLists(space, least=12), (np.arange(30), np.ones(30, dtype=bool))
    for most in (4, 12, 20, 3):
        np.testing.assert_array_equal(opening.nearest(most), DenseSpace.nearest(space, everyone[0], most, everyone[1]))
    assert searched == [12, 20]


def test_few_records_are_searched_twice():
    rng = np.random.default_rng(0)
    searched = []

    class Counting(DenseSpace):
        def nearest(self, rows, most, alive):
            searched.extend(rows.tolist())
            return super().nearest(rows, most, alive)

    space, alive = Counting(rng.normal(size=(300, 3)), "l2"), np.ones(300, dtype=bool)
    lists = NearestLists(space, 4, OpeningLists(space))
    for gone in np.split(rng.permutation(300)[:200], 40):
        alive[gone] = False
        lists.nearest(np.flatnonzero(alive), alive)
    assert len(searched) < 300 + 300, "most lists outlast two thirds of the records"
    assert RESERVE >= 2
