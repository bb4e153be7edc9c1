"""What a group releases: whole units, the same for all members, and nothing that fewer than three of them share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so
from singleout.protection.group_release import MEMBERS, release_groups, spread_units
from tests.small_groups import numbered_side


@given(arrays(np.int64, (6, 5), elements=st.integers(0, 9)), st.integers(1, 60))
def test_everyone_gets_the_same_number_of_units_near_their_shares(counts, units):
    shares = numbered_side(np.where(counts.sum(axis=1, keepdims=True) > 0, counts, 1)).shares()
    spread = spread_units(shares, units, np.random.default_rng(0))
    assert spread.sum(axis=1).tolist() == [units] * 6
    assert abs(spread.toarray() - units * shares.toarray()).max() < 1
    assert ((shares.toarray() > 0) | (spread.toarray() == 0)).all(), "nothing where a person never was"


def test_members_of_a_group_have_one_row_of_places_that_three_of_them_hold():
    rng = np.random.default_rng(1)
    original = numbered_side(rng.poisson(0.6, (60, 25)) + np.eye(60, 25, dtype=int))
    clusters = so.microaggregate(original, 6)
    released = release_groups(original, clusters, seed=3)
    held = spread_units(original.shares()[np.argsort(original.people)], 50, np.random.default_rng(3)).toarray() > 0
    held = held[np.argsort(np.argsort(original.people))]
    for group in range(clusters.number):
        members = np.flatnonzero(clusters.labels == group)
        rows = released.counts[members].toarray()
        assert (rows == rows[0]).all()
        assert ((rows[0] > 0) == (held[members].sum(axis=0) >= MEMBERS)).all()
    assert released.counts.dtype.kind == "i"


def test_the_order_of_rows_does_not_matter_and_the_seed_does_only_for_ties():
    rng = np.random.default_rng(2)
    counts = rng.poisson(0.8, (40, 12)) + np.eye(40, 12, dtype=int)
    original, order = numbered_side(counts), rng.permutation(40)
    shuffled = original.only(original.people[order].tolist())
    clusters = so.microaggregate(original, 5)
    turned = so.microaggregate(shuffled, 5)
    one, other = release_groups(original, clusters, seed=7), release_groups(shuffled, turned, seed=7)
    np.testing.assert_array_equal(one.counts.toarray()[order], other.counts.toarray())


def test_groups_that_share_nothing_release_nothing():
    with pytest.raises(so.DataError, match="no group has a place that 3 members share"):
        release_groups(numbered_side(np.eye(8, dtype=int)), so.microaggregate(numbered_side(np.eye(8, dtype=int)), 4))
