"""What the digits of a group's means reveal about its members."""

import numpy as np

import singleout as so
from singleout.measures.reconstruction import count_right, reconstruct
from singleout.protection.group_release import release_groups
from tests.small_groups import numbered_side


def test_digits_of_means_give_people_back_and_units_do_not():
    counts = np.zeros((10, 6), dtype=np.int64)
    counts[:9, :2] = [[1 + k, 11 - k] for k in range(9)]
    counts[9] = [0, 0, 1, 2, 4, 0]  # seven visits where nobody else goes
    original = numbered_side(counts)
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


def test_fractions_that_do_not_add_up_to_one_person_are_claimed_for_nobody():
    # twice the shares: 0.5, 0.7 and 0.8, each a fraction of some length, but no set of them is one person
    pair = numbered_side([[25, 35, 40]] * 2)
    assert reconstruct(pair) == []


def test_a_claim_is_right_up_to_a_common_factor_and_only_for_a_member_of_its_group():
    alone = numbered_side([[1, 3], [2, 0]])
    claims = reconstruct(alone)
    assert {claim.rows: claim.counts for claim in claims} == {(0,): (("p0", 1), ("p1", 3)), (1,): (("p0", 1),)}
    assert count_right(claims, numbered_side([[2, 6], [5, 0]])) == 2
    assert count_right(claims, numbered_side([[2, 0], [1, 3]])) == 0
