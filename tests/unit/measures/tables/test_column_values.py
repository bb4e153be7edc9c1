"""Values of columns: how many records have them, and how many of these they isolate."""

import pyarrow as pa

import singleout as so
from singleout.measures.tables.column_values import Level, find_levels
from singleout.statistics.partitions import everyone


def test_missing_is_a_value_with_a_name_of_its_own():
    assert Level("x", None, 10, 0).kind == "missing"
    assert Level("x", "v", 10, 0).kind == "value"


def test_every_value_is_counted_with_those_it_isolates():
    table = so.read_table(pa.table({"x": ["a", "a", "b", None]}))
    found = find_levels(everyone(4, 1), table.encode(["x"]))
    assert [(level.value, level.records, level.isolated) for level in found] == [("b", 1, 1), (None, 1, 1), ("a", 2, 0)]
