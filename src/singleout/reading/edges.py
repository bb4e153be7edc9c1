"""Edge lists: who has whom as a friend."""

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
    """The person of each row, and the friend: by id, or by name where ``named``. Rows that lack one are left out."""

    people: Values
    friends: Values
    named: bool
    left_out: int


def read_edges(source: Any, function: str, argument: str, *, names: list[str] | None, mutual: bool) -> Edges:
    """The first column is the person; the friend is in the columns ``names`` if there are such, else in the second.

    ``mutual``: each row counts for both people in it.
    """
    table = as_table(source)
    named = names is not None and set(names) <= set(table.columns)
    if named and mutual:
        raise bad_argument(function, "mutual", f"left out where {argument} names the friends", mutual)
    if not named and len(table.columns) < 2:
        raise bad_argument(function, argument, "two columns, the person and the friend", list(table.columns))
    person = table.coded(table.columns[:1])[0].decoded()
    friend = joined(table, names) if named and names else table.coded(table.columns[1:2])[0].decoded()
    whole = np.array([a is not None and b is not None for a, b in zip(person, friend, strict=True)], dtype=bool)
    ends = person[whole], friend[whole]
    if mutual:
        ends = np.concatenate(ends), np.concatenate(ends[::-1])
    return Edges(*ends, named, int((~whole).sum()))


def joined(table: Table, names: list[str]) -> Values:
    """Several columns of a name with a blank between them; None where one is missing."""
    columns = [column.decoded() for column in table.coded(names)]
    full = np.empty(len(columns[0]), dtype=object)
    full[:] = [None if None in parts else " ".join(map(str, parts)) for parts in zip(*columns, strict=True)]
    return full
