"""The command ``suda``: which records few columns are enough to single out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from singleout.assessment.options import ATTACK
from singleout.assessment.table_options import TableOptions
from singleout.cli.options import WHERE, AsJson, Out, Quiet, parse_share, with_options
from singleout.cli.output import Output
from singleout.cli.sides import words

FILES = ("records.parquet", "result.json")


@with_options
def suda(
    table: Annotated[str, typer.Argument(help=f"Table to be released. {WHERE}")],
    *,
    reading: TableOptions,
    known_columns: Annotated[
        str,
        typer.Option(help="Columns the intruder may know, at least two.", metavar="A,B,…", rich_help_panel=ATTACK),
    ],
    max_size: Annotated[int, typer.Option(help="Columns of a set that are tried at most.", rich_help_panel=ATTACK)] = 3,
    sampling_fraction: Annotated[
        float | None,
        typer.Option(
            parser=parse_share,
            help="Share of the population in the file, such as 0.01, for DIS-SUDA scores (default: by survey weights).",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    out: Out = Path("singleout-suda"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Score each record by how few columns single it out: special uniques (SUDA), and DIS-SUDA for a sample."""
    import singleout as so
    from singleout.report.folder import write_scores

    output = Output("suda", out, 0, as_json, quiet, files=FILES)
    output.check(table)
    opened = reading.read_table(table)
    names = words(known_columns)
    doubt = reading.doubt_rows(opened, names, "suda")
    reading.refuse_identifiers(opened, [name for name in names if name in opened.columns], "suda")
    share = sampling_fraction
    if share is None and opened.survey_weights is not None:
        share = min(1.0, len(opened) / opened.rows.total(opened.survey_weights))
    result = so.suda(opened, columns=names, max_size=max_size, sampling_fraction=share)
    output.warn(doubt)
    asked = {"known_columns": list(names), "max_size": max_size, "sampling_fraction": sampling_fraction}
    write_scores(output.folder, result, output.manifest(reading.non_defaults() | asked, opened.files), FILES)
    output.show(result)
