"""Equal values of two tables get equal codes, whatever their types; what can never agree is refused."""

import datetime as dt

import pyarrow as pa
import pytest

import singleout as so
from singleout.statistics.common_columns import common_columns, common_names


def common(released, known):
    tables = so.read_table(pa.table({"x": released})), so.read_table(pa.table({"x": known}))
    (column,) = common_columns("link_records", tables, ["x"])
    return column


def agree(column):
    return [[a >= 0 and a == b for b in column.known.tolist()] for a in column.released.tolist()]


@pytest.mark.parametrize(
    ("released", "known", "expected"),
    [
        ([1, 2], [2, 3], [[False, False], [True, False]]),
        ([1, 2], [2.0, 2.5], [[False, False], [True, False]]),
        ([7, 8], ["7", "08"], [[True, False], [False, False]]),
        (["a", None], ["A", None], [[False, False], [False, False]]),
        ([dt.date(2020, 1, 2)], ["2020-01-02", "2.1.2020"], [[True, False]]),
        ([dt.datetime(2020, 1, 2)], ["2020-01-02", "2020-01-02 00:00:00"], [[True, True]]),
        ([dt.datetime(2020, 1, 2, 7), dt.datetime(2020, 1, 2)], ["2020-01-02 07:00:00"], [[True], [False]]),
        ([True, False], ["true", "yes"], [[True, False], [False, False]]),
        ([0.1], pa.array([0.1], pa.float32()), [[True]]),
    ],
)
def test_values_agree_where_they_are_the_same_number_date_or_text(released, known, expected):
    assert agree(common(released, known)) == expected


def test_codes_are_below_the_size_and_missing_is_minus_one():
    column = common(["a", None, "b"], ["c", "b"])
    assert (column.size, column.distinct) == (3, 2)
    assert column.released.tolist()[1] == -1
    assert max(column.known) == 2


@pytest.mark.parametrize(
    ("known", "types"),
    [
        ([dt.date(2020, 1, 1)], "BIGINT on the released side and DATE"),
        ([True], "BIGINT on the released side and BOOLEAN"),
    ],
)
def test_types_that_never_agree_are_refused(known, types):
    with pytest.raises(so.DataError, match=f"column 'x' is {types} on the known side, which cannot be compared"):
        common([1], known)
    with pytest.raises(so.DataError, match="DATE on the released side and TIMESTAMP"):
        common([dt.date(2020, 1, 1)], [dt.datetime(2020, 1, 1)])


def test_common_names_keep_the_released_order():
    tables = so.read_table(pa.table({"b": [1], "a": [1], "c": [1]})), so.read_table(pa.table({"a": [1], "b": [1]}))
    assert common_names("link_records", tables, None) == ("b", "a")
    assert common_names("link_records", tables, ["a"]) == ("a",)
