"""Rows and columns of a table: a row stands for one record, or for all that are equal to it, where they are counted.

Tables of a warehouse come as distinct rows with their numbers of records. Whatever is counted adds up ``times``, so
that a billion records take no more memory than their distinct rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Flags, Indices, Integers, Integers32
from singleout.ground.errors import ResourceError
from singleout.ground.resources import free_memory, in_bytes
from singleout.reading.codes import Values

NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d+)?")
EXACT_INTEGERS = 2**53
"""Above this not every whole number is a floating-point number."""
PER_RECORD = 100
"""Bytes that whatever looks at single records needs at least for each."""


@dataclass(frozen=True, eq=False)
class Rows:
    """How many rows there are, and how many records each stands for (``times``; None: one each).

    ``index`` says which row of the table each comes from; None: they are all of them, in their order. In groups of at
    most ``exact`` rows, every row is one record: then rows can be counted in place of records.
    """

    number: int
    times: Integers | None = None
    index: Indices | None = None
    exact: int = 0

    @cached_property
    def records(self) -> int:
        """All records."""
        return self.number if self.times is None else int(self.times.sum())

    def of(self, chosen: Flags) -> int:
        """The records of some rows."""
        return int(np.count_nonzero(chosen)) if self.times is None else int(self.times[chosen].sum())

    def count(self, codes: NDArray[np.integer[Any]], levels: int) -> Integers:
        """The records of each code, where every row has one."""
        # sums of whole numbers below 2^53 are exact
        weights = None if self.times is None else self.times.astype(np.float64)
        return np.bincount(codes, weights, levels).astype(np.int64)

    def by_value(self, values: NDArray[Any]) -> tuple[NDArray[Any], Integers]:
        """The different values of rows, ascending, and how many records have each."""
        if self.times is None:
            found, records = np.unique(values, return_counts=True)
            return found, records.astype(np.int64)
        found, code = np.unique(values, return_inverse=True)
        return found, self.count(code.ravel(), len(found))

    def total(self, values: NDArray[Any]) -> float:
        """The sum over all records of a number that rows have: the same bits whether equal rows are one or many."""
        found, records = self.by_value(values)
        return float(found @ records)

    def take(self, chosen: Indices) -> Rows:
        """Some of the rows."""
        return Rows(
            len(chosen),
            None if self.times is None else self.times[chosen],
            chosen if self.index is None else self.index[chosen],
        )

    def split(self, k: int) -> Rows:
        """Rows with which a group has at most k records if, and only if, it has at most k rows.

        A row of more than k records becomes k of one record each, and one of all others.
        """
        if self.times is None or k <= self.exact:
            return self
        parts = np.minimum(self.times, k + 1)
        _check_fits(int(parts.sum()), f"`k={k:,}` needs {{}} rows")
        found = self._repeat(parts)
        times = np.ones(found.number, dtype=np.int64)
        times[np.cumsum(parts) - 1] = self.times - parts + 1
        return replace(found, times=times, exact=k)

    def single(self) -> Rows:
        """A row for every record, where the memory suffices."""
        self.check_single()
        return self if self.times is None else self._repeat(self.times)

    def check_single(self) -> None:
        """Refuse to look at single records of which there are too many."""
        if self.times is not None:
            _check_fits(self.records, "single records are needed, and there are {}")

    def _repeat(self, times: Integers) -> Rows:
        rows = np.repeat(np.arange(self.number, dtype=np.intp), times)
        return Rows(len(rows), None, rows if self.index is None else self.index[rows])


def _check_fits(number: int, why: str) -> None:
    """Refuse rows that do not fit into memory."""
    free, needed = free_memory(), float(PER_RECORD * number)
    if free is not None and needed > free:
        raise ResourceError(
            f"{why.format(f'{number:,}')}: at least {in_bytes(needed)} of memory, and {in_bytes(free)} are free.",
            hint="Use a random sample of the records, or a larger machine.",
        )


def as_rows(rows: Rows | int) -> Rows:
    """A number of records as rows of one record each."""
    return rows if isinstance(rows, Rows) else Rows(rows)


@dataclass(frozen=True, eq=False)
class Column:
    """A column as codes: 0, 1, … in ascending order of ``values``; the last code means missing, if any value is.

    ``times`` is how many records each row stands for; None where each is one.
    """

    name: str
    codes: Integers32
    values: Values
    any_missing: bool
    times: Integers | None = None

    @property
    def levels(self) -> int:
        """How many codes there are, including the one for missing values if there are any."""
        return len(self.values) + self.any_missing

    @property
    def rows(self) -> Rows:
        """Its rows."""
        return Rows(len(self.codes), self.times)

    @cached_property
    def records(self) -> int:
        """All records."""
        return self.rows.records

    @cached_property
    def counts(self) -> Integers:
        """Records of each code."""
        return self.rows.count(self.codes, self.levels)

    def at(self, rows: Rows) -> Column:
        """The same at other rows of its table."""
        if rows.index is None and rows.times is self.times:
            return self
        codes = self.codes if rows.index is None else self.codes[rows.index]
        return Column(self.name, codes, self.values, self.any_missing, rows.times)

    def take(self, chosen: Indices) -> Column:
        """Some of its rows."""
        return self.at(self.rows.take(chosen))

    def value(self, code: int) -> Any:
        """What a code stands for; None for missing."""
        return None if code == len(self.values) else self.values.item(code)

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """The values as numbers, also where they are text; None if one is not, or too large to be exact."""
        is_text = self.values.dtype.kind not in "iuf"
        if is_text and not (len(self.values) and all(isinstance(v, str) and NUMBER.fullmatch(v) for v in self.values)):
            return None
        numbers = self.values.astype(np.float64)
        return numbers if np.isfinite(numbers).all() and (np.abs(numbers) < EXACT_INTEGERS).all() else None

    def decode(self) -> Values:
        """The value of every row, as objects; None where it is missing."""
        values = np.empty(len(self.values) + 1, dtype=object)
        values[:-1] = self.values.tolist()
        return values[self.codes]

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {self.records:,} records, {self.levels:,} levels)"
