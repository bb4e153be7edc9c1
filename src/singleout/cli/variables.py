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
from singleout.ground.notes import in_a_row


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
    add: Annotated[int, typer.Option(help="Number of columns added to the known ones.", rich_help_panel=ATTACK)] = 1,
    strategy: Annotated[
        str | None,
        typer.Option(
            help="Columns to try: core-av (most values, default), core-at (most rare values), naive (random) or all.",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    ranks: Annotated[
        int | None,
        typer.Option(help="Number of columns the strategy chooses (default: 5).", rich_help_panel=ATTACK),
    ] = None,
    max_class_size: Annotated[
        int | None,
        typer.Option(
            help="A record is vulnerable if at most this many share all its values (default: 1).",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    min_count: Annotated[
        int | None,
        typer.Option(
            help="For core-at: values found in fewer records count as rare (default: 10).", rich_help_panel=ATTACK
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            help="Time limit in seconds for trying combinations; the best found by then are shown.",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="Public list: rank columns by how many records they lead to few of its entries.",
            metavar="FILE",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    max_known: Annotated[
        int | None,
        typer.Option(help="With --against: few means at most this many entries (default: 5).", rich_help_panel=ATTACK),
    ] = None,
    coverage: Annotated[
        float | None,
        typer.Option(
            help="With --against: share of its entries that an intruder's list has (default: 1).",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    error_rate: Annotated[
        float | None,
        typer.Option(help="With --against: share of wrong values (default: 0).", rich_help_panel=ATTACK),
    ] = None,
    missing_rate: Annotated[
        float | None,
        typer.Option(help="With --against: share of missing values (default: 0).", rich_help_panel=ATTACK),
    ] = None,
    out: Out = Path("singleout-variables"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Find which further columns would single people out, given what an intruder already knows."""
    from singleout.assessment.exposure import find_exposure
    from singleout.assessment.variables import FILES, find_variables, write_variables
    from singleout.reading.tables import read_table

    output = Output("variables", out, seed, as_json, quiet, reveal, files=FILES)
    output.check(table, against)
    alone = _given(strategy=strategy, ranks=ranks, k=max_class_size, min_count=min_count, budget=budget)
    public = _given(max_known=max_known, coverage=coverage, error_rate=error_rate, missing_rate=missing_rate)
    _refuse_idle(against, alone, public)
    opened = reading.read_table(table)
    sets = {text: list(words(text)) for text in known_columns}
    if len(sets) < len(known_columns):
        raise InputError("`known_columns` names the same set twice.")
    asked = reading.non_defaults() | {"known_columns": known_columns, "add": add}
    if against is None:
        result = find_variables(opened, sets, label=Path(table).name, seed=seed, reveal=reveal, add=add, **alone)
        parameters = asked | {OPTIONS.get(name, name): value for name, value in alone.items()}
        write_variables(out, result, output.manifest(parameters, opened.files))
        output.show(result, " It contains values that few people have." if reveal else "")
        return
    listed = read_table(against, encoding=reading.encoding)
    labels = Path(table).name, Path(against).name
    found = find_exposure((opened, listed), sets, labels=labels, add=add, **public)
    files = [*opened.files, *listed.files]
    found.write(out, output.manifest(asked | {"against": labels[1]} | public, files))
    output.show(found)


OPTIONS = {"k": "max_class_size"}


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _refuse_idle(against: str | None, alone: dict[str, Any], public: dict[str, Any]) -> None:
    """Options that have no effect with a public list, or without."""
    if idle := public if against is None else alone:
        names = in_a_row([f"`{OPTIONS.get(name, name)}`" for name in idle])
        verb = "requires" if len(idle) == 1 else "require"
        raise InputError(f"{names} {verb} `against`." if against is None else f"{names} cannot be used with `against`.")
