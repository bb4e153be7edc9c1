"""Python values as columns of one type."""

import datetime as dt

import pyarrow as pa
import pytest

from singleout.reading.cells import as_column, as_text

NOON = dt.datetime(2025, 12, 31, 12, 0)


@pytest.mark.parametrize(
    ("values", "kind", "stored"),
    [
        ([1.0, 2.0, None], pa.int64(), [1, 2, None]),
        ([1.0, 2.5], pa.float64(), [1.0, 2.5]),
        ([2.0**60], pa.float64(), [2.0**60]),
        ([float("inf"), 1.0], pa.float64(), [float("inf"), 1.0]),
        ([True, None], pa.bool_(), [True, None]),
        ([NOON, dt.date(2026, 1, 1)], pa.timestamp("us"), [NOON, dt.datetime(2026, 1, 1)]),
        ([dt.datetime(2025, 1, 1), None], pa.date32(), [dt.date(2025, 1, 1), None]),
        ([dt.time(14, 5)], pa.time64("us"), [dt.time(14, 5)]),
        (["007", 7.0, 1.5], pa.string(), ["007", "7", "1.5"]),
        ([NOON, "soon"], pa.string(), ["2025-12-31 12:00:00", "soon"]),
        ([True, "x"], pa.string(), ["true", "x"]),
        ([None, None], pa.string(), [None, None]),
    ],
)
def test_a_column_has_one_type_and_loses_nothing(values, kind, stored):
    column = as_column(values)
    assert column.type == kind
    assert column.to_pylist() == stored


def test_lengths_of_time_are_written_as_hours():
    assert as_text(dt.timedelta(hours=36, minutes=5)) == "36:05:00"
    assert as_text(dt.date(2025, 1, 2)) == "2025-01-02"
    assert as_text(dt.time(9, 5)) == "09:05:00"
