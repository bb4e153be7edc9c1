"""The command ``protect``: write a protected file, or compare protections."""

from __future__ import annotations

import secrets
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.options import PROTECTION, REPORT, RUN, SplitOptions
from singleout.assessment.release_options import ReleaseOptions
from singleout.cli.errors import GATE_FAILED
from singleout.cli.options import WHERE, AsJson, Quiet, with_options
from singleout.cli.output import Output
from singleout.cli.protect_table import compare_tables, protect_file
from singleout.cli.sides import input_paths, read_sides
from singleout.ground.errors import InputError, OutputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from singleout.assessment.release import Release
    from singleout.reading.events import Events

PROTECTED = Path("singleout-protect")
SPLITTING = tuple(each.name for each in fields(SplitOptions))
COMPARE_FILES = ("frontier.json", "frontier.vl.json")
WHOLE = (
    "To attack the file with all of these events, which may find more people than half of them, with a page to keep: "
)
GUESSED = "anyone who guesses --seed can undo pseudonyms and noise. Omit it for a release."


@with_options
def protect(
    source: Annotated[str, typer.Argument(help=f"Event log or table to be released. {WHERE}")],
    known: Annotated[str | None, typer.Argument(help="For --compare: events the intruder knows.")] = None,
    *,
    asked: ReleaseOptions,
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
    quote_formulas: Annotated[
        bool,
        typer.Option(
            "--quote-formulas", help="Put ' before text that begins with =, +, -, @ or '.", rich_help_panel=REPORT
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
    reveal: Annotated[
        bool,
        typer.Option("--reveal", help="For tables: also write which values were combined.", rich_help_panel=RUN),
    ] = False,
) -> None:
    """Protect an event log or a table: write a file that meets your limits, and measure the risk in that file.

    Of an event log: one row per person and place, with a share of events, under new pseudonyms. Of a table: the same
    rows and columns, with known columns as coarse as needed.
    """
    from singleout.report.folder import RELEASE_FILES

    drawn = seed if seed is not None else 0 if compare or asked.known_columns else secrets.randbits(63)
    files = COMPARE_FILES if compare else RELEASE_FILES
    own = reveal if asked.known_columns and not compare else None
    output = Output("protect", out or PROTECTED, drawn, as_json, quiet, own, files=files)
    if out is None and output.replaced:
        problem = f"{PROTECTED} holds an earlier result, and the seed that belongs to it."
        raise OutputError(problem, argument="out", hint="Name another folder, or this one to replace it.")
    if asked.known_columns is None and reveal:
        raise InputError("`reveal` applies only to tables; leave it out.")
    chosen = {"quote_formulas": quote_formulas or None}
    if asked.known_columns is not None:
        if known is not None or repeats != 1:
            raise InputError("a second file and `repeats` apply only to event logs; leave them out.")
        output.check(source, files=asked.protection_files)
        step = compare_tables if compare else protect_file
        step(output, source, asked, chosen)
        return
    logs = _read_logs(output, source, known, asked, compare)
    inputs = [*input_paths(logs), *asked.protection_files]
    if compare:
        more = {"compare": True, "repeats": repeats}
        _compare(output, logs, asked, repeats, output.manifest(asked.non_defaults() | chosen | more, inputs))
        return
    if known is not None or repeats != 1 or any(name in asked.non_defaults() for name in SPLITTING):
        raise InputError("a second file, `split` and `repeats` require `compare`.")
    _protect_log(output, source, logs[0], asked, chosen, inputs)
    if seed is not None:
        output.warn(GUESSED)


def _read_logs(output: Output, source: str, known: str | None, asked: ReleaseOptions, compare: bool) -> list[Events]:
    from singleout.assessment.release import check_protections

    check_protections(asked, several=compare)
    output.check(source, known, files=asked.protection_files)
    logs = asked.read_logs([each for each in (source, known) if each is not None], asked)
    asked.refuse_distinct(logs[0], {"place": asked.place}, "protect")
    return logs


def _protect_log(
    output: Output, source: str, log: Events, asked: ReleaseOptions, chosen: dict[str, Any], inputs: Sequence[Path]
) -> None:
    """Write the protected file and the key to it, unless its risk is above the limit."""
    from singleout.assessment.release import release
    from singleout.protection.released_file import without_formulas
    from singleout.report.folder import KEY, write_release

    result = release(log, asked, output.seed)
    if asked.max_risk is not None:
        _refuse_above(result, asked.max_risk)
    table = without_formulas(result.table) if chosen["quote_formulas"] else result.table
    manifest = output.manifest(asked.non_defaults() | chosen, inputs)
    write_release(output.folder, {result.name: table, KEY: result.key}, result.to_dict(), manifest)
    again = _verify_command(output.folder, result.name, source, asked)
    output.show(result, f" Release only {result.name}: manifest.json and key.csv say who is who.\n{again}")


def _verify_command(folder: Path, name: str, source: str, asked: ReleaseOptions) -> str:
    """How to measure the file again, with a page; what an intruder can repeat is said again."""
    from singleout.assessment.command_lines import command_line, flags_of
    from singleout.assessment.file_names import as_typed
    from singleout.assessment.verify_options import VerifyOptions
    from singleout.report.folder import KEY

    said = {each.name for each in fields(VerifyOptions)} - {"seed"}
    flags = "--key", str(folder / KEY), *flags_of(asked, said)
    return f"{WHOLE}{command_line('verify', [str(folder / name), as_typed(source)], *flags)}"


def _compare(
    output: Output,
    logs: Sequence[Events],
    asked: ReleaseOptions,
    repeats: int,
    manifest: dict[str, Any],
) -> None:
    """Attack again after each protection, at each strength."""
    import singleout as so
    from singleout.assessment.inside_knowledge import inside_knowledge
    from singleout.assessment.release import protections
    from singleout.report.folder import write_documents

    sides = read_sides(logs, asked.splitting(), seed=output.seed)
    inside = inside_knowledge(logs, sides)
    found = so.frontier(*sides, protections(asked), inside=inside, repeats=repeats, seed=output.seed)
    documents = {"frontier.json": found.to_dict(), "frontier.vl.json": so.chart(found)}
    write_documents(output.folder, documents, manifest, output.files)
    output.show(found)


def _refuse_above(result: Release, limit: float) -> None:
    """A file above the limit is not written: nobody should take it for protected."""
    from singleout.ground.numbers import percent, percent_above

    if result.risk.upper > limit:
        upper = percent_above(result.risk.upper, limit)
        above = f"up to {upper} could be re-identified; the risk limit (--max-risk) is {percent(limit)}"
        typer.echo(f"{result.risk}\ngate failed: {above}. Nothing was written.", err=True)
        raise typer.Exit(GATE_FAILED)
