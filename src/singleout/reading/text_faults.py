"""Where a text file is broken: its first malformed record, by line and by row."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.notes import number_of
from singleout.reading.kinds import packing_of_file

PIECE = 1 << 23
LONGEST = 2_000_000
"""The most bytes of a record that the database reads."""
ANY = 1 << 62
MARK = b"\xef\xbb\xbf"
"""The byte order mark that a UTF-8 file may start with."""


def open_stream(file: Path) -> pa.NativeFile:
    """The bytes of a file, decompressed."""
    packing = packing_of_file(file)
    return pa.input_stream(str(file), compression=None if packing is None else packing.value)


def pieces(file: Path) -> Iterator[bytes]:
    """The bytes of a file, decompressed, without a byte order mark."""
    with open_stream(file) as stream:
        piece = stream.read(PIECE).removeprefix(MARK)
        while piece:
            yield piece
            piece = stream.read(PIECE)


def fault_of(file: Path, separator: str, width: int, longest: int = ANY, has_header: bool = True) -> str | None:
    """Where the first malformed record is and what is wrong with it, in words; None if there is none."""
    # kernels take time to load, and only text files need these
    from singleout._kernels.text import BAD_QUOTE, QUOTED, SOUND, START, TOO_FEW, find_fault

    first = 0 if has_header else 1
    state: Any = START
    for piece in pieces(file):
        fault, state = find_fault(np.frombuffer(piece, np.uint8), ord(separator), width, longest, state)
        if fault != SOUND:
            return _in_words(int(fault), state, width, first)
    if state[0] == QUOTED:
        return _in_words(BAD_QUOTE, state, width, first)
    return _in_words(TOO_FEW, state, width, first) if state[3] and state[1] < width else None


def _in_words(fault: int, state: Any, width: int, first: int) -> str:
    from singleout._kernels.text import BAD_QUOTE, TOO_FEW, TOO_LONG, TOO_MANY

    where = position_in_words(int(state[7]), int(state[5]) + first)
    found = number_of(int(state[1]), "fields")
    what = {
        BAD_QUOTE: "misplaced quote.",
        TOO_FEW: f"{found} instead of {width}.",
        TOO_MANY: f"{width + 1} or more fields instead of {width}.",
        TOO_LONG: f"a row of more than {LONGEST // 10**6} MB, which is too long. "
        "Is a quote not closed? Otherwise remove that column, or convert the file to Parquet.",
    }
    return f"{where}: {what[fault]}"


def position_in_words(line: int, row: int) -> str:
    """A position in a file by line and by row: editors count lines, our other messages count rows."""
    return f"line {line:,} (row {row:,})" if row else f"line {line:,} (the header)"


def bad_text(file: Path, encoding: str, separator: str, width: int, has_header: bool = True) -> str:
    """Where the first byte is that is not text in the encoding; empty if another fault comes first."""
    from singleout._kernels.text import SOUND, START, find_fault

    state: Any = START
    decoder = codecs.getincrementaldecoder("utf-8")()
    for piece in pieces(file):
        end = _first_bad(piece, decoder) if encoding == "utf-8" else _first_control(piece)
        good = piece if end is None else piece[:end]
        fault, state = find_fault(np.frombuffer(good, np.uint8), ord(separator), width, ANY, state)
        if fault != SOUND:
            return ""
        if end is not None:
            return position_in_words(int(state[6]), int(state[5]) + (not has_header))
    return ""


def _first_bad(piece: bytes, decoder: codecs.IncrementalDecoder) -> int | None:
    """Where a piece stops being UTF-8; None if all of it is UTF-8."""
    waiting = len(decoder.getstate()[0])
    try:
        decoder.decode(piece)
    except UnicodeDecodeError as error:
        return max(error.start - waiting, 0)
    return None


def _first_control(piece: bytes) -> int | None:
    """Where a byte is that means nothing in Latin-1, but is a character in Windows-1252."""
    found = re.search(rb"[\x80-\x9f]", piece)
    return found.start() if found else None
