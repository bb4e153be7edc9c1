"""Charts of tables hold every number of the result."""

import json

import singleout as so


def test_vulnerable_columns_are_bars_and_combinations_a_curve():
    made = so.synthetic_records(seed=0)
    table = so.read_table(made.table)
    one = so.vulnerability(table, known_columns=made.known_columns)
    bars = so.chart(one)["data"]["values"]
    assert [row["column"] for row in bars] == [risk.column for risk in one.by_column if not risk.is_known]
    assert [row["with_known"] for row in bars][:2] == [0.2, 0.2]
    pairs = so.vulnerability(table, known_columns=made.known_columns, add=2, strategy="all")
    curve = so.chart(pairs)["data"]["values"]
    assert [row["share"] for row in curve] == [row.share for row in pairs.rows]
    json.dumps([so.chart(one), so.chart(pairs)], allow_nan=False)


def test_known_sets_and_special_uniques_are_bars():
    table = so.read_table(so.synthetic_records(seed=0).table)
    sets = so.vulnerability(table, known_columns={"little": ["area"], "nothing": []})
    rows = so.chart(sets)["data"]["values"]
    assert [row["known"] for row in rows] == ["little", "nothing"]
    assert rows[0]["best"] == max(row.share for row in sets["little"].rows)
    special = so.suda(table, columns=["area", "home", "language", "income"])
    bars = so.chart(special)["data"]["values"]
    assert {row["column"]: row["share"] for row in bars} == special.by_column
    json.dumps([so.chart(sets), so.chart(special)], allow_nan=False)


def test_classes_are_drawn_by_size():
    found = so.uniqueness(so.read_table(so.synthetic_records().table), columns=["area", "home", "income"])
    rows = so.chart(found)["data"]["values"]
    assert {row["size"]: row["classes"] for row in rows} == {s: c for s, c in found.by_size.items() if s <= 20}
