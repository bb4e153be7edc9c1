"""Options of tables of people, declared as in ``options``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from singleout.assessment.options import (
    DATA,
    OF_FILES,
    PROTECTION,
    REPORT,
    AllowOptions,
    FileOptions,
    OptionGroup,
    Repeated,
    as_pairs,
    column,
    option,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from singleout.reading.sources import Source
    from singleout.reading.tables import Table


@dataclass(frozen=True, kw_only=True)
class TableOptions(AllowOptions, FileOptions):
    """The columns of a table, and how to read them."""

    columns: tuple[str, ...] | None = option("For tables: only these columns are released (default: all).", panel=DATA)
    drop: tuple[str, ...] | None = option("For tables: columns that are not released.", panel=DATA)
    survey_weight: str | None = column(
        "For tables: column with the number of people in the population that each record represents."
    )
    one_row_per_person: bool = option(
        "For tables: every row is a different person, even if ids repeat.", default=False, panel=DATA
    )

    def read_table(self, source: Any) -> Table:
        """The table of a source."""
        from singleout.reading.tables import read_table

        chosen: dict[str, Any] = {"columns": self.columns, "drop": self.drop or ()}
        return read_table(source, survey_weight=self.survey_weight, **chosen, **self.writing())

    def refuse_identifiers(self, table: Table, names: Sequence[str], function: str) -> None:
        """Refuse columns of a table that identify people directly, unless they are allowed."""
        from singleout.reading.identifiers import refuse_identifiers

        refuse_identifiers(table, names, self.allow, function)

    def doubt_rows(self, table: Table, known: Sequence[str], function: str) -> str:
        """Why rows may be events, not people; nothing where they are people. What is clearly a log is refused."""
        from singleout.assessment.table_rows import doubt_rows

        return "" if self.one_row_per_person else doubt_rows(table, known, function, self.as_flags())


@dataclass(frozen=True, kw_only=True)
class TableLimitOptions(OptionGroup):
    """What the intruder knows about the people in a table, and limits for those who are worst off."""

    known_columns: tuple[str, ...] | None = option("For tables: columns the intruder knows.", panel=DATA)
    sensitive: tuple[str, ...] | None = option(
        "For tables: columns whose values must not be revealed; l and t are measured for them.", panel=DATA
    )
    risk: str = option(
        "For tables: compare the average risk with the limit, or that of the record that is worst off.",
        "average",
        panel=REPORT,
        metavar="average|maximum",
    )
    k: int | None = option(
        "For tables: every combination of known values must occur in at least N records.", panel=REPORT
    )
    l: int | None = option(  # noqa: E741 - its name in the literature
        "For tables: indistinguishable records must have at least N values of each sensitive column.", panel=REPORT
    )
    t: float | None = option(
        "For tables: the sensitive values of indistinguishable records may be at most X from those of all.",
        panel=REPORT,
    )


@dataclass(frozen=True, kw_only=True)
class TableChangeOptions(OptionGroup):
    """How the known columns of a table may be changed."""

    recode: Repeated | None = option(
        "For tables: how to change a column: age=0,18,65 (ranges), age=round:5, age=bottom:18,top:85, town=rare:0.01, "
        "town=keep or town=drop; repeatable. A column may still be left out, unless it is kept.",
        panel=PROTECTION,
        metavar="COLUMN=HOW",
    )
    max_suppressed: float = option(
        "For tables: the share of records that may be left out of the file, such as 0.02.", 0.0, panel=PROTECTION
    )

    @property
    def recodings(self) -> dict[str, str]:
        """How to change each column."""
        return as_pairs(self.recode)


@dataclass(frozen=True, kw_only=True)
class CommonColumnOptions(OptionGroup):
    """The columns that two tables have in common, and what they are called in the known one."""

    on: tuple[str, ...] | None = option(
        "For two tables: columns that both have, by which the intruder links them (link: all of them by default).",
        panel=DATA,
    )
    truth: str | None = column(
        "For two tables: column that is the same for the same person; only used to count correct links."
    )
    known_on: tuple[str, ...] | None = option(
        "For two tables: the names of the --on columns in the known table, in the same order.", panel=DATA
    )
    known_truth: str | None = column("For two tables: the name of the --truth column in the known table.")

    def as_released(self, known: Source) -> Source:
        """The intruder's table with the names that the common columns have in the released one."""
        names = dict(zip(self.known_on or (), self.on or (), strict=False))
        if self.known_truth is not None and self.truth is not None:
            names[self.known_truth] = self.truth
        return known.renamed(names)

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """Names of the known table that lack their other half."""
        if values["known_truth"] is not None and values["truth"] is None:
            return ["`known_truth` requires `truth`."]
        if values["known_on"] is not None and len(values["known_on"]) != len(values["on"] or ()):
            return ["`known_on` must name as many columns as `on`."]
        return []


OF_TABLES = (
    *(each.name for each in fields(TableOptions) if each.name not in (*OF_FILES, "allow")),
    *(each.name for each in fields(TableLimitOptions) if each.name != "known_columns"),
    *(each.name for each in fields(TableChangeOptions)),
)
