"""A protected table as it is written, with what was done to it and the risk that was measured in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pyarrow as pa

from singleout.assessment.table_limits import TableLimits
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, NoteDict, in_a_row, number_of
from singleout.ground.numbers import capitalise, percent
from singleout.ground.plain_data import Count, FieldsOf, NotNegative
from singleout.measures.tables.margins import MarginChange
from singleout.measures.tables.table_risk import TableRisk, TableRiskDict
from singleout.protection.released_file import write_columns
from singleout.protection.table_changes import TableChange


class ColumnCuts(TypedDict):
    """What was done to a known column; values only if revealed."""

    column: str
    level: str
    does: str | None
    cuts: NotRequired[list[float]]
    combined: NotRequired[Count]
    suppressed: NotRequired[Count]
    values: NotRequired[dict[str, str]]


class ProtectedTableDocument(TypedDict):
    """The result file of ``protect`` for a table."""

    schema: Literal["singleout/protected-table/1"]
    limits: str
    method: str
    loss: NotNegative
    records: Count
    left_out: Count
    suppressed_cells: Count
    columns: list[ColumnCuts]
    margins: Annotated[Mapping[str, Any], FieldsOf(MarginChange)] | None
    before: TableRiskDict
    after: TableRiskDict
    notes: list[NoteDict]


@dataclass(frozen=True, eq=False)
class ProtectedTable(Tabular):
    """The table as written, what was done to it, what that destroyed, and the risk measured on the file.

    ``loss`` is the share of the information in the known columns that is lost, or whatever loss was asked for.
    ``margins`` says how far the margins that a reader gets of the columns left are off.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> protected = so.protect_table(table, known_columns=["area", "region", "home"], k=5)
    >>> [each["column"] for each in protected.cuts()]
    ['area', 'region', 'home']
    """

    table: pa.Table
    change: TableChange
    before: TableRisk
    risk: TableRisk
    limits: TableLimits
    margins: MarginChange | None
    separator: str
    name: str
    notes: tuple[Note, ...] = ()

    @property
    def loss(self) -> float:
        """What was lost, by the measure that was minimised."""
        return self.change.loss

    def to_arrow(self) -> pa.Table:
        """The protected table itself."""
        return self.table

    def write(self, path: str | Path) -> None:
        """Write the protected table in the file type that the name ends in."""
        write_columns(self.table, Path(path), self.separator)

    def cuts(self, *, reveal: bool = False) -> list[ColumnCuts]:
        """What was done to each known column; the values that were combined only if revealed."""
        found = []
        for each in self.change.columns:
            level = each.level
            plain: ColumnCuts = {"column": each.column.name, "level": level.how, "does": each.in_words() or None}
            if level.cuts:
                plain["cuts"] = list(level.cuts)
            if level.merged:
                plain["combined"] = level.merged
            if each.suppressed:
                plain["suppressed"] = each.suppressed
            if reveal and level.labels is not None:
                values = [str(each.column.value(code)) for code in range(len(each.column.values))]
                written = [str(level.labels[code]) for code in level.codes[: len(values)].tolist()]
                plain["values"] = dict(zip(values, written, strict=True))
            found.append(plain)
        return found

    def to_dict(self, *, reveal: bool = False) -> ProtectedTableDocument:
        """Everything but the table: limits, every cut, losses, and risks before and after."""
        return {
            "schema": "singleout/protected-table/1",
            "limits": self.limits.in_words(),
            "method": self.change.method,
            "loss": self.loss,
            "records": self.table.num_rows,
            "left_out": self.change.left_out,
            "suppressed_cells": self.change.suppressed,
            "columns": self.cuts(reveal=reveal),
            "margins": None if self.margins is None else self.margins.to_dict(),
            "before": self.before.to_dict(),
            "after": self.risk.to_dict(),
            "notes": [note.to_dict() for note in self.notes],
        }

    def __str__(self) -> str:
        done = self.change.in_words()
        first = f"{number_of(self.table.num_rows, 'records')} protected" + (
            f" ({self.limits.in_words()})" * self.limits.is_set
        )
        what = f"{capitalise(in_a_row(done))}." if done else "Nothing had to be changed."
        after, before = self.risk, self.before
        measured = (
            f"Measured on the file: k = {after.k:,} (before: {before.k:,}), average risk {percent(after.average)} "
            f"(before: {percent(before.average)}), maximum risk {percent(after.maximum)}; exact."
        )
        lines = [first, what, f"Information loss {percent(self.loss)}. {self.margins or ''}".rstrip(), measured]
        if after.population is not None:
            lines.append(f"Average risk in the population: {after.population.rate.in_words()}.")
        lines += [f"{each.column}: l = {each.distinct}, t = {each.t:.3f}." for each in after.diversity]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    __repr__ = __str__
