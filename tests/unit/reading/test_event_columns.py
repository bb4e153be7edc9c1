"""Columns of an event log: SQL under our names, with their faults and what counts as missing."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.event_columns import choose_grid, read_amount, read_person, read_place
from singleout.reading.sources import open_source


@pytest.fixture
def source():
    return open_source(pa.table({"who": ["a", None], "where": ["x", "y"], "times": [1.0, -2.0]}))


def test_each_column_has_sql_faults_and_missing_values(source):
    for read, name, column in (
        (read_person, "who", "person"),
        (read_place, "where", "place"),
        (read_amount, "times", "amount"),
    ):
        columns, faults, missing = read(source, name)
        assert column in columns
        assert column in missing
        assert all(fault.message for fault in faults)


def test_counts_below_zero_are_a_fault(source):
    _, faults, _ = read_amount(source, "times")
    assert any("negative" in fault.message for fault in faults)


def test_either_places_or_coordinates_are_given():
    assert choose_grid("u", "p", None, None, None, None) is None
    assert choose_grid("u", None, "lat", "lng", 500, None).side == 500
    with pytest.raises(so.InputError, match="either `?place`? or"):
        choose_grid("u", "p", "lat", None, None, None)
    with pytest.raises(so.InputError, match="place.* is missing"):
        choose_grid("u", None, None, None, None, None)
