"""Text files: the header line decides on names and separator, every option is stated, and no record is lost."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from singleout._kernels.text import FIELD, count_lines
from singleout.ground.errors import DataError, SourceError
from singleout.ground.progress import shown
from singleout.reading.database import literal

SEPARATORS = ",;\t|"
PACKED = {".gz": "gzip", ".zst": "zstd"}
HEADER_BYTES = 4_000_000
PIECE = 1 << 23
SAMPLE_ROWS = 20


@dataclass(frozen=True)
class TextFiles:
    """Text files with one header line, the same in all of them."""

    files: tuple[Path, ...]
    encoding: str
    names: tuple[str, ...]
    separator: str
    blank_lines: int
    """Blank lines before the header."""

    def relation(self, names: str) -> str:
        """SQL that reads them, every option stated, so that nothing is sniffed; ``names`` is the SQL of the files."""
        columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in self.names)
        packed = {PACKED.get(file.suffix.lower(), "none") for file in self.files}
        options = {
            "auto_detect": "false",
            "header": "true",
            "skip": str(self.blank_lines),
            "columns": f"{{{columns}}}",
            "delim": literal(self.separator),
            "quote": "'\"'",
            "escape": "'\"'",
            "comment": "''",
            "nullstr": "''",
            "encoding": literal(self.encoding),
            "compression": literal(packed.pop() if len(packed) == 1 else "auto"),
            "hive_partitioning": "false",
        }
        return f"read_csv({names}, {', '.join(f'{name}={value}' for name, value in options.items())})"

    @property
    def has_names(self) -> bool:
        """Whether the header looks like names of columns, not like data."""
        return all(re.fullmatch(r"[A-Za-z_][\w.:-]*", name) for name in self.names)

    def check_rows(self, function: str, rows: int) -> None:
        """Refuse a reading that passed over some records, or made two of one."""
        records, blank = self.counts
        most = records + blank if len(self.names) == 1 else records
        if not records <= rows <= most:
            raise DataError(
                f"{function}: {self.files[0].name} holds {records:,} records, of which {rows:,} were read. "
                "Please report this; until then, convert the file to Parquet."
            )

    @cached_property
    def counts(self) -> tuple[int, int]:
        """Records and blank lines of all files, without their headers."""
        records = blank = 0
        with shown("counting records", None):
            for file in self.files:
                more, empty = _counted(file, ord(self.separator))
                records += more - 1
                blank += empty - self.blank_lines
        return records, blank


def read_header(files: tuple[Path, ...], encoding: str) -> TextFiles:
    """The names and the separator of text files; refused where their headers differ or cannot be names."""
    blank, header, sample = _head(files[0], encoding)
    for file in files[1:]:
        if _head(file, encoding)[:2] != (blank, header):
            raise SourceError(f"the header line of {file} differs from that of {files[0]}.")
    separator = _separator(header, sample)
    try:
        (fields,) = csv.reader([header], delimiter=separator, strict=True)
    except (csv.Error, ValueError) as error:
        raise SourceError(f"the header line of {files[0]} has a quote out of place.") from error
    names = tuple(name or f"column{number}" for number, name in enumerate(fields))
    if has_same_names(names):
        raise same_name(str(files[0]))
    names = _apart_in_a_database(names)
    return TextFiles(files, encoding, names, separator, blank)


def opened(file: Path) -> pa.NativeFile:
    """The bytes of a file, unpacked."""
    return pa.input_stream(str(file), compression=PACKED.get(file.suffix.lower()))


def _head(file: Path, encoding: str) -> tuple[int, str, list[str]]:
    """Blank lines before the header, the header, and some lines after it."""
    try:
        with opened(file) as stream:
            start = stream.read(HEADER_BYTES)
    except (OSError, EOFError) as error:
        raise SourceError(f"{file} is not a whole, readable text file.") from error
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SourceError(f"{file} is UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8 in.csv > out.csv")
    lines = start.removeprefix(b"\xef\xbb\xbf").splitlines()
    blank = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if blank == len(lines):
        raise SourceError(f"{file} is empty.")
    try:
        header = lines[blank].decode(encoding)
    except UnicodeDecodeError as error:
        raise not_utf8(str(file), " at line 1") from error
    sample = [line.decode(encoding, errors="replace") for line in lines[blank + 1 : blank + 1 + SAMPLE_ROWS]]
    return blank, header, sample


def _separator(header: str, sample: list[str]) -> str:
    """The mark that divides most rows as it divides the header; a comma where there is none."""

    def agreeing(mark: str) -> tuple[int, int]:
        try:
            fields = [len(next(csv.reader([line], delimiter=mark), ())) for line in (header, *sample)]
        except csv.Error:  # a field of more than 128 kB is too much for this look
            fields = [header.count(mark) + 1]
        return (sum(number == fields[0] for number in fields) if fields[0] > 1 else 0), fields[0]

    return max(SEPARATORS, key=agreeing)


def _counted(file: Path, separator: int) -> tuple[int, int]:
    records = blank = 0
    state = (FIELD, False, False)
    with opened(file) as stream:
        while piece := stream.read(PIECE):
            more, empty, *rest = count_lines(np.frombuffer(piece, np.uint8), separator, *state)
            records, blank, state = records + more, blank + empty, (rest[0], rest[1], rest[2])
    return records + state[1], blank


def not_utf8(which: str, where: str) -> SourceError:
    """Say that a file is in another encoding, and what to do."""
    hint = "Pass encoding='latin-1' if that is what it is, or convert it, for example with iconv -t UTF-8."
    return SourceError(f"{which} is not UTF-8 text{where}. {hint}")


def has_same_names(names: Iterable[str]) -> bool:
    """Whether two columns go by one name."""
    listed = list(names)
    return len(set(listed)) < len(listed)


def same_name(which: str) -> SourceError:
    """Say that two columns go by one name."""
    return SourceError(f"{which} has two columns of the same name. Rename one of them.")


def _apart_in_a_database(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that differ in capital letters only get a number, as a database gives it, which takes them for the same."""
    apart: list[str] = []
    met: set[str] = set()
    for name in names:
        number, new = 0, name
        while new.casefold() in met:
            number += 1
            new = f"{name}_{number}"
        met.add(new.casefold())
        apart.append(new)
    return tuple(apart)
