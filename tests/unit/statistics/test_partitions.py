"""Groups of records that agree, against groups made by comparing whole rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.reading.columns import Column, Rows
from singleout.statistics.partitions import FewValued, everyone, partition_by
from tests.reference.partitions import class_sizes, isolated

pytestmark = pytest.mark.kernels


def columns_of(rows):
    codes = np.array(rows, dtype=np.int32)
    levels = [np.arange(codes[:, c].max() + 1) for c in range(codes.shape[1])]
    return [
        Column(str(c), np.ascontiguousarray(codes[:, c]), levels[c], any_missing=False) for c in range(codes.shape[1])
    ]


tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=30)
)


@given(tables)
def test_groups_are_those_that_agree_on_every_column(rows):
    partition = partition_by(columns_of(rows), len(rows))
    group = np.repeat(np.arange(len(partition.ends)), partition.sizes)
    sizes = np.empty(len(rows), dtype=int)
    sizes[partition.order] = partition.sizes[group]
    assert sizes.tolist() == class_sizes(rows, range(len(rows[0])))
    for number in range(len(partition.ends)):
        members = partition.order[group == number]
        assert len({rows[row] for row in members}) == 1


@given(tables, st.integers(1, 3))
def test_small_groups_are_left_out_and_counted(rows, k):
    columns = columns_of(rows)
    every = range(len(columns))
    partition = partition_by(columns, len(rows), k)
    assert set(np.flatnonzero(partition.is_small())) == isolated(rows, every, k)
    before = partition_by(columns[:-1], len(rows), k)
    assert before.small_with(columns[-1:]) == [len(isolated(rows, every, k))]
    last = set(before.rows_with(columns[-1:])[0].tolist())
    assert last == isolated(rows, every, k) - isolated(rows, every[:-1], k)
    by_code = [sum(rows[row][-1] == code for row in last) for code in range(columns[-1].levels)]
    assert before.codes_with(columns[-1]).tolist() == by_code


@given(tables, st.integers(1, 3))
def test_records_laid_out_group_by_group_are_counted_the_same(rows, k):
    columns = columns_of(rows)
    partition = partition_by(columns[:1], len(rows), k)
    flat, moved = partition.lay_out(columns)
    assert flat.small_with(moved) == partition.small_with(columns)
    assert flat.refine(moved[-1]).small == partition.refine(columns[-1]).small


@given(tables, st.integers(0, 4))
def test_columns_of_few_values_are_counted_at_once_and_the_same(rows, first):
    columns = columns_of(rows)
    partition = partition_by(columns[:1], len(rows), 1)
    expected = dict(enumerate(partition.small_with(columns)))
    found = FewValued.among(columns, 1).small_with(partition, first)
    assert found == {place: count for place, count in expected.items() if place >= first}
    assert FewValued.among(columns, 2).small_with(partition_by(columns[:1], len(rows), 2)) == {}


def test_few_values_are_at_most_64():
    codes = np.array([*range(64), 0, 5], dtype=np.int32)
    few, many = (Column("x", codes, np.arange(levels), any_missing=False) for levels in (64, 65))
    found = FewValued.among([many, few], 1)
    assert found.places == [1]
    assert found.small_with(everyone(len(codes), 1)) == {1: 62}
    assert found.small_with(everyone(len(codes), 1), first=2) == {}


def test_a_table_of_no_more_than_k_records_is_one_small_group():
    assert everyone(3, 3).small == 3
    assert everyone(4, 3).small == 0
    assert everyone(3, 3).small_with(columns_of([(0,), (1,), (2,)])) == [3]


def test_tiles_and_threads_change_nothing(monkeypatch):
    rows = np.random.default_rng(0).integers(0, 5, (400, 6))
    columns, partition = columns_of(rows), everyone(400, 1)
    whole = partition.small_with(columns), [found.tolist() for found in partition.rows_with(columns)]
    monkeypatch.setattr("singleout.statistics.partitions.WORTH_A_TILE", 1)
    assert (partition.small_with(columns), [found.tolist() for found in partition.rows_with(columns)]) == whole


def test_more_than_65536_levels_and_groups():
    n = 70_000
    codes = np.arange(n, dtype=np.int32)
    column = Column("x", codes, np.arange(n), any_missing=False)
    twice = Column("y", codes // 2, np.arange(n // 2), any_missing=False)
    assert everyone(n, 1).small_with([column, twice]) == [n, 0]
    assert len(partition_by([twice], n, 1).ends) == n // 2


@given(rows=tables, data=st.data())
def test_rows_that_stand_for_several_records_are_grouped_as_these_are(rows, data):
    times = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows))))
    distinct = Rows(len(rows), times)
    columns = columns_of(rows)
    repeated = columns_of([row for row, number in zip(rows, times, strict=True) for _ in range(number)])
    for k in (0, 1, 2):
        split = distinct.split(k)
        few, many = partition_by([c.at(split) for c in columns], split, k), partition_by(repeated, distinct.records, k)
        assert sorted(few.sizes.tolist()) == sorted(many.sizes.tolist())
        if k:
            assert few.small == many.small


def test_small_groups_of_rows_that_were_not_split_are_refused():
    with pytest.raises(AssertionError, match="rows must be split"):
        everyone(Rows(2, np.array([1, 5])), 1)
