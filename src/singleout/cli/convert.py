"""The command ``convert``: from the publishers' own files to the data sets that ``reproduce`` looks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from singleout.cli.options import AsJson, Quiet, with_options
from singleout.cli.output import Output
from singleout.cli.reproduce import DataFolder
from singleout.ground.errors import InputError, OutputError, unknown_name
from singleout.ground.files import whole_folder

if TYPE_CHECKING:
    from singleout.papers.originals.files import Converted, DatasetFiles, Original

MOST_DIGESTED = 20
"""Files whose digests go into the manifest; GeoLife has 18,670."""


@with_options
def convert(
    name: Annotated[str | None, typer.Argument(help="geolife, web, snap-checkins, foursquare or census.")] = None,
    source: Annotated[
        Path | None, typer.Argument(help="The original file, or the folder that contains the files.")
    ] = None,
    *,
    data: DataFolder = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Convert a data set from its publisher's files to what reproduce reads; without arguments, list the data sets."""
    from singleout.papers.originals.all import ORIGINALS

    if name is None:
        _list(as_json)
        return
    if name not in ORIGINALS:
        raise unknown_name("convert", "name", name, ORIGINALS)
    chosen = ORIGINALS[name]
    if source is None:
        raise InputError(
            f"give the original files as well: singleout convert {name} SOURCE, where SOURCE is {chosen.given}."
        )
    if data is None:
        raise InputError("`data` must be the folder for data sets. Name it, or set SINGLEOUT_DATA.")
    found = chosen.find(source)
    output = Output("convert", data / found.folder, 0, as_json, quiet, files=chosen.files)
    output.show(_write(chosen, found, output))


def _write(chosen: Original, found: DatasetFiles, output: Output) -> Converted:
    """The data set in its folder, whole or not at all."""
    try:
        output.check(files=found.files)
        inputs = found.files if len(found.files) <= MOST_DIGESTED else ()
        about = output.manifest({"name": chosen.name, "files": len(found.files)}, inputs)
        with whole_folder(output.folder, about, output.files) as folder:
            return chosen.convert(found, folder)
    except OutputError as error:
        error.argument = "data"
        raise


def _list(as_json: bool) -> None:
    from singleout.papers.originals.all import ORIGINALS

    if as_json:
        listed = [
            {"name": each.name, "title": each.title, "public_source": each.public_source, "terms": each.terms}
            | {"source": each.given, "gives": each.gives}
            for each in ORIGINALS.values()
        ]
        typer.echo(json.dumps({"originals": listed}, indent=2))
        return
    for each in ORIGINALS.values():
        typer.echo(f"{each.name:14} {each.title}")
        for what, text in (
            ("from", each.public_source),
            ("terms", each.terms),
            ("SOURCE", each.given),
            ("gives", each.gives),
        ):
            typer.echo(f"{'':14} {what:6} {text}")
    typer.echo("\nNothing is downloaded: get the files yourself, then run: singleout convert NAME SOURCE --data DIR")
