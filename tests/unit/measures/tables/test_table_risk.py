"""The risk of a table, record by record and as a whole."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so

COLUMNS = ["residence", "gender", "education", "labor"]


@given(rows=st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), min_size=1, max_size=60))
def test_counts_are_those_of_the_combinations(rows):
    table = so.read_table(pa.table({"x": [row[0] for row in rows], "y": [row[1] for row in rows]}))
    found = so.table_risk(table, known_columns=["x", "y"])
    counts = Counter(rows)
    assert found.sizes.tolist() == [counts[row] for row in rows]
    assert found.k == min(counts.values())
    assert found.classes == len(counts)
    assert found.average == pytest.approx(len(counts) / len(rows))
    assert found.maximum == 1 / min(counts.values())
    for k in (2, 3, 5):
        assert found.below(k) == sum(n for n in counts.values() if n < k)
    assert found.above(0.5) == sum(n for n in counts.values() if n < 2)


def test_every_record_has_a_row_with_all_that_was_asked(real_data):
    table = so.read_table(real_data("ihsn_suda_example") / "ihsn_suda_example.csv", survey_weight="weight")
    found = so.table_risk(table, known_columns=COLUMNS, sensitive=["health"], scores=True)
    rows = found.to_arrow()
    assert rows.column_names == ["row", "class_size", "risk", "population", "population_risk", "suda", "dis_suda"]
    (sizes, suda) = table.encode(["fk", "suda"])
    assert rows["class_size"].to_pylist() == list(map(int, sizes.decode()))
    assert rows["suda"].to_pylist() == list(map(int, suda.decode()))
    plain = found.to_dict()
    assert plain["below"]["3"] == 10
    assert plain["population"]["people"] == 1570
    assert "exact" in str(found)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"known_columns": []}, "known_columns must be a list of at least one column"),
        ({"known_columns": ["x"], "sensitive": ["x"]}, "sensitive must be columns that are not in known_columns"),
        ({"known_columns": ["x"], "missing": "maybe"}, "missing must be one of value, any"),
        ({"known_columns": ["nope"]}, "is not a column"),
    ],
)
def test_wrong_questions_are_refused(wrong, message):
    table = so.read_table(pa.table({"x": [1, 2], "y": [1, 2]}))
    with pytest.raises(so.InputError, match=message):
        so.table_risk(table, **wrong)


def test_a_suppressed_cell_counts_as_a_value_unless_asked_otherwise():
    table = so.read_table(pa.table({"x": ["a", "a", None], "y": ["b", "b", "b"]}))
    assert so.table_risk(table, known_columns=["x", "y"]).sizes.tolist() == [2, 2, 1]
    assert so.table_risk(table, known_columns=["x", "y"], missing="any").sizes.tolist() == [3, 3, 3]
    assert np.isfinite(so.table_risk(table, known_columns=["x"]).average)


def test_an_average_risk_at_the_limit_is_at_the_limit():
    table = so.read_table(pa.Table.from_pylist([{"region": k // 20} for k in range(1_000)]))
    assert so.table_risk(table, known_columns=["region"]).average == 0.05
