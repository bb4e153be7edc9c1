"""All rules on small counts: what a report may say about few people, unless asked to reveal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.measures.tables.column_values import Level
from singleout.reading.columns import Column

FEWEST_PEOPLE = 5
"""What fewer people have, or do, is shown only with ``reveal``."""
BANDS = (FEWEST_PEOPLE, 10, 20, 50, 100, 1_000, 10_000)
"""Counts of people are reported as at least one of these: an exact count may identify a place or a value."""
SHARE_STEPS = 20
"""Shares of a reason are rounded to one part in this many: exact shares would show the counts behind them."""
FIRST_LOOK = 1_000
FEW_PAIRS = 16
"""Pairs of rows that are enough to distinguish most columns."""
ENOUGH = object()
"""Says that no value is left; None cannot, since it stands for missing."""


# COUNTS and SHARES


def people_band(people: int, reveal: bool) -> int | None:
    """How many people are at least at a place or have a value; None where fewer than five."""
    if reveal:
        return people
    return max((band for band in BANDS if band <= people), default=None)


def rounded_share(share: float, reveal: bool) -> float:
    """A reason's share of the whole, to the nearest twentieth."""
    return share if reveal else round(share * SHARE_STEPS) / SHARE_STEPS


# VALUES of COLUMNS


def is_small(level: Level) -> bool:
    """Whether so few people have a value, or are isolated by it, that showing it might identify them."""
    return level.records < FEWEST_PEOPLE or 0 < level.isolated < FEWEST_PEOPLE


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
        small.setdefault(level.column, set()).update([level.value] if is_small(level) else [])
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
