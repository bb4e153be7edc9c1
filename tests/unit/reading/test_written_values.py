"""Texts of a column that are numbers, days, times of day or counts since 1970."""

import pytest

from singleout.reading.written_values import (
    has_fractions,
    is_day_of_an_event,
    seconds_since_1970,
    time_unit_of,
    times_of_day,
)


@pytest.mark.parametrize(
    ("values", "times"),
    [
        (["2024-01-15 08:30", "2024-01-16 9:05:10"], {"08:30", "9:05:10"}),
        (["20240115083000", "20240116090510"], {"083000", "090510"}),
        (["1705307400", "1705393800"], {str(1705307400 % 86_400)}),
        (["2024-01-15", "2024-01-16"], set()),
        ([], set()),
    ],
)
def test_times_of_day_are_found_however_they_are_written(values, times):
    assert times_of_day(values) == times


@pytest.mark.parametrize(("factor", "unit"), [(1, "s"), (1_000, "ms"), (1_000_000, "us")])
def test_counts_since_1970_are_recognised_by_their_size(factor, unit):
    values = [str(second * factor) for second in (1_000_000_000, 1_700_000_000)]
    assert time_unit_of(values) == unit
    assert seconds_since_1970(values) == [1_000_000_000, 1_700_000_000]


def test_other_numbers_are_no_times():
    assert seconds_since_1970(["17", "42"]) == seconds_since_1970(["x"]) == []
    assert time_unit_of(["17"]) == "s"


def test_days_of_events_lie_within_a_few_years_and_days_of_birth_do_not():
    assert is_day_of_an_event(["2024-01-15", "2023-07-01"])
    assert not is_day_of_an_event(["1950-01-15", "2003-07-01"])


def test_whole_numbers_have_no_fractions_however_they_are_written():
    assert not has_fractions(["1", "2.0"])
    assert has_fractions(["1", "2.5"])
    assert not has_fractions(["1", "x"])
