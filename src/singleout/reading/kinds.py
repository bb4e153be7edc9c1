"""What kind of file a file is, by its content: names lie, and many files have none that says it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from enum import StrEnum
from pathlib import Path
from typing import IO, NamedTuple

import pyarrow as pa

from singleout.ground.errors import SourceError

HEAD = 1 << 16
"""Bytes at the beginning of a file that are looked at."""
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of UTF-16."""


class FileKind(StrEnum):
    """Kinds of files that are read, by the name that messages use."""

    TEXT = "text"
    PARQUET = "Parquet"
    JSON = "JSON"
    FEATHER = "Feather"
    ORC = "ORC"
    SPREADSHEET = "spreadsheet"
    SPSS = "SPSS"
    STATA = "Stata"
    SAS = "SAS"
    SAS_TRANSPORT = "SAS transport"
    SQLITE = "SQLite"
    DUCKDB = "DuckDB"
    ZIP = "ZIP"


class Packing(StrEnum):
    """Ways to compress one file."""

    GZIP = "gzip"
    ZSTD = "zstd"
    BZ2 = "bz2"
    XZ = "xz"


class Contents(NamedTuple):
    """What a file holds, and how it is compressed."""

    kind: FileKind
    packing: Packing | None


SUPPORTED = (
    "CSV and other text, Parquet, JSON, Feather, ORC, Excel (.xlsx, .xls), OpenDocument (.ods), SPSS (.sav), "
    "Stata (.dta), SAS (.sas7bdat, .xpt), SQLite and DuckDB, also as .gz, .zst, .bz2, .xz or .zip"
)
PACKED_BY = {
    rb"\x1f\x8b": Packing.GZIP,
    rb"\x28\xb5\x2f\xfd": Packing.ZSTD,
    rb"BZh[1-9](1AY&SY|\x17rE8P\x90)": Packing.BZ2,
    rb"\xfd7zXZ\x00": Packing.XZ,
}
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
MOST_CONTROL = 0.02
"""The largest share of a text's bytes that mean no sign."""
SAS_MARK = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
BEGINS = {
    b"PAR1": FileKind.PARQUET,
    b"ARROW1": FileKind.FEATHER,
    b"ORC": FileKind.ORC,
    b"$FL2": FileKind.SPSS,
    b"$FL3": FileKind.SPSS,
    b"<stata_dta>": FileKind.STATA,
    SAS_MARK: FileKind.SAS,
    b"HEADER RECORD*******LIB": FileKind.SAS_TRANSPORT,
    b"SQLite format 3\x00": FileKind.SQLITE,
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": FileKind.SPREADSHEET,
}
DUCKDB_MARK = (8, b"DUCK")
TAR_MARK = (257, b"ustar")
OLD_STATA = range(102, 116)
"""First byte of Stata files before version 13."""
NOT_DATA = (
    (rb"FEA1", "a Feather file of version 1. Write it again as version 2, or as Parquet"),
    (rb"\x80[\x02-\x05][\x95\]}cq(\x8c]",
     "a pickle, which could run any code. Write a Parquet file with frame.to_parquet"),
    (rb"RD[XAB][2-9]\n|[XA]\n\x00\x00\x00[\x02\x03]", "a file of R. Write it in R: write.csv(data, 'data.csv')"),
    (rb"\x89HDF\r\n", "an HDF5 file. Convert it to Parquet or CSV"),
    (rb"%PDF-", "a PDF. Ask for the data as CSV or Excel"),
    (rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a", "a picture, whatever its name says. Name the file that holds the data"),
    (rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07", "an archive that is not read. Unpack it first, or make it a .zip"),
    (rb"(?i)\s*(<!doctype html|<html|<table|<\?xml[^>]*>\s*(<\?mso[^>]*>\s*)?<(html|workbook))",
     "a web page, as some programs export for Excel. Open it in Excel and save it as .xlsx or CSV"),
)  # fmt: skip
"""How files begin that cannot be read, and what they are."""
JSON_NAMES = (".json", ".jsonl", ".ndjson")
BINARY_NAMES = {
    ".parquet": FileKind.PARQUET, ".pq": FileKind.PARQUET, ".feather": FileKind.FEATHER, ".arrow": FileKind.FEATHER,
    ".orc": FileKind.ORC, ".xlsx": FileKind.SPREADSHEET, ".xlsm": FileKind.SPREADSHEET,
    ".xls": FileKind.SPREADSHEET, ".ods": FileKind.SPREADSHEET, ".sav": FileKind.SPSS, ".zsav": FileKind.SPSS,
    ".dta": FileKind.STATA, ".sas7bdat": FileKind.SAS, ".xpt": FileKind.SAS_TRANSPORT, ".sqlite": FileKind.SQLITE,
    ".db": FileKind.SQLITE, ".duckdb": FileKind.DUCKDB, ".zip": FileKind.ZIP,
}  # fmt: skip
PACKED_NAMES = {".gz": Packing.GZIP, ".zst": Packing.ZSTD, ".bz2": Packing.BZ2, ".xz": Packing.XZ}


def look_into(file: Path, which: str = "") -> Contents:
    """The kind of a file, by its content; raises an error that says what to do with one that is not read.

    ``which`` is what messages call it, its path if that is empty.
    """
    which = which or str(file)
    with file.open("rb") as opened:
        head = opened.read(HEAD)
    packing = packing_of(head)
    if packing is None and file.suffix.lower() in PACKED_NAMES:
        raise not_complete(which, PACKED_NAMES[file.suffix.lower()])
    if packing is not None:
        head = _unpacked_head(file, packing, which)
        if packing_of(head) is not None or head.startswith(b"PK\x03\x04"):
            raise SourceError(f"{which} holds another compressed file. Unpack it first.")
    bare = file.with_suffix("") if packing is not None and file.suffix.lower() in PACKED_NAMES else file
    return Contents(_kind_of(head, file, bare.suffix.lower(), which), packing)


def packing_of(head: bytes) -> Packing | None:
    """How bytes are compressed, by the first of them."""
    return next((packing for mark, packing in PACKED_BY.items() if re.match(mark, head)), None)


def packing_of_file(file: Path) -> Packing | None:
    """The same for a file."""
    with file.open("rb") as opened:
        return packing_of(opened.read(8))


def open_unpacked(file: Path, packing: Packing | None) -> IO[bytes]:
    """The bytes of a file, decompressed, as a stream."""
    if packing is Packing.ZSTD:
        stream: IO[bytes] = pa.input_stream(str(file), compression="zstd")
        return stream
    readers = {Packing.GZIP: gzip.open, Packing.BZ2: bz2.open, Packing.XZ: lzma.open}
    return readers[packing](file, "rb") if packing is not None else file.open("rb")  # type: ignore[operator]


def not_complete(file: Path | str, kind: str) -> SourceError:
    """Say that a file is broken, or not what its name says."""
    return SourceError(f"{file} is not a complete, readable {kind} file.")


BROKEN = (EOFError, OSError, lzma.LZMAError, zipfile.BadZipFile, zlib.error)
"""What broken compressed files raise."""


def _unpacked_head(file: Path, packing: Packing, which: str) -> bytes:
    try:
        with open_unpacked(file, packing) as stream:
            return stream.read(HEAD)
    except BROKEN as error:
        raise not_complete(which, packing) from error


def _kind_of(head: bytes, file: Path, suffix: str, which: str) -> FileKind:
    # a header line may begin with ORC or PAR1 too
    is_text = suffix not in BINARY_NAMES and not CONTROL.search(head)
    for mark, kind in BEGINS.items():
        if head.startswith(mark) and not is_text:
            return kind
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(file, which)
    if head[DUCKDB_MARK[0] :].startswith(DUCKDB_MARK[1]):
        return FileKind.DUCKDB
    if len(head) > 2 and head[0] in OLD_STATA and head[1] in (1, 2) and head[2] == 1:
        return FileKind.STATA
    for pattern, what in NOT_DATA:
        if re.match(pattern, head):
            raise SourceError(f"{which} is {what}.")
    if head[TAR_MARK[0] :].startswith(TAR_MARK[1]):
        how = f": tar -xf {file.name}" if which == str(file) else "."
        raise SourceError(f"{which} holds a tar archive. Unpack it first{how}")
    return _kind_of_text(head, suffix, which)


def _kind_of_text(head: bytes, suffix: str, which: str) -> FileKind:
    if b"\x00" in head and not head.startswith(WIDE_MARKS):
        if suffix in BINARY_NAMES:
            raise not_complete(which, BINARY_NAMES[suffix])
        if suffix not in JSON_NAMES and suffix not in (".csv", ".tsv", ".txt"):
            raise SourceError(f"{which}: unsupported file type. Supported: {SUPPORTED}.")
    if suffix in BINARY_NAMES and not _looks_like_rows(head):
        raise not_complete(which, BINARY_NAMES[suffix])
    if not head.startswith(WIDE_MARKS):
        _refuse_control(head, which)
    looks_like_json = re.match(rb'(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*["}]', head)
    return FileKind.JSON if suffix in JSON_NAMES or looks_like_json else FileKind.TEXT


def _refuse_control(head: bytes, which: str) -> None:
    """Refuse bytes of which many are no signs of any text; one by accident is reported with its row, or is harmless."""
    found = [each.start() % 2 for each in CONTROL.finditer(head)]
    if len(found) <= MOST_CONTROL * len(head):
        return
    odd = sum(found) / len(found)
    if len(found) > 1 and not 0.1 < odd < 0.9:  # every other byte: signs of two bytes each
        order = "LE" if odd > 0.5 else "BE"
        convert = f"Convert it, for example: iconv -f UTF-16{order} -t UTF-8 in.csv > out.csv"
        raise SourceError(f"{which} is not text, or it is UTF-16 without a byte order mark. {convert}")
    raise SourceError(f"{which} is not text, whatever its name says. Supported: {SUPPORTED}.")


def _looks_like_rows(head: bytes) -> bool:
    """Whether text is divided in the same way on each of its first lines: an export under the name of another kind."""
    lines = head.splitlines()[:20]
    lines = lines[:-1] if len(head) == HEAD else lines
    return len(lines) > 1 and any(
        lines[0].count(sign) and len({line.count(sign) for line in lines}) == 1 for sign in (b",", b";", b"\t", b"|")
    )


def _kind_of_zip(file: Path, which: str) -> FileKind:
    """Excel and OpenDocument files are ZIP archives with certain files in them."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            stated = archive.open("mimetype").read(100) if "mimetype" in names else b""
    except (*BROKEN, RuntimeError, NotImplementedError) as error:
        raise not_complete(which, BINARY_NAMES.get(file.suffix.lower(), FileKind.ZIP)) from error
    if "xl/workbook.bin" in names:
        raise SourceError(f"{which} is a binary Excel file (.xlsb). Save it as .xlsx.")
    if "xl/workbook.xml" in names or stated.startswith(b"application/vnd.oasis.opendocument.spre"):
        return FileKind.SPREADSHEET
    if stated or "word/document.xml" in names:
        raise SourceError(f"{which} is a text document. Copy its table into a spreadsheet and save that.")
    return FileKind.ZIP
