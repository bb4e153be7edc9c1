"""Which values of a column identify people; values of few people are combined before they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.reading.tables import Column
from singleout.statistics.partitions import Partition

FEWEST_PEOPLE = 5
"""Values of fewer people are shown only with ``reveal``."""
FIRST_LOOK = 1_000
FEW_PAIRS = 16
"""Pairs of rows that are enough to distinguish most columns."""
ENOUGH = object()
"""Says that no value is left; None cannot, since it stands for missing."""


@dataclass(frozen=True, slots=True, repr=False)
class Level:
    """One value of a column: how many records have it, and how many of these the known columns with it isolate.

    ``hidden``: this many ``levels`` combined, because few people have them; ``value`` is then None, as it is for
    missing values.
    """

    column: str
    value: Any
    records: int
    isolated: int
    levels: int = 1
    hidden: bool = False

    @property
    def share(self) -> float:
        """The share of its records that are isolated."""
        return self.isolated / self.records

    @property
    def is_small(self) -> bool:
        """Whether so few people have it, or are isolated by it, that showing it might identify them."""
        return self.records < FEWEST_PEOPLE or 0 < self.isolated < FEWEST_PEOPLE

    @property
    def kind(self) -> str:
        """Whether the value is shown, missing, or hidden."""
        if self.hidden:
            return "hidden"
        return "missing" if self.value is None else "value"

    def __repr__(self) -> str:
        return f"Level({self.column!r}, {self.records:,} records, {self.isolated:,} isolated)"


def find_levels(partition: Partition, columns: Iterable[Column]) -> tuple[Level, ...]:
    """Every value of every column, in addition to the known columns of the partition; the most isolated first."""
    known = np.flatnonzero(partition.is_small())
    found: list[Level] = []
    for column in columns:
        rows = np.concatenate([known, *partition.rows_with([column])])
        isolated = np.bincount(column.codes[rows], minlength=column.levels)
        own = [
            Level(column.name, column.value(code), int(column.counts[code]), int(isolated[code]))
            for code in np.argsort(-isolated, kind="stable").tolist()
        ]
        found += own
    return tuple(found)


def values_to_hide(sets: Sequence[Sequence[Level]], columns: Sequence[Column] = ()) -> dict[str, set[Any]]:
    """Values of each column that are not shown, the same for every known set, so that no difference reveals them.

    All but one value of a column and its total would reveal the last one. So at least two values and five people are
    combined: the smallest other values are added until that is so, or none is left. The same applies inside each
    value of a coarser column, such as the region of a state; ``columns`` show which are coarser.
    """
    records: dict[str, dict[Any, int]] = {}
    small: dict[str, set[Any]] = {}
    for level in (level for levels in sets for level in levels):
        records.setdefault(level.column, {})[level.value] = level.records
        small.setdefault(level.column, set()).update([level.value] if level.is_small else [])
    hidden: dict[str, set[Any]] = {}
    encoded = {column.name: column for column in columns}
    look = _FirstLook.of(columns)
    for name in sorted(records, key=lambda name: len(records[name])):  # the coarser first
        groups = [list(records[name])]
        if len(small[name]) not in (0, len(records[name])):
            coarser = look.may_be_coarser(name)
            others = [other for other in hidden if other in coarser]
            groups += [group for other in others for group in _groups(encoded[name], encoded[other], hidden[other])]
        hidden[name] = _extend_hidden(records[name], small[name], groups)
    return hidden


@dataclass(frozen=True, eq=False)
class _FirstLook:
    """The first rows of all columns side by side: few rows distinguish most columns, for all columns in one step."""

    places: dict[str, int]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> _FirstLook:
        rows = [column.codes[:FIRST_LOOK] for column in columns]
        return cls({column.name: place for place, column in enumerate(columns)}, np.array(rows, dtype=np.int32).T)

    def may_be_coarser(self, name: str) -> set[str]:
        """Columns that have the same value wherever this one has the same value; none for a column not here."""
        if name not in self.places:
            return set()
        own = self.codes[:, self.places[name]]
        order = np.argsort(own, kind="stable")
        same = np.flatnonzero(own[order[1:]] == own[order[:-1]])
        left = np.arange(len(self.places))
        for pairs in (same[:FEW_PAIRS], same[FEW_PAIRS:]):
            agree = self.codes[np.ix_(order[pairs], left)] == self.codes[np.ix_(order[pairs + 1], left)]
            left = left[agree.all(axis=0)]
        names = list(self.places)
        return {names[place] for place in left.tolist()}


def _groups(fine: Column, coarse: Column, hidden: set[Any]) -> list[list[Any]]:
    """Values of a column by the value of a coarser one, with its hidden values as one; none if it is not coarser."""
    if not _is_coarser(fine, coarse):
        return []
    within = np.empty(fine.levels, dtype=np.intp)
    within[fine.codes] = coarse.codes
    groups: dict[int, list[Any]] = {}
    for code, other in enumerate(within.tolist()):
        groups.setdefault(-1 if coarse.value(other) in hidden else other, []).append(fine.value(code))
    return list(groups.values())


def _is_coarser(fine: Column, coarse: Column) -> bool:
    """Whether each value of one column always occurs with the same value of the other."""
    within = np.empty(fine.levels, dtype=coarse.codes.dtype)
    within[fine.codes] = coarse.codes
    return np.array_equal(within[fine.codes], coarse.codes)


def _extend_hidden(records: dict[Any, int], small: set[Any], groups: list[list[Any]]) -> set[Any]:
    """The small values, and those that must be hidden with them so that no group's total reveals one."""
    hidden, before = set(small), -1
    while len(hidden) > before:
        before = len(hidden)
        for group in groups:
            if small.isdisjoint(group):
                continue
            inside = [value for value in group if value in hidden]
            people = sum(records[value] for value in inside)
            others = iter(sorted((value for value in group if value not in hidden), key=records.__getitem__))
            while len(inside) < 2 or people < FEWEST_PEOPLE:
                joins = next(others, ENOUGH)
                if joins is ENOUGH:
                    break
                inside.append(joins)
                people += records[joins]
            hidden.update(inside)
    return hidden


def hide_levels(levels: Sequence[Level], hidden: Mapping[str, set[Any]]) -> tuple[Level, ...]:
    """The same with the hidden values combined, column by column."""
    shown: list[Level] = []
    for column, group in groupby(levels, key=lambda level: level.column):
        own = list(group)
        put_away = [level for level in own if level.value in hidden[column]]
        shown += [level for level in own if level.value not in hidden[column]]
        shown += [_combine(put_away)] if put_away else []
    return tuple(shown)


def _combine(levels: list[Level]) -> Level:
    records, isolated = (sum(getattr(level, name) for level in levels) for name in ("records", "isolated"))
    return Level(levels[0].column, None, records, isolated, len(levels), hidden=True)


def levels_to_arrow(levels: Iterable[Level]) -> pa.Table:
    """One row per value; values as text."""
    rows = [
        {
            "column": level.column,
            "kind": level.kind,
            "value": None if level.value is None else str(level.value),
            "levels": level.levels,
            "records": level.records,
            "isolated": level.isolated,
            "share": level.share,
        }
        for level in levels
    ]
    text = {"column": pa.string(), "kind": pa.string(), "value": pa.string()}
    numbers = {"levels": pa.int64(), "records": pa.int64(), "isolated": pa.int64(), "share": pa.float64()}
    return pa.Table.from_pylist(rows, schema=pa.schema(text | numbers))
