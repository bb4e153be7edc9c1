"""Edge lists: who is whose friend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.errors import bad_argument
from singleout.reading.tables import Table, as_table

Values = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Edges:
    """The person and the friend of each row, by id, or by name if ``named``. Incomplete rows are left out."""

    people: Values
    friends: Values
    named: bool
    left_out: int


def read_edges(source: Any, function: str, argument: str, *, names: list[str] | None, mutual: bool) -> Edges:
    """The first column is the person; the friend is in the columns ``names`` if they exist, else in the second.

    ``mutual``: each row counts for both people in it.
    """
    table = as_table(source)
    named = names is not None and set(names) <= set(table.columns)
    if named and mutual:
        raise bad_argument(function, "mutual", f"omitted if {argument} gives friends by name", mutual)
    if not named and len(table.columns) < 2:
        raise bad_argument(function, argument, "a table of two columns, person and friend", list(table.columns))
    person = table.encode(table.columns[:1])[0].decode()
    friend = join_names(table, names) if named and names else table.encode(table.columns[1:2])[0].decode()
    whole = np.array([a is not None and b is not None for a, b in zip(person, friend, strict=True)], dtype=bool)
    ends = person[whole], friend[whole]
    if mutual:
        ends = np.concatenate(ends), np.concatenate(ends[::-1])
    return Edges(*ends, named, int((~whole).sum()))


def join_names(table: Table, names: list[str]) -> Values:
    """The columns of a name joined by spaces; None where one is missing."""
    columns = [column.decode() for column in table.encode(names)]
    full = np.empty(len(columns[0]), dtype=object)
    full[:] = [None if None in parts else " ".join(map(str, parts)) for parts in zip(*columns, strict=True)]
    return full
