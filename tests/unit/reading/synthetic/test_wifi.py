"""Synthetic Wi-Fi logs have the shape of the paper's."""

from collections import Counter

import numpy as np
import pytest

import singleout as so
from singleout.reading.synthetic.calls import MONDAY
from tests.small_logs import users_times_places


@pytest.fixture(scope="module")
def wifi():
    return so.synthetic_wifi(people=1_200, seed=1)


def dwell(wifi, **options):
    sides = [
        so.histograms(part, measure="dwell", whole_window=True, **options) for part in so.split(wifi.events, by="weeks")
    ]
    both = np.intersect1d(sides[0].people, sides[1].people)
    return tuple(side.only(both) for side in sides)


def test_everybody_is_last_seen_at_one_of_few_exits_which_say_nothing_about_the_person():
    log = so.synthetic_wifi(people=400, exits=7, seed=1)
    user, time, place = users_times_places(log)
    day = (time - MONDAY) // 86_400
    last = {(u, d): p for u, d, p in zip(user, day, place, strict=True)}
    exits = [place for place, _ in Counter(last.values()).most_common(7)]
    assert np.isin(list(last.values()), exits).mean() > 0.995, "but where another record has the same second"
    again = [last[u, 0] == last[u, 7] for u in range(400) if (u, 0) in last and (u, 7) in last]
    assert np.mean(again) == pytest.approx(1 / 7, abs=0.06)


def test_exits_change_nothing_before_people_leave():
    with_exits, without = (users_times_places(so.synthetic_wifi(people=60, exits=exits, seed=2)) for exits in (10, 0))
    assert len(with_exits[0]) == len(without[0])
    logs = [sorted(zip(user, time, strict=True)) for user, time, _ in (with_exits, without)]
    assert logs[0] == logs[1], "the same people at the same times"
    places = [
        dict(zip(zip(user, time, strict=True), place, strict=True)) for user, time, place in (with_exits, without)
    ]
    changed = [key for key in places[0] if places[0][key] != places[1][key]]
    assert changed
    latest = {}
    for u, t in logs[0]:
        latest[u, (t - MONDAY) // 86_400] = t
    assert all(latest[u, (t - MONDAY) // 86_400] == t for u, t in changed)


def test_wifi_visits_a_few_access_points_a_day_with_a_tail(wifi):
    monday, _ = dwell(wifi, window=("09:00", "17:00"), days=["monday"])
    visited = np.diff(monday.counts.indptr)
    assert visited.mean() == pytest.approx(11, abs=1.5)
    assert np.median(visited) == pytest.approx(8, abs=1.5)
    assert visited.max() > 3.5 * visited.mean()
    assert wifi.places.num_rows == 934


def test_about_as_many_are_there_all_day_as_in_the_paper(wifi):
    for start, days, people in (("09:00", 1, 1_154), ("10:00", 1, 2_174), ("10:00", 2, 1_047)):
        there = dwell(wifi, window=(start, "17:00"), days=["monday", "tuesday"][:days])[0]
        assert len(there) / 1_200 == pytest.approx(people / 4_514, abs=0.05)


def test_wifi_has_un13s_order_more_days_better_longer_window_fewer_people(wifi):
    short, long = ({"window": (start, "17:00"), "days": ["monday"]} for start in ("10:00", "09:00"))
    two_days = {"window": ("10:00", "17:00"), "days": ["monday", "tuesday"], "channel": "weekday"}
    sides = {name: dwell(wifi, **options) for name, options in (("short", short), ("long", long), ("two", two_days))}
    assert len(sides["long"][0]) < len(sides["short"][0])
    assert set(sides["short"][0].totals.tolist()) == {7 * 3_600}
    rate = {name: so.accuracy(so.match(*pair)).rate.value for name, pair in sides.items()}
    assert rate["two"] > rate["short"]
    assert so.accuracy(so.match(*sides["short"], method="one-by-one", by="known")).rate.value < rate["short"]


def test_same_seed_same_bytes_other_seed_other_bytes():
    first, again, other = (so.synthetic_wifi(people=50, seed=seed).table for seed in (5, 5, 6))
    assert first.equals(again)
    assert not first.equals(other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"access_points": 0}, "access_points must be a whole number of at least 1"),
        ({"drift": -1}, "drift must be between 0 and 1"),
        ({"exits": -1}, "exits must be a whole number of at least 0"),
    ],
)
def test_impossible_sizes_say_so(options, message):
    with pytest.raises(so.InputError, match=message):
        so.synthetic_wifi(**options)
