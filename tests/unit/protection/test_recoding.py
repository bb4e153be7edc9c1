"""Coarser columns: nothing that was equal comes apart, and what is lost is told."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.protection.recoding import entropy, recodings


def column_of(values):
    return so.read_table(pa.table({"x": values})).encode(["x"])[0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(0, 60)), min_size=1, max_size=200))
def test_equal_values_stay_equal_and_losses_lie_between_nothing_and_all(values):
    column = column_of(pa.array(values, pa.int64()))
    for way in recodings(column):
        together = {}
        for before, after in zip(column.codes.tolist(), way.column.codes.tolist(), strict=True):
            assert together.setdefault(before, after) == after
        assert -1e-9 <= way.loss <= 1 + 1e-9


def test_ranges_keep_the_order_of_numbers_and_hold_about_equally_many():
    column = column_of(list(range(100)))
    ranges = next(way for way in recodings(column) if "ranges" in way.how)
    codes = ranges.column.codes.tolist()
    assert codes == sorted(codes)
    assert ranges.column.counts.tolist() == [10] * 10


def test_text_is_not_grouped_into_ranges():
    column = column_of([f"name {k}" for k in range(50)])
    assert not any("ranges" in way.how for way in recodings(column))


def test_rare_values_are_put_together_and_common_ones_left():
    column = column_of(["common"] * 500 + ["often"] * 490 + ["rare", "rarer", "rarest"])
    way = next(way for way in recodings(column) if "combine" in way.how)
    assert sorted(way.column.counts.tolist()) == [3, 490, 500]


def test_leaving_out_loses_all_and_comes_last():
    way = recodings(column_of([1, 2, 3, 4]))[-1]
    assert way.how == "leave out"
    assert way.loss == 1
    assert entropy(way.column) == 0


def test_entropy_is_in_bits():
    assert entropy(column_of([1, 2, 3, 4])) == pytest.approx(2)


def test_what_a_recoding_does_names_the_column():
    column = column_of([*range(20)] * 60 + [100, 101])
    assert {way.does for way in recodings(column)} == {
        f"combining the values of {column.name} that fewer than 1% of records have",
        f"grouping the values of {column.name} into 10 ranges",
        f"leaving out {column.name}",
    }
