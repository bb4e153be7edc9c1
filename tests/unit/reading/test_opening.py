"""Files as relations: rows in their order, names of people in no message."""

import sqlite3
import zipfile
from pathlib import Path

import duckdb
import pytest

import singleout as so
from singleout.reading.opening import person_of
from tests.small_files import as_duckdb, write_xlsx
from tests.small_sources import rows_of


@pytest.mark.parametrize(
    ("name", "person"),
    [("anna.csv", "anna"), ("anna.k.csv.gz", "anna.k"), ("anna", "anna"), ("unpacked-000012-anna.csv", "anna")],
)
def test_whose_file_it_is(name, person):
    assert person_of(Path("folder") / name) == person


def write_people(folder, *people):
    for person in people:
        (folder / f"{person}.csv").write_text(f"where\n{person}-home\nshop\n")


def test_one_file_per_person_of_every_kind_of_reading(tmp_path):
    for kind, write in {
        "csv": lambda file: file.write_text("where\nhome\nshop\n"),
        "jsonl": lambda file: file.write_text('{"where": "home"}\n{"where": "shop"}\n'),
        "xlsx": lambda file: write_xlsx(file, {"S": [["where"], ["home"], ["shop"]]}),
    }.items():
        folder = tmp_path / kind
        folder.mkdir()
        for person in ("anna", "bob"):
            write(folder / f"{person}.{kind}")
        events = so.read_events(folder, user_from_name=True, place="where")
        assert so.histograms(events).people.tolist() == ["anna", "bob"]
        assert events.notes == (), "two people may have the same file"


def test_two_files_of_one_name_are_not_two_people(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_people(tmp_path / folder, "anna")
    with pytest.raises(so.SourceError, match="user_from_name requires one file for each person") as caught:
        so.read_events(str(tmp_path / "*" / "*.csv"), user_from_name=True, place="where")
    assert "anna" not in str(caught.value)


def test_where_names_of_files_are_people_messages_count_files(tmp_path):
    write_people(tmp_path, "anna", "bob")
    (tmp_path / "bob.csv").write_text("where\na,b\n")
    with pytest.raises(so.SourceError, match=r"file 2 of 2 \(by name\), line 2 \(row 1\): 2 or more") as caught:
        so.histograms(so.read_events(tmp_path, user_from_name=True, place="where"))
    assert "bob" not in str(caught.value)
    with pytest.raises(so.SourceError, match="place='wheer' is not a column of file 1 of 2"):
        so.read_events(tmp_path, user_from_name=True, place="wheer")
    with pytest.raises(so.InputError, match="user_from_name requires files, one for each person"):
        so.read_events(duckdb.sql("SELECT 1 AS x"), user_from_name=True, place="x")


def test_a_header_less_file_counts_its_first_row(tmp_path):
    (tmp_path / "t.csv").write_text("1,2\n3,4\n5\n")
    with pytest.raises(so.SourceError, match=r"t.csv, line 3 \(row 3\): 1 field instead of 2"):
        len(so.read_table(tmp_path / "t.csv", columns_are=["a", "b"]))
    (tmp_path / "t.csv").write_text("1,2\n3,4\n")
    table = so.read_table(tmp_path / "t.csv", columns_are=["a", "b"])
    assert len(table) == 2
    assert rows_of(table) == [("1", "2"), ("3", "4")]
    with pytest.raises(so.SourceError, match="columns_are names 3 columns, but .*t.csv has 2 fields in a line"):
        so.read_table(tmp_path / "t.csv", columns_are=["a", "b", "c"])


def test_delimiters_and_decimal_commas_that_are_said(tmp_path):
    (tmp_path / "t.csv").write_text("a~b\n1,500~2\n")
    table = so.read_table(tmp_path / "t.csv", delimiter="~", decimal="comma")
    assert rows_of(table) == [("1.500", "2")]
    assert not any("guessed" in note.what for note in table.notes)
    (tmp_path / "t.csv").write_text("a;b\n1,5;2\n")
    assert rows_of(so.read_table(tmp_path / "t.csv", decimal="point")) == [("1,5", "2")]


def test_a_number_with_a_comma_says_what_to_pass(tmp_path):
    (tmp_path / "t.csv").write_text("who;where;n\na;x;1,500\n")
    with pytest.raises(so.DataError, match="row 1: the value of column 'n' has a comma. .* pass decimal='comma'"):
        so.histograms(so.read_events(tmp_path / "t.csv", user="who", place="where", count="n"))


def test_duckdb_files_stay_as_they_are_and_their_views_are_not_read(tmp_path):
    file = as_duckdb(tmp_path)
    with duckdb.connect(file) as connection:
        connection.execute("CREATE VIEW other AS SELECT * FROM visits")
    before = file.read_bytes()
    assert len(so.read_table(file)) == 8
    with pytest.raises(so.SourceError, match="has no table 'other'. It has visits"):
        so.read_table(f"{file}?table=other")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("first", "is_header"),
    [
        ("a,b", True),
        ("A, B", True),
        ("card,visits", True),
        ("u1,NA", False),  # a gap above numbers
        ("u2,many", False),  # met again as a value
        ("u1,3", False),
    ],
)
def test_names_are_not_given_to_a_file_that_has_a_header(tmp_path, first, is_header):
    (tmp_path / "t.csv").write_text(f"{first}\nu2,1\nu3,2\n")
    if not is_header:
        assert len(so.read_table(tmp_path / "t.csv", columns_are=["a", "b"])) == 3
        return
    with pytest.raises(so.SourceError, match="first line of .*t.csv looks like column names. Leave out columns_are"):
        so.read_table(tmp_path / "t.csv", columns_are=["a", "b"])


def test_a_folder_with_a_note_on_its_files_says_how_to_name_the_files(tmp_path):
    (tmp_path / "README.txt").write_text("These are taps.\n")
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text("user,place\nu,p\n")
    with pytest.raises(so.SourceError, match=r"name those that are, for example \*\.csv in that folder"):
        so.read_table(tmp_path)


def test_files_with_other_columns_are_refused(tmp_path):
    for name, column in (("a.db", "x"), ("b.db", "y")):
        with sqlite3.connect(tmp_path / name) as connection:
            connection.execute(f"CREATE TABLE t ({column})")
        connection.close()
    with pytest.raises(
        so.SourceError, match=r"the columns of file 2 of 2 \(by name\) differ from those of file 1 of 2"
    ):
        so.read_table(str(tmp_path / "*.db"))


def test_a_part_of_a_file_without_parts_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n")
    with pytest.raises(so.SourceError, match=r"t.csv has only one table: leave out \?table="):
        so.read_table(f"{tmp_path / 't.csv'}?table=x")


def test_a_spreadsheet_in_an_archive_is_that_spreadsheet(tmp_path):
    write_xlsx(tmp_path / "t.xlsx", {"S": [["a"], [1]]})
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.write(tmp_path / "t.xlsx", "t.xlsx")
        archive.writestr("readme.txt", "words")
    with pytest.raises(so.SourceError, match=r"several kinds: readme.txt \(text\), t.xlsx \(spreadsheet\). Choose"):
        so.read_table(tmp_path / "t.zip")
    assert rows_of(so.read_table(f"{tmp_path / 't.zip'}?file=t.xlsx")) == [(1,)]
