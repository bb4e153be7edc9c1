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
