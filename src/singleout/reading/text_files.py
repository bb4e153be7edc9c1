"""Text files: the header line gives names and separator, every option is explicit, and no record is lost."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from singleout.ground.errors import DataError, SourceError
from singleout.ground.notes import number_of
from singleout.ground.progress import show_progress
from singleout.reading.database import literal
from singleout.reading.forms import Form
from singleout.reading.kinds import not_complete, packing_of_file
from singleout.reading.locations import common_ending
from singleout.reading.names import (
    fill_names,
    has_same_names,
    has_values,
    header_under_names,
    is_header,
    look_like_names,
    make_distinct,
    same_name,
)
from singleout.reading.text_faults import ANY, LONGEST, MARK, bad_text, fault_of, open_stream, pieces
from singleout.reading.text_guesses import HEADER_BYTES, SEPARATOR_ROWS, SEPARATORS, decimal_columns, guess_separator

HEADER_LINES = 50
"""The most lines that a header may have: with more, a quote was not closed."""
SAMPLE_ROWS = 1_000


@dataclass(frozen=True)
class TextFiles:
    """Text files with one header line, the same in all of them, or with names that were given."""

    files: tuple[Path, ...]
    encoding: str
    names: tuple[str, ...]
    separator: str
    blank_lines: int
    """Blank lines before the header, or before the first record."""
    labels: tuple[str, ...]
    """What messages call the files."""
    has_header: bool = True
    decimals: tuple[str, ...] = ()
    """Columns that seem to have decimal commas."""

    def relation(self, names: str) -> str:
        """SQL that reads them with every option explicit, so nothing is guessed; ``names`` is the SQL of the files."""
        columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in self.names)
        packed = {packing_of_file(file) or "none" for file in self.files}
        options = {
            "auto_detect": "false",
            "header": "true" if self.has_header else "false",
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
        return not self.has_header or look_like_names(self.names)

    def check_rows(self, function: str, rows: int) -> None:
        """Refuse malformed records, and a result in which records were skipped or divided."""
        fault = self.fault()
        if fault is not None:
            raise SourceError(f"{fault}", function=function)
        records, blank = self.counts
        most = records + blank if len(self.names) == 1 else records
        if not records <= rows <= most:
            raise DataError(
                f"{self.labels[0]} contains {records:,} records, but {rows:,} were read. "
                "Please report this; until then, convert the file to Parquet.",
                function=function,
            )

    def fault(self, longest: int = ANY) -> str | None:
        """What is wrong with the first malformed record, in words; None if there is none. ``longest``: of a record."""
        with show_progress("checking records", None):
            for file, label in zip(self.files, self.labels, strict=True):
                found = fault_of(file, self.separator, len(self.names), longest, self.has_header)
                if found is not None:
                    return f"{label}, {found}"
        return None

    def not_text(self) -> SourceError | None:
        """Where the first byte is that is not text in the encoding, in words; None if all is text."""
        for file, label in zip(self.files, self.labels, strict=True):
            where = bad_text(file, self.encoding, self.separator, len(self.names), self.has_header)
            if where and self.encoding == "utf-8":
                return not_utf8(label, where)
            if where:
                hint = "It is most likely Windows-1252: pass `encoding='windows-1252'`."
                return SourceError(f"{label} is not Latin-1 text at {where}. {hint}")
        return None

    @cached_property
    def counts(self) -> tuple[int, int]:
        """Records and blank lines of all files, without their headers."""
        records = blank = 0
        with show_progress("counting records", None):
            for file in self.files:
                more, empty = _count_lines(file, ord(self.separator))
                records += more - self.has_header
                blank += empty - self.blank_lines
        return records, blank


def read_header(files: Sequence[Path], labels: Sequence[str], encoding: str, form: Form) -> TextFiles:
    """The names and the separator of text files; raises if headers differ or cannot be read as names."""
    blank, header, sample = _head(files[0], labels[0], encoding)
    for file, label in zip(files[1:], labels[1:], strict=True):
        if form.columns_are is not None:
            break
        other = _head(file, label, encoding)
        if other[:2] != (blank, header):
            if has_values(header) and has_values(other[1]):
                raise _no_header(len(files), len(_fields(header, guess_separator(header, sample)) or ()))
            problem = f"the header line of {label} differs from that of {labels[0]}."
            raise SourceError(problem, hint=_name_by_ending(files))
    width = None if form.columns_are is None else len(form.columns_are)
    separator = form.separator or guess_separator(header, sample[:SEPARATOR_ROWS], width)
    fields = _fields(header, separator)
    given = form.columns_are is not None
    if fields is None:
        which = "first line" if given else "header line"
        raise SourceError(f"the {which} of {labels[0]} has a misplaced quote.")
    # a blank after each separator belongs to no name
    names = _given_names(form, fields, labels[0]) if given else _names([each.strip() for each in fields], labels[0])
    if given and is_header(fields, names, [_fields(line, separator) or [] for line in sample]):
        raise header_under_names(labels[0])
    decimals = decimal_columns(names, [header, *sample] if given else sample, separator)
    text = TextFiles(tuple(files), encoding, names, separator, blank, tuple(labels))
    return replace(text, has_header=not given, decimals=decimals)


def _name_by_ending(files: Sequence[Path]) -> str:
    """Where files have several endings, such as those of a folder with a README.txt: how to name most of them."""
    ending = common_ending(files)
    if len({file.suffix for file in files}) == 1 or not ending:
        return ""
    return f"If some are not data, name those that are, for example *{ending} in that folder."


def _no_header(files: int, fields: int) -> SourceError:
    """Say that the first lines of files are records, most likely, which must not be shown."""
    problem = f"the first lines of the {files:,} files differ and look like data: they seem to have no header line."
    return SourceError(problem, hint=f"Name their {number_of(fields, 'columns')} in their order with `columns_are`.")


def _names(fields: list[str], label: str) -> tuple[str, ...]:
    if has_same_names(name for name in fields if name):
        raise same_name(label, fields)
    return make_distinct(fill_names(fields))


def _given_names(form: Form, fields: list[str], label: str) -> tuple[str, ...]:
    """Names that were given in place of a header; one separator more at the end of a line does not matter."""
    names = form.columns_are or ()
    if len(names) not in (len(fields), len(fields) - (not fields[-1])):
        there = number_of(len(fields), "fields")
        raise SourceError(f"`columns_are` names {number_of(len(names), 'columns')}, but {label} has {there} in a line.")
    return names


def read_start(file: Path, label: str) -> bytes:
    """The beginning of a text file, decompressed."""
    try:
        with open_stream(file) as stream:
            return bytes(stream.read(HEADER_BYTES))
    except (OSError, EOFError) as error:
        raise not_complete(label, "text") from error


def _head(file: Path, label: str, encoding: str) -> tuple[int, str, list[str]]:
    """Blank lines before the header, the header, and some lines after it."""
    lines = read_start(file, label).removeprefix(MARK).splitlines(keepends=True)
    blank = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if blank == len(lines):
        raise SourceError(f"{label} is empty.")
    try:
        header, after = _header(lines[blank : blank + HEADER_LINES], encoding)
    except UnicodeDecodeError as error:
        raise not_utf8(label, "line 1") from error
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


def _count_lines(file: Path, separator: int) -> tuple[int, int]:
    from singleout._kernels.text import FIELD, count_lines  # kernels take time to load

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
