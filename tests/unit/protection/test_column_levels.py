"""The levels of a column: nested, fewer at each step, and written in words."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.protection.column_levels import (
    check_nested,
    combine_rare,
    default_levels,
    ranges_of,
    rounded,
    with_ends,
)


def column(values):
    (found,) = so.read_table(pa.table({"c": values})).encode(["c"])
    return found


def written(col, level):
    """What each value of the column becomes."""
    return {col.value(code): level.labels[level.codes[code]] for code in range(len(col.values))}


@given(values=st.lists(st.one_of(st.none(), st.integers(-50, 200)), min_size=1, max_size=80))
def test_levels_are_nested_and_ever_coarser(values):
    col = column(pa.array(values, pa.int64()))
    levels = default_levels(col)
    assert check_nested(levels) is None
    sizes = [level.classes for level in levels]
    assert sizes == sorted(set(sizes), reverse=True)
    assert levels[-1].classes == 1 or levels == levels[:1]


@given(values=st.lists(st.integers(0, 300), min_size=5, max_size=80), kind=st.sampled_from(["int", "float", "text"]))
def test_numbers_have_the_same_levels_in_every_type(values, kind):
    plain = default_levels(column(pa.array(values, pa.int64())))
    kinds = {"int": pa.array(values, pa.int32()), "float": pa.array(values, pa.float64())}
    other = column(kinds.get(kind, pa.array(list(map(str, values)))))
    found = default_levels(other)
    assert [level.how for level in found] == [level.how for level in plain]
    assert [level.cuts for level in found] == [level.cuts for level in plain]


def test_every_number_is_in_the_range_it_is_written_as():
    col = column(pa.array([3, 17, 18, 29, 30, 64, 65, 90]))
    level = ranges_of(col, col.numbers, [18, 30, 65])
    assert written(col, level) == {
        3: "under 18", 17: "under 18", 18: "18 to 29", 29: "18 to 29", 30: "30 to 64", 64: "30 to 64",
        65: "65 or more", 90: "65 or more",
    }  # fmt: skip
    parts = column(pa.array([0.5, 1.25, 2.0]))
    assert set(written(parts, ranges_of(parts, parts.numbers, [1.25, 2.0])).values()) == {
        "under 1.25", "1.25 to under 2", "2 or more",
    }  # fmt: skip


def test_numbers_are_rounded_and_their_ends_combined():
    col = column(pa.array([1, 12, 13, 88, 101]))
    assert written(col, rounded(col, col.numbers, 5)) == {1: 0, 12: 10, 13: 15, 88: 90, 101: 100}
    ends = written(col, with_ends(col, col.numbers, 12, 88))
    assert ends == {1: "under 12", 12: "12", 13: "13", 88: "88 or more", 101: "88 or more"}
    top = with_ends(col, col.numbers, None, 88)
    assert top.does == "combining the values of c from 88 on"


def test_dates_become_months_quarters_years_and_decades():
    col = column(pa.array(["1999-12-31", "2000-01-01", "2000-02-29", "2000-05-01", "2003-05-01", "2011-05-01"]))
    levels = default_levels(col)
    assert [level.how for level in levels] == ["keep", "quarters", "years", "decades", "drop"]
    assert written(col, levels[1])["2000-02-29"] == "2000-Q1"
    assert written(col, levels[3])["2011-05-01"] == "2010s"


def test_codes_of_digits_lose_their_last_digits_and_are_not_numbers():
    col = column(pa.array(["01234", "01235", "01299", "80000"]))
    assert col.numbers is None
    levels = default_levels(col)
    assert written(col, levels[1])["01234"] == "0123*"
    assert levels[-1].how == "drop"


def test_rare_categories_are_combined_and_never_with_one_of_the_name():
    col = column(pa.array(["other"] * 90 + ["a"] * 6 + ["b"] * 2 + ["c"] * 2))
    level = combine_rare(col, 0.05)
    assert written(col, level) == {"other": "other", "a": "a", "b": "other values", "c": "other values"}
    assert level.merged == 2


def test_missing_stays_missing_until_the_column_is_left_out():
    col = column(pa.array([1, 2, 3, 4, None]))
    levels = default_levels(col)
    for level in levels[1:-1]:
        assert level.labels[level.codes[4]] is None
        assert np.sum(level.codes == level.codes[4]) == 1
    assert levels[-1].is_left_out


@pytest.mark.parametrize("value", ["inf", "nan", "1e5", "0x1", "01", "1,5", ""])
def test_text_that_is_not_a_plain_number_is_a_category(value):
    assert column(pa.array(["1", "2", value or None, value or "x"])).numbers is None


def test_cuts_are_short_numbers_between_values():
    col = column(pa.array([10_234, 19_876, 40_001, 77_350]))
    assert default_levels(col)[1].cuts == (40_000.0,)
    small = column(pa.array([0.123, 0.456]))
    assert default_levels(small)[1].how == "drop"


def test_numbers_too_large_to_be_exact_are_not_grouped_into_ranges():
    col = column(pa.array([2**53 + 1, 2**53 + 3, 5]))
    assert col.numbers is None


def test_multiples_are_multiples():
    col = column(pa.array([0.03, 0.1, 0.3]))
    assert written(col, rounded(col, col.numbers, 0.03125)) == {0.03: 0.03125, 0.1: 0.09375, 0.3: 0.3125}
