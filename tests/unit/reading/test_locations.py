"""Where data lies."""

import os

import pytest

import singleout as so
from singleout.reading.kinds import FileKind
from singleout.reading.locations import input_files, locate
from singleout.reading.parts import Part
from tests.small_files import as_sqlite, csv_bytes
from tests.small_sources import counts_by_name, read


def test_a_file_that_a_pattern_matches_twice_is_counted_once_with_a_note(tmp_path):
    (tmp_path / "a.csv").write_bytes(csv_bytes())
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    os.link(tmp_path / "a.csv", tmp_path / "c.csv")
    events = read(str(tmp_path / "*.csv"))
    assert so.histograms(events).counts.sum() == 8
    assert events.files == (tmp_path / "a.csv",)
    assert [str(note) for note in events.notes] == [
        "2 files matched more than once: links to a file that is already read; each is counted once"
    ]


def test_copies_are_counted_and_noted(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(csv_bytes())
    events = read(str(tmp_path / "*.csv"))
    assert so.histograms(events).counts.sum() == 16
    assert [note.what for note in events.notes] == ["files with the same content as another"]


def test_a_path_that_exists_is_that_file_whatever_its_name_says(tmp_path):
    odd = tmp_path / "a?table=b"
    odd.write_bytes(csv_bytes())
    assert input_files(odd, "audit") == (odd,)
    assert locate(str(odd), "audit").part is None


@pytest.mark.parametrize("source", ["sqlite:///{}?table=my%20table", "{}?table=my table"])
def test_addresses_name_a_file_and_a_table(source, tmp_path):
    file = as_sqlite(tmp_path, "my log.db")
    found = locate(source.format(str(file).replace(" ", "%20") if "%" in source else file), "audit")
    assert (found.files, found.kind, found.part) == ((file,), FileKind.SQLITE, Part("table", "my table"))


def test_an_address_may_be_relative(tmp_path, monkeypatch):
    as_sqlite(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert counts_by_name(so.histograms(read("sqlite:///log.db?table=visits")))[("1", "a")] == 4


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("https://example.org/log.csv", "must be a local file; nothing is downloaded"),
        ("sqlite://log.db", r"A database file is sqlite:///FILE\?table=NAME or duckdb"),
        ("sqlite:///log.db?sheet=x", r"comes table=NAME or query=SELECT"),
        ("sqlite:///log.db?query=", r"comes table=NAME or query=SELECT"),
        ("sqlite:///log.db?query=SELECT 1&2", r"write & as %26 and \+ as %2B"),
        ("sqlite:///nowhere.db", "nowhere.db: no such file"),
        ("postgresql:/me:secret@host/data", r"^.*postgresql:/me:…@host/data: no such file\.$"),
        ("", "the name given is empty"),
    ],
)
def test_addresses_that_are_none(source, message):
    with pytest.raises(so.SourceError, match=message):
        locate(source, "audit")


def test_a_folder_is_its_files_and_hidden_ones_are_not_meant(tmp_path):
    (tmp_path / "b.csv").write_bytes(csv_bytes())
    (tmp_path / "a.csv").write_bytes(csv_bytes())
    (tmp_path / ".x").write_bytes(b"\0")
    (tmp_path / "more").mkdir()
    assert [file.name for file in input_files(tmp_path, "audit")] == ["a.csv", "b.csv"]
