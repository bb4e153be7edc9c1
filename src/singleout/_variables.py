"""singleout variables: from a table to the variables that give people away, printed and written."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from singleout._options import AsJson, Encoding, Out, Quiet, errors_in_words, words
from singleout.ground.errors import InputError
from singleout.ground.files import check_target, manifest
from singleout.ground.progress import silenced
from singleout.measures.isolation import KnownSets
from singleout.measures.uniqueness import uniqueness
from singleout.measures.vulnerability import vulnerability
from singleout.reading.tables import Table, read_table
from singleout.report.variables import FILES, Variables, show_variables, write_variables

Known = Annotated[list[str], typer.Option(help="Columns the intruder knows, A,B,…; '' for none. Repeat for more sets.")]
Columns = Annotated[str | None, typer.Option(help="Only these columns count, A,B,…; all if left out.")]
Drop = Annotated[str | None, typer.Option(help="Columns that are not released, A,B,…")]
Weight = Annotated[str | None, typer.Option(help="Column: people of the population a record stands for.")]
Strategy = Annotated[str, typer.Option(help="core-av, core-at, naive, or all: every combination.")]
Add = Annotated[int, typer.Option(help="How many columns are added to the known ones.")]
Ranks = Annotated[int, typer.Option(help="How many columns the strategy takes.")]
Alike = Annotated[int, typer.Option("--k", help="Vulnerable: at most so many records alike on all columns.")]
MinCount = Annotated[int, typer.Option(help="core-at: values of fewer records are rare.")]
Budget = Annotated[float | None, typer.Option(help="Seconds for trying combinations; the best so far are told.")]
Drawn = Annotated[int, typer.Option("--seed", min=0, help="Draws columns at random. Same seed, same result.")]
Rare = Annotated[bool, typer.Option("--reveal", help="Tell values of fewer than five people too.")]


def variables(
    table: Annotated[str, typer.Argument(help="Records to be released. File or glob.")],
    *,
    known_columns: Known,
    columns: Columns = None,
    drop: Drop = None,
    survey_weight: Weight = None,
    encoding: Encoding = "utf-8",
    strategy: Strategy = "core-av",
    add: Add = 1,
    ranks: Ranks = 5,
    k: Alike = 1,
    min_count: MinCount = 10,
    budget: Budget = None,
    out: Out = Path("singleout-out"),
    seed: Drawn = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Rare = False,
) -> None:
    """Find the variables that give people away in a table, beside what an intruder knows."""
    asked: dict[str, Any] = {"strategy": strategy, "add": add, "ranks": ranks, "k": k, "min_count": min_count}
    asked |= {"budget": budget, "seed": seed}
    reading: dict[str, Any] = {"columns": words(columns), "drop": words(drop) or [], "survey_weight": survey_weight}
    with errors_in_words(), silenced(quiet):
        started = time.perf_counter()
        check_target(out)
        opened = read_table(table, **reading, encoding=encoding)
        result = _answered(opened, known_columns, Path(table).name, asked)
        document = manifest(
            command="variables",
            parameters={"known_columns": known_columns} | reading | asked,
            inputs=opened.files,
            files=FILES,
            seed=seed,
            seconds=time.perf_counter() - started,
            reveal=reveal,
        )
        write_variables(out, result, document, reveal=reveal)
        if as_json:
            typer.echo(json.dumps(result.as_json(), indent=2, ensure_ascii=False, allow_nan=False))
        elif not quiet:
            console = Console()
            show_variables(result, console, reveal=reveal)
            revealed = " with the values of few people" if reveal else ""
            console.print(f"\nWritten to {out}{revealed}", markup=False, highlight=False, soft_wrap=True)


def _answered(table: Table, known_columns: list[str], label: str, asked: dict[str, Any]) -> Variables:
    sets = {text: [name for name in words(text) or [] if name] for text in known_columns}
    if len(sets) < len(known_columns):
        raise InputError("variables: --known-columns names the same set twice.")
    found = vulnerability(table, known_columns=sets, **asked)
    assert isinstance(found, KnownSets)
    classes = {name: uniqueness(table, columns=known) for name, known in sets.items() if known}
    return Variables(found, classes, label)
