"""The result of protecting a table as data and in words."""

import json

import pyarrow as pa

import singleout as so


def table(records=200):
    return pa.table({"age": [20 + number % 50 for number in range(records)], "x": list(range(records))})


def test_a_protected_table_is_plain_data_and_a_table():
    found = so.protect_table(table(), known_columns=["age"], allow=["x"], k=6)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["schema"] == "singleout/protected-table/1"
    assert plain["after"]["k"] >= 6
    assert plain["before"]["k"] == 4
    assert found.to_arrow() is found.table
    assert found.to_pandas().shape == (200, 2)
    assert plain["margins"]["one_way"] >= 0


def test_nothing_is_done_where_the_limit_is_met():
    found = so.protect_table(table(), known_columns=["age"], allow=["x"], k=2)
    assert found.loss == 0
    assert found.table.equals(table().sort_by([("age", "ascending"), ("x", "ascending")]))
    assert "Nothing had to be changed." in str(found)


def test_the_table_may_have_no_known_column_left():
    found = so.protect_table(table(), known_columns=["age"], allow=["x"], k=150)
    assert found.table.column_names == ["x"]
    assert found.risk.k == 200
    assert found.margins is None
    assert found.to_dict()["margins"] is None
    assert "Leaving out age." in str(found)
