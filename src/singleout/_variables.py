"""From a table to the variables that give people away: the options of the command, and its answer."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from singleout._options import words
from singleout.ground.errors import InputError
from singleout.measures.isolation import KnownSets
from singleout.measures.uniqueness import uniqueness
from singleout.measures.vulnerability import vulnerability
from singleout.reading.tables import Table, read_table
from singleout.report.variables import Variables


@dataclass(frozen=True, kw_only=True)
class TableReading:
    """The columns of a table, and how to read them."""

    columns: Annotated[str | None, typer.Option(help="Only these columns count, A,B,…; all if left out.")] = None
    drop: Annotated[str | None, typer.Option(help="Columns that are not released, A,B,…")] = None
    survey_weight: Annotated[str | None, typer.Option(help="Column: people of the population a record stands for.")] = (
        None
    )
    encoding: Annotated[str, typer.Option(help="Of text files: utf-8 or latin-1.")] = "utf-8"

    def table(self, source: str) -> Table:
        """The table of a file or glob."""
        chosen = {"columns": words(self.columns), "drop": words(self.drop) or ()}
        return read_table(source, **asdict(self) | chosen)


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What is asked of a table."""

    known_columns: Annotated[
        list[str], typer.Option(help="Columns the intruder knows, A,B,…; '' for none. Repeat for more sets.")
    ]
    strategy: Annotated[str, typer.Option(help="core-av, core-at, naive, or all: every combination.")] = "core-av"
    add: Annotated[int, typer.Option(help="How many columns are added to the known ones.")] = 1
    ranks: Annotated[int, typer.Option(help="How many columns the strategy takes.")] = 5
    k: Annotated[int, typer.Option("--k", help="Vulnerable: at most so many records alike on all columns.")] = 1
    min_count: Annotated[int, typer.Option(help="core-at: values of fewer records are rare.")] = 10
    budget: Annotated[float | None, typer.Option(help="Seconds for trying combinations; the best so far are told.")] = (
        None
    )

    def answered(self, table: Table, *, label: str, seed: int, reveal: bool) -> Variables:
        """What each set of known columns isolates, by itself and with others."""
        sets = {text: [name for name in words(text) or () if name] for text in self.known_columns}
        if len(sets) < len(self.known_columns):
            raise InputError("variables: --known-columns names the same set twice.")
        found = vulnerability(table, seed=seed, **asdict(self) | {"known_columns": sets})
        assert isinstance(found, KnownSets)
        classes = {name: uniqueness(table, columns=known) for name, known in sets.items() if known}
        return Variables(found, classes, label, reveal)
