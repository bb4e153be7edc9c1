"""Written times: the documented forms mean what they say, anything else is a fault of its row."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.times import Clock
from tests.commands import run_script
from tests.small_sources import read

NOON = 1_333_972_800


def first_moment(text, zone="UTC"):
    """The first event's second of the day on the clock, counted as a dwell window would see it."""
    table = pa.table({"who": ["a", "a"], "when": [text, text], "where": ["x", "y"]})
    events = so.read_events(table, user="who", time="when", place="where", timezone=zone)
    rows = events.log.query(f"SELECT moment FROM {events.rows('moment')}")
    return rows["moment"][0].as_py() / 1e6


@pytest.mark.parametrize(
    "text",
    [
        "2012-04-09 12:00:00", "2012-04-09T12:00:00", "2012-04-09 12:00", "2012-04-09T12:00:00Z",
        "2012-04-09 12:00:00 Z", "2012-04-09 12:00:00 UTC", "2012-04-09 12:00:00UTC", "2012-04-09 13:00:00+01",
        "2012-04-09 13:00:00 +01:00",
        "2012-04-09T13:00:00.000+0100", "2012-04-09 10:30:00-01:30", "2012/04/09 12:00:00", "2012-4-9 12:00",
        " 2012-04-09 12:00:00 ", "2012-04-9 12:00:00.0000000", "2012-04-09 13:00 +0100",
        "1333972800", "1333972800.0", "1.3339728e9", "+1333972800", "2012-04-09 13:00+01:00",
    ],
)  # fmt: skip
def test_every_documented_form_is_the_same_moment(text):
    assert first_moment(text) == NOON


def test_a_date_alone_is_its_midnight_and_a_zone_moves_plain_times_only():
    assert first_moment("2012-04-09") == NOON - 12 * 3600
    assert first_moment("2012-04-09 14:00:00", "Europe/Zurich") == NOON
    assert first_moment("2012-04-09 14:00:00+02:00", "America/New_York") == NOON


@pytest.mark.parametrize(
    "text",
    [
        "2012-04-09 10:00:00 PM", "2012-04-09 10:00:00 AM", "2012-04-09 10:00:00 EST", "2012-04-09 10:00:00 nonsense",
        "2012-04-09 10:00:00 CEST", "2012-04-09 10:00 PM", "2012-04-09PM", "2012-04-09 PM", "09.04.2012 10:00",
        "2012-04-09 10:00:00+99", "2012-04-09 10:00:00+01:99", "2012-02-30", "2012-04-09 25:00:00", "epoch", "infinity",
        "nan", "inf", "1_000", "0x10", "2012-04-09 (BC)", "2012-04-09 10:00:00Z PM", "20120409 10:00",
        "2012-04-09 24:00", "2012-04-09 24:00:00", "2012-04-09  10:00", "2012-04-09T 10:00",
        "2012-04-09 10:00:00 UTC+1", "now", "2012-04-09 10:00:00,5", "09/04/2012",
    ],
)  # fmt: skip
def test_any_other_text_is_a_fault_of_the_row(text):
    table = pa.table({"who": ["a", "b"], "when": ["2012-04-09 09:00:00", text], "where": ["x", "y"]})
    with pytest.raises(so.DataError, match="row 2: the value of column 'when' cannot be read as a time") as caught:
        so.histograms(so.read_events(table, user="who", time="when", place="where"))
    assert text not in str(caught.value)


@pytest.mark.parametrize("text", ["10:00:00", "7:05", "11:30 PM"])
def test_hours_without_a_date_say_what_is_missing(text):
    table = pa.table({"who": ["a", "b"], "when": [text, text], "where": ["x", "y"]})
    with pytest.raises(so.DataError, match="row 1: column 'when' holds times of day without a date. Name .* with date"):
        so.histograms(so.read_events(table, user="who", time="when", place="where"))


def test_an_afternoon_is_never_lost(tmp_path):
    lines = [f"{k % 7},2012-04-{9 + k % 14:02} {1 + k % 12:02}:00:00 {'AP'[k % 2]}M,p{k % 3}" for k in range(90)]
    (tmp_path / "log.csv").write_text("\n".join(["who,when,where", *lines]))
    log = so.read_events(tmp_path / "log.csv", user="who", time="when", place="where")
    with pytest.raises(
        so.DataError,
        match=r"row 1: the value of column 'when' cannot be read as a time.* \(90 rows have this problem\)",
    ):
        so.histograms(log)


@pytest.mark.parametrize(
    "zone", ["localtime", "posix/Europe/Zurich", "right/UTC", "Factory", "nowhere", "", "../etc/passwd", 3]
)
def test_zones_that_mean_something_else_elsewhere_are_refused(zone):
    with pytest.raises(so.InputError, match="timezone must be the name of a time zone"):
        Clock("s", zone)


def test_utc_needs_no_look_up(monkeypatch):
    monkeypatch.setattr("singleout.reading.times._zones", frozenset)
    assert Clock("s", "UTC").zone == "UTC"
    with pytest.raises(so.InputError, match="timezone must be"):
        Clock("s", "Europe/Zurich")


def test_one_digit_of_an_hour_and_decimals_beyond_microseconds_are_documented():
    assert first_moment("2012-4-9 1:02") == NOON - 11 * 3600 + 120
    assert first_moment("2012-04-09 12:00:00.123456789") == NOON + 0.123456


def test_a_reading_that_the_clock_skips_is_an_hour_later():
    assert first_moment("2012-03-25 02:30", "Europe/Zurich") == first_moment("2012-03-25 03:30", "Europe/Zurich")


def test_a_column_without_any_time_is_named():
    table = pa.table({"who": ["a", "b"], "when": pa.nulls(2), "where": ["x", "y"]})
    with pytest.raises(so.DataError, match="time='when' has no values: all of them are missing"):
        so.read_events(table, user="who", time="when", place="where")
    with pytest.raises(so.SourceError, match="the column of times is of type BOOLEAN; it must contain numbers"):
        so.read_events(table.set_column(1, "when", pa.array([True, False])), user="who", time="when", place="where")


MOMENT = datetime(2012, 4, 9, 12, 30, 15, tzinfo=UTC)
SECONDS = int(MOMENT.timestamp())


@pytest.mark.parametrize(
    ("values", "options"),
    [
        (pa.array([SECONDS], pa.int32()), {}),
        (pa.array([SECONDS], pa.int64()), {}),
        (pa.array([SECONDS], pa.uint64()), {}),
        (pa.array([float(SECONDS)]), {}),
        (pa.array([SECONDS * 1_000]), {"time_unit": "ms"}),
        (pa.array([SECONDS / 60]), {"time_unit": "min"}),
        (pa.array([SECONDS / 3_600]), {"time_unit": "h"}),
        (pa.array([str(SECONDS / 86_400)]), {"time_unit": "d"}),
        (pa.array([SECONDS * 1_000_000]), {"time_unit": "us"}),
        (pa.array([SECONDS * 1_000_000_000]), {"time_unit": "ns"}),
        (pa.array([MOMENT.replace(tzinfo=None)], pa.timestamp("us")), {}),
        (pa.array([MOMENT.replace(tzinfo=None)], pa.timestamp("ns")), {}),
        (pa.array([MOMENT], pa.timestamp("us", "Asia/Tokyo")), {}),
        (pa.array([str(SECONDS)]), {}),
        (pa.array(["2012-04-09 12:30:15"]), {}),
        (pa.array(["2012-04-09T12:30:15Z"]), {}),
        (pa.array(["2012-04-09T14:30:15.000+02:00"]), {}),
        (pa.array(["2012-04-09 14:30:15"]), {"timezone": "Europe/Zurich"}),
        (pa.array([MOMENT.replace(tzinfo=None, hour=14)], pa.timestamp("us")), {"timezone": "Europe/Zurich"}),
    ],
)
def test_every_way_to_write_a_time_means_the_same_moment(values, options):
    table = pa.table({"who": [1], "when": values, "where": ["a"]})
    events = read(table, **options)
    (row,) = events.log.query(f"SELECT moment FROM {events.log.select('moment')}").to_pylist()
    assert row["moment"] == SECONDS * 1_000_000


@pytest.mark.parametrize(
    ("when", "hour"), [("2012-01-15 23:30:00", 23), ("2012-07-15 23:30:00", 23), ("2012-07-15T21:30:00Z", 23)]
)
def test_the_clock_follows_the_time_zone_in_winter_and_summer(when, hour):
    table = pa.table({"who": [1], "when": [when], "where": ["a"]})
    found = so.histograms(read(table, timezone="Europe/Zurich"), channel="daypart")
    assert found.channels.tolist() == ["evening"]
    assert hour // 6 == 3


@pytest.mark.parametrize("second", [-1, -86_400 * 365 * 100])
def test_times_before_1970_fall_on_the_right_day(second):
    table = pa.table({"who": [1], "when": [second], "where": ["a"]})
    found = so.histograms(read(table), channel="weekday")
    expected = datetime.fromtimestamp(second, UTC).strftime("%A").lower()
    assert found.channels.tolist() == [expected]


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (["2012-04-09", "yesterday"], "row 2: the value of column 'when' cannot be read as a time"),
        (["2012-04-09", "1333929600"], "row 2: column 'when' mixes numbers and written times"),
        ([1_333_929_600_000, 1], "row 1: the time in column 'when' is after the year 2500. Is time_unit='s' right"),
        ([2**62, 1], "row 1: the value of column 'when' cannot be read as a time"),
        ([float("inf"), 1.0], "row 1: the value of column 'when' cannot be read as a time"),
        ([-(10**11), 1], "row 1: the time in column 'when' is before the second week of year 1"),
    ],
)
def test_a_time_that_does_not_parse_names_its_row(times, message):
    with pytest.raises(so.DataError, match=message):
        so.histograms(read(pa.table({"who": [1, 2], "when": times, "where": ["a", "a"]})))


WITHOUT_SYSTEM_ZONES = """
import sys, zoneinfo
if sys.argv[2] == "nothing":
    sys.modules["tzdata"] = None
assert zoneinfo.TZPATH == ()
assert bool(zoneinfo.available_timezones()) == (sys.argv[2] == "tzdata")
import singleout as so
table = {"who": ["a", "a"], "when": ["2012-04-09 12:00:00", "2012-01-09 12:00:00"], "where": ["x", "y"]}
import pyarrow as pa
events = so.read_events(pa.table(table), user="who", time="when", place="where", timezone=sys.argv[1])
print(sorted(events.log.query(f"SELECT moment FROM {events.rows('moment')}")["moment"].to_pylist()))
"""
"""A minimal container and Windows have no database of time zones; Python then looks for the package tzdata."""


@pytest.mark.parametrize(("zone", "hours"), [("UTC", (0, 0)), ("Europe/Zurich", (1, 2)), ("Asia/Kolkata", (5.5, 5.5))])
def test_zones_are_known_on_a_machine_without_a_database_of_them(zone, hours):
    winter, summer = (NOON - 91 * 86_400 - hours[0] * 3_600, NOON - hours[1] * 3_600)
    code, printed, errors = run_script(WITHOUT_SYSTEM_ZONES, zone, "tzdata", PYTHONTZPATH="")
    assert (code, printed) == (0, f"{[int(winter * 1e6), int(summer * 1e6)]}\n"), errors


def test_utc_needs_no_database_of_zones_at_all():
    code, printed, errors = run_script(WITHOUT_SYSTEM_ZONES, "UTC", "nothing", PYTHONTZPATH="")
    assert (code, printed) == (0, f"{[(NOON - 91 * 86_400) * 10**6, NOON * 10**6]}\n"), errors
