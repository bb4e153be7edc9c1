"""The command ``reproduce``: list the papers' tables and figures, or run them again side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from singleout.assessment.options import DATA, RUN
from singleout.cli.options import AsJson, Quiet, Seed, with_options
from singleout.cli.output import Output
from singleout.ground.errors import InputError, SourceError
from singleout.ground.text_tables import align_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from singleout.papers.data_sets import Shelf
    from singleout.papers.result import Reproduction

OUT = Path("singleout-reproduce")
DataFolder = Annotated[
    Path | None,
    typer.Option(envvar="SINGLEOUT_DATA", help="Folder of data sets, one folder each.", rich_help_panel=DATA),
]


@with_options
def reproduce(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            help="Tables or figures to reproduce, such as naini-table2. Without ids or --out, they are listed."
        ),
    ] = None,
    *,
    data: DataFolder = None,
    richest: Annotated[
        int | None,
        typer.Option(
            min=2, help="For networks: only the N people of each log with the most records.", rich_help_panel=DATA
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Run all; --out without ids does the same.", rich_help_panel=RUN)
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer synthetic people and draws.", rich_help_panel=RUN)
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the result (default: singleout-reproduce).", rich_help_panel=RUN)
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Reproduce the papers' tables and figures on the data available, and show the published numbers next to ours."""
    from singleout.papers import runs
    from singleout.papers.data_sets import Shelf
    from singleout.papers.page import page
    from singleout.papers.registry import experiment, experiments

    output = Output("reproduce", out or OUT, seed, as_json, quiet, files=runs.all_files())
    if data is not None and not data.is_dir():
        raise SourceError("`data` must be a folder that holds the data sets, one folder each.")
    shelf = Shelf(data, quick, richest=richest, seed=seed)
    if not (ids or everything or out):
        _list(shelf, as_json)
        return
    if ids and everything:
        raise InputError("give either IDS or --all, not both.")
    asked = [experiment(name) for name in dict.fromkeys(ids)] if ids else experiments()
    ready = [each for each in asked if each.runs(shelf)]
    skipped = [line for each in asked for line in runs.lacking(each, shelf)]
    if not ready:
        raise SourceError(f"nothing can be run. {' '.join(skipped)}")
    used = dict.fromkeys(
        shelf.file(source) for each in ready for source in each.data if source.file and shelf.has(source)
    )
    output.check(files=used)
    results = []
    for result in runs.run(ready, shelf):
        results.append(result)
        if not (quiet or as_json):
            typer.echo(f"{result}\n")
    about = output.manifest({"ids": [each.id for each in ready], "quick": quick, "richest": richest}, used)
    runs.write(output.folder, results, page(results, skipped), about)
    _show(output, results, skipped)


def _list(shelf: Shelf, as_json: bool) -> None:
    from singleout.papers.registry import experiments

    listed = [
        {
            "id": each.id,
            "title": each.title,
            "data": [{"name": data.name, "label": data.label, "at_hand": shelf.has(data)} for data in each.data],
        }
        for each in experiments()
    ]
    if as_json:
        typer.echo(json.dumps({"experiments": listed}, indent=2))
        return
    rows = []
    for each in experiments():
        needs = ", ".join(f"{data.name} ({_availability(shelf.has(data), data.label)})" for data in each.data)
        rows += [(each.id, each.title), ("", needs)]
    typer.echo("\n".join(align_rows(rows, ":<", ":<")))
    typer.echo(
        "\nRun some by their ids, or all with --all or --out. Real data is looked for in --data or $SINGLEOUT_DATA."
    )


def _availability(there: bool, label: str) -> str:
    return label if there else f"{label}; not available"


def _show(output: Output, results: Sequence[Reproduction], skipped: Sequence[str]) -> None:
    if output.as_json:
        typer.echo(json.dumps({"results": [each.to_dict() for each in results], "skipped": list(skipped)}, indent=2))
        return
    if output.quiet:
        return
    from singleout.papers.result import tally
    from singleout.papers.runs import PAGE

    for line in skipped:
        typer.echo(line)
    held, counted = tally(finding for each in results for finding in each.findings)
    typer.echo(f"{held} of {counted} findings hold. Written to {output.folder}{output.replaced}; open {PAGE}.")
