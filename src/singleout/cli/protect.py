"""The command ``protect``: write a protected file, or compare protections."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.options import PROTECTION, REPORT, RUN, ProtectOptions, ReadOptions, SplitOptions
from singleout.cli.errors import GATE_FAILED
from singleout.cli.options import AsJson, Quiet, with_options
from singleout.cli.output import Output
from singleout.cli.sides import input_paths, read_sides
from singleout.ground.errors import InputError, OutputError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from singleout.assessment.release import Release
    from singleout.reading.events import Events

PROTECTED = Path("singleout-protect")
COMPARE_FILES = ("frontier.json", "frontier.vl.json")
GUESSED = "anyone who guesses --seed can undo pseudonyms and noise. Omit it for a release."


@with_options
def protect(
    events: Annotated[str, typer.Argument(help="Events to be released. File or glob.")],
    known: Annotated[str | None, typer.Argument(help="For --compare: events the intruder knows.")] = None,
    *,
    reading: ReadOptions,
    protecting: ProtectOptions,
    splitting: SplitOptions,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Compare protections, several strengths each, and release nothing.",
            rich_help_panel=PROTECTION,
        ),
    ] = False,
    repeats: Annotated[
        int, typer.Option(min=1, help="For --compare: draw noise this many times.", rich_help_panel=PROTECTION)
    ] = 1,
    max_risk: Annotated[
        float | None,
        typer.Option(
            help="Risk limit: write nothing and exit with code 1 if the risk in the file could exceed this.",
            rich_help_panel=REPORT,
        ),
    ] = None,
    quote_formulas: Annotated[
        bool,
        typer.Option(
            "--quote-formulas", help="Put ' before places that begin with =, +, -, @ or '.", rich_help_panel=REPORT
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the result (default: singleout-protect, if it does not exist yet).", rich_help_panel=RUN
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Seed for pseudonyms and noise. Anyone who guesses it can undo both: omit it for a release.",
            rich_help_panel=RUN,
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Protect an event log: write one row per person and place, with a share of events, under new pseudonyms."""
    from singleout.assessment.release import check_protections, release
    from singleout.protection.released_file import without_formulas
    from singleout.report.folder import KEY, RELEASE_FILES, write_release

    drawn = seed if seed is not None else 0 if compare else secrets.randbits(63)
    files = COMPARE_FILES if compare else RELEASE_FILES
    output = Output("protect", out or PROTECTED, drawn, as_json, quiet, files=files)
    if out is None and output.replaced:
        problem = f"{PROTECTED} holds an earlier result, and the seed that belongs to it."
        raise OutputError(problem, argument="out", hint="Name another folder, or this one to replace it.")
    check_protections(protecting, several=compare)
    output.check(events, known, files=protecting.protection_files)
    logs = [reading.read(source) for source in (events, known) if source is not None]
    parameters = reading.non_defaults() | _as_asked(protecting) | ({"quote_formulas": True} if quote_formulas else {})
    inputs = input_paths(logs) + protecting.protection_files
    if compare:
        parameters |= splitting.non_defaults() | {"compare": True, "repeats": repeats}
        _compare(output, logs, (splitting, protecting), repeats, output.manifest(parameters, inputs))
        return
    if known is not None or splitting != SplitOptions() or repeats != 1:
        raise InputError("a second file, `split` and `repeats` require `compare`.")
    if max_risk is not None and not 0 < max_risk < 1:
        raise bad_argument("protect", "max_risk", "between 0 and 1", max_risk)
    result = release(logs[0], protecting, output.seed)
    if max_risk is not None:
        _refuse_above(result, max_risk)
    table = without_formulas(result.table) if quote_formulas else result.table
    manifest = output.manifest(parameters, inputs)
    write_release(output.folder, {result.name: table, KEY: result.key}, result.to_dict(), manifest)
    output.show(result, f" Release only {result.name}: manifest.json and key.csv say who is who.")
    if seed is not None and not quiet:
        typer.echo(f"warning: {GUESSED}", err=True)


def _as_asked(protecting: ProtectOptions) -> dict[str, Any]:
    """What was asked for; files by name, never by path."""
    given = protecting.non_defaults()
    return given | ({"hierarchy": Path(given["hierarchy"]).name} if "hierarchy" in given else {})


def _compare(
    output: Output,
    logs: Sequence[Events],
    options: tuple[SplitOptions, ProtectOptions],
    repeats: int,
    manifest: dict[str, Any],
) -> None:
    """Attack again after each protection, at each strength."""
    import singleout as so
    from singleout.assessment.release import protections
    from singleout.assessment.written_file import inside_knowledge
    from singleout.report.folder import write_documents

    splitting, protecting = options
    sides = read_sides(logs, splitting, seed=output.seed)
    inside = inside_knowledge(logs, sides)
    found = so.frontier(*sides, protections(protecting), inside=inside, repeats=repeats, seed=output.seed)
    documents = {"frontier.json": found.to_dict(), "frontier.vl.json": so.chart(found)}
    write_documents(output.folder, documents, manifest, output.files)
    output.show(found)


def _refuse_above(result: Release, limit: float) -> None:
    """A file above the limit is not written: nobody should take it for protected."""
    if result.risk.upper > limit:
        above = f"up to {result.risk.upper:.1%} is above --max-risk {limit:.1%}"
        typer.echo(f"{result.risk}\ngate failed: {above}; nothing was written.", err=True)
        raise typer.Exit(GATE_FAILED)
