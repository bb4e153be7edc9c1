"""Spreadsheets: one sheet of an Excel or OpenDocument file, whose first row names the columns."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from singleout.ground.errors import SourceError
from singleout.ground.notes import Note, nonzero, number_of
from singleout.ground.resources import in_bytes
from singleout.reading.cells import as_column, as_text
from singleout.reading.extras import load_reader
from singleout.reading.kinds import BROKEN, not_complete
from singleout.reading.names import (
    fill_names,
    has_same_names,
    header_under_names,
    is_header,
    make_distinct,
    same_name,
)
from singleout.reading.parts import Part, choose_part

MOST_BYTES = 4_000_000_000
"""Bytes of a spreadsheet when unpacked: twice what a full sheet of twenty columns takes."""
MOST_CELLS = 200_000_000
SAMPLE_ROWS = 1_000
PIECE = 1 << 22
OVERLAP = 4_096
"""Bytes of a piece that are looked at again with the next, so that no tag is cut in two."""
CELL = re.compile(rb'<(?:\w+:)?c\s(?:[^>]*?\s)?r="([A-Z]{1,3})(\d{1,7})"(?:[^>]*[^/])?>')
"""A cell of Excel that holds something: its column and its row."""
WIDE = re.compile(rb'<table:table-cell(?=[^>]*office:value)[^>]*number-columns-repeated="(\d+)"')
TALL = re.compile(
    rb'<table:table-row[^>]*number-rows-repeated="(\d+)"(?:[^>]*[^/])?>(?=(?:(?!</table:table-row>).){0,4000}?office:value)',
    re.DOTALL,
)
"""Cells and rows of OpenDocument that hold something and stand for many."""


class Sheet(NamedTuple):
    """A sheet as a table, the names in its first row (None where they were given), and what was left out above it."""

    table: pa.Table
    header: tuple[str, ...] | None
    notes: tuple[Note, ...]


def read_sheet(file: Path, which: str, part: Part | None, columns_are: Sequence[str] | None) -> Sheet:
    """Read the only sheet with data, or the one that was chosen. Rows without any value are left out."""
    calamine = load_reader("python_calamine", "python-calamine", "Excel and OpenDocument")
    _check_size(file, which)
    try:
        with file.open("rb") as opened:
            book = calamine.CalamineWorkbook.from_filelike(opened)
            rows = _rows_of(book, calamine, which, part)
    except calamine.PasswordError as error:
        raise SourceError(f"{which} has a password. Save it without one first.") from error
    except (calamine.CalamineError, ValueError, OverflowError) as error:
        if isinstance(error, SourceError):
            raise
        raise not_complete(which, "Excel or OpenDocument") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # what the library does not expect ends it in its own way
            raise
        raise not_complete(which, "Excel or OpenDocument") from error
    return _as_sheet(rows, which, columns_are)


def _rows_of(book: Any, calamine: Any, which: str, part: Part | None) -> list[list[Any]]:
    kinds = calamine.SheetTypeEnum.WorkSheet, calamine.SheetVisibleEnum.Visible
    sheets = [each.name for each in book.sheets_metadata if each.typ == kinds[0]]
    visible = [each.name for each in book.sheets_metadata if (each.typ, each.visible) == kinds]
    if part is None:  # an empty sheet, or a hidden one, is not meant
        found = {name: _rows(book, name) for name in visible or sheets}
        # a cover has few rows: the sheet that is named as an example is most likely the one with most
        filled = sorted((name for name, rows in found.items() if rows), key=lambda name: -len(found[name]))
        return found[choose_part(which, "sheet", filled, part)]
    rows = _rows(book, choose_part(which, "sheet", sheets, part))
    if not rows:
        raise SourceError(f"sheet {part.name!r} of {which} is empty.")
    return rows


def _rows(book: Any, name: str) -> list[list[Any]]:
    """Rows with at least one value; None for empty cells."""
    sheet = book.get_sheet_by_name(name)
    if sheet.start is None:
        return []
    rows = ([None if value == "" else value for value in row] for row in sheet.iter_rows())
    return [row for row in rows if any(value is not None for value in row)]


def _as_sheet(rows: list[list[Any]], which: str, columns_are: Sequence[str] | None) -> Sheet:
    titles = 0
    if columns_are is None:
        titles = next((n for n, row in enumerate(rows) if len(row) == 1 or _filled(row) > 1), 0)
        names, rows = _names(rows[titles], which), rows[titles + 1 :]
    else:
        names = tuple(columns_are)
        width = max(map(_width, rows))
        if width != len(names):
            raise SourceError(f"`columns_are` names {number_of(len(names), 'columns')}, but {which} has {width}.")
        first, *sample = [["" if value is None else as_text(value) for value in row] for row in rows[:SAMPLE_ROWS]]
        if is_header(first, names, sample):
            raise header_under_names(which)
    columns = [[row[number] for row in rows] for number in range(len(names))]
    # a column without a name and without a value is none
    kept = [n for n, values in enumerate(columns) if columns_are or not _is_unnamed(names[n], n, values)]
    table = pa.table([as_column(columns[n]) for n in kept], names=[names[n] for n in kept])
    above = Note(titles, f"rows skipped in {which}", "above the names of the columns")
    return Sheet(table, None if columns_are is not None else tuple(table.column_names), nonzero(above))


def _filled(row: list[Any]) -> int:
    return sum(value is not None for value in row)


def _width(row: list[Any]) -> int:
    return max(number + 1 for number, value in enumerate(row) if value is not None)


def _names(row: list[Any], which: str) -> tuple[str, ...]:
    names = ["" if value is None else as_text(value).strip() for value in row]
    if has_same_names(name for name in names if name):
        raise same_name(which, names)
    return make_distinct(fill_names(names))


def _is_unnamed(name: str, number: int, values: list[Any]) -> bool:
    return name.rstrip("_") == f"column{number}" and all(value is None for value in values)


def _check_size(file: Path, which: str) -> None:
    """Refuse what would fill the memory: reading takes as much as the unpacked file, and a cell for each place."""
    if not zipfile.is_zipfile(file):  # an old Excel file is not compressed
        return
    taken = 0
    try:
        with zipfile.ZipFile(file) as archive:
            for member in archive.infolist():
                taken += _check_member(archive, member, which, taken)
    except BROKEN as error:
        raise not_complete(which, "Excel or OpenDocument") from error
    except (RuntimeError, NotImplementedError) as error:
        raise SourceError(f"{which} has a password. Save it without one first.") from error


def _check_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, which: str, taken: int) -> int:
    size, columns, rows, before = 0, 1, 1, b""
    with archive.open(member) as stream:
        while piece := stream.read(PIECE):
            size += len(piece)
            if taken + size > MOST_BYTES:
                raise SourceError(f"{which} holds more than {in_bytes(MOST_BYTES)} when unpacked. Save it as CSV.")
            wide, tall = _extent(before + piece)
            columns, rows, before = max(columns, wide), max(rows, tall), piece[-OVERLAP:]
            if columns * rows > MOST_CELLS:
                raise SourceError(f"{which} has more than {MOST_CELLS // 10**6} million cells. Save its data as CSV.")
    return size


def _extent(piece: bytes) -> tuple[int, int]:
    """The last column and row of the cells in a part of a sheet: all before them take memory, filled or not."""
    cells = CELL.findall(piece)
    columns = [_column_number(letters) for letters in {letters for letters, _ in cells}]
    rows = [int(row) for row in {row for _, row in cells}]
    columns += [int(number) for number in WIDE.findall(piece)]
    rows += [int(number) for number in TALL.findall(piece)]
    return max(columns, default=1), max(rows, default=1)


def _column_number(letters: bytes) -> int:
    """A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number
