"""SQLite files, read-only."""

import sqlite3

import pytest

import singleout as so
from singleout.reading import sqlite_files
from tests.small_sources import rows_of


def make(file, *statements):
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return file


def test_types_follow_what_is_stored(tmp_path):
    made = "CREATE TABLE t (whole TEXT, real, mixed INTEGER, bytes, gap)"
    rows = "INSERT INTO t VALUES (1, 1, 1, x'AB', NULL), (NULL, 2.5, 'x', 'y', NULL)"
    file = make(tmp_path / "t.db", made.replace("whole TEXT", "whole"), rows)
    table = so.read_table(file)
    assert list(table.source.column_types.values()) == ["BIGINT", "DOUBLE", "VARCHAR", "VARCHAR", "VARCHAR"]
    assert rows_of(table) == [(1, 1.0, "1", "AB", None), (None, 2.5, "x", "y", None)]


def test_rows_come_in_batches_in_their_order(tmp_path, monkeypatch):
    many = "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) SELECT i FROM n"
    file = make(tmp_path / "t.db", "CREATE TABLE t (i)", many)
    monkeypatch.setattr(sqlite_files, "ROWS_AT_ONCE", 7)
    assert rows_of(so.read_table(file)) == [(i,) for i in range(100)]


def test_views_are_read_and_several_tables_must_be_chosen(tmp_path):
    file = make(
        tmp_path / "t.db", "CREATE TABLE a (x)", "CREATE VIEW v AS SELECT x + 1 AS y FROM a", "INSERT INTO a VALUES (1)"
    )
    with pytest.raises(so.SourceError, match=r"has 2 tables: a, v. Choose one: .*t.db\?table=a"):
        so.read_table(file)
    assert rows_of(so.read_table(f"{file}?table=v")) == [(2,)]
    assert rows_of(so.read_table(f"sqlite:///{file}?table=a")) == [(1,)]


def test_changes_outside_the_file_are_refused_and_the_file_stays_as_it_was(tmp_path):
    file = make(tmp_path / "t.db", "CREATE TABLE a (x)", "INSERT INTO a VALUES (1)")
    before = file.read_bytes()
    (tmp_path / "t.db-wal").write_bytes(b"changes")
    with pytest.raises(so.SourceError, match="t.db has changes that are still in t.db-wal. Close the program"):
        so.read_table(file)
    (tmp_path / "t.db-wal").unlink()
    assert rows_of(so.read_table(file)) == [(1,)]
    assert file.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t.db"]


def test_text_that_is_none_is_named(tmp_path):
    file = make(tmp_path / "t.db", "CREATE TABLE a (x)", "INSERT INTO a VALUES (CAST(x'FF41' AS TEXT))")
    with pytest.raises(so.SourceError, match="t.db is not a complete, readable SQLite file"):
        so.read_table(file)


def visits(file):
    rows = "INSERT INTO visits VALUES (1, 'a+b', 2.5), (2, 'c', 1), (2, NULL, 3)"
    return make(file, "CREATE TABLE visits (who, spot, amount)", rows, "CREATE TABLE other (x)")


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT who, spot FROM visits ORDER BY amount", [(2, "c"), (1, "a+b"), (2, None)]),
        ("SELECT+who,+count(*)+FROM+visits+GROUP+BY+who;", [(1, 1), (2, 2)]),
        ("SELECT who, amount FROM visits WHERE spot = 'a%2Bb' -- one", [(1, 2.5)]),
        ("WITH few AS (SELECT * FROM visits LIMIT 1) SELECT spot, amount %2B 1 AS more FROM few", [("a+b", 3.5)]),
    ],
)
def test_the_result_of_a_query_is_read(tmp_path, query, rows):
    file = visits(tmp_path / "t.db")
    before = file.read_bytes()
    assert rows_of(so.read_table(f"sqlite:///{file}?query={query}")) == rows
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["t.db"]


def test_after_the_name_of_a_file_a_query_is_written_as_it_is(tmp_path):
    file = visits(tmp_path / "t.db")
    assert rows_of(so.read_table(f"{file}?query=SELECT who + 1 AS next, spot FROM visits WHERE spot = 'a+b'")) == [
        (2, "a+b")
    ]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT secret FROM visits",
        "SELECT 'secret",
        "DELETE FROM visits",
        "SELECT 1) ; DELETE FROM visits; SELECT (1",
        "ATTACH 'secret.db' AS more",
        "SELECT * FROM pragma_database_list",
        "SELECT load_extension('secret')",
        "SELECT who, abs(-9223372036854775807 - who) AS secret FROM visits",
    ],
)
def test_a_query_can_only_read_and_is_not_repeated(tmp_path, query):
    file = visits(tmp_path / "t.db")
    before = file.read_bytes()
    with pytest.raises(so.SourceError, match=r"t.db cannot answer the query. It must be one SELECT") as error:
        so.read_table(f"sqlite:///{file}?query={query}")
    assert "secret" not in str(error.value)
    assert file.read_bytes() == before
