"""Splitting along time: each rule equals its slow twin, and whoever is left out is counted."""

import random
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.reading.split import split_again
from singleout.reading.times import WEEKDAYS
from tests.reference import counting

DAY = 86_400
START = 15_000 * DAY

logs = st.lists(
    st.tuples(st.integers(0, 4), st.integers(START, START + 60 * DAY), st.sampled_from("abc")), min_size=1, max_size=40
)


def events_of(log):
    columns = dict(zip(("user", "time", "place"), zip(*log, strict=True), strict=True))
    return so.read_events(pa.table({k: list(v) for k, v in columns.items()}), user="user", time="time", place="place")


def as_dict(events):
    found = so.histograms(events)
    table = found.counts.tocoo()
    return {(found.people[r], found.places[c]): v for r, c, v in zip(*table.coords, table.data, strict=True)}


@given(log=logs, week_start=st.integers(0, 6), longer_first=st.booleans())
def test_halves_equal_their_twin(log, week_start, longer_first):
    expected = counting.halves(log, week_start, longer_first)
    options = {"week_start": WEEKDAYS[week_start], "longer_first": longer_first}
    if not expected[0]:
        with pytest.raises(so.DataError, match="leaves nobody"):
            so.split(events_of(log), **options)
        return
    parts = so.split(events_of(log), **options)
    assert [as_dict(part) for part in (parts.known, parts.released)] == [counting.counts(part) for part in expected]
    left_out = len({user for user, *_ in log}) - len({user for user, *_ in expected[0]})
    assert sum(note.count for note in parts[0].notes) == left_out


@given(log=logs)
def test_best_weeks_equal_their_twin(log):
    start, people = counting.best_weeks(log)
    if not people:
        with pytest.raises(so.DataError, match="leaves nobody"):
            so.split(events_of(log), by="weeks")
        return
    parts = so.split(events_of(log), by="weeks")
    for part, opening in ((parts.known, start), (parts.released, start + 7)):
        inside = [e for e in log if e[0] in people and opening * DAY <= e[1] < (opening + 7) * DAY]
        assert as_dict(part) == counting.counts(inside)


def test_of_equal_periods_the_one_with_most_days_of_activity_on_the_scarcer_side_is_taken():
    dense = [(user, START + day * DAY, "a") for user in range(6) for day in range(14)]
    second, first = so.split(events_of(dense), by="weeks")
    assert as_dict(first) == as_dict(second) == {(user, "a"): 7 for user in range(6)}
    # somebody who is in one week only counts for no side
    busy = dense + [(9, START - day * DAY, "b") for day in range(1, 5)]
    assert as_dict(so.split(events_of(busy), by="weeks").known) == as_dict(first)


def test_dates_cut_where_they_say_and_the_last_day_is_outside():
    log = [(1, START + day * DAY, f"day{day}") for day in range(5)] + [(2, START + 9 * DAY, "late")]
    first_day = date.fromordinal(719_163 + 15_000)
    days = [date.fromordinal(first_day.toordinal() + k) for k in (1, 2, 4)]
    second, first = so.split(events_of(log), by="dates", dates=[str(days[0]), days[1], days[2]])
    assert as_dict(first) == {(1, "day1"): 1}
    assert as_dict(second) == {(1, "day2"): 1, (1, "day3"): 1}
    assert [str(note) for note in first.notes] == ["1 person left out: without events between the dates"]


@given(log=logs, seed=st.integers(0, 9))
def test_a_random_point_leaves_the_asked_share_before_it(log, seed):
    log = log + [(9, START + k * DAY, "a") for k in range(101)]
    second, first = so.split(events_of(log), by="point", between=(0.3, 0.7), seed=seed)
    before, after = as_dict(first).get((9, "a"), 0), as_dict(second).get((9, "a"), 0)
    assert before + after == 101
    assert 0.29 < before / 101 <= 0.7
    people = {user for user, _ in as_dict(first)}
    assert people == {user for user, _ in as_dict(second)}, "whoever has a first part has a second"


@given(log=logs, seed=st.integers(0, 9), of=st.sampled_from(["events", "time"]))
def test_points_by_events_and_by_time_equal_their_twin(log, seed, of):
    people = sorted({user for user, *_ in log})
    shares = dict(zip(people, np.random.default_rng(seed).uniform(0.3, 0.7, len(people)), strict=True))
    expected = counting.points(log, shares, of)
    if not expected[0]:
        with pytest.raises(so.DataError, match="leaves nobody"):
            so.split(events_of(log), by="point", of=of, seed=seed)
        return
    parts = so.split(events_of(log), by="point", of=of, seed=seed)
    assert [as_dict(part) for part in (parts.known, parts.released)] == [counting.counts(part) for part in expected]


def test_by_time_a_burst_at_the_start_stays_whole():
    # nine events in the first hour and one a hundred days later: by time nine come before any point, by events not
    log = [(1, START + 60 * k, "a") for k in range(9)] + [(1, START + 100 * DAY, "b")]
    second, first = so.split(events_of(log), by="point", of="time")
    assert (as_dict(first), as_dict(second)) == ({(1, "a"): 9}, {(1, "b"): 1})
    assert as_dict(so.split(events_of(log), by="point").known)[1, "a"] < 9


def test_points_follow_the_seed_and_not_the_order_of_rows():
    log = [(u, START + k * 7_919 * (u + 1), "abc"[k % 3]) for u in range(6) for k in range(50)]
    shuffled = random.Random(1).sample(log, len(log))
    parts = [[as_dict(p) for p in so.split(events_of(rows), by="point", seed=3)] for rows in (log, shuffled)]
    assert parts[0] == parts[1]
    assert parts[0] != [as_dict(p) for p in so.split(events_of(log), by="point", seed=4)]


def test_active_weeks_are_counted_inside_the_box_only():
    # N16 IV-C1: the data is cut to the box first; one active week inside is one active week
    table = pa.table(
        {"u": [1, 1, 2, 2], "t": [START, START + 8 * DAY] * 2, "lat": [0.0, 0.0, 0.0, 5.0], "lng": [0.0] * 4}
    )
    events = so.read_events(table, user="u", time="t", lat="lat", lng="lng", grid=100, box=(0, 0, 1000))
    _, first = so.split(events)
    assert so.histograms(first).people.tolist() == [1]
    assert "1 person left out: active in one week only" in [str(note) for note in first.notes]


def test_weeks_follow_the_clock_of_the_zone():
    # Sunday 23:30 UTC is Monday in Tokyo: two weeks there, one in UTC
    sunday = 1_333_929_600 - 1_800
    log = [(1, sunday - 3_600 * 20, "a"), (1, sunday, "b")]
    table = pa.table({"user": [1, 1], "time": [t for _, t, _ in log], "place": ["a", "b"]})
    read = {"user": "user", "time": "time", "place": "place"}
    assert len(so.histograms(so.split(so.read_events(table, **read, timezone="Asia/Tokyo"))[0])) == 1
    with pytest.raises(so.DataError, match="leaves nobody"):
        so.split(so.read_events(table, **read))


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({}, r"span too little for it: try by='point', or a log that covers more time\."),
        ({"by": "weeks"}, r"try by='halves' or by='point', or a log that covers more time\."),
        ({"by": "dates", "dates": ("2001-01-01", "2001-02-01", "2001-03-01")}, r"other dates, or try by='halves' or"),
    ],
)
def test_where_nobody_is_left_only_rules_that_exist_and_need_less_are_proposed(options, hint):
    log = [(user, START + 3_600 * k, "ab"[k % 2]) for user in range(3) for k in range(9)]
    with pytest.raises(so.DataError, match=hint):
        so.split(events_of(log), **options)
    assert so.histograms(so.split(events_of(log), by="point").released).people.tolist() == [0, 1, 2]
    with pytest.raises(so.DataError, match="at two different times: use a log that covers more time"):
        so.split(events_of([(1, START, "a"), (1, START, "b")]), by="point")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "half"}, r"by must be one of halves, weeks, dates, point \(got 'half'\)\.$"),
        ({"by": "halvs"}, r"\(got 'halvs'\)\. Did you mean 'halves'\?$"),
        ({"week_start": "Tuesday"}, r"week_start must be one of .* Did you mean 'tuesday'"),
        ({"by": "dates"}, "by='dates' requires dates=START,MIDDLE,END, in ascending order"),
        ({"by": "dates", "dates": ["2012-01-01"]}, "dates must be three dates in ascending order"),
        ({"by": "dates", "dates": ["2012-01-01", "soon", "2013-01-01"]}, "dates must be dates such as"),
        ({"by": "dates", "dates": ["2013-01-01", "2012-01-01", "2014-01-01"]}, "in ascending order"),
        ({"by": "point", "between": (0.7, 0.3)}, "between must be two shares"),
        ({"by": "point", "of": "times"}, r"of must be one of events, time \(got 'times'\). Did you mean 'time'"),
        ({"dates": ["2012-01-01", "2012-02-01", "2012-03-01"]}, "dates must be omitted unless by='dates'"),
    ],
)
def test_bad_rules_say_what_they_must_be(options, message):
    with pytest.raises(so.InputError, match=message):
        so.split(events_of([(1, START, "a"), (1, START + 9 * DAY, "a")]), **options)


def test_a_log_without_times_or_already_split_cannot_be_split():
    table = pa.table({"user": [1], "place": ["a"]})
    with pytest.raises(so.InputError, match="read with a time column"):
        so.split(so.read_events(table, user="user", place="place"))
    parts = so.split(events_of([(1, START, "a"), (1, START + 9 * DAY, "a")]))
    with pytest.raises(so.InputError, match="has not been split"):
        so.split(parts[0])


def test_a_large_log_is_parted_without_loss():
    rng = np.random.default_rng(0)
    size = 300_000
    table = pa.table(
        {
            "user": rng.integers(0, 500, size),
            "time": START + rng.integers(0, 200 * DAY, size),
            "place": rng.integers(0, 50, size),
        }
    )
    events = so.read_events(table, user="user", time="time", place="place")
    total = sum(int(so.histograms(part).counts.sum()) for part in so.split(events))
    assert total == size


def test_people_never_inside_the_box_are_counted():
    table = pa.table(
        {"u": [1, 1, 2, 2], "t": [START, START + 8 * DAY] * 2, "lat": [0.0, 0.0, 5.0, 5.0], "lng": [0.0] * 4}
    )
    events = so.read_events(table, user="u", time="t", lat="lat", lng="lng", grid=100, box=(0, 0, 1000))
    notes = [str(note) for note in so.split(events)[0].notes]
    assert "1 person left out: none of their events has both a time and a place" in notes


def test_times_read_in_too_small_a_unit_get_a_hint():
    table = pa.table({"user": [1, 1], "time": [START, START + 9 * DAY], "place": ["a", "a"]})
    with pytest.raises(so.DataError, match="All times are in 1970 or earlier: is time_unit='ms' right"):
        so.split(so.read_events(table, user="user", time="time", place="place", time_unit="ms"))


def test_a_part_is_split_again_at_the_middle_of_each_persons_active_days():
    days = {"a": [0, 1, 2, 3, 20, 21], "b": [0, 5, 30], "c": [0, 40], "d": [1, 2, 3, 50]}
    rows = [(who, START + day * DAY, f"p{day}") for who, every in days.items() for day in every]
    log = events_of(rows)
    turn = date.fromtimestamp(START + 10 * DAY)
    sides = so.split(log, by="dates", dates=[date.fromtimestamp(START - DAY), turn, turn + timedelta(days=60)])
    again = split_again(sides.known)
    assert places_of(again.known) == {"a": {"p0", "p1"}, "b": {"p0"}, "d": {"p1"}}
    assert places_of(again.released) == {"a": {"p2", "p3"}, "b": {"p5"}, "d": {"p2", "p3"}}
    assert any("active on one day only" in note.why for note in again.known.notes)
    later = split_again(sides.released)
    assert places_of(later.released) == {"a": {"p21"}}
    with pytest.raises(so.InputError, match="events must be one part of a split"):
        split_again(log)


def places_of(side):
    counts = so.histograms(side)
    rows = counts.counts.toarray() > 0
    return {who: set(counts.places[row].tolist()) for who, row in zip(counts.people.tolist(), rows, strict=True)}
