"""The command ``variables``: which columns and values single people out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from singleout.assessment.linking_options import ColumnSearchOptions, PublicListOptions
from singleout.assessment.options import ATTACK
from singleout.assessment.table_options import TableOptions
from singleout.cli.options import WHERE, AsJson, Out, Quiet, Reveal, Seed, with_options
from singleout.cli.output import Output
from singleout.cli.sides import words
from singleout.ground.errors import InputError
from singleout.ground.notes import in_a_row


@with_options
def variables(
    table: Annotated[str, typer.Argument(help=f"Table to be released. {WHERE}")],
    *,
    reading: TableOptions,
    search: ColumnSearchOptions,
    public: PublicListOptions,
    known_columns: Annotated[
        list[str],
        typer.Option(
            help="Columns the intruder knows; '' for none. Repeat for several sets.",
            metavar="A,B,…",
            rich_help_panel=ATTACK,
        ),
    ],
    add: Annotated[int, typer.Option(help="Number of columns added to the known ones.", rich_help_panel=ATTACK)] = 1,
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
    output.check(table, public.against)
    _refuse_idle(public, search)
    opened = reading.read_table(table)
    sets = {text: list(words(text)) for text in known_columns}
    if len(sets) < len(known_columns):
        raise InputError("`known_columns` names the same set twice.")
    doubt = reading.doubt_rows(opened, [name for each in sets.values() for name in each], "variables")
    reading.refuse_identifiers(opened, opened.columns, "variables")
    asked = reading.non_defaults() | {"known_columns": known_columns, "add": add}
    if public.against is None:
        parameters = {KEYWORDS.get(name, name): value for name, value in search.non_defaults().items()}
        result = find_variables(opened, sets, label=Path(table).name, seed=seed, reveal=reveal, add=add, **parameters)
        output.warn(doubt)
        write_variables(out, result, output.manifest(asked | search.non_defaults(), opened.files))
        output.show(result, " It contains values that few people have." if reveal else "")
        return
    listed = read_table(public.against, **reading.writing())
    labels = Path(table).name, Path(public.against).name
    found = find_exposure((opened, listed), sets, labels=labels, add=add, **public.rates())
    output.warn(doubt)
    files = [*opened.files, *listed.files]
    found.write(out, output.manifest(asked | {"against": labels[1]} | public.rates(), files))
    output.show(found)


KEYWORDS = {"max_class_size": "k"}
"""Options that the library has by other names."""


def _refuse_idle(public: PublicListOptions, search: ColumnSearchOptions) -> None:
    """Options that have no effect with a public list, or without."""
    alone = public.against is None
    if idle := public.rates() if alone else search.non_defaults():
        names, verb = in_a_row([f"`{name}`" for name in idle]), "requires" if len(idle) == 1 else "require"
        raise InputError(f"{names} {verb} `against`." if alone else f"{names} cannot be used with `against`.")
