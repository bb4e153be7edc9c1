"""Compressed files are unpacked within bounds."""

import bz2
import gzip
import lzma
import zipfile

import pytest

import singleout as so
from singleout.reading import unpacking
from tests.small_files import csv_bytes
from tests.small_sources import counts_by_name, read, rows_of


@pytest.fixture
def small_room(monkeypatch):
    monkeypatch.setattr(unpacking, "ALWAYS", 10_000)
    monkeypatch.setattr(unpacking, "RATIO", 2)


def zipped(file, **members):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return file


BOMB = b"a,b\n" + b"1,2\n" * 100_000


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: zipped(folder / "t.zip", bomb__csv=BOMB),
        lambda folder: zipped(folder / "t.zip", **{f"bomb{n}__csv": BOMB[:9_000] for n in range(9)}),
        lambda folder: (folder / "t.csv.bz2").write_bytes(bz2.compress(BOMB)) and folder / "t.csv.bz2",
        lambda folder: (folder / "t.csv.xz").write_bytes(lzma.compress(BOMB)) and folder / "t.csv.xz",
    ],
    ids=["zip", "many in a zip", "bz2", "xz"],
)
def test_a_bomb_ends_with_one_line_and_leaves_no_file(write, tmp_path, small_room, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    with pytest.raises(so.SourceError, match="holds more than 10 kB when unpacked, the most allowed") as caught:
        so.read_table(write(tmp_path))
    assert "\n" not in str(caught.value)
    assert sum(file.stat().st_size for file in (tmp_path / "temporary").rglob("*") if file.is_file()) < 20_000


def test_a_gzip_is_read_as_a_stream_without_a_copy(tmp_path, small_room):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(BOMB))
    assert len(so.read_table(tmp_path / "t.csv.gz")) == 100_000


def test_files_of_an_archive_are_chosen_by_name_or_pattern(tmp_path):
    files = {"may__csv": csv_bytes(), "june__csv": csv_bytes(), "people__txt": b"id,sex\n1,f\n"}
    file = zipped(tmp_path / "t.zip", **files)
    with pytest.raises(
        so.SourceError, match=r"header line of file 3 of 3 \(by name\) in .*t.zip differs from that of file 1"
    ):
        so.read_table(file)
    assert rows_of(so.read_table(f"{file}?file=people.txt")) == [("1", "f")]
    assert so.histograms(read(f"{file}?file=*.csv")).counts.sum() == 16
    with pytest.raises(so.SourceError, match="t.zip holds no file 'april.csv'. It holds may.csv, june.csv, people.txt"):
        so.read_table(f"{file}?file=april.csv")
    with pytest.raises(so.SourceError, match=r"choose with \?file=, not \?table="):
        so.read_table(f"{file}?table=may.csv")


def test_a_fault_names_the_file_in_the_archive_and_the_row(tmp_path):
    file = zipped(tmp_path / "t.zip", a__csv=b"x,y\n1,2\n3\n")
    with pytest.raises(so.SourceError, match=r"a.csv in .*t.zip, line 3 \(row 2\): 1 field instead of 2"):
        len(so.read_table(file))


def test_a_password_is_named(tmp_path):
    file = zipped(tmp_path / "t.zip", a__csv=csv_bytes())
    locked = bytearray(file.read_bytes())
    locked[6] |= 1
    directory = locked.index(b"PK\x01\x02")
    locked[directory + 8] |= 1
    file.write_bytes(locked)
    with pytest.raises(so.SourceError, match="t.zip has a password, or is compressed in an unusual way"):
        so.read_table(file)


def test_text_in_another_encoding_is_read_from_a_copy_in_utf_8(tmp_path):
    (tmp_path / "t.csv").write_bytes("who,when,where\n1,1,„Café“ – 5 €\n".encode("windows-1252"))
    events = read(tmp_path / "t.csv")
    assert counts_by_name(so.histograms(events)) == {("1", "„Café“ – 5 €"): 1}
    assert next(note.why for note in events.notes).startswith("read as Windows-1252")
    (tmp_path / "t.csv").write_bytes(b"who,when,where\n1,1,\x81\n")
    with pytest.raises(so.SourceError, match="t.csv is not text in the encoding windows-1252"):
        read(tmp_path / "t.csv", encoding="windows-1252")
