"""One table of the files that people have: those that are read all give the same, the others say what to do."""

import json
import pickle
import re
import sqlite3
import zipfile
from contextlib import closing

import duckdb
import pytest

import singleout as so
from tests.commands import run
from tests.small_files import WORKS, as_bytes, as_sqlite, csv_bytes, write_xlsx
from tests.small_sources import TABLE, counts_by_name, read

COUNTS = {("1", "a"): 4, ("1", "b"): 2, ("1", "c"): 1, ("2", "b"): 1}


@pytest.mark.parametrize("kind", WORKS)
def test_every_kind_of_file_gives_the_same(kind, tmp_path):
    events = read(WORKS[kind](tmp_path))
    found = so.histograms(events)
    assert {(name.removesuffix(".0"), place): n for (name, place), n in counts_by_name(found).items()} == COUNTS
    (times,) = events.log.query(f"SELECT sum(moment) AS s FROM {events.log.select('moment')}").to_pylist()
    assert times["s"] == sum(TABLE["when"].to_pylist()) * 1_000_000


@pytest.mark.parametrize("kind", ["SQLite", "DuckDB"])
def test_the_command_line_takes_queries_of_files_and_repeats_none(kind, tmp_path):
    connect = sqlite3.connect if kind == "SQLite" else duckdb.connect
    with closing(connect(tmp_path / "people.db")) as database:
        database.execute("CREATE TABLE people (age INTEGER, town TEXT)")
        database.executemany("INSERT INTO people VALUES (?, ?)", [(20 + k % 50, f"t{k % 7}") for k in range(300)])
        database.commit()
    source = f"{kind.lower()}:///{tmp_path}/people.db?query=SELECT+age,+town+AS+home+FROM+people+WHERE+town+<>+'secret'"
    options = ["--known-columns", "age,home", "--one-row-per-person", "--out", tmp_path / "out"]
    ran = run("audit", source, *options)
    assert ran.exit_code == 0, ran.output
    written = {file.name: file.read_text(errors="replace") for file in (tmp_path / "out").iterdir()}
    assert "secret" not in ran.output + "".join(written.values())
    assert "people.db?query=…" in json.loads(written["audit.json"])["command"]


def _zip(*names):
    def write(folder):
        with zipfile.ZipFile(folder / "log.zip", "w") as archive:
            for name in names:
                archive.writestr(name, csv_bytes() if name.endswith(".csv") else b"PAR1....PAR1")
        return folder / "log.zip"

    return write


def _link(folder):
    (folder / "log.csv").symlink_to(folder / "gone.csv")
    return folder / "log.csv"


def _two_sheets(folder):
    return write_xlsx(folder / "log.xlsx", {"May": [["who"], [1]], "June": [["who"], [1]]})


OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
REFUSED = {
    "pickle": (as_bytes("log.pkl", pickle.dumps({"who": [1]})), "log.pkl is a pickle, which could run any code. Write"),
    "pickle named csv": (as_bytes("log.csv", pickle.dumps({"who": [1]})), "is a pickle, which could run any code"),
    "R": (as_bytes("log.rds", b"X\n\x00\x00\x00\x03\x00\x04"), r"is a file of R. Write it in R: write.csv"),
    "HDF5": (as_bytes("log.h5", b"\x89HDF\r\n\x1a\n"), "is an HDF5 file. Convert it"),
    "PDF": (as_bytes("log.pdf", b"%PDF-1.7"), "is a PDF. Ask for the data as CSV"),
    "web page": (as_bytes("log.xls", b"<html><table><tr><td>1"), "is a web page, .* save it as .xlsx or CSV"),
    "7z": (as_bytes("log.7z", b"7z\xbc\xaf\x27\x1c\0\4"), "is an archive that is not read. Unpack it first"),
    "binary": (as_bytes("log.bin", b"\x00\x01\x02\x03"), "unsupported file type. Supported: CSV and other"),
    "empty": (as_bytes("log.csv", b""), "log.csv is empty"),
    "old Feather": (as_bytes("log.feather", b"FEA1\0\0"), "is a Feather file of version 1. Write it again"),
    "cut Feather": (as_bytes("log.feather", b"ARROW1\0\0nothing"), "is not a complete, readable Feather file"),
    "cut ORC": (as_bytes("log.orc", b"ORC nothing"), "is not a complete, readable ORC file"),
    "cut SPSS": (as_bytes("log.sav", b"$FL2 nothing"), "is not a complete, readable SPSS file"),
    "cut Stata": (as_bytes("log.dta", b"<stata_dta>nothing"), "is not a complete, readable Stata file"),
    "cut Excel": (as_bytes("log.xlsx", b"PK\x03\x04 nothing"), "is not a complete, readable spreadsheet file"),
    "cut old Excel": (as_bytes("log.xls", OLD_EXCEL + bytes(600)), "is not a complete, readable"),
    "cut SQLite": (as_bytes("log.db", b"SQLite format 3\0 nothing"), "is not a complete, readable SQLite file"),
    "cut DuckDB": (as_bytes("log.duckdb", b"12345678DUCK nothing"), "log.duckdb cannot be opened"),
    "cut xz": (as_bytes("log.csv.xz", b"\xfd7zXZ\x00 nothing"), "is not a complete, readable xz file"),
    "cut bz2": (as_bytes("log.csv.bz2", b"BZh91AY&SY" + bytes(20)), "is not a complete, readable bz2 file"),
    "tar": (as_bytes("log.tar", bytes(257) + b"ustar\0" + bytes(300)), "holds a tar archive. Unpack it first: tar -xf"),
    "zip of kinds": (_zip("a.csv", "b.parquet"), r"several kinds: a.csv \(text\), b.parquet \(Parquet\). Choose"),
    "zip in zip": (_zip("a.csv", "b.zip"), "log.zip"),
    "empty zip": (_zip(), "is not a complete, readable ZIP file|holds no file"),
    "two sheets": (_two_sheets, r"has 2 sheets: May, June. Choose one: .*log.xlsx\?sheet=May"),
    "no such sheet": (lambda folder: f"{_two_sheets(folder)}?sheet=Mai", r"no sheet 'Mai'. .* Did you mean 'May'\?"),
    "table of a sheet": (lambda folder: f"{_two_sheets(folder)}?table=May", r"choose one with \?sheet=, not \?table="),
    "no such table": (lambda folder: f"sqlite:///{as_sqlite(folder)}?table=taps", "has no table 'taps'. It has visits"),
    "address of another kind": (
        lambda folder: f"duckdb:///{as_sqlite(folder)}?table=visits", "log.db is not a DuckDB file"
    ),
    "server": (lambda folder: "postgresql://127.0.0.1:1/db?table=visits", "cannot read postgresql://127.0.0.1:1/db"),
    "page": (lambda folder: "https://host/visits.csv", "must be a local file; nothing is downloaded"),
    "empty folder": (lambda folder: folder, "is a folder without files"),
    "dangling link": (_link, "cannot read .*log.csv: No such file"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_files_that_are_not_read_say_in_one_line_what_to_do(kind, tmp_path):
    write, message = REFUSED[kind]
    with pytest.raises(so.SourceError, match=message) as caught:
        so.histograms(read(write(tmp_path)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("encoding", [None, "utf-8", "latin-1"])
def test_what_is_wrong_is_not_blamed_on_the_encoding(encoding, tmp_path):
    lines = ["who,when,where", *(f"{n % 50},{n},p{n % 7}" for n in range(30_000))]
    lines[20_000] = '1,2,"open'
    (tmp_path / "quote.csv").write_text("\n".join(lines))
    with pytest.raises(so.SourceError, match=r"quote.csv, line 20,001 \(row 20,000\): misplaced quote"):
        so.histograms(read(tmp_path / "quote.csv", encoding=encoding))
    events = read(WORKS["Excel named csv"](tmp_path), encoding=encoding)
    assert so.histograms(events).counts.sum() == 8


START_OF = {
    ".parquet": b"PAR1", ".xlsx": b"PK\x03\x04", ".db": b"SQLite format 3\0", ".zip": b"PK\x03\x04",
    ".feather": b"ARROW1\0\0",
}  # fmt: skip
AMONG_OTHERS = {
    "empty": (".csv", b"", "file 2 of 2 (by name) is empty"),
    "pickle": (".csv", pickle.dumps({"who": [1]}), "file 2 of 2 (by name) is a pickle"),
    "tar": (".csv", bytes(257) + b"ustar\0" + bytes(300), "file 2 of 2 (by name) holds a tar archive"),
    "cut gzip": (".csv.gz", b"\x1f\x8b\x08 nothing", "file 2 of 2 (by name) is not a complete, readable gzip"),
    "cut xz": (".csv.xz", b"\xfd7zXZ\x00 nothing", "file 2 of 2 (by name) is not a complete, readable xz"),
    "another header": (".csv", b"who,place\n1,a\n", "the header line of file 2 of 2 (by name) differs"),
    "another kind": (".rossi", b"SQLite format 3\0", "files of several types: 1 text, 1 SQLite"),
    "few fields": (".csv", csv_bytes() + b"1\n", "file 2 of 2 (by name), line "),
    "not UTF-8": (".csv", csv_bytes() + b"1,2,\xff\xc3\xa4,a\n", "file 2 of 2 (by name) is not UTF-8"),
    "open quote": (".csv", csv_bytes() + b'1,2,"a\n', "file 2 of 2 (by name), line "),
    "two in one": (".csv", b"who,who\n1,2\n", "file 2 of 2 (by name)"),
}


@pytest.mark.parametrize("kind", AMONG_OTHERS)
def test_of_several_files_none_is_named_in_an_error(kind, tmp_path):
    ending, content, message = AMONG_OTHERS[kind]
    (tmp_path / "anna_meier.csv").write_bytes(csv_bytes())
    (tmp_path / f"anna_rossi{ending}").write_bytes(content)
    with pytest.raises(so.SourceError, match=re.escape(message)) as caught:
        so.histograms(read(tmp_path))
    assert not re.search("anna|meier|rossi", str(caught.value), re.IGNORECASE)


@pytest.mark.parametrize("ending", [".parquet", ".xlsx", ".db", ".json", ".zip", ".feather"])
def test_of_several_files_that_are_cut_none_is_named(ending, tmp_path):
    for name in ("anna_meier", "anna_rossi"):
        (tmp_path / f"{name}{ending}").write_bytes(START_OF.get(ending, b"") + b" nothing {")
    # both are cut: DuckDB reads them at the same time, and either may be met first
    with pytest.raises(so.SourceError, match="file [12] of 2|one of the 2 files") as caught:
        so.histograms(read(tmp_path))
    assert "anna" not in str(caught.value)
    with zipfile.ZipFile(tmp_path.parent / "people.zip", "w") as archive:
        archive.writestr("anna_meier.csv", csv_bytes())
        archive.writestr("anna_rossi.csv", b"")
    with pytest.raises(so.SourceError, match=r"file 2 of 2 \(by name\) in .*people.zip is empty") as caught:
        read(tmp_path.parent / "people.zip")
    assert "anna" not in str(caught.value)
