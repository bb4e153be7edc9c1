"""Synthetic data has the sizes and shapes it promises, and the same seed gives the same bytes."""

import hashlib

import numpy as np
import pytest

import singleout as so
from singleout.reading.synthetic.calls import MONDAY, Habits, calls_of
from tests.small_logs import users_times_places

PEOPLE = 6_000


@pytest.fixture(scope="module")
def calls():
    return so.synthetic_calls(people=PEOPLE, seed=2)


def bursts_by_week(log):
    """Calls of each person in each week."""
    user, time, _ = users_times_places(log)
    week = (time - MONDAY) // (7 * 86_400)
    return np.stack([np.bincount(user[week == number], minlength=PEOPLE) for number in (0, 1)])


def test_calls_have_the_volume_of_the_paper(calls):
    user, _, _ = users_times_places(calls)
    volume = np.bincount(user, minlength=PEOPLE)
    assert volume.mean() == pytest.approx(101.2, rel=0.06)
    assert np.median(volume) < 0.8 * volume.mean(), "some call far more than most"


def test_few_people_have_one_or_two_calls_a_week_and_volumes_vary_from_week_to_week(calls):
    heavy = so.synthetic_calls(people=PEOPLE, preset="heavy-tail", seed=2)
    few = [(bursts_by_week(log) <= 2).any(axis=0).mean() for log in (calls, heavy)]
    assert few[0] < 0.03 < 0.1 < few[1]
    first, second = np.log(bursts_by_week(calls))
    assert np.std(second - first) > 0.5, "beyond what drawing calls alone would give"


def test_the_heavy_tail_preset_gives_the_bytes_that_the_benchmarks_were_measured_on():
    table = so.synthetic_calls(people=200, preset="heavy-tail", seed=3).table
    content = b"".join(table[name].to_numpy().tobytes() for name in ("user", "time", "place"))
    assert (table.num_rows, hashlib.sha256(content).hexdigest()[:16]) == (20_335, "12c1e4ee9b3c1de8")


def test_everyone_calls_in_both_weeks_from_about_as_many_antennas_as_in_the_paper(calls):
    user, time, place = users_times_places(calls)
    week = (time - MONDAY) // (7 * 86_400)
    assert set(np.unique(week)) == {0, 1}
    assert all(len(np.unique(user[week == w])) == PEOPLE for w in (0, 1))
    assert len(np.unique(user * 10_000 + place)) / PEOPLE == pytest.approx(6.7, abs=0.7)


def test_quiet_days_are_quiet_and_two_thirds_call_on_both_mondays(calls):
    user, time, _ = users_times_places(calls)
    day = (time - MONDAY) // 86_400
    a_day = np.bincount(day, minlength=14) / PEOPLE
    assert a_day[1] == pytest.approx(1.9, abs=0.3)
    assert a_day[0] < 0.85 * a_day[7]
    both = np.intersect1d(user[day == 0], user[day == 7])
    assert len(both) / PEOPLE == pytest.approx(30_937 / 46_986, abs=0.06)


def test_favourite_places_lie_near_home(calls):
    user, _, place = users_times_places(calls)
    region = calls.places["region"].to_numpy()[place]
    home = np.array([np.bincount(region[user == u]).argmax() for u in range(200)])
    at_home = np.array([(region[user == u] == home[u]).mean() for u in range(200)])
    assert at_home.mean() > 0.6, "gravity keeps people in their part of the country"


def test_people_share_routines_so_fewer_routines_make_them_harder_to_find():
    rates = []
    for routines in (1, 50):
        sizes = {"people": 2_000, "antennas": 100, "regions": 20, "calls": 100.0, "seed": 1}
        parts = so.split(calls_of(Habits(routines=routines, drift=0.1), **sizes).events, by="weeks")
        rates.append(so.accuracy(so.match(*(so.histograms(part) for part in parts))).rate.value)
    assert rates[0] < rates[1] - 0.1


def test_antennas_and_regions_have_the_asked_sizes(calls):
    assert len(np.unique(users_times_places(calls)[2])) == 1_211, "a few antennas serve nobody"
    assert calls.places.num_rows == 1_237
    region = calls.places["region"].to_numpy()
    assert len(np.unique(region)) == 237
    assert np.bincount(region).max() > 20, "a city is one place on a map of regions"


def test_habits_last_and_the_crowd_hides_people(calls):
    second, first = (so.histograms(part) for part in so.split(calls.events, by="weeks"))
    few = np.random.default_rng(0).choice(first.people, 1_000, replace=False)
    js = so.accuracy(so.match(first.only(few), second.only(few))).rate.value
    dot = so.accuracy(so.match(first.only(few), second.only(few), similarity="dot")).rate.value
    assert js == pytest.approx(0.78, abs=0.04), "what N16 found of 1,000"
    assert dot < js
    assert so.accuracy(so.match(first, second)).rate.value < 0.6


def test_more_drift_makes_people_harder_to_find():
    rates = []
    for drift in (0.0, 0.8):
        parts = so.split(so.synthetic_calls(people=500, drift=drift, seed=1).events, by="weeks")
        rates.append(so.accuracy(so.match(*(so.histograms(part) for part in parts))).rate.value)
    assert rates[1] < rates[0] - 0.1


def test_same_seed_same_bytes_other_seed_other_bytes():
    first, again, other = (so.synthetic_calls(people=50, seed=seed).table for seed in (5, 5, 6))
    assert first.equals(again)
    assert not first.equals(other)


@pytest.mark.parametrize(
    "sizes",
    [
        {"people": 1},
        {"people": 3, "antennas": 1, "regions": 1},
        {"antennas": 5, "people": 9},
        {"people": 4, "calls": 0.01},
        {"people": 4, "calls": 0.01, "preset": "heavy-tail"},
    ],
)
def test_small_sizes_work_and_everyone_calls_in_both_weeks(sizes):
    user, time, _ = users_times_places(so.synthetic_calls(**sizes))
    assert len({(u, (t - MONDAY) // (7 * 86_400)) for u, t in zip(user, time, strict=True)}) == 2 * sizes["people"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"people": 0}, "people must be a whole number of at least 1"),
        ({"people": 2, "drift": 2}, "drift must be between 0 and 1"),
        ({"preset": "heavy"}, "preset must be one of calibrated, heavy-tail"),
    ],
)
def test_impossible_sizes_say_so(options, message):
    with pytest.raises(so.InputError, match=message):
        so.synthetic_calls(**options)
