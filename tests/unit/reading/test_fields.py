"""Fields of an event: NaN and empty text are missing in every file, infinite ids are a fault, text may be a number."""

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.reading.fields import text_number

NAN, INF = float("nan"), float("inf")


def stored(tmp_path, kind, **columns):
    """The same columns as an Arrow table and as a Parquet file, whose bounds leave NaN out."""
    table = pa.table(columns)
    if kind == "arrow":
        return table
    pq.write_table(table, tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
@pytest.mark.parametrize("others", [[1.0, 2.0], [1.0, 1.0], [1.5, 2.0]])
def test_nan_is_no_person_and_no_place(tmp_path, kind, others):
    for ids, column, why in (("who", "where", "without a user"), ("where", "who", "without a place")):
        source = stored(tmp_path, kind, **{ids: [NAN, *others], column: ["a", "b", "c"]})
        found = so.histograms(so.read_events(source, user="who", place="where"))
        kept = found.people if ids == "who" else found.places
        assert sorted(kept.tolist()) == sorted(set(others))
        assert f"1 event left out: {why}" in map(str, found.notes)
        assert kept.dtype.kind == ("f" if 1.5 in others else "i")


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
@pytest.mark.parametrize("times", [[NAN, 1.3e9], [1.3e9, 1.3e9, NAN], [1.3e9, NAN, 1.4e9]])
def test_nan_is_no_time(tmp_path, kind, times):
    source = stored(tmp_path, kind, who=["a"] * len(times), where=["x"] * len(times), when=times)
    found = so.histograms(so.read_events(source, user="who", place="where", time="when"))
    assert found.counts.sum() == len(times) - 1
    assert "1 event left out: without a time" in map(str, found.notes)


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
@pytest.mark.parametrize(("column", "why"), [("who", "user"), ("where", "place"), ("when", "time"), ("n", "count")])
def test_empty_text_is_missing(tmp_path, kind, column, why):
    columns = {
        "who": ["a", "b"],
        "where": ["x", "y"],
        "when": ["2012-04-09 10:00", "2012-04-09 11:00"],
        "n": ["1", "2"],
    }
    columns[column][1] = ""
    source = stored(tmp_path, kind, **columns)
    found = so.histograms(so.read_events(source, user="who", place="where", time="when", count="n"))
    assert found.counts.sum() == 1
    assert f"1 event left out: without a {why}" in map(str, found.notes)


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
@pytest.mark.parametrize("infinite", [INF, -INF])
@pytest.mark.parametrize("column", ["who", "where"])
def test_an_infinite_id_is_a_fault_of_its_row(tmp_path, kind, infinite, column):
    source = stored(tmp_path, kind, **({"who": [1.0, 2.0], "where": [1.0, 2.0]} | {column: [1.0, infinite]}))
    with pytest.raises(so.DataError, match=f"row 2: the value of column '{column}' is infinite; ids must be finite"):
        so.histograms(so.read_events(source, user="who", place="where"))


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
def test_zero_and_minus_zero_are_one_id(tmp_path, kind):
    source = stored(tmp_path, kind, who=[0.0, -0.0, 1.5], where=["x", "y", "x"])
    assert so.histograms(so.read_events(source, user="who", place="where")).people.tolist() == [0.0, 1.5]


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12.0), (" 1.5e3", 1500.0), ("1_000", None), ("inf", float("inf")), ("12 km", None)]
)
def test_text_is_a_number_only_if_all_of_it_is(text, number):
    ((found,),) = duckdb.execute(f"SELECT {text_number('t')} FROM (SELECT ? AS t)", [text]).fetchall()
    assert found == number


def test_columns_that_cannot_be_ids_or_numbers_say_what_they_are():
    table = pa.table({"who": [[1], [2]], "where": ["a", "b"], "n": [True, False], "none": pa.nulls(2), "other": [1, 2]})
    for options, message in (
        (
            {"user": "who", "place": "where"},
            "user='who' is of type BIGINT.*; ids must be numbers, text, dates or times",
        ),
        ({"user": "other", "place": "where", "count": "n"}, "count='n' is of type BOOLEAN; it must contain numbers"),
        ({"user": "none", "place": "where"}, "user='none' has no values: all of them are missing"),
    ):
        with pytest.raises(so.InputError, match=message):
            so.histograms(so.read_events(table, **options))
