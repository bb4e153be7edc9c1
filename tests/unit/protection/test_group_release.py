"""What a group releases: whole units, the same for all members, and nothing that fewer than three of them share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so
from singleout.measures.reconstruction import count_right, reconstruct
from singleout.protection.group_release import MEMBERS, release_groups, spread_units


def side(counts):
    return so.Histograms(counts, [f"u{k}" for k in range(len(counts))], [f"p{k}" for k in range(len(counts[0]))])


@given(arrays(np.int64, (6, 5), elements=st.integers(0, 9)), st.integers(1, 60))
def test_everyone_gets_the_same_number_of_units_near_their_shares(counts, units):
    shares = side(np.where(counts.sum(axis=1, keepdims=True) > 0, counts, 1)).shares()
    spread = spread_units(shares, units, np.random.default_rng(0))
    assert spread.sum(axis=1).tolist() == [units] * 6
    assert abs(spread.toarray() - units * shares.toarray()).max() < 1
    assert ((shares.toarray() > 0) | (spread.toarray() == 0)).all(), "nothing where a person never was"


def test_members_of_a_group_have_one_row_of_places_that_three_of_them_hold():
    rng = np.random.default_rng(1)
    original = side(rng.poisson(0.6, (60, 25)) + np.eye(60, 25, dtype=int))
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
    original, order = side(counts), rng.permutation(40)
    shuffled = original.only(original.people[order].tolist())
    clusters = so.microaggregate(original, 5)
    turned = so.microaggregate(shuffled, 5)
    one, other = release_groups(original, clusters, seed=7), release_groups(shuffled, turned, seed=7)
    np.testing.assert_array_equal(one.counts.toarray()[order], other.counts.toarray())


def test_digits_of_means_give_people_back_and_units_do_not():
    counts = np.zeros((10, 6), dtype=np.int64)
    counts[:9, :2] = [[1 + k, 11 - k] for k in range(9)]
    counts[9] = [0, 0, 1, 2, 4, 0]  # seven visits where nobody else goes
    original = side(counts)
    clusters = so.microaggregate(original, 10)
    means = reconstruct(clusters.protected)
    assert [claim.counts for claim in means] == [(("p2", 1), ("p3", 2), ("p4", 4))]
    assert count_right(means, original) == 1
    released = release_groups(original, clusters)
    assert released.counts[:, [2, 3, 4]].nnz == 0
    assert count_right(reconstruct(released), original) == 0


def test_real_check_ins_of_a_week_are_read_out_of_means_and_not_out_of_units(real_data):
    log = so.read_events(real_data("foursquare_nyc") / "checkins.parquet", user="user", time="time", place="place")
    week = so.histograms(so.split(log, by="weeks")[0])
    week = week.only(week.people[week.totals > 0].tolist())
    clusters = so.microaggregate(week, 10)
    assert count_right(reconstruct(clusters.protected), week) > 50
    released = release_groups(week, clusters)
    there = week.people[released.totals > 0].tolist()
    assert count_right(reconstruct(released.only(there)), week.only(there)) == 0


def test_groups_that_share_nothing_release_nothing():
    with pytest.raises(so.DataError, match="no group has a place that 3 members share"):
        release_groups(side(np.eye(8, dtype=int)), so.microaggregate(side(np.eye(8, dtype=int)), 4))
