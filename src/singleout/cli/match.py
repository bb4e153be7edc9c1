"""The command ``match``: attack an event log, one attack after another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.options import (
    ATTACK,
    DATA,
    KNOWN_PAIRS_HELP,
    LEVELS_HELP,
    LEVELS_WORD,
    PLUGIN_HELP,
    ReadOptions,
    SplitOptions,
    file_of_levels,
)
from singleout.cli.options import AsJson, Out, Quiet, Reveal, Seed, with_options
from singleout.cli.output import Output
from singleout.cli.sides import input_paths, own_files, read_sides, words
from singleout.ground.errors import InputError

if TYPE_CHECKING:
    from singleout.similarity.registry import Compared
    from singleout.statistics.histograms import Histograms
    from singleout.statistics.levels import Levels


@with_options
def match(
    released: Annotated[str, typer.Argument(help="Events to be released, or all events with --split. File or glob.")],
    known: Annotated[str | None, typer.Argument(help="Events the intruder knows.")] = None,
    *,
    reading: ReadOptions,
    channel: Annotated[
        str | None,
        typer.Option(help="Count separately by weekday, daypart, or the values of a column.", rich_help_panel=DATA),
    ] = None,
    measure: Annotated[
        str,
        typer.Option(help="What to count: events, or dwell (seconds until the next record).", rich_help_panel=DATA),
    ] = "events",
    window: Annotated[str | None, typer.Option(help="Daily window, such as 09:00-17:00.", rich_help_panel=DATA)] = None,
    weekdays: Annotated[
        str | None, typer.Option(help="Only these weekdays, such as monday,tuesday.", rich_help_panel=DATA)
    ] = None,
    whole_window: Annotated[
        bool, typer.Option("--whole-window", help="Only people seen at both ends of the window.", rich_help_panel=DATA)
    ] = False,
    splitting: SplitOptions,
    similarities: Annotated[
        str | None,
        typer.Option(
            help="Similarities to use, such as evidence (see docs/methods.md; default: js,l1,cosine,dot,glrt).",
            metavar="A,B,…",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    levels: Annotated[str | None, typer.Option(help=LEVELS_HELP, metavar=LEVELS_WORD, rich_help_panel=ATTACK)] = None,
    plugin: Annotated[str | None, typer.Option(help=PLUGIN_HELP, metavar="FILE", rich_help_panel=ATTACK)] = None,
    known_pairs: Annotated[float | None, typer.Option(help=KNOWN_PAIRS_HELP, rich_help_panel=ATTACK)] = None,
    size: Annotated[
        int | None,
        typer.Option(min=1, help="For joint matching: make exactly this many pairs.", rich_help_panel=ATTACK),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(
            help="For joint matching: stop once the matching is proven to be within this share of the optimum.",
            rich_help_panel=ATTACK,
        ),
    ] = 0.0,
    out: Out = Path("singleout-match"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Attack your own event log: how many people could be re-identified, by which attack."""
    import singleout as so
    from singleout.report.folder import MATCH_FILES
    from singleout.statistics.levels import Levels as PlaceLevels

    output = Output("match", out, seed, as_json, quiet, reveal, files=MATCH_FILES)
    coarser = None if levels is None else words(levels)
    places = file_of_levels(coarser)
    output.check(released, known, places, files=own_files(plugin))
    asked = None if coarser is None else PlaceLevels.parse(coarser)
    compared = _choose(similarities, plugin, asked)
    own_channel = None if channel in ("weekday", "daypart") else channel
    logs = [reading.read(source, own_channel) for source in (released, known) if source is not None]
    counting: dict[str, Any] = {"measure": measure, "channel": channel, "whole_window": whole_window}
    hours = None if window is None else tuple(window.split("-"))
    when: dict[str, Any] = {"window": hours, "days": weekdays and words(weekdays)}
    sides = [so.histograms(part, **counting, **when) for part in read_sides(logs, splitting, seed=seed)]
    if asked is not None:
        _check_levels(asked, compared, sides[0])
    label = " and ".join(Path(name).name for name in (released, known) if name)
    joint: dict[str, Any] = {"size": size, "tolerance": tolerance}
    ladder = so.ladder(*sides, similarities=compared, known_pairs=known_pairs or None, seed=seed, label=label, **joint)
    parameters = reading.non_defaults() | splitting.non_defaults() | counting | joint
    parameters |= {
        "window": window,
        "weekdays": weekdays,
        "similarities": [each.name for each in compared],
        "known_pairs": known_pairs,
    }
    parameters |= {"plugin": plugin and Path(plugin).name}
    parameters |= {"levels": coarser and [Path(each).name for each in coarser]}
    output.write_ladder(ladder, parameters, [*input_paths(logs), *own_files(places), *own_files(plugin)])


def _choose(similarities: str | None, plugin: str | None, levels: Levels | None) -> list[Compared]:
    """The similarities named; else the papers', one that compares levels if there are any, and those of a plugin."""
    from singleout.similarity.plugins import load_plugin
    from singleout.similarity.registry import BUILT_IN, at_levels, registered_by_user

    if plugin is not None:
        load_plugin(plugin)
    with_levels = () if levels is None else ("evidence_levels",)
    every = (*BUILT_IN, *with_levels, *(each.name for each in registered_by_user()))
    return [at_levels(name, levels) for name in (every if similarities is None else words(similarities))]


def _check_levels(levels: Levels, compared: Sequence[Compared], side: Histograms) -> None:
    """Refuse levels that nothing compares, or that the places do not have."""
    if all(each.levels is None for each in compared):
        raise InputError("`levels` requires `similarities` to include evidence_levels, which compares them.")
    levels.coarser(side)
