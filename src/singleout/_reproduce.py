"""The command ``reproduce``: list the papers' tables and figures, run them again, write them side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import pyarrow.csv
import typer

from singleout._command import AsJson, Quiet, Seed, Told, errors_in_words
from singleout.ground.errors import InputError, SourceError
from singleout.ground.files import whole_folder, write_json
from singleout.ground.progress import silenced, stage
from singleout.papers import (  # noqa: F401 - they list themselves
    manousakas_2018,
    manousakas_2018_anonymity,
    manousakas_2018_attack,
    naini_2016,
    naini_2016_places,
    naini_2016_subsets,
    ramachandran_2012,
    ramachandran_2012_profiles,
    ramachandran_2012_variables,
    unnikrishnan_naini_2013,
    unnikrishnan_naini_2013_theory,
)
from singleout.papers.page import page
from singleout.papers.pictures import vega_lite
from singleout.papers.registry import Experiment, experiment, experiments
from singleout.papers.result import Reproduction, tally
from singleout.papers.shelf import Shelf

PAGE = "index.html"
OUT = Path("singleout-papers")


def reproduce(
    ids: Annotated[
        list[str] | None, typer.Argument(help="Such as naini-table2. Without ids and --out: a list.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Run all; so does --out without ids.")] = False,
    data: Annotated[
        Path | None, typer.Option(envvar="SINGLEOUT_DATA", help="Folder of data sets, one folder each.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer synthetic people and draws.")] = False,
    richest: Annotated[
        int | None, typer.Option(min=2, help="Networks: only this many people of each log, those with most records.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write to (singleout-papers).")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run the papers' tables and figures again, their numbers beside ours, on the data at hand."""
    told = Told("reproduce", out or OUT, seed, as_json, quiet, files=_all_files())
    with errors_in_words(told.command), silenced(quiet):
        if data is not None and not data.is_dir():
            raise SourceError("reproduce: data must be a folder that holds the data sets, one folder each.")
        shelf = Shelf(data, quick, richest=richest, seed=seed)
        if not (ids or everything or out):
            _list(shelf, as_json)
            return
        if ids and everything:
            raise InputError("reproduce: ids go without --all.")
        asked = [experiment(name) for name in dict.fromkeys(ids)] if ids else experiments()
        ready = [each for each in asked if each.runs(shelf)]
        skipped = [line for each in asked for line in _lacking(each, shelf)]
        if not ready:
            raise SourceError(f"reproduce: nothing can be run. {' '.join(skipped)}")
        used = dict.fromkeys(
            shelf.file(source) for each in ready for source in each.data if source.file and shelf.has(source)
        )
        told.check(files=used)
        results = _run(ready, shelf, told)
        about = told.manifest({"ids": [each.id for each in ready], "quick": quick, "richest": richest}, used)
        _write(told, results, page(results, skipped), about)
        _tell(told, results, skipped)


def _lacking(each: Experiment, shelf: Shelf) -> list[str]:
    """What is left out of a table or figure, and what to get for it."""
    whole = "skipped" if not each.runs(shelf) else "without it"
    return [f"{each.id} {whole}: needs {data.file} in --data ({data.get})." for data in each.missing(shelf)]


def _list(shelf: Shelf, as_json: bool) -> None:
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
    for each in experiments():
        needs = ", ".join(f"{data.name} ({_at_hand(shelf.has(data), data.label)})" for data in each.data)
        typer.echo(f"{each.id:14} {each.title}\n{'':14} {needs}")
    typer.echo(
        "\nRun some by their ids, or all with --all or --out. Real data is looked for in --data or $SINGLEOUT_DATA."
    )


def _at_hand(there: bool, label: str) -> str:
    return label if there else f"{label}; not at hand"


def _run(ready: Sequence[Experiment], shelf: Shelf, told: Told) -> list[Reproduction]:
    results = []
    for number, each in enumerate(ready, 1):
        with stage(f"{each.id} ({number} of {len(ready)})"):
            results.append(each.run(shelf))
        if not (told.quiet or told.as_json):
            typer.echo(f"{results[-1]}\n")
    return results


def _documents(results: Sequence[Reproduction]) -> dict[str, Any]:
    """Numbers of each and, where it is a curve, a picture."""
    documents: dict[str, Any] = {f"{each.id}.json": each.as_json() for each in results}
    drawn = {f"{each.id}.vl.json": vega_lite(each) for each in results}
    return documents | {name: picture for name, picture in drawn.items() if picture is not None}


def _all_files() -> frozenset[str]:
    """Every file that the command may write, whichever tables and figures are asked for."""
    endings = (".json", ".vl.json", ".csv")
    return frozenset({PAGE, *(f"{each.id}{ending}" for each in experiments() for ending in endings)})


def _write(told: Told, results: Sequence[Reproduction], text: str, manifest: dict[str, object]) -> None:
    """For each a table, numbers and a picture; one page with all; whole or not at all."""
    with whole_folder(told.out, manifest, told.files) as folder:
        for name, document in _documents(results).items():
            write_json(folder / name, document)
        for each in results:
            pyarrow.csv.write_csv(each.to_arrow(), folder / f"{each.id}.csv")
        (folder / PAGE).write_text(text, encoding="utf-8")


def _tell(told: Told, results: Sequence[Reproduction], skipped: Sequence[str]) -> None:
    if told.as_json:
        typer.echo(json.dumps({"results": [each.as_json() for each in results], "skipped": list(skipped)}, indent=2))
        return
    if told.quiet:
        return
    for line in skipped:
        typer.echo(line)
    held, counted = tally(finding for each in results for finding in each.findings)
    typer.echo(f"{held} of {counted} findings hold. Written to {told.out}{told.replaced}; open {PAGE}.")
