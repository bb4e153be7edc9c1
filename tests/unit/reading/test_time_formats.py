"""Formats of written times: exactly what they describe, and the common ones from values."""

import re

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.reading.time_formats import check_format, either, guess_formats, in_words, pattern_of, stamp_sql

GERMAN = "%d.%m.%Y %H:%M"


@pytest.mark.parametrize(
    "form",
    [
        "%d.%m.%Y",
        GERMAN,
        "%m/%d/%Y %I:%M %p",
        "%Y%m%d%H%M%S",
        "%d-%b-%y %H:%M:%S.%f",
        "%d %B %Y %H:%M %z",
        "%d%%%m%%%Y",
    ],
)
def test_formats_that_give_a_date_are_accepted(form):
    check_format(form)


@pytest.mark.parametrize(
    "form",
    ["", "dd.mm.yyyy", "%H:%M", "%d.%m", "%d.%m.%Y %I:%M", "%d.%m.%Y %H:%M %p", "%d.%m.%Y %Q", "%d.%d.%m.%Y",
     "%d.%m.%Y %S", "%d.%m.%Y%", "%y %d.%m.%Y", 3],
)  # fmt: skip
def test_other_formats_are_refused_with_an_example(form):
    with pytest.raises(so.InputError, match=r"time_format must be a format such as '%d.%m.%Y %H:%M'"):
        check_format(form)


def read(text, form):
    return duckdb.execute(f"SELECT ({stamp_sql('x', form)})::VARCHAR FROM (SELECT ? AS x)", [text]).fetchall()[0][0]


@pytest.mark.parametrize(
    ("text", "form", "stamp"),
    [
        ("31.12.2025 14:05", GERMAN, "2025-12-31 14:05:00"),
        (" 1.2.2025 4:05 ", GERMAN, "2025-02-01 04:05:00"),
        ("31.12.2025 14:05:00", GERMAN, None),
        ("31.12.2025 14:05 Uhr", GERMAN, None),
        ("31.12.2025 24:00", GERMAN, None),
        ("31.02.2025 14:05", GERMAN, None),
        ("12.31.2025 14:05", GERMAN, None),
        ("12/31/2025 02:05 PM", "%m/%d/%Y %I:%M %p", "2025-12-31 14:05:00"),
        ("12/31/2025 12:05 am", "%m/%d/%Y %I:%M %p", "2025-12-31 00:05:00"),
        ("12/31/2025 14:05 PM", "%m/%d/%Y %I:%M %p", None),
        ("20251231140500", "%Y%m%d%H%M%S", "2025-12-31 14:05:00"),
        ("2025123114050", "%Y%m%d%H%M%S", None),
        ("3-Feb-25", "%d-%b-%y", "2025-02-03 00:00:00"),
    ],
)
def test_a_format_takes_exactly_what_it_describes(text, form, stamp):
    assert read(text, form) == stamp


@pytest.mark.parametrize(
    ("values", "forms"),
    [
        (["31.12.2025 14:05", "01.02.2025 4:00"], [GERMAN]),
        (["12/31/2025 02:05 PM"], ["%m/%d/%Y %I:%M %p"]),
        (["31/12/2025"], ["%d/%m/%Y"]),
        (["31-12-2025 14:05:06"], ["%d-%m-%Y %H:%M:%S"]),
        (["31/12/2025, 14:05:06"], ["%d/%m/%Y, %H:%M:%S"]),
        (["01/02/2025", "03/04/2025"], ["%d/%m/%Y", "%m/%d/%Y"]),
        (["13/02/2025", "03/14/2025"], []),
        (["20251231140500"], ["%Y%m%d%H%M%S"]),
        (["20251231"], ["%Y%m%d"]),
        (["20251331"], []),
        (["2025-12-31 14:05"], []),
        (["1766000000"], []),
        (["31.12.25"], []),
        (["31.12.2025", "31.12.2025 14:05"], []),
        ([], []),
        (["unknown", *["31.12.2025 14:05"] * 9], [GERMAN]),
        (["unknown", *["31.12.2025 14:05"] * 8], []),
        (["31.13.2025 14:05", *["31.12.2025 14:05"] * 9], [GERMAN]),
        (["31.12.2025", *["31.12.2025 14:05"] * 9], [GERMAN]),
        (["13/02/2025", *["01/02/2025"] * 9], ["%d/%m/%Y", "%m/%d/%Y"]),
        (["2025-12-31 14:05", *["31.12.2025 14:05"] * 5], []),
    ],
)
def test_common_national_formats_are_recognised_if_most_values_have_them(values, forms):
    assert guess_formats(values) == forms


@given(st.datetimes(), st.sampled_from([GERMAN, "%m/%d/%Y %I:%M:%S %p", "%Y%m%d%H%M%S", "%d/%m/%Y"]))
def test_what_is_written_in_a_format_has_its_pattern(moment, form):
    text = moment.replace(year=1900 + moment.year % 200).strftime(form)
    assert re.fullmatch(pattern_of(form), text)


def test_formats_are_announced_in_words():
    assert in_words(GERMAN) == "day.month.year hour:minute"
    assert in_words("%Y%m%d") == "year month day"


def test_formats_to_choose_from_are_shown_as_they_are_given():
    assert either(["%d.%m.%Y", "%m.%d.%Y"]) == "'%d.%m.%Y' or '%m.%d.%Y'"
