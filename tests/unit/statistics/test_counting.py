"""The grouping query: dwell, windows, days and channels equal their twins, and bad options are refused."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.reading.times import WEEKDAYS
from tests.reference import counting
from tests.small_logs import DAY, MONDAY
from tests.small_logs import events as events_of


def as_dict(found, channel=None):
    table = found.counts.tocoo()
    wanted = np.ones(len(found.places), bool) if channel is None else found.channels == channel
    return {
        (found.people[r], found.places[c]): v for r, c, v in zip(*table.coords, table.data, strict=True) if wanted[c]
    }


short_logs = st.lists(
    st.tuples(st.integers(0, 2), st.integers(MONDAY, MONDAY + 2 * DAY - 1), st.sampled_from("abc")),
    min_size=1,
    max_size=12,
)


@settings(max_examples=15)
@given(log=short_logs)
def test_dwell_equals_looking_at_every_second_of_the_window(log):
    found = so.histograms(events_of(log), measure="dwell", window=("09:00", "10:00"))
    assert as_dict(found) == counting.dwell(log, 9 * 3_600, 10 * 3_600)


def test_a_stay_is_cut_at_midnight_and_the_last_record_lasts_to_the_windows_end():
    log = [(1, MONDAY + 23 * 3_600, "bar"), (1, MONDAY + DAY + 3_600, "home")]
    assert as_dict(so.histograms(events_of(log), measure="dwell")) == {(1, "bar"): 3_600, (1, "home"): 23 * 3_600}


spaced_logs = st.lists(
    st.tuples(st.integers(0, 2), st.integers(MONDAY - DAY, MONDAY + 9 * DAY - 1), st.sampled_from("abc")),
    min_size=1,
    max_size=10,
)


@settings(max_examples=10)
@given(log=spaced_logs, days=st.sampled_from([("monday",), ("monday", "tuesday"), ("sunday", "monday"), None]))
def test_overnight_dwell_equals_looking_at_every_second_of_days_in_a_row(log, days):
    found = so.histograms(events_of(log), measure="dwell", window=("10:00", "17:00"), days=days, overnight=True)
    weekdays = range(7) if days is None else [WEEKDAYS.index(day) for day in days]
    assert as_dict(found) == counting.overnight_dwell(log, 10 * 3_600, 17 * 3_600, weekdays)


def test_overnight_the_last_place_of_a_day_has_the_night():
    log = [
        (1, MONDAY + 10 * 3_600, "office"),
        (1, MONDAY + 18 * 3_600, "gate"),
        (1, MONDAY + DAY + 9 * 3_600, "office"),
    ]
    options = {"measure": "dwell", "window": ("10:00", "17:00"), "days": ["monday", "tuesday"]}
    assert as_dict(so.histograms(events_of(log), **options)) == {(1, "office"): 2 * 7 * 3_600}
    overnight = as_dict(so.histograms(events_of(log), **options, overnight=True))
    assert overnight == {(1, "office"): 16 * 3_600, (1, "gate"): 15 * 3_600}


def test_overnight_stays_do_not_lead_from_one_part_into_the_other():
    log = [(1, MONDAY + 20 * 3_600, "a"), (1, MONDAY + 7 * DAY + 8 * 3_600, "b")]
    second, first = so.split(events_of(log), by="dates", dates=["2012-04-09", "2012-04-16", "2012-04-23"])
    found = [as_dict(so.histograms(part, measure="dwell", overnight=True)) for part in (first, second)]
    assert found == [{(1, "a"): 4 * 3_600}, {(1, "b"): 16 * 3_600}]


def test_leaving_the_box_ends_a_stay():
    table = pa.table({"u": [1, 1], "t": [MONDAY, MONDAY + 60], "lat": [0.0, 9.0], "lng": [0.0, 0.0]})
    events = so.read_events(table, user="u", time="t", lat="lat", lng="lng", grid=10, box=(0, 0, 100))
    assert so.histograms(events, measure="dwell").counts.data.tolist() == [60]


def test_whole_window_keeps_those_seen_at_both_ends_on_every_day():
    nine, five = 9 * 3_600, 17 * 3_600
    log = []
    for day in (0, 1):
        log += [(1, MONDAY + day * DAY + nine, "a"), (1, MONDAY + day * DAY + five, "a")]  # both ends, to the second
        log += [(2, MONDAY + day * DAY + nine + 1, "a"), (2, MONDAY + day * DAY + five, "a")]  # a second late
    log += [(3, MONDAY + nine, "a"), (3, MONDAY + five, "a")]  # on one day only
    found = so.histograms(events_of(log), measure="dwell", window=("09:00", "17:00"), whole_window=True)
    assert found.people.tolist() == [1]
    assert found.totals.tolist() == [2 * 8 * 3_600]
    assert "2 people left out: not present for the whole window on every day" in [str(note) for note in found.notes]


@given(
    log=st.lists(
        st.tuples(st.integers(0, 3), st.integers(MONDAY, MONDAY + 14 * DAY), st.sampled_from("ab")),
        min_size=1,
        max_size=30,
    )
)
def test_weekday_channels_hold_the_events_of_their_day_and_sum_to_the_merged(log):
    found = so.histograms(events_of(log), channel="weekday")
    for number, name in enumerate(WEEKDAYS):
        expected = counting.counts([e for e in log if (e[1] - MONDAY) // DAY % 7 == number])
        assert as_dict(found, name) == expected
    merged = so.histograms(events_of(log))
    assert as_dict(merged) == counting.counts(log)


def test_days_keep_only_events_of_their_weekdays():
    log = [(1, MONDAY + day * DAY, "a") for day in range(10)]
    found = so.histograms(events_of(log), days=["tuesday", "monday"])
    assert found.totals.tolist() == [4]


def test_dayparts_are_four_times_six_hours():
    log = [(1, MONDAY + hour * 3_600, "a") for hour in range(24)]
    found = so.histograms(events_of(log), channel="daypart")
    assert sorted(found.channels.tolist()) == ["afternoon", "evening", "morning", "night"]
    assert found.counts.toarray().tolist() == [[6, 6, 6, 6]]


def test_a_column_can_be_the_channel_and_missing_labels_are_counted():
    table = pa.table({"u": [1, 1, 2], "p": ["a", "a", "a"], "c": ["call", "text", None]})
    events = so.read_events(table, user="u", place="p", channel="c")
    found = so.histograms(events, channel="c")
    assert found.channels.tolist() == ["call", "text"]
    assert "1 event left out: without a channel" in [str(note) for note in found.notes]
    assert so.histograms(events).counts.toarray().tolist() == [[2], [1]], "without channel they are merged"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "time"}, "measure must be one of events, dwell"),
        ({"overnight": True}, "overnight must be False unless measure='dwell'"),
        ({"window": ("17:00", "09:00")}, r"such as 09:00-17:00 \(got '17:00-09:00'\)\. It cannot cross midnight\.$"),
        ({"window": ("soon",)}, r"window must be two times of day, the earlier first, .* \(got 'soon'\)\.$"),
        ({"window": 9}, r"window must be two times of day, .* \(got 9\)\.$"),
        ({"window": ("9", "17")}, "window must be two times of day"),
        ({"channel": "weekdays"}, "Did you mean 'weekday'"),
        ({"days": "monday"}, "days must be a list of weekdays"),
        ({"days": ["moonday"]}, "Did you mean 'monday'"),
        ({"whole_window": True}, "whole_window requires window"),
    ],
)
def test_bad_options_say_what_they_must_be(options, message):
    with pytest.raises(so.InputError, match=message):
        so.histograms(events_of([(1, MONDAY, "a")]), **options)


def test_what_needs_times_says_so_where_there_are_none():
    events = so.read_events(pa.table({"u": [1], "p": [1], "n": [1]}), user="u", place="p")
    for options in ({"measure": "dwell"}, {"window": ("09:00", "10:00")}, {"channel": "weekday"}, {"days": ["monday"]}):
        with pytest.raises(so.InputError, match="read with a time column"):
            so.histograms(events, **options)
    with pytest.raises(so.InputError, match="'events' if there is a count column"):
        so.histograms(events_of([(1, MONDAY, "a")], count="time"), measure="dwell")
