"""Tables: the same codes from every kind of source, one rule for missing values, odd columns named."""

import datetime as dt
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.reading import tables

PLAIN = pa.table({"town": ["b", "a", None, "b"], "age": [3, 1, 2, 3], "income": [1.5, None, 2.5, 1.5]})


def sources(tmp_path):
    pq.write_table(PLAIN, tmp_path / "t.parquet")
    pa.csv.write_csv(PLAIN, tmp_path / "t.csv")
    yield "parquet", tmp_path / "t.parquet"
    yield "csv", tmp_path / "t.csv"
    yield "pandas", PLAIN.to_pandas()
    yield "polars", pl.from_arrow(PLAIN)
    yield "arrow", PLAIN
    yield "stream", PLAIN.to_reader()
    yield "duckdb", duckdb.connect().from_arrow(PLAIN)


def test_every_kind_of_source_gives_the_same_codes(tmp_path):
    for kind, source in sources(tmp_path):
        table = so.read_table(source)
        assert table.columns == ("town", "age", "income"), kind
        assert len(table) == 4
        town, age, income = table.encode(table.columns)
        assert town.codes.tolist() == [1, 0, 2, 1], kind
        assert town.values.tolist() == ["a", "b"]
        assert age.codes.tolist() == [2, 0, 1, 2]
        assert income.codes.tolist() == [0, 2, 1, 0]
        assert (town.levels, age.levels, income.levels) == (3, 3, 3)
        assert town.codes.dtype == np.int32


def test_missing_nan_and_empty_text_are_one_value_and_the_last_code():
    gaps = {"x": pa.array(["", None, "a"]), "y": pa.array([float("nan"), None, 1.0])}
    table = so.read_table(pa.table(gaps))
    for column in table.encode(["x", "y"]):
        assert column.codes.tolist() == [1, 1, 0]
        assert column.any_missing
        assert column.value(1) is None
        assert column.decode()[0] is None
        assert column.counts.tolist() == [1, 2]


def test_any_type_of_column_can_be_coded():
    moment = dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC)
    columns = {
        "flag": [True, False, True],
        "day": [dt.date(2020, 1, 2), dt.date(2020, 1, 1), dt.date(2020, 1, 2)],
        "moment": [moment, moment + dt.timedelta(1), moment],
        "price": pa.array([Decimal("1.50"), Decimal("2.25"), Decimal("1.50")]),
        "long": pa.array([Decimal("1." + "3" * 20), Decimal("2." + "3" * 20), Decimal("1." + "3" * 20)]),
        "huge": pa.array([2**63 + 1, 2**63, 2**63 + 1], pa.uint64()),
        "bytes": [b"\x00b", b"a", b"\x00b"],
        "list": [[1, 2], [2], [1, 2]],
        "struct": [{"a": 1}, {"a": 2}, {"a": 1}],
        "category": pa.array(["b", "a", "b"]).dictionary_encode(),
        "single": pa.array([0.1, 0.2, 0.1], pa.float32()),
        "nothing": pa.nulls(3),
    }
    table = so.read_table(pa.table(columns))
    for column in table.encode(table.columns):
        first, second, third = column.codes.tolist()
        assert first == third, column
        assert (first != second) == (column.name != "nothing"), column
    assert table.encode(["single"])[0].values.tolist() == [0.1, 0.2]
    assert table.encode(["price"])[0].values.tolist() == [1.5, 2.25]


def test_zero_has_one_sign_and_whole_broken_numbers_are_whole():
    table = so.read_table(pd.DataFrame({"x": [0.0, -0.0, 7.0, None]}))
    (column,) = table.encode(["x"])
    assert column.codes.tolist() == [0, 0, 1, 2]
    assert column.values.dtype == np.int64


def test_numbers_beyond_64_bits_stay_apart():
    (column,) = so.read_table(pa.table({"x": [1e300, 2.0, 1e300]})).encode(["x"])
    assert column.codes.tolist() == [1, 0, 1]
    assert column.values.tolist() == [2.0, 1e300]


def test_row_labels_of_a_pandas_frame_are_no_column():
    frame = pd.DataFrame({"x": [1, 2]}, index=["eve", "adam"])
    assert so.read_table(frame).columns == ("x",)
    with pytest.raises(so.SourceError, match="read_table: columns 1 and 2 of the source have the same name"):
        so.read_table(pd.DataFrame([[1, 2]], columns=["x", "x"]))


def test_names_may_hold_anything():
    names = ['a "b', "it's", "ü\n", "[/b]"]
    table = so.read_table(pa.table({name: [1, 2] for name in names}))
    assert table.columns == tuple(names)
    assert so.uniqueness(table, columns=names).by_size == {1: 2}


def test_codes_are_made_once_and_only_of_the_columns_asked_for():
    table = so.read_table(PLAIN)
    (first,) = table.encode(["age"])
    assert table.encode(["age", "town"])[0] is first


def test_more_than_65536_levels_keep_their_codes_apart():
    numbers = np.arange(70_000)[::-1].copy()
    (column,) = so.read_table(pa.table({"x": numbers})).encode(["x"])
    assert column.codes.tolist() == numbers.tolist()


def test_columns_drop_and_survey_weight_choose_what_counts():
    table = so.read_table(PLAIN, drop=["town"], survey_weight="income")
    assert table.columns == ("age",)
    assert so.read_table(PLAIN, columns=["income", "age"]).columns == ("income", "age")
    assert so.read_table(PLAIN.to_pandas(), columns=["age"], survey_weight="income").columns == ("age",)
    weighted = so.read_table(PLAIN, survey_weight="age")
    assert weighted.survey_weights.tolist() == [3, 1, 2, 3]
    assert so.read_table(PLAIN).survey_weights is None


def test_odd_columns_are_named_in_the_notes():
    n = 40
    rng = np.random.default_rng(0)
    columns = {
        "id": np.arange(n),
        "same": ["x"] * n,
        "noisy": np.repeat(rng.random(n // 2), 2) + rng.random(n) * 1e-14,
        "tale": [f"she went to town {k % 5} times" for k in range(n)],
        "sex": ["f", "m"] * (n // 2),
    }
    told = "\n".join(map(str, so.read_table(pa.table(columns)).notes))
    assert "columns in which every value is distinct (id" in told
    assert "likely identifiers" in told
    assert "1 column with a single value (same)" in told
    assert "column of decimal numbers (noisy)" in told
    assert "differ only after digit 9" in told
    assert "column of free text (tale)" in told
    assert "sex" not in told


def test_the_repr_shows_no_value():
    table = so.read_table(PLAIN)
    assert repr(table) == "Table(4 records, 3 columns in memory)"
    assert repr(table.encode(["town"])[0]) == "Column('town', 4 records, 3 levels)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"columns": ["Towns"]},
            "columns='Towns' is not a column. Its columns: town, age, income. Did you mean 'town'?",
        ),
        ({"drop": ["ages"]}, "drop='ages' is not a column.*Did you mean 'age'"),
        ({"survey_weight": "w"}, "survey_weight='w' is not a column"),
        ({"columns": "age"}, "columns must be a list of column names"),
        ({"columns": [1]}, "columns must be a list of column names"),
        ({"columns": []}, "columns must be a list of at least one column"),
        ({"columns": ["age", "age"]}, "'age' occurs twice"),
        ({"columns": ["age"], "survey_weight": "age"}, "survey_weight must be a column that is not in columns"),
        ({"drop": ["town", "age", "income"]}, "at least one column that is not dropped"),
        ({"columns": ["age"], "drop": ["age"]}, r"drop must be columns that are not in columns \(got 'age'\)"),
        ({"drop": 3}, "drop must be a list of column names"),
    ],
)
def test_wrong_columns_are_refused_in_words(options, message):
    with pytest.raises(so.InputError, match=message):
        so.read_table(PLAIN, **options)


@pytest.mark.parametrize("bad", [None, -1.0, float("nan"), float("inf")])
def test_a_survey_weight_that_is_no_count_of_people_is_refused_by_row(bad):
    table = so.read_table(pa.table({"x": [1, 2], "w": pa.array([1.0, bad])}), survey_weight="w")
    with pytest.raises(
        so.DataError,
        match="row 2: the survey weight in column 'w' is not a number of 0 or more. Remove or correct it first",
    ):
        table.survey_weights  # noqa: B018


def test_a_source_without_records_or_of_another_kind_is_refused():
    with pytest.raises(so.DataError, match="read_table: source contains no records"):
        so.read_table(PLAIN.slice(0, 0)).encode(["age"])
    with pytest.raises(so.InputError, match="read_table: source must be a path or glob"):
        so.read_table(7)
    with pytest.raises(so.SourceError, match="no such file"):
        so.read_table("nowhere.parquet")


def test_a_file_of_a_header_alone_is_named(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n")
    with pytest.raises(so.DataError, match=r"read_table: t\.csv contains no records"):
        so.read_table(tmp_path / "t.csv").encode(["a"])


def test_a_broken_file_is_an_error_in_our_words(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "1,2\n" * 100_000 + "very,secret,3\n")
    with pytest.raises(
        so.SourceError, match="read_table: .*t.csv, line 100,002 .*: 3 or more fields instead of 2"
    ) as caught:
        so.read_table(tmp_path / "t.csv", columns=["a"]).encode(["a"])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "columns", "records"),
    [
        ("0,1,2\n1,2,0\n2,2,0\n", ("0", "1", "2"), 2),
        ("f\nTrue\nFalse\nTrue\n", ("f",), 3),
        ("2020,2021\n1,2\n3,4\n", ("2020", "2021"), 2),
        ("name;town\nann;rome\n", ("name", "town"), 1),
        ("\na,b\n1,2\n", ("a", "b"), 1),
    ],
)
def test_the_first_line_of_a_text_file_is_its_header_whatever_it_looks_like(tmp_path, text, columns, records):
    (tmp_path / "t.csv").write_text(text)
    table = so.read_table(tmp_path / "t.csv")
    assert (table.columns, len(table)) == (columns, records)


@pytest.mark.parametrize(
    ("rows", "message"),
    [("1,2\n1\n3,4,5", r", line 3 \(row 2\): 1 field instead of 2"), ("1,2\n3,4,5", "3 or more fields instead of 2")],
)
def test_a_later_line_is_never_taken_for_the_header(tmp_path, rows, message):
    (tmp_path / "t.csv").write_text(f"a,b\n{rows}\n")
    table = so.read_table(tmp_path / "t.csv")
    assert table.columns == ("a", "b")
    with pytest.raises(so.SourceError, match=message):
        len(table)


def test_many_columns_are_read_in_several_queries_with_the_same_codes(tmp_path, monkeypatch):
    names = [f"c{k}" for k in range(7)]
    lines = [",".join(names), *(",".join(str((row * k) % 5) for k in range(7)) for row in range(40))]
    (tmp_path / "wide.csv").write_text("\n".join(lines))
    whole = so.read_table(tmp_path / "wide.csv").encode(names)
    asked = []
    read = tables.Table._read
    monkeypatch.setattr(tables, "COLUMNS_AT_ONCE", 3)
    monkeypatch.setattr(tables.Table, "_read", lambda self, new, shown: asked.append(new) or read(self, new, shown))
    parts = so.read_table(tmp_path / "wide.csv").encode(names)
    assert [len(new) for new in asked] == [3, 3, 1]
    for one, other in zip(whole, parts, strict=True):
        assert (one.name, one.codes.tolist()) == (other.name, other.codes.tolist())
