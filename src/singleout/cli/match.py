"""The command ``match``: attack an event log, one attack after another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.attack_options import KNOWN_PAIRS_HELP, CountOptions, SimilarityOptions
from singleout.assessment.options import (
    ATTACK,
    AllowOptions,
    KnownOptions,
    ReadOptions,
    SplitOptions,
)
from singleout.cli.options import WHERE, AsJson, Out, Quiet, Reveal, Seed, parse_share, with_options
from singleout.cli.output import Output
from singleout.cli.sides import input_paths, read_sides

if TYPE_CHECKING:
    from singleout.similarity.registry import Compared


@with_options
def match(
    released: Annotated[str, typer.Argument(help=f"Events to be released, or all events with --split. {WHERE}")],
    known: Annotated[str | None, typer.Argument(help="Events the intruder knows.")] = None,
    *,
    reading: ReadOptions,
    names: KnownOptions,
    allowed: AllowOptions,
    counting: CountOptions,
    splitting: SplitOptions,
    choice: SimilarityOptions,
    known_pairs: Annotated[
        float | None, typer.Option(help=KNOWN_PAIRS_HELP, parser=parse_share, rich_help_panel=ATTACK)
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(min=1, help="For joint matching: make exactly this many pairs.", rich_help_panel=ATTACK),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(
            parser=parse_share,
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

    output = Output("match", out, seed, as_json, quiet, reveal, files=MATCH_FILES)
    output.check(released, known, choice.file_of_levels, files=choice.attack_files)
    compared = _choose(choice)
    column = counting.channel_column
    logs = names.read_logs([each for each in (released, known) if each is not None], reading, column)
    allowed.refuse_distinct(logs[0], {"place": reading.place, "channel": column}, "match")
    sides = [counting.count(part) for part in read_sides(logs, splitting, seed=seed)]
    if choice.coarser_levels is not None:
        choice.coarser_levels.coarser(sides[0])
    label = " and ".join(Path(name).name for name in (released, known) if name)
    joint: dict[str, Any] = {"size": size, "tolerance": tolerance}
    ladder = so.ladder(*sides, similarities=compared, known_pairs=known_pairs or None, seed=seed, label=label, **joint)
    groups = (reading, names, allowed, counting, splitting, choice)
    parameters = {name: value for group in groups for name, value in group.non_defaults().items()} | joint
    parameters |= {"similarities": [each.name for each in compared], "known_pairs": known_pairs}
    output.write_ladder(ladder, parameters, [*input_paths(logs), *choice.attack_files])


def _choose(choice: SimilarityOptions) -> list[Compared]:
    """The similarities named; else the papers', one that compares levels if there are any, and those of a plugin."""
    from singleout.similarity.registry import BUILT_IN, at_levels, registered_by_user

    levels = choice.coarser_levels
    with_levels = () if levels is None else ("evidence_levels",)
    every = (*BUILT_IN, *with_levels, *(each.name for each in registered_by_user()))
    return [at_levels(name, levels) for name in choice.similarities or every]
