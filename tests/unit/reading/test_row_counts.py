"""One pass counts rows, missing values and faults, and an error says which row is the first with a fault."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.row_counts import check_counts, count_rows

TABLE = pa.table(
    {
        "user": [1, None, 2, 2],
        "time": [1_333_970_000, 1_333_970_000, None, 1_333_970_000],
        "place": ["a", "a", "b", None],
        "count": [1.0, 2.5, 1.0, 1.0],
    }
)


def log_of(table):
    return so.read_events(table, user="user", time="time", place="place", count="count").log


def test_every_kind_of_missing_value_is_counted():
    found = count_rows(log_of(TABLE))
    missing = {name: found[f"missing_{name}"] for name in ("person", "moment", "place", "amount")}
    assert missing == {"person": 1, "moment": 1, "place": 1, "amount": 0}
    assert (found["rows"], found["usable"], found["whole_amounts"], found["from_zero"]) == (4, 1, False, 0)


def test_checked_counts_are_whole_numbers():
    log = log_of(TABLE)
    assert check_counts(log, count_rows(log)) == log.row_counts
    assert {type(value) for value in log.row_counts.values()} == {int}


def test_the_first_fault_is_located():
    log = log_of(TABLE.set_column(3, "count", pa.array([1.0, -2.0, 1.0, -1.0])))
    with pytest.raises(so.DataError, match=r"^read_events: row 2: .* is negative; .* \(2 rows have this problem\)$"):
        check_counts(log, count_rows(log))


def test_events_that_cannot_be_used_are_an_error_with_reasons():
    log = log_of(TABLE.slice(1))
    with pytest.raises(so.DataError, match="none of the 3 events can be used: 1 without a user, 1 without a time"):
        check_counts(log, count_rows(log))
