"""Files of statistics packages (SPSS, Stata, SAS): labelled values become their labels, dates become dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from singleout.ground.errors import SourceError
from singleout.reading.cells import as_column, as_text
from singleout.reading.extras import load_reader
from singleout.reading.kinds import FileKind, not_complete
from singleout.reading.names import has_same_names, same_name

READERS = {
    FileKind.SPSS: "read_sav",
    FileKind.STATA: "read_dta",
    FileKind.SAS: "read_sas7bdat",
    FileKind.SAS_TRANSPORT: "read_xport",
}
ROWS_AT_ONCE = 500_000


def read_labelled(file: Path, which: str, kind: FileKind) -> Iterator[pa.Table]:
    """The rows of a file, some at a time. Values that the package calls missing are missing."""
    library = load_reader("pyreadstat", "pyreadstat", f"{kind}")
    read = getattr(library, READERS[kind])
    offset = 0
    while True:
        columns, about = _read(read, file, which, kind, offset)
        if has_same_names(columns):
            raise same_name(which, list(columns))
        labels: Mapping[str, Mapping[Any, str]] = about.variable_value_labels
        arrays = [
            _label(values, labels[name]) if name in labels else _plain(values) for name, values in columns.items()
        ]
        table = pa.table(arrays, names=list(columns))
        if not columns:
            raise SourceError(f"{which} has no columns.")
        if offset == 0 or table.num_rows:
            yield table
        if table.num_rows < ROWS_AT_ONCE:
            return
        offset += table.num_rows


def _read(read: Any, file: Path, which: str, kind: FileKind, offset: int) -> tuple[dict[str, Sequence[Any]], Any]:
    try:
        return read(str(file), output_format="dict", row_limit=ROWS_AT_ONCE, row_offset=offset)  # type: ignore[no-any-return]
    except MemoryError:
        raise
    except Exception as error:  # the library's own kinds of errors, whose words may quote the data
        raise not_complete(which, kind) from error


def _plain(values: Sequence[Any]) -> pa.Array:
    """A column without labels: empty text and not-a-number are gaps."""
    return as_column([None if value == "" or value != value else value for value in values])


def _label(values: Sequence[Any], labels: Mapping[Any, str]) -> pa.Array:
    """A column with labels, as text; what has no label stays as it is. Two values with one label stay apart."""
    given = list(labels.values())
    words = {
        value: label if given.count(label) == 1 else f"{label} ({as_text(value)})" for value, label in labels.items()
    }
    gaps = (None, "")
    text = [None if value in gaps or value != value else words.get(value) or as_text(value) for value in values]
    return pa.array(text, pa.string())
