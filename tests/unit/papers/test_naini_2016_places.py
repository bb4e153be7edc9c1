"""Accuracy by the size of cells and by sites."""

import numpy as np

import singleout as so
from singleout.papers.naini_2016_places import _keep_sites, by_side


def test_only_people_who_visit_a_top_site_in_both_weeks_can_be_renormalised():
    places, people = ["a", "b", "c", "d", "e", "f"], ["both", "first week", "second week", "neither"]
    first = so.Histograms(
        np.array([[1, 0, 0, 0, 0, 2], [3, 0, 0, 0, 0, 0], [0] * 5 + [4], [0] * 5 + [1]]), people, places
    )
    second = so.Histograms(
        np.array([[0, 5, 0, 0, 0, 0], [0] * 5 + [9], [0, 0, 2, 0, 0, 0], [0] * 5 + [1]]), people, places
    )
    kept = _keep_sites((first, second), np.array(places), 5)
    assert [side.people.tolist() for side in kept] == [["both"], ["both"]]
    assert [side.totals.tolist() for side in kept] == [[1], [5]]


SIDES = (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)


def test_about_100_metres_is_not_500():
    at_100 = [0.58, 0.60, 0.65, 0.66, 0.68, 0.64, 0.63, 0.58, 0.48, 0.31]
    large, small, about = by_side(SIDES, at_100)
    assert (large.holds, small.holds, about.holds) == (True, True, True)
    at_500 = [0.58, 0.60, 0.61, 0.62, 0.63, 0.64, 0.69, 0.58, 0.48, 0.31]
    assert not by_side(SIDES, at_500)[-1].holds


def test_very_large_and_very_small_cells_must_be_worse_at_every_step():
    bump = [0.58, 0.60, 0.65, 0.66, 0.68, 0.64, 0.63, 0.58, 0.59, 0.31]
    assert not by_side(SIDES, bump)[0].holds
    fine = [0.70, 0.60, 0.65, 0.66, 0.68, 0.64, 0.63, 0.58, 0.48, 0.31]
    assert not by_side(SIDES, fine)[1].holds
    assert len(by_side(SIDES[3:], bump[3:])) == 2, "without very small cells nothing is said of them"
