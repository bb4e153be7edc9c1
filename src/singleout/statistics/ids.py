"""Ids of people and places: one type per column, compared by value, never by position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.errors import DataError, bad_argument
from singleout.reading.codes import compose, whole_if_whole

Ids = NDArray[Any]
"""int64, or objects that are all text, or float64."""


@dataclass(frozen=True, eq=False)
class People:
    """One side of a matching, as ids only."""

    people: Ids

    def __len__(self) -> int:
        return len(self.people)

    def __repr__(self) -> str:
        return f"People({len(self):,})"


def as_ids(function: str, argument: str, values: Iterable[Any]) -> Ids:
    """Whole numbers as int64, text in its composed form (NFC), anything else of one type as text; no mixed types."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind == "i":
        return values.astype(np.int64)
    listed = values if isinstance(values, np.ndarray) else list(values)
    array = np.asarray(listed, dtype=object)
    if array.ndim != 1:
        raise bad_argument(function, argument, "a list of ids", f"{array.ndim} dimensions")
    plain = [value.item() if isinstance(value, np.generic) else value for value in array]
    types = {type(value) for value in plain}
    if len(types) > 1:
        names = ", ".join(sorted(kind.__name__ for kind in types))
        raise DataError(
            f"`{argument}` mixes ids of several types ({names}). Make them all text or all numbers.", function=function
        )
    if types <= {int}:
        return np.array(plain, dtype=np.int64)
    if types == {float}:
        return whole_if_whole(np.array(plain))
    out = np.empty(len(plain), dtype=object)
    out[:] = [compose(str(value)) for value in plain]
    return out


def comparable(first: Ids, second: Ids) -> tuple[Ids, Ids]:
    """Two sets of ids in one type. Numbers on one side and text on the other are compared as text."""
    if first.dtype == second.dtype:
        return first, second
    kinds = {first.dtype.kind, second.dtype.kind}
    if "O" in kinds:
        return as_text(first), as_text(second)
    return first.astype(np.float64), second.astype(np.float64)


def as_text(ids: Ids) -> Ids:
    """Ids as text."""
    out = np.empty(len(ids), dtype=object)
    out[:] = [str(value) for value in ids.tolist()]
    return out
