"""Rows that stand for several records: whatever is counted is what single records would give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.reading import columns
from singleout.reading.columns import Column, Rows, as_rows

times = st.lists(st.integers(1, 9), min_size=1, max_size=20)


def rows_of(times):
    return Rows(len(times), np.array(times, dtype=np.int64))


@given(times=times, k=st.integers(0, 4))
def test_split_rows_can_be_counted_in_place_of_records_up_to_k(times, k):
    split = rows_of(times).split(k)
    assert split.records == sum(times)
    if k == 0:
        assert split.index is None
        return
    of_row = np.bincount(split.index, minlength=len(times))
    assert np.minimum(of_row, k + 1).tolist() == np.minimum(times, k + 1).tolist()
    assert np.bincount(split.index, split.times).tolist() == times
    assert split.split(k) is split


@given(times=times)
def test_single_rows_repeat_each_as_often_as_it_has_records(times):
    rows = rows_of(times)
    single = rows.single()
    assert (single.number, single.times) == (sum(times), None)
    assert single.index.tolist() == [row for row, number in enumerate(times) for _ in range(number)]
    some = rows.take(np.arange(0, len(times), 2)).single()
    assert some.index.tolist() == [row for row, number in enumerate(times) for _ in range(number) if row % 2 == 0]


@given(times=times, data=st.data())
def test_counts_and_sums_are_those_of_single_records(times, data):
    codes = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(times), max_size=len(times))), dtype=np.int32)
    rows, single = rows_of(times), Rows(sum(times))
    every = np.repeat(codes, times)
    assert rows.count(codes, 4).tolist() == single.count(every, 4).tolist()
    assert [each.tolist() for each in rows.by_value(codes)] == [each.tolist() for each in single.by_value(every)]
    assert rows.total(codes * 0.1) == single.total(every * 0.1)
    assert rows.of(codes > 1) == single.of(every > 1)
    column = Column("x", codes, np.arange(3), any_missing=True, times=rows.times)
    assert column.counts.tolist() == single.count(every, 4).tolist()
    assert column.at(rows.single()).codes.tolist() == every.tolist()
    assert column.at(rows.single()).times is None
    assert repr(column) == f"Column('x', {sum(times):,} records, 4 levels)"


def test_rows_of_one_record_each_stay_as_they_are():
    rows = as_rows(3)
    assert rows.split(2) is rows.single() is as_rows(rows) is rows
    column = Column("x", np.zeros(3, dtype=np.int32), np.arange(1), any_missing=False)
    assert column.at(rows) is column


def test_what_would_not_fit_is_refused_before_it_is_made(monkeypatch):
    rows = Rows(1, np.array([10**12]))
    monkeypatch.setattr(columns, "free_memory", lambda: 1e9)
    words = r"single records are needed, and there are 1,000,000,000,000: at least 100\.0 TB of memory, and 1\.0 GB are"
    with pytest.raises(so.ResourceError, match=words + " free.*sample"):
        rows.single()
    with pytest.raises(so.ResourceError, match="k=999,999,999 needs 1,000,000,000 rows: at least 100 GB"):
        rows.split(999_999_999)
    assert rows.split(1).number == 2
