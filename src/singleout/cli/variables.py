"""The command ``variables``: which columns and values single people out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from singleout.assessment.options import ATTACK, TableOptions
from singleout.cli.options import AsJson, Out, Quiet, Reveal, Seed, with_options
from singleout.cli.output import Output
from singleout.cli.sides import words
from singleout.ground.errors import InputError


@with_options
def variables(
    table: Annotated[str, typer.Argument(help="Table to be released. File or glob.")],
    *,
    reading: TableOptions,
    known_columns: Annotated[
        list[str],
        typer.Option(
            help="Columns the intruder knows; '' for none. Repeat for several sets.",
            metavar="A,B,…",
            rich_help_panel=ATTACK,
        ),
    ],
    strategy: Annotated[
        str,
        typer.Option(
            help="Which columns to try: core-av (most values), core-at (most rare values), naive (random) or all.",
            rich_help_panel=ATTACK,
        ),
    ] = "core-av",
    add: Annotated[int, typer.Option(help="Number of columns added to the known ones.", rich_help_panel=ATTACK)] = 1,
    ranks: Annotated[int, typer.Option(help="Number of columns the strategy chooses.", rich_help_panel=ATTACK)] = 5,
    max_class_size: Annotated[
        int,
        typer.Option(help="A record is vulnerable if at most this many share all its values.", rich_help_panel=ATTACK),
    ] = 1,
    min_count: Annotated[
        int, typer.Option(help="For core-at: values found in fewer records count as rare.", rich_help_panel=ATTACK)
    ] = 10,
    budget: Annotated[
        float | None,
        typer.Option(
            help="Time limit in seconds for trying combinations; the best found by then are shown.",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    out: Out = Path("singleout-variables"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Find which further columns would single people out, given what an intruder already knows."""
    from singleout.assessment.variables import FILES, find_variables, write_variables

    output = Output("variables", out, seed, as_json, quiet, reveal, files=FILES)
    output.check(table)
    opened = reading.read_table(table)
    sets = {text: list(words(text)) for text in known_columns}
    if len(sets) < len(known_columns):
        raise InputError("`known_columns` names the same set twice.")
    asked: dict[str, Any] = {"strategy": strategy, "add": add, "ranks": ranks, "min_count": min_count, "budget": budget}
    label = Path(table).name
    result = find_variables(opened, sets, label=label, seed=seed, reveal=reveal, k=max_class_size, **asked)
    parameters = reading.non_defaults() | {"known_columns": known_columns, "max_class_size": max_class_size} | asked
    write_variables(out, result, output.manifest(parameters, opened.files))
    output.show(result, " It contains values that few people have." if reveal else "")
