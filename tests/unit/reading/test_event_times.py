"""The time of each event: recognised forms are announced, an order of day and month is never guessed."""

import datetime as dt
import re

import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.event_times import count_no_times, count_others, swappable_formats
from singleout.reading.sources import open_source


def log(times, **columns):
    many = len(times)
    return pa.table({"who": ["a"] * many, "where": ["x"] * many, "when": times, **columns})


def moments(table, **options):
    events = so.read_events(table, user="who", place="where", time="when", **options)
    events.log.row_counts  # noqa: B018 - raises for rows with faults
    found = events.log.query(f"SELECT moment FROM {events.log.select('moment', 'line')} ORDER BY line")
    start = dt.datetime(1970, 1, 1)
    return [str(start + dt.timedelta(microseconds=n)) for n in found["moment"].to_pylist()], events


@pytest.mark.parametrize(
    ("times", "stamp", "form"),
    [
        (["31.12.2025 14:05"], "2025-12-31 14:05:00", "day.month.year hour:minute (%d.%m.%Y %H:%M)"),
        (["12/31/2025 02:05 PM"], "2025-12-31 14:05:00", "month/day/year hour:minute AM or PM (%m/%d/%Y %I:%M %p)"),
        (["20251231140500"], "2025-12-31 14:05:00", "year month day hour minute second (%Y%m%d%H%M%S)"),
        ([20251231140500], "2025-12-31 14:05:00", "year month day hour minute second (%Y%m%d%H%M%S)"),
        ([20251231], "2025-12-31 00:00:00", "year month day (%Y%m%d)"),
    ],
)
def test_common_national_forms_are_read_and_announced(times, stamp, form):
    found, events = moments(log(times))
    assert found == [stamp]
    why = f"column 'when' is read as {form}; if that is wrong, set time_format"
    assert [(note.what, note.why) for note in events.notes] == [("formats of times guessed", why)]


def test_a_form_that_is_always_understood_is_not_announced():
    for times in (["2025-12-31 14:05"], [1_766_000_000], [dt.datetime(2025, 12, 31)]):
        assert moments(log(times))[1].notes == ()


def test_a_later_row_decides_the_order_of_day_and_month():
    times = ["01/02/2025"] * 1_500 + ["13/02/2025"]
    assert moments(log(times))[0][0] == "2025-02-01 00:00:00"
    assert moments(log([*times[:-1], "02/13/2025"]))[0][0] == "2025-01-02 00:00:00"


@pytest.mark.parametrize("sign", "./-")
def test_an_order_that_every_value_leaves_open_is_refused(sign):
    table = log([f"01{sign}02{sign}2025", f"03{sign}04{sign}2025"])
    first, second = f"%d{sign}%m{sign}%Y", f"%m{sign}%d{sign}%Y"
    message = (
        f"in every date of column 'when' day and month could be swapped. Pass time_format='{first}' or time_format"
    )
    with pytest.raises(so.DataError, match=re.escape(message)) as caught:
        moments(table)
    assert "01" not in str(caught.value)
    assert moments(table, time_format=second)[0][0] == "2025-01-02 00:00:00"


def test_a_row_in_another_form_is_named_by_number():
    with pytest.raises(
        so.DataError, match=r"row 1,002: the value of column 'when' cannot be read as a time. Accepted: %d"
    ):
        moments(log(["31.12.2025"] * 1_001 + ["soon"]))


def test_a_given_format_is_the_only_one_accepted():
    found, events = moments(log(["31.12.2025 14h05"]), time_format="%d.%m.%Y %Hh%M", timezone="Europe/Zurich")
    assert found == ["2025-12-31 13:05:00"]
    assert events.notes == ()
    with pytest.raises(so.DataError, match="row 1: .* cannot be read as a time"):
        moments(log(["2025-12-31 14:05"]), time_format="%d.%m.%Y %H:%M")
    assert moments(log(["31.12.2025 14:05 +0100"]), time_format="%d.%m.%Y %H:%M %z")[0] == ["2025-12-31 13:05:00"]


@pytest.mark.parametrize(
    ("day", "clock", "stamp"),
    [
        ("2025-12-31", "14:05", "2025-12-31 14:05:00"),
        ("31.12.2025", "14:05:06", "2025-12-31 14:05:06"),
        ("31.12.2025 00:00:00", "14:05", "2025-12-31 14:05:00"),
        (dt.date(2025, 12, 31), dt.time(14, 5), "2025-12-31 14:05:00"),
        (dt.datetime(2025, 12, 31), 14, "2025-12-31 14:00:00"),
        ("2025-12-31", "7", "2025-12-31 07:00:00"),
        ("2025-12-31", 7.0, "2025-12-31 07:00:00"),
    ],
)
def test_date_and_time_of_day_in_two_columns(day, clock, stamp):
    assert moments(log([clock], day=[day]), date="day")[0] == [stamp]


def test_a_date_without_a_time_of_day_is_missing_and_an_hour_that_is_none_is_a_fault():
    found, events = moments(log(["14:05", None], day=["2025-12-31", "2025-12-31"]), date="day")
    assert len(found) == 1
    assert [str(note) for note in events.notes] == ["1 event left out: without a time"]
    with pytest.raises(so.DataError, match="row 1: the value of columns 'day' and 'when' cannot be read as a time"):
        moments(log(["25"], day=["2025-12-31"]), date="day")
    with pytest.raises(so.DataError, match="row 1: the value of columns 'day' and 'when' cannot be read as a time"):
        moments(log([7.5], day=["2025-12-31"]), date="day")
    with pytest.raises(so.InputError, match="date requires time"):
        so.read_events(log(["1"]), user="who", place="where", date="when")


def test_a_few_values_that_are_no_times_are_counted_and_the_first_of_them_is_named():
    times = ["31.12.2025 14:05"] * 200
    times[30], times[90], times[150] = "31.13.2025 14:05", "unknown", "31.12.2025"
    message = r"row 31: the value of column 'when' .* Accepted: %d.%m.%Y %H:%M. Correct or .*3 rows have this problem"
    with pytest.raises(so.DataError, match=message) as caught:
        moments(log(times))
    assert "unknown" not in str(caught.value)
    assert count_no_times(open_source(log(times)), "when") == 3


@pytest.mark.parametrize("odd", [["unknown"], ["13/02/2025", "02/13/2025"]])
def test_an_order_that_as_many_values_contradict_as_confirm_is_refused(odd):
    message = "as many dates of column 'when' can be read with the day first as with the month first"
    with pytest.raises(so.DataError, match=message):
        moments(log(["01/02/2025"] * 50 + odd))


def test_values_that_are_no_times_are_counted_whatever_the_format():
    for times, others in (
        (["2025-12-31 14:05", "unknown", None], 1),
        (["01/02/2025"] * 20 + ["unknown"], 1),
        ([20251231] * 20 + [20251331], 1),
        ([dt.datetime(2025, 12, 31)], 0),
    ):
        assert count_no_times(open_source(log(times)), "when") == others
    assert count_no_times(open_source(log(["1766000000000", "unknown"])), "when", "ms") == 1
    assert count_others(open_source(log(["14:05", "9:00", "noon", None])), "when", r"\d\d?:\d\d") == 1


def test_a_format_that_is_not_recognised_is_to_be_named_with_an_example():
    with pytest.raises(so.DataError, match="or name the format, such as time_format='%d/%m/%Y %H:%M'"):
        moments(log(["31-Dec-25 14h05"] * 20))


def test_both_formats_of_dates_whose_day_and_month_could_be_swapped():
    dates = ["01/02/2025", "03/04/2025"]
    source = open_source(log(dates, hour=["10:00", "11:30"]))
    assert swappable_formats(source, "when") == ("%d/%m/%Y", "%m/%d/%Y")
    assert swappable_formats(source, "hour", "when") == ("%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M")
    for clear in ([*dates, "13/04/2025"], ["2025-01-02"], [1_766_000_000], [dt.datetime(2025, 1, 2)]):
        assert swappable_formats(open_source(log(clear)), "when") == ()
