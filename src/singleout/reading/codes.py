"""Columns as whole numbers: a code for each distinct value, in ascending order of the values."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Values = NDArray[Any]
"""int64, or objects that are all text, or float64."""
LARGEST_WHOLE = 2.0**63


def composed_sql(column: str) -> str:
    """SQL for a column as text in Unicode's composed form (NFC), so that text that looks the same compares equal."""
    return f"nfc_normalize(({column})::VARCHAR)"


def compose(text: str) -> str:
    """The same for a Python string."""
    return unicodedata.normalize("NFC", text)


def whole_if_whole(numbers: Values) -> Values:
    """Floats that are all whole numbers (a column with gaps, in pandas) as int64."""
    if numbers.dtype.kind == "f" and (np.abs(numbers) < LARGEST_WHOLE).all() and (numbers == np.floor(numbers)).all():
        return numbers.astype(np.int64)
    return numbers


def encode(column: pa.ChunkedArray) -> tuple[NDArray[np.intp], Values]:
    """Number the distinct values of an Arrow column in ascending order; -1 for missing ones."""
    encoded = pc.dictionary_encode(column).combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else pa.array([], column.type).dictionary_encode()
    values = whole_if_whole(encoded.dictionary.to_numpy(zero_copy_only=False))
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(order) + 1, dtype=np.intp)
    rank[order] = np.arange(len(order))
    rank[-1] = -1
    codes = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False).astype(np.intp)
    return rank[codes], values[order]
