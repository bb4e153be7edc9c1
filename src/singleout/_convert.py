"""The command ``convert``: from the publishers' own files to the data sets that ``reproduce`` looks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from singleout._command import AsJson, Quiet, Told, errors_in_words
from singleout.ground.errors import InputError, OutputError, unknown_name
from singleout.ground.files import whole_folder
from singleout.ground.progress import silenced
from singleout.papers.original_census import CENSUS
from singleout.papers.original_events import FOURSQUARE, GEOLIFE, SNAP_CHECKINS, WEB
from singleout.papers.originals import Converted, Found, Original

ORIGINALS = {each.name: each for each in (GEOLIFE, WEB, SNAP_CHECKINS, FOURSQUARE, CENSUS)}

MOST_DIGESTED = 20
"""Files whose digests go into the manifest; GeoLife has 18,670."""


def convert(
    name: Annotated[str | None, typer.Argument(help="geolife, web, snap-checkins, foursquare or census.")] = None,
    source: Annotated[Path | None, typer.Argument(help="The original file, or the folder of them.")] = None,
    *,
    data: Annotated[
        Path | None, typer.Option(envvar="SINGLEOUT_DATA", help="Folder of data sets; the new one goes there.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Convert a data set from its publisher's files to what reproduce reads; without arguments, list them."""
    with errors_in_words("convert"), silenced(quiet):
        if name is None:
            _list(as_json)
            return
        if name not in ORIGINALS:
            raise unknown_name("convert", "name", name, ORIGINALS)
        chosen = ORIGINALS[name]
        if source is None:
            raise InputError(f"convert: name the original after {name}: {chosen.given}.")
        if data is None:
            raise InputError("convert: data must be the folder for data sets. Name it, or set SINGLEOUT_DATA.")
        found = chosen.find(source)
        told = Told("convert", data / found.folder, 0, as_json, quiet, files=chosen.files)
        told.told(_written(chosen, found, told))


def _written(chosen: Original, found: Found, told: Told) -> Converted:
    """The data set in its folder, whole or not at all."""
    try:
        told.check(files=found.files)
        inputs = found.files if len(found.files) <= MOST_DIGESTED else ()
        about = told.manifest({"name": chosen.name, "files": len(found.files)}, inputs)
        with whole_folder(told.out, about, told.files) as folder:
            return chosen.convert(found, folder)
    except OutputError as error:
        raise OutputError(str(error).replace("out:", "data:", 1)) from error


def _list(as_json: bool) -> None:
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
    typer.echo("\nGet the files yourself, nothing is downloaded; then: singleout convert NAME SOURCE --data DIR")
