"""Protections of a table side by side: the risk that each leaves, in the file and in the population, and its loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypedDict

import pyarrow as pa

from singleout.assessment.table_limits import AVERAGE, TableLimits
from singleout.assessment.table_protector import TableProtector
from singleout.ground.errors import DataError, bad_argument, is_whole
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, NoteDict, in_a_row, nonzero
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, Limits, NotNegative, Positive, Share, ShareOrNone
from singleout.ground.progress import stage
from singleout.ground.text_tables import align_rows
from singleout.measures.intervals import Estimate, counted
from singleout.measures.pareto import undominated
from singleout.measures.tables.margins import MarginChange
from singleout.measures.tables.table_risk import TableRisk, TableRiskDict
from singleout.protection.cell_suppression import MOST_COLUMNS
from singleout.protection.table_changes import TableChange
from singleout.reading.columns import Column
from singleout.reading.tables import as_table

STRENGTHS = (2, 3, 5, 11, 20)
SOME_LEFT_OUT = 0.02
"""The share of records that may be left out, in a second search for coarser columns."""
MOST_FOR_CELLS = 50_000
"""With more combinations of values, choosing cells takes too long to try several times."""
MOST_FOR_AVERAGES = 10_000
"""With more records, grouping them takes too long to try several times."""
MOST_CODES = 20
"""Numbers with no more different values are most likely codes, whose average means nothing."""
NAMES = {"recode": "recode", "cells": "suppress-cells", "microaggregate": "microaggregate"}


@dataclass(frozen=True, eq=False)
class Way:
    """One way to protect a table: limits, method, and the share of records that may be left out."""

    limits: TableLimits
    method: str
    max_suppressed: float = 0.0

    @property
    def name(self) -> str:
        """As tables and charts name it."""
        return NAMES[self.method] + ("-and-leave-out" if self.max_suppressed else "")

    def as_flags(self) -> list[str]:
        """The same on the command line."""
        flags = self.limits.as_flags()
        flags += [] if self.method == "recode" else ["--method", self.method]
        return flags + (["--max-suppressed", f"{self.max_suppressed:g}"] if self.max_suppressed else [])


class TablePointRow(TypedDict):
    """One protection: what is done, the risk that is left, and what is lost."""

    protection: str
    strength: str
    does: Annotated[str, "What is done, in words."]
    k: Positive
    average: Share
    maximum: Share
    population: ShareOrNone
    loss: NotNegative
    left_out: Count
    suppressed_cells: Count
    one_way: Annotated[float | None, Limits(0), "How far margins of one column are off, on average."]
    two_way: Annotated[float | None, Limits(0)]
    on_frontier: bool


class TableFrontierDocument(TypedDict):
    """The result file of ``protect --compare`` for a table."""

    schema: Literal["singleout/table-frontier/1"]
    before: TableRiskDict
    rows: list[TablePointRow]
    notes: list[NoteDict]


@dataclass(frozen=True, eq=False)
class TablePoint:
    """One protection: what is done, the risk that is left, and what is lost."""

    way: Way
    change: TableChange
    risk: TableRisk
    margins: MarginChange | None
    on_frontier: bool = True

    @property
    def loss(self) -> float:
        """The share of the information in the known columns that is lost."""
        return self.change.loss

    @property
    def rate(self) -> Estimate:
        """The average risk: in the population, where there is one, otherwise in the file."""
        if self.risk.population is not None:
            return self.risk.population.rate
        return counted(self.risk.average * self.risk.records, self.risk.records)

    def as_row(self) -> TablePointRow:
        """Plain data."""
        among = self.risk.population
        return {
            "protection": self.way.name,
            "strength": self.way.limits.in_words(),
            "does": in_a_row(self.change.in_words()),
            "k": self.risk.k,
            "average": self.risk.average,
            "maximum": self.risk.maximum,
            "population": None if among is None else among.rate.value,
            "loss": self.loss,
            "left_out": self.change.left_out,
            "suppressed_cells": self.change.suppressed,
            "one_way": None if self.margins is None else self.margins.one_way,
            "two_way": None if self.margins is None else self.margins.two_way,
            "on_frontier": self.on_frontier,
        }


@dataclass(frozen=True, eq=False, repr=False)
class TableFrontier(Pictured):
    """Every protection, the table as it is first; ``on_frontier`` marks those that no other beats in risk and loss.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.table_frontier(table, known_columns=["area", "region"], k=[5])
    >>> found.before.k
    4
    """

    columns: tuple[str, ...]
    before: TableRisk
    rows: tuple[TablePoint, ...]
    notes: tuple[Note, ...] = ()

    def to_arrow(self) -> pa.Table:
        """One row per protection."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def to_dict(self) -> TableFrontierDocument:
        """The result file: counts, risks and losses, no values."""
        return {
            "schema": "singleout/table-frontier/1",
            "before": self.before.to_dict(),
            "rows": [row.as_row() for row in self.rows],
            "notes": [note.to_dict() for note in self.notes],
        }

    def __str__(self) -> str:
        among = self.before.population is not None
        rows = [
            ("*" if row.on_frontier else "", row.way.name, row.way.limits.in_words(), row.risk.k, row.risk.average)
            + ((row.rate.value,) if among else ())
            + (row.loss, row.change.left_out, row.change.suppressed)
            for row in self.rows
        ]
        columns = [":<", "protection:<", "limit:<", "k:>,", "average risk:>.2%"]
        columns += ["in the population:>.2%"] if among else []
        table = align_rows(rows, *columns, "loss:>.1%", "left out:>,", "cells:>,")
        before = self.before
        first = f"As it is: k = {before.k:,}, average risk {percent(before.average)}, {before.unique:,} unique records."
        return "\n".join([first, *table, "* no other has less risk at no more loss", *map(str, self.notes)])

    __repr__ = __str__


def table_frontier(
    table: Any,
    *,
    known_columns: Sequence[str],
    k: Sequence[int] = STRENGTHS,
    sensitive: Sequence[str] = (),
    population: int | None = None,
    hierarchies: Any = None,
    recode: Any = None,
    progress: bool | None = None,
) -> TableFrontier:
    """Protect a table in several ways, each for every k, and measure the risk and the loss of each.

    Ways: coarser columns; coarser columns with up to 2% of the records left out; suppressed cells; and, for columns of
    numbers, averages over groups of similar records. Arguments are those of ``protect_table``.

    Parameters
    ----------
    table
        A table of ``read_table``, or a source that it reads.
    known_columns
        Columns that the intruder knows.
    k
        Every combination of known values must occur this many times; several to compare.
    sensitive
        Columns whose values must not be revealed.
    population
        The number of people that the file is a sample of, if it has no survey weight.
    hierarchies
        Coarser values of columns: a file or mapping each.
    recode
        How to change columns: {"age": "0,18,65"} and so on.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    TableFrontier
        One row per protection.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.table_frontier(table, known_columns=["area", "region"], k=[5])
    >>> [row.way.name for row in found.rows]
    ['recode', 'suppress-cells']
    """
    opened = as_table(table)
    names = opened.check_columns("table_frontier", "known_columns", known_columns)
    hidden = opened.check_columns("table_frontier", "sensitive", sensitive, empty=True)
    wrong = [each for each in k if not is_whole(each) or each < 2]
    if wrong or not len(k):
        raise bad_argument("table_frontier", "k", "whole numbers, 2 or more", wrong[0] if wrong else "none")
    protector = TableProtector(
        opened, names, hidden, dict(hierarchies or {}), dict(recode or {}), population=population, progress=progress
    )
    return trace_frontier(protector, [TableLimits(each, sensitive=hidden) for each in k])


def trace_frontier(
    protector: TableProtector, limits: Sequence[TableLimits], max_suppressed: float = SOME_LEFT_OUT
) -> TableFrontier:
    """The same for a protector and a list of limits, with up to ``max_suppressed`` of the records left out."""
    points: list[TablePoint] = []
    failed = 0
    for each in limits:
        for way in list_ways(protector, each, max_suppressed):
            with stage(f"protecting: {way.name}, {each.in_words()}"):
                try:
                    found = try_way(protector, way)
                except DataError:
                    failed += 1
                    continue
                if not any(_is_same(found, point) for point in points):
                    points.append(found)
    best = undominated([(point.rate.value, point.loss) for point in points])
    rows = tuple(replace(point, on_frontier=on) for point, on in zip(points, best, strict=True))
    why = "not even the coarsest levels of all known columns meet the limit"
    return TableFrontier(
        protector.names, protector.before, rows, nonzero(Note(failed, "protections not possible", why))
    )


def _is_same(one: TablePoint, other: TablePoint) -> bool:
    """Whether two ways came to the same change for the same limits: records may be left out, but need not be."""
    return one.way.limits == other.way.limits and one.change.in_words() == other.change.in_words()


def list_ways(protector: TableProtector, limits: TableLimits, max_suppressed: float) -> Iterator[Way]:
    """The ways that can be tried on a table of this size, for these limits."""
    yield Way(limits, "recode")
    yield Way(limits, "recode", max_suppressed)
    plain = limits.l is None and limits.t is None and not protector.recode and not protector.hierarchies
    combinations = len(protector.lattice.table.counts)
    if plain and len(protector.names) <= MOST_COLUMNS and combinations <= MOST_FOR_CELLS:
        yield Way(limits, "cells")
    numbers = all(_can_be_averaged(column) for column in protector.known)
    within_file = limits.max_risk is None or limits.risk != AVERAGE or protector.weights is None
    if plain and numbers and within_file and len(protector.table) <= MOST_FOR_AVERAGES:
        yield Way(limits, "microaggregate")


def _can_be_averaged(column: Column) -> bool:
    """Whether a column holds numbers, and not a few codes."""
    return column.numbers is not None and not column.any_missing and column.levels > MOST_CODES


def try_way(protector: TableProtector, way: Way) -> TablePoint:
    """Carry out one protection, and count the risk that is left."""
    change, risk = protector.settle(way.limits, way.method, way.max_suppressed)
    return TablePoint(way, change, risk, change.margins())
