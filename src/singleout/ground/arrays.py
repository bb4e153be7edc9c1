"""Types of arrays, each with its exact width, and small steps on arrays that several rooms take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
"""Numbers of rows, columns, people or classes."""
Integers = NDArray[np.int64]
Integers32 = NDArray[np.int32]
Unsigned32 = NDArray[np.uint32]
"""Where half the memory matters: codes of values, edges of a graph."""
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def count_up(lengths: NDArray[np.integer[Any]]) -> Indices:
    """0, 1, …, n-1 for each length n, one after the other."""
    found: Indices = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return found


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written to: kernels are compiled for each kind, and Arrow gives now one, now the other."""
    view = array.view()
    view.setflags(write=False)
    return view


def row_slice(matrix: Any, row: int | np.integer[Any]) -> slice:
    """Where the entries of a row of a CSR matrix stand in its ``indices`` and ``data`` (of CSC: of a column)."""
    return slice(int(matrix.indptr[row]), int(matrix.indptr[row + 1]))


def equal_keys(keys: NDArray[Any], others: NDArray[Any]) -> tuple[Indices, Indices, Indices]:
    """The others in order of their keys, and for each key where its equals start among them and how many they are.

    Negative keys equal nothing.
    """
    order = np.argsort(others, kind="stable")
    start, end = (np.searchsorted(others[order], keys, side) for side in ("left", "right"))
    return order, start, np.where(keys >= 0, end - start, 0)
