"""DuckDB files: tables are read in place, and queries see nothing but the file."""

import duckdb
import pytest

import singleout as so
from tests.small_sources import rows_of


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "visits.duckdb"
    with duckdb.connect(made) as connection:
        connection.execute(
            "CREATE TABLE visits AS FROM (VALUES (1, 'a+b', 2.5), (2, 'c', 1), (2, NULL, 3)) v(who, spot, n)"
        )
        connection.execute("CREATE SCHEMA more; CREATE TABLE more.taps AS SELECT 7 AS who, 'x' AS spot")
        connection.execute("CREATE VIEW seen AS SELECT who, spot FROM visits")
        connection.execute(f"CREATE VIEW elsewhere AS SELECT 1 AS who; COPY visits TO '{tmp_path}/secret.csv'")
        connection.execute(f"CREATE OR REPLACE VIEW elsewhere AS FROM '{tmp_path}/secret.csv'")
    return made


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT who, spot FROM visits ORDER BY n", [(2, "c"), (1, "a+b"), (2, None)]),
        ("SELECT+who,+count(*)+AS+n+FROM+visits+GROUP+BY+who+ORDER+BY+who;", [(1, 1), (2, 2)]),
        ("FROM seen WHERE spot = 'a%2Bb' -- one", [(1, "a+b")]),
        ("SELECT who, spot FROM more.taps", [(7, "x")]),
        (
            "SELECT range % 5 AS who, range % 3 AS spot FROM range(1000) ORDER BY range",
            [(k % 5, k % 3) for k in range(1_000)],
        ),
    ],
)
def test_the_result_of_a_query_is_read(file, query, rows):
    before = file.read_bytes()
    assert rows_of(so.read_table(f"duckdb:///{file}?query={query.replace(' % ', ' %25 ')}")) == rows
    assert file.read_bytes() == before
    assert not file.with_name(file.name + ".tmp").exists()


def test_a_log_is_the_same_by_query_and_by_table(file):
    by_table, by_query = (
        so.histograms(so.read_events(f"duckdb:///{file}?{part}", user="who", place="spot"))
        for part in ("table=visits", "query=SELECT * FROM visits")
    )
    assert (by_table.counts != by_query.counts).nnz == 0


@pytest.mark.parametrize(
    "query",
    [
        "SELECT secret FROM visits",
        "SELECT 'secret",
        "CREATE TABLE secret AS SELECT 1",
        "SELECT 1; SELECT 2",
        "COPY visits TO 'secret.csv'",
        "FROM 'secret.csv'",
        "FROM elsewhere",
        "ATTACH 'secret.db'",
        "",
    ],
)
def test_a_query_sees_nothing_but_the_file_and_is_not_repeated(file, query, monkeypatch):
    monkeypatch.chdir(file.parent)
    there = sorted(file.parent.iterdir())
    must = "cannot answer the query. It must be one SELECT" if query else "comes table=NAME or query=SELECT"
    with pytest.raises(so.SourceError, match=must) as error:
        so.read_table(f"duckdb:///{file}?query={query}")
    assert "secret" not in str(error.value)
    assert sorted(file.parent.iterdir()) == there


def test_a_query_that_fails_on_its_way_is_reported_without_its_words(file):
    broken = "SELECT who, CASE WHEN who > 1 THEN spot::INTEGER END AS spot FROM visits"
    with pytest.raises(so.SourceError, match="could not be read|cannot answer the query") as error:
        so.read_table(f"duckdb:///{file}?query={broken}")
    assert "convert" not in str(error.value).lower()


def test_a_file_that_is_open_for_writing_is_said_to_be_in_use(file):
    with duckdb.connect(file), pytest.raises(so.SourceError, match=r"visits.duckdb cannot be opened.* or in use"):
        so.read_table(f"duckdb:///{file}?query=FROM visits")
