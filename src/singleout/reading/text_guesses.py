"""What the beginning of a text file says about the rest: its encoding, its separator, its decimal commas."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from singleout.reading.kinds import WIDE_MARKS

HEADER_BYTES = 4_000_000
"""Bytes at the beginning of a text file that are looked at."""
SEPARATORS = ",;\t|"
SEPARATOR_ROWS = 20
"""Rows after the header by which a separator is judged."""
COMMA_NUMBER = r"\s*[+-]?\d+,\d+\s*"
"""A number with a decimal comma."""
WHOLE = r"\s*[+-]?\d+\s*"
THOUSANDS = r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*"
"""A number that could as well have a comma before its thousands."""


def guess_encoding(start: bytes) -> str:
    """UTF-8 unless the bytes cannot be; then what offices in western Europe use. A file that is both stays UTF-8.

    Broken UTF-8 has intact letters too, so it is not taken for another encoding: an error names the place.
    """
    if start.startswith(WIDE_MARKS):
        return "utf-16"
    text = start.decode("utf-8", errors="replace")
    if len(start) == HEADER_BYTES:  # the last character may be cut in two
        text = text.removesuffix("\ufffd")
    if "\ufffd" not in text or any(ord(character) > 127 and character != "\ufffd" for character in text):
        return "utf-8"
    if not re.search(rb"[\x80-\x9f]", start):
        return "latin-1"
    try:
        start.decode("windows-1252")
    except UnicodeDecodeError:
        return "utf-8"
    return "windows-1252"


def guess_separator(header: str, sample: Sequence[str], width: int | None = None) -> str:
    """The separator by which most rows have as many fields as the header; a comma if there is none.

    ``width`` is the number of columns, if it is known.
    """

    def agreeing(mark: str) -> tuple[bool, int, int]:
        try:
            fields = [len(next(csv.reader([line], delimiter=mark), ())) for line in (header, *sample)]
        except csv.Error:  # a field of more than 128 kB is too long for this check
            fields = [header.count(mark) + 1]
        same = sum(number == fields[0] for number in fields) if fields[0] > 1 else 0
        return fields[0] == width, same, fields[0]

    return max(SEPARATORS, key=agreeing)


def decimal_columns(names: Sequence[str], sample: Sequence[str], separator: str) -> tuple[str, ...]:
    """Columns of numbers with a decimal comma, by the first rows; none where all commas could divide thousands."""
    if separator == ",":
        return ()
    try:
        rows = [row for row in csv.reader(sample, delimiter=separator) if len(row) >= len(names)]
    except csv.Error:
        return ()
    columns = {name: [row[number] for row in rows if row[number].strip()] for number, name in enumerate(names)}
    commas = {name: values for name, values in columns.items() if _are_comma_numbers(values)}
    plain = any(_cannot_divide_thousands(values) for values in commas.values())
    return tuple(commas) if plain else ()


def _are_comma_numbers(values: Sequence[str]) -> bool:
    with_comma = [bool(re.fullmatch(COMMA_NUMBER, value)) for value in values]
    whole = (re.fullmatch(WHOLE, value) for value, comma in zip(values, with_comma, strict=True) if not comma)
    return any(with_comma) and all(whole)


def _cannot_divide_thousands(values: Sequence[str]) -> bool:
    return any("," in value and not re.fullmatch(THOUSANDS, value) for value in values)
