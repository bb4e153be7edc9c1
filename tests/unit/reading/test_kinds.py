"""What a file is, by its content."""

import gzip

import numpy as np
import pytest

import singleout as so
from singleout.reading.kinds import FileKind, Packing, look_into, packing_of
from tests.small_files import WORKS

KINDS = {
    "csv": FileKind.TEXT,
    "UTF-16": FileKind.TEXT,
    "text named xls": FileKind.TEXT,
    "Excel named csv": FileKind.SPREADSHEET,
    "OpenDocument": FileKind.SPREADSHEET,
    "SQLite": FileKind.SQLITE,
    "DuckDB": FileKind.DUCKDB,
    "Feather": FileKind.FEATHER,
    "ORC": FileKind.ORC,
    "SPSS": FileKind.SPSS,
    "Stata": FileKind.STATA,
    "SAS transport": FileKind.SAS_TRANSPORT,
    "zip": FileKind.ZIP,
}


@pytest.mark.parametrize("name", KINDS)
def test_the_kind_does_not_depend_on_the_name(name, tmp_path):
    file = WORKS[name](tmp_path)
    assert look_into(file) == (KINDS[name], None)
    nameless = file.rename(tmp_path / "nameless")
    assert look_into(nameless) == (KINDS[name], None)


def test_compressed_files_say_what_is_in_them(tmp_path):
    (tmp_path / "log").write_bytes(gzip.compress(b"a,b\n1,2\n"))
    assert look_into(tmp_path / "log") == (FileKind.TEXT, Packing.GZIP)
    (tmp_path / "log").write_bytes(gzip.compress(gzip.compress(b"a,b\n1,2\n")))
    with pytest.raises(so.SourceError, match="holds another compressed file. Unpack it first"):
        look_into(tmp_path / "log")
    assert packing_of(b"a,b") is None


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b'[{"a": 1}]', FileKind.JSON),
        (b' {"a": 1}\n{"a": 2}\n', FileKind.JSON),
        (b"[1] a,b\n", FileKind.TEXT),
        (b"\x72\x02\x01\x00", FileKind.STATA),
        (bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011"), FileKind.SAS),
    ],
)
def test_kinds_without_a_file_of_their_own(content, kind, tmp_path):
    (tmp_path / "log").write_bytes(content)
    assert look_into(tmp_path / "log").kind is kind


@pytest.mark.parametrize("name", ["a.parquet", "a.xlsx", "a.sav", "a.db"])
def test_prose_under_the_name_of_another_kind_is_a_broken_file_of_that_kind(name, tmp_path):
    (tmp_path / name).write_text("Page not found.\n")
    with pytest.raises(so.SourceError, match=f"{name} is not a complete, readable"):
        look_into(tmp_path / name)


@pytest.mark.parametrize("name", ["ORCID", "PAR1", "ARROW1", "BZh9_type", "$FL2", "HEADER RECORD*******LIB", "%PD"])
def test_a_header_that_begins_like_another_kind_is_text(name, tmp_path):
    (tmp_path / "t.csv").write_text(f"{name},b\n1,2\n")
    assert look_into(tmp_path / "t.csv") == (FileKind.TEXT, None)
    assert so.read_table(tmp_path / "t.csv").columns == (name, "b")


RANDOM = np.random.default_rng(0).integers(0, 256, 900).astype(np.uint8).tobytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + RANDOM, "is a picture, whatever its name says"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + RANDOM, "is a picture"),
        (RANDOM, "is not text, whatever its name says. Supported: CSV"),
        (RANDOM.replace(b"\x00", b""), "is not text, whatever its name says"),
        ("sex,town\nm,Bern\n".encode("utf-16-le"), "UTF-16 without a byte order mark. Convert it.*UTF-16LE"),
        ("пол,город\nм,Омск\n".encode("utf-16-be"), "UTF-16 without a byte order mark. Convert it.*UTF-16BE"),
    ],
    ids=["PNG", "JPEG", "random", "without zeros", "Latin letters of two bytes", "Cyrillic letters of two bytes"],
)
def test_bytes_that_are_no_text_are_called_so_whatever_the_name_says(content, message, tmp_path):
    for name in ("people.csv", "people.txt"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(so.SourceError, match=message) as error:
            look_into(tmp_path / name)
        assert "latin-1" not in str(error.value)
    (tmp_path / "people.csv.gz").write_bytes(gzip.compress(content))
    with pytest.raises(so.SourceError, match=message):
        look_into(tmp_path / "people.csv.gz")


def test_a_control_sign_by_accident_does_not_make_text_binary(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"user,place\n" + b"a,b\n" * 50 + b"\x1a")
    assert look_into(tmp_path / "t.csv").kind is FileKind.TEXT
    (tmp_path / "t.csv").write_bytes("Straße;Größe\nÄ;1 €\n".encode("windows-1252"))
    assert look_into(tmp_path / "t.csv").kind is FileKind.TEXT
