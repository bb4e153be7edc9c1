"""Data is read once and in every way that a paper leaves open."""

import numpy as np

import singleout as so
from singleout.papers.data_sets import (
    BEIJING,
    GEOLIFE,
    SMALLER_BOX,
    WEEK_START,
)
from singleout.papers.traces import in_order


def test_points_counted_by_day_give_the_halves_that_the_points_give(shelf):
    file = shelf.file(GEOLIFE)
    columns = {"user": "user", "time": "time", "lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5}
    direct = in_order(so.split(so.read_events(file, **columns, grid=1000, box=BEIJING), week_start="thursday"))
    for ours, theirs in zip(shelf.geolife(1000, week_start="thursday"), map(so.histograms, direct), strict=True):
        assert np.array_equal(ours.counts.toarray(), theirs.counts.toarray())
        assert ours.people.tolist() == theirs.people.tolist()


def test_larger_cells_are_those_that_the_points_give(shelf):
    columns = {"user": "user", "time": "time", "lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5}
    for side in (10, 300, 2_000):
        direct = so.histograms(so.read_events(shelf.file(GEOLIFE), **columns, grid=side, box=BEIJING))
        ours = so.histograms(shelf.geolife_days(side))
        assert ours.places.tolist() == direct.places.tolist()
        assert np.array_equal(ours.counts.toarray(), direct.counts.toarray())


def test_a_smaller_box_holds_the_points_that_it_gives(shelf):
    columns = {"user": "user", "time": "time", "lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5}
    events = so.read_events(shelf.file(GEOLIFE), **columns, grid=1000, box=(*BEIJING[:2], SMALLER_BOX))
    _, first = (so.histograms(part) for part in so.split(events, week_start=WEEK_START))
    assert np.array_equal(shelf.geolife(box=SMALLER_BOX)[0].counts.toarray(), first.counts.toarray())


def test_the_way_shown_is_the_first_of_the_open_ones(shelf):
    ways = shelf.geolife_choices()
    assert len(ways) == 15, "seven starts of weeks, two halvings, and a smaller box"
    assert ways[0] is shelf.geolife()
    assert ways[-1] is shelf.geolife(box=SMALLER_BOX)


def test_visits_are_the_points_in_order_and_none_is_lost(shelf):
    days, visits = so.histograms(shelf.geolife_days(1000)), so.histograms(shelf.geolife_visits())
    assert np.array_equal(days.counts.toarray(), visits.counts.toarray())
