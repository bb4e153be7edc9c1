"""Text files: the header line gives names and separator, every option is explicit, and no record is lost."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from singleout._kernels.text import FIELD, count_lines
from singleout.ground.errors import DataError, SourceError
from singleout.ground.progress import show_progress
from singleout.reading.database import literal
from singleout.reading.text_faults import ANY, LONGEST, MARK, PACKED, bad_text, fault_of, open_stream, pieces

SEPARATORS = ",;\t|"
HEADER_BYTES = 4_000_000
HEADER_LINES = 50
"""The most lines that a header may have: with more, a quote was not closed."""
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
        """SQL that reads them with every option explicit, so nothing is guessed; ``names`` is the SQL of the files."""
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
            "max_line_size": str(LONGEST),
            "nullstr": "''",
            "encoding": literal(self.encoding),
            "compression": literal(packed.pop() if len(packed) == 1 else "auto"),
            "hive_partitioning": "false",
        }
        return f"read_csv({names}, {', '.join(f'{name}={value}' for name, value in options.items())})"

    @property
    def has_names(self) -> bool:
        """Whether the header looks like column names, not like data."""
        return all(re.fullmatch(r"[A-Za-z_][\w.:-]*", name) for name in self.names)

    def check_rows(self, function: str, rows: int) -> None:
        """Refuse malformed records, and a result in which records were skipped or divided."""
        fault = self.fault()
        if fault is not None:
            raise SourceError(f"{fault}", function=function)
        records, blank = self.counts
        most = records + blank if len(self.names) == 1 else records
        if not records <= rows <= most:
            raise DataError(
                f"{self.files[0].name} contains {records:,} records, but {rows:,} were read. "
                "Please report this; until then, convert the file to Parquet.",
                function=function,
            )

    def fault(self, longest: int = ANY) -> str | None:
        """What is wrong with the first malformed record, in words; None if there is none. ``longest``: of a record."""
        with show_progress("checking records", None):
            for file in self.files:
                found = fault_of(file, self.separator, len(self.names), longest)
                if found is not None:
                    return f"{file}, {found}"
        return None

    def not_text(self) -> SourceError | None:
        """Where the first byte is that is not text in the encoding, in words; None if all is text."""
        for file in self.files:
            where = bad_text(file, self.encoding, self.separator, len(self.names))
            if where and self.encoding == "utf-8":
                return not_utf8(str(file), where)
            if where:
                hint = "It is most likely Windows-1252; convert it: iconv -f CP1252 -t UTF-8 in.csv > out.csv"
                return SourceError(f"{file} is not Latin-1 text at {where}. {hint}")
        return None

    @cached_property
    def counts(self) -> tuple[int, int]:
        """Records and blank lines of all files, without their headers."""
        records = blank = 0
        with show_progress("counting records", None):
            for file in self.files:
                more, empty = _count_lines(file, ord(self.separator))
                records += more - 1
                blank += empty - self.blank_lines
        return records, blank


def read_header(files: tuple[Path, ...], encoding: str) -> TextFiles:
    """The names and the separator of text files; raises if headers differ or cannot be read as names."""
    blank, header, sample = _head(files[0], encoding)
    for file in files[1:]:
        if _head(file, encoding)[:2] != (blank, header):
            raise SourceError(f"the header line of {file} differs from that of {files[0]}.")
    separator = guess_separator(header, sample)
    fields = _fields(header, separator)
    if fields is None:
        raise SourceError(f"the header line of {files[0]} has a misplaced quote.")
    if has_same_names(name for name in fields if name):
        raise same_name(str(files[0]))
    names = _fill_names(fields)
    names = _make_distinct(names)
    return TextFiles(files, encoding, names, separator, blank)


def _head(file: Path, encoding: str) -> tuple[int, str, list[str]]:
    """Blank lines before the header, the header, and some lines after it."""
    try:
        with open_stream(file) as stream:
            start = stream.read(HEADER_BYTES)
    except (OSError, EOFError) as error:
        raise SourceError(f"{file} is not a complete, readable text file.") from error
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SourceError(f"{file} is UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8 in.csv > out.csv")
    lines = start.removeprefix(MARK).splitlines(keepends=True)
    blank = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if blank == len(lines):
        raise SourceError(f"{file} is empty.")
    try:
        header, after = _header(lines[blank : blank + HEADER_LINES], encoding)
    except UnicodeDecodeError as error:
        raise not_utf8(str(file), "line 1") from error
    sample = lines[blank + after : blank + after + SAMPLE_ROWS]
    return blank, header, [line.decode(encoding, errors="replace").rstrip("\r\n") for line in sample]


def _header(lines: list[bytes], encoding: str) -> tuple[str, int]:
    """The header and how many lines it takes: a quoted name may contain a line break."""
    for number in range(1, len(lines) + 1):
        header = b"".join(lines[:number]).decode(encoding).rstrip("\r\n")
        if not any(_is_open(header, mark) for mark in SEPARATORS):
            return header, number
    return lines[0].decode(encoding).rstrip("\r\n"), 1


def _is_open(header: str, separator: str) -> bool:
    """Whether a header ends inside quotes."""
    try:
        list(csv.reader(io.StringIO(header, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _fields(header: str, separator: str) -> list[str] | None:
    """The names in a header; None if a quote is misplaced."""
    try:
        (fields,) = csv.reader(io.StringIO(header, newline=""), delimiter=separator, strict=True)
    except (csv.Error, ValueError):
        return None
    return fields


def _fill_names(fields: list[str]) -> tuple[str, ...]:
    """The names, with a new name for each column without one."""
    names = list(fields)
    for number, name in enumerate(fields):
        new = f"column{number}"
        while not name and new in names:
            new += "_"
        names[number] = name or new
    return tuple(names)


def guess_separator(header: str, sample: list[str]) -> str:
    """The separator by which most rows have as many fields as the header; a comma if there is none."""

    def agreeing(mark: str) -> tuple[int, int]:
        try:
            fields = [len(next(csv.reader([line], delimiter=mark), ())) for line in (header, *sample)]
        except csv.Error:  # a field of more than 128 kB is too long for this check
            fields = [header.count(mark) + 1]
        return (sum(number == fields[0] for number in fields) if fields[0] > 1 else 0), fields[0]

    return max(SEPARATORS, key=agreeing)


def _count_lines(file: Path, separator: int) -> tuple[int, int]:
    records = blank = 0
    state = (FIELD, False, False)
    for piece in pieces(file):
        more, empty, *rest = count_lines(np.frombuffer(piece, np.uint8), separator, *state)
        records, blank, state = records + more, blank + empty, (rest[0], rest[1], rest[2])
    return records + state[1], blank


def not_utf8(which: str, where: str) -> SourceError:
    """Say that a file is in another encoding, and what to do."""
    hint = "Pass `encoding='latin-1'` if it is Latin-1, or convert it, for example with iconv -t UTF-8."
    return SourceError(f"{which} is not UTF-8 text{f' at {where}' if where else ''}. {hint}")


def has_same_names(names: Iterable[str]) -> bool:
    """Whether two columns have the same name."""
    listed = list(names)
    return len(set(listed)) < len(listed)


def same_name(which: str) -> SourceError:
    """Say that two columns have the same name."""
    return SourceError(f"{which} has two columns with the same name. Rename one of them.")


def _make_distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that differ only in capital letters get a number, as the database does, which ignores case."""
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
