"""Histograms: counts, dwell, windows and channels equal their twins; odd sizes work; bad counts are refused."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import singleout as so
from singleout.reading.times import WEEKDAYS
from tests.reference import counting

DAY = 86_400
MONDAY = 1_333_929_600


def events_of(log, **options):
    columns = dict(zip(("user", "time", "place"), zip(*log, strict=True), strict=True))
    table = pa.table({k: list(v) for k, v in columns.items()})
    return so.read_events(table, **{"user": "user", "time": "time", "place": "place", **options})


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


def test_a_window_leaves_out_events_outside_it_and_their_person_keeps_a_row():
    found = so.histograms(events_of([(1, MONDAY, "a"), (2, MONDAY + 43_200, "a")]), window=("09:00", "17:00"))
    assert found.counts.toarray().tolist() == [[0], [1]]
    assert "1 person without events: they keep an empty row and share no place with anyone" in [
        str(note) for note in found.notes
    ]


def test_70000_places_one_person():
    table = pa.table({"u": np.ones(70_000), "p": np.arange(70_000)})
    found = so.histograms(so.read_events(table, user="u", place="p"))
    assert found.counts.shape == (1, 70_000)
    assert so.accuracy(so.match(found, found)).rate.value == 1.0


def test_people_without_events_keep_their_row_through_matching():
    events = so.Histograms(np.array([[0, 0], [1, 2], [3, 0]]), ["none", "x", "y"], ["a", "b"])
    found = so.accuracy(so.match(events, events))
    assert found.common == 3
    assert found.expected == pytest.approx(3)


def test_counts_are_tidied_in_a_copy_and_stay_exact():
    given_counts = sparse.csr_matrix(
        (np.array([1.0, 2.0, 0.0]), np.array([1, 1, 0]), np.array([0, 2, 3])), shape=(2, 2)
    )
    found = so.Histograms(given_counts, ["a", "b"], [1, 2])
    assert found.counts.dtype == np.int64
    assert found.counts.toarray().tolist() == [[0, 3], [0, 0]]
    assert found.counts.nnz == 1
    assert given_counts.nnz == 3, "the caller's matrix is as it was"


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_negative_or_non_finite_counts_name_their_row(value):
    counts = np.ones((3, 2))
    counts[1, 1] = value
    with pytest.raises(so.DataError, match="row 2 contains one that is not"):
        so.Histograms(counts, [1, 2, 3], [1, 2])


@pytest.mark.parametrize(
    ("people", "places", "channels", "message"),
    [
        ([1, 1], [1, 2], None, "people contains 1 duplicates"),
        ([1, 2], ["a", "a"], None, "places contains duplicates"),
        ([1, 2], ["a", "a"], ["x", "x"], "places contains duplicates"),
        ([1], [1, 2], None, "people must be 2 ids"),
        ([1, 2], [1, 2], ["x"], "channels must be 2 labels"),
        ([1, "2"], [1, 2], None, "people mixes ids of several types"),
        ([1, 2], [1, "x"], None, r"places mixes ids of several types \(int, str\)"),
    ],
)
def test_ids_that_do_not_fit_are_refused(people, places, channels, message):
    with pytest.raises(so.InputError, match=message):
        so.Histograms(np.ones((2, 2)), people, places, channels=channels)


def test_the_same_place_in_two_channels_is_two_columns():
    assert so.Histograms(np.ones((1, 2)), [1], ["a", "a"], channels=["x", "y"]).counts.shape == (1, 2)


def test_counts_that_are_no_matrix_of_numbers_are_refused():
    with pytest.raises(so.InputError, match="a matrix of people by places"):
        so.Histograms([1, 2], [1], [1, 2])
    with pytest.raises(so.InputError, match="counts must be numbers"):
        so.Histograms(np.array([["x"]]), [1], [1])
    with pytest.raises(so.DataError, match="above 2\\*\\*53"):
        so.Histograms(np.array([[2.0**60]]), [1], [1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "time"}, "measure must be one of dwell, events"),
        ({"overnight": True}, "overnight must be False unless measure='dwell'"),
        ({"window": ("17:00", "09:00")}, "window must be two times of day"),
        ({"window": ("9", "17")}, "window must be two times of day"),
        ({"channel": "weekdays"}, "Did you mean 'weekday'"),
        ({"days": "monday"}, "days must be a list of weekdays"),
        ({"days": ["moonday"]}, "Did you mean 'monday'"),
        ({"whole_window": True}, "whole_window must be False if no window"),
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


def test_histograms_print_their_sizes_and_no_ids():
    text = repr(so.Histograms(np.ones((1, 2)), ["Eve"], ["home", "bar"]))
    assert text == "Histograms(1 person, 2 places, 2 entries)"


def test_choosing_people_follows_the_asked_order_and_counts_strangers():
    found = so.Histograms(np.array([[1, 0], [0, 2]]), ["a", "b"], [1, 2]).only(["b", "a"])
    assert found.counts.toarray().tolist() == [[0, 2], [1, 0]]
    with pytest.raises(so.InputError, match="1 others"):
        found.only(["a", "zoe"])
    with pytest.raises(so.DataError, match="only: people contains someone more than once"):
        found.only(["a", "b", "a"])


def test_rows_taken_out_are_what_they_would_be_if_made_alone_and_leave_the_others_as_they_were():
    counts = np.array([[1.5, 0, 2], [0, 4, 0]])
    whole = so.Histograms(counts, ["a", "b"], [1, 2, 3], channels=["x", "x", "y"], unit="second")
    few = whole.only(["b"])
    alone = so.Histograms(counts[1:], ["b"], [1, 2, 3], channels=["x", "x", "y"], unit="second")
    assert few.counts.dtype == alone.counts.dtype == np.int64
    assert (few.counts != alone.counts).nnz == 0
    assert (few.places.tolist(), few.channels.tolist(), few.unit) == ([1, 2, 3], ["x", "x", "y"], "second")
    assert whole.counts.toarray().tolist() == counts.tolist()
    assert whole.people.tolist() == ["a", "b"]


def test_people_without_events_on_the_days_keep_a_row_and_are_counted():
    log = [(1, MONDAY, "a"), (2, MONDAY + DAY, "a")]
    for measure in ("events", "dwell"):
        found = so.histograms(events_of(log), days=["monday"], measure=measure)
        assert found.people.tolist() == [1, 2]
        assert found.totals.tolist()[1] == 0
        assert "1 person without events: they keep an empty row and share no place with anyone" in [
            str(note) for note in found.notes
        ]
    nobody = so.histograms(events_of(log), days=["friday"])
    assert nobody.counts.shape == (2, 0)
    with pytest.raises(so.DataError, match="released contains no events"):
        so.match(nobody, so.histograms(events_of(log)))


def test_people_who_never_say_when_are_counted():
    table = pa.table({"user": [1, 2, 2], "time": [1, None, None], "place": ["a", "a", "b"]})
    found = so.histograms(so.read_events(table, user="user", time="time", place="place"))
    assert "1 person left out: none of their events has a time" in [str(note) for note in found.notes]


def test_nobody_left_is_an_error():
    log = [(1, MONDAY + 36_000, "a")]
    with pytest.raises(so.DataError, match="nobody has any events left"):
        so.histograms(events_of(log), measure="dwell", window=("09:00", "17:00"), whole_window=True)


def test_places_are_counted_once_whatever_the_channels():
    found = so.histograms(events_of([(1, MONDAY, "a"), (1, MONDAY + DAY, "a")]), channel="weekday")
    assert repr(found).startswith("Histograms(1 person, 1 place in 2 channels, 2 entries)")


def test_counts_too_small_to_square_are_refused():
    with pytest.raises(so.DataError, match="between 0 and 1e-100 are too small"):
        so.Histograms(np.array([[1e-300, 1.0]]), ["a"], ["x", "y"])
