"""Special uniques: records that a few columns are enough to single out, and scores for how few (SUDA)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, prod
from typing import Annotated, Any, Literal, TypedDict

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices, Integers
from singleout.ground.errors import bad_argument, is_number, is_whole
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, NoteDict, cut_middle, nonzero, number_of
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, NotNegative, ShareOrNone
from singleout.ground.progress import Advance, show_progress
from singleout.ground.text_tables import align_rows
from singleout.measures.intervals import Estimate, counted
from singleout.measures.tables.combinations import Chosen
from singleout.reading.columns import Column, Rows
from singleout.reading.tables import Table, check_table
from singleout.statistics.partitions import Partition, everyone, partition_by

MOST_BYTES = 2**31
"""The most memory for which records are unique on which columns."""
AT_A_TIME = 16
"""Columns whose unique records are in memory at once."""
WIDEST = 60
"""The longest name of a column that is printed whole."""


class SudaDict(TypedDict):
    """How few columns single out records; the scores of records are in a table of their own."""

    schema: Literal["singleout/suda/1"]
    columns: list[str]
    records: Count
    singled_out: Count
    minimal: Annotated[dict[str, Count], "Minimal uniques by the number of columns they need."]
    highest: Count
    highest_dis: ShareOrNone
    by_column: Annotated[dict[str, NotNegative], "The share of all scores that involve a column."]
    notes: list[NoteDict]


@dataclass(frozen=True, eq=False)
class Suda(Pictured):
    """For each row: its score, and its number of minimal uniques of 1, 2, … ``max_size`` columns (``minimal``).

    A row is a record, or stands for several equal ones (``times``), none of which is unique on anything.

    A minimal unique is a set of columns on which a record is unique, but not on any subset of them. ``by_column`` is
    the share of all scores that is due to minimal uniques with that column. ``dis`` is the DIS-SUDA score: about how
    likely a link to the record is to be right, if a sampling fraction was given.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.suda(table, columns=["area", "home", "language", "income"], max_size=3)
    >>> len(found) == len(table)
    True
    """

    columns: tuple[str, ...]
    max_size: int
    scores: NDArray[np.int64]
    minimal: NDArray[np.int32]
    by_column: dict[str, float]
    dis: Floats | None = None
    notes: tuple[Note, ...] = ()
    times: Integers | None = None

    def __len__(self) -> int:
        return Rows(len(self.scores), self.times).records

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.scores, dtype=dtype, copy=copy)

    @property
    def rate(self) -> Estimate:
        """Share of the records with any minimal unique."""
        return counted(int(self.minimal.any(axis=1).sum()), len(self))

    def to_arrow(self) -> pa.Table:
        """One row per row of the table: its number, score, and minimal uniques by size. No values."""
        sizes = {f"minimal_{size + 1}": self.minimal[:, size] for size in range(self.max_size)}
        dis = {} if self.dis is None else {"dis": self.dis}
        records = {} if self.times is None else {"records": self.times}
        return pa.table({"row": np.arange(len(self.scores)), "score": self.scores} | records | dis | sizes)

    def to_dict(self) -> SudaDict:
        """The summary: counts and shares; the records are in ``to_arrow``."""
        return {
            "schema": "singleout/suda/1",
            "columns": list(self.columns),
            "records": len(self),
            "singled_out": int(self.minimal.any(axis=1).sum()),
            "minimal": {str(size): number for size, number in enumerate(self.minimal.sum(axis=0).tolist(), 1)},
            "highest": int(self.scores.max(initial=0)),
            "highest_dis": None if self.dis is None else float(self.dis.max(initial=0.0)),
            "by_column": self.by_column,
            "notes": [note.to_dict() for note in self.notes],
        }

    def __str__(self) -> str:
        special = int(self.minimal.any(axis=1).sum())
        few = f"{self.max_size} or fewer of {len(self.columns)} columns"
        lines = [f"{special:,} of {len(self):,} records are singled out by {few}"]
        times = enumerate(self.minimal.sum(axis=0).tolist(), 1)
        lines += [f"  {number_of(size, 'columns')}: {number_of(number, 'times')}" for size, number in times]
        likely = "" if self.dis is None else f" (DIS-SUDA {percent(float(self.dis.max(initial=0.0)))})"
        lines.append(f"highest score {self.scores.max():,}{likely}; share of all scores that involve a column:")
        rows = [(cut_middle(name, WIDEST), share) for name, share in self.by_column.items()]
        rows.sort(key=lambda row: -row[1])
        return "\n".join([*lines, *align_rows(rows, ":<", ":>.1%", indent=2)])

    __repr__ = __str__


def suda(
    table: Table,
    *,
    columns: Sequence[str],
    max_size: int = 3,
    sampling_fraction: float | None = None,
    progress: bool | None = None,
) -> Suda:
    """Find each record's minimal uniques of up to ``max_size`` of ``columns``, and score it.

    The score adds, for every minimal unique of s columns, the product of (ATT - i) over i = s … M, with ATT the number
    of columns and M ``max_size``: the fewer columns are needed, the more it counts. With M = ATT every product would
    be zero, so M is at most ATT - 1.

    With the share of the population that is in the file, ``sampling_fraction``, DIS-SUDA scores are computed as well
    (Elliot): the probability that a unique match is right, from the numbers of unique records and of pairs (Skinner and
    Elliot), is distributed over the records that are singled out by how few columns do it.

    Parameters
    ----------
    table
        A table of ``so.read_table``.
    columns
        Columns that the intruder may know.
    max_size
        The most columns of a minimal unique.
    sampling_fraction
        The share of the population that is in the file.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Suda
        A score for every record.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.suda(table, columns=["area", "home", "language", "income"], max_size=3)
    >>> print(found.headline())
    2 of 500 records are singled out by 3 or fewer of 4 columns
    """
    check_table("suda", table)
    names = table.check_columns("suda", "columns", columns)
    if len(names) < 2:
        raise bad_argument("suda", "columns", "at least two columns", list(names))
    if not is_whole(max_size) or max_size < 1:
        raise bad_argument("suda", "max_size", "a whole number above zero", max_size)
    if sampling_fraction is not None and (not is_number(sampling_fraction) or not 0 < sampling_fraction <= 1):
        raise bad_argument("suda", "sampling_fraction", "above 0 and at most 1", sampling_fraction)
    largest = min(int(max_size), len(names) - 1)
    worth = [prod(len(names) - i for i in range(size, largest + 1)) for size in range(1, largest + 1)]
    if sum(comb(len(names), size + 1) * value for size, value in enumerate(worth)) >= 2**63:
        raise bad_argument("suda", "max_size", "smaller: scores of this many columns exceed 64 bits", max_size)
    rows = table.rows.split(1)
    encoded = table.encode_rows(names, rows, progress=progress)
    search = _Minimal(encoded, largest, worth, rows)
    with show_progress("searching for special uniques", progress) as advance:
        # the only record of a table counts as singled out by each column, not by no column
        search.explore((), replace(everyone(rows, 0), k=1), advance)
    whole = max(int(search.scores.sum()), 1)
    share = {name: int(own) / whole for name, own in zip(names, search.of_column, strict=True)}
    why = f"with {len(names)} columns, scores are defined up to size {len(names) - 1}"
    notes = table.notes_on(names) + nonzero(Note(int(max_size) - largest, "sizes left out", why))
    dis = None
    if sampling_fraction is not None:
        classes = partition_by(encoded, rows).sizes
        dis = _spread_intrusion(search.minimal, len(names), classes, float(sampling_fraction))
    # a row that was split has no minimal uniques: its first part says so too
    first = slice(None) if rows.index is None else np.flatnonzero(np.diff(rows.index, prepend=-1))
    of_rows = search.scores[first], search.minimal[first], share, None if dis is None else dis[first]
    return Suda(names, largest, *of_rows, notes, table.rows.times)


def _spread_intrusion(minimal: NDArray[np.int32], columns: int, classes: Indices, fraction: float) -> Floats:
    """DIS-SUDA: the odds that a unique match is right, on average, in proportion to a power of each record's score.

    The score here weighs a minimal unique of s columns by the share of larger column sets that contain it, as the
    published scores do: (2^(ATT - s) - 1) by the number of sets of s columns.
    """
    unique, in_pairs = int((classes == 1).sum()), 2 * int((classes == 2).sum())
    worth = np.array([(2.0 ** (columns - s) - 1) / comb(columns, s) for s in range(1, minimal.shape[1] + 1)])
    scores = minimal @ worth
    found = np.zeros(len(scores))
    special = scores > 0
    if special.any():
        right = unique * fraction / (unique * fraction + in_pairs * (1 - fraction))
        powers = scores[special] ** (1 + (8 - columns) / 20)
        found[special] = 1 / (1 + (unique / right - unique) / (powers * (1 / powers).sum()))
    return found


class _Minimal:
    """Column sets are visited such that all subsets of a set come before it.

    For each set of fewer than ``largest`` columns, a bit per record says whether it is unique on it. Only records that
    are unique on all columns can be unique at all: only they have a bit.
    """

    def __init__(self, columns: list[Column], largest: int, worth: list[int], rows: Rows) -> None:
        self.columns, self.largest, self.worth = columns, largest, worth
        self.scores = np.zeros(rows.number, dtype=np.int64)
        self.minimal = np.zeros((rows.number, largest), dtype=np.int32)
        self.of_column = np.zeros(len(columns), dtype=np.int64)
        unique = partition_by(columns, rows, 1).is_small()
        self.place = np.cumsum(unique) - 1
        self.candidates = int(unique.sum())
        self.bits: dict[Chosen, NDArray[np.uint8]] = {(): np.zeros((self.candidates + 7) // 8, dtype=np.uint8)}
        self.number = sum(comb(len(columns), size) for size in range(1, largest + 1))
        self.visited = 0
        kept = sum(comb(len(columns), size) for size in range(1, largest))
        if kept * len(self.bits[()]) > MOST_BYTES:
            must = f"smaller, or use fewer columns: {kept:,} sets of {self.candidates:,} records do not fit in memory"
            raise bad_argument("suda", "max_size", must, largest)

    def explore(self, chosen: Chosen, partition: Partition, advance: Advance) -> None:
        """All sets that continue ``chosen`` with later columns, to the end; those of the last columns first."""
        later = range(chosen[-1] + 1 if chosen else 0, len(self.columns))
        for first in range(later.start, later.stop, AT_A_TIME):
            places = range(first, min(first + AT_A_TIME, later.stop))
            found = partition.rows_with([self.columns[place] for place in places])
            for place, rows in zip(places, found, strict=True):
                self._visit(chosen, place, rows)
        self.visited += len(later)
        advance(self.visited / self.number)
        if len(chosen) + 1 < self.largest:
            for place in reversed(later):
                finer = partition.refine(self.columns[place])
                # if every record is unique already, no larger set is minimal for any
                if len(finer.order):
                    self.explore((*chosen, place), finer, advance)

    def _visit(self, chosen: Chosen, last: int, rows: Indices) -> None:
        """One set: ``rows`` are unique on it and were not without its last column."""
        bit = self.place[rows]
        is_minimal = np.ones(len(rows), dtype=bool)
        for left_out in range(len(chosen)):
            part = (*chosen[:left_out], *chosen[left_out + 1 :], last)
            is_minimal &= (self.bits[part][bit >> 3] >> (bit & 7).astype(np.uint8)) & 1 == 0
        own, size = rows[is_minimal], len(chosen)
        self.scores[own] += self.worth[size]
        self.minimal[own, size] += 1
        self.of_column[[*chosen, last]] += self.worth[size] * len(own)
        if size + 1 < self.largest:
            flags = np.zeros(self.candidates, dtype=bool)
            flags[bit] = True
            self.bits[*chosen, last] = self.bits[chosen] | np.packbits(flags, bitorder="little")
