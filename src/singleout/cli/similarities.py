"""The command ``similarities``: list what attacks can compare people by."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from singleout.assessment.attack_options import PLUGIN_HELP
from singleout.assessment.options import ATTACK
from singleout.cli.options import AsJson


def similarities(
    plugin: Annotated[str | None, typer.Option(help=PLUGIN_HELP, metavar="FILE", rich_help_panel=ATTACK)] = None,
    as_json: AsJson = False,
) -> None:
    """List the similarities that attacks can use, with your own."""
    import singleout as so
    from singleout.similarity.plugins import load_plugin

    if plugin is not None:
        load_plugin(plugin)
    found = so.similarities()
    typer.echo(json.dumps(found.to_dict(), indent=2) if as_json else str(found))
