"""The command line: parse, call the library, print. Words and defaults are the library's."""

from __future__ import annotations

import io
import json
import os
import secrets
import sys
from dataclasses import asdict
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

import singleout as so
from singleout._audit_command import GATE_FAILED, audit, demo
from singleout._bench import HEADING, machine, missing_solvers, timings
from singleout._bench_tables import HEADING as TABLES_HEADING
from singleout._bench_tables import table_timings
from singleout._bench_topology import HEADING as TOPOLOGY_HEADING
from singleout._bench_topology import topology_timings
from singleout._command import BAD_INPUT, AsJson, Out, Quiet, Reveal, Seed, Told, app, errors_in_words
from singleout._convert import convert
from singleout._linking import link, profiles
from singleout._options import Protecting, Reading, Splitting, grouped, words
from singleout._release import Release, protections, release
from singleout._reproduce import reproduce
from singleout._start import EXIT_OF_SIGNALS, leave
from singleout._variables import Asking, TableReading
from singleout._written import known_parts
from singleout.ground.errors import InputError, OutputError, bad_argument, unknown_name
from singleout.ground.progress import silenced
from singleout.ground.visible import VisibleText
from singleout.report.folder import FILES as MATCH_FILES
from singleout.report.folder import write_documents
from singleout.report.release import KEY, RELEASE_FILES, without_formulas, write_release
from singleout.report.variables import FILES as VARIABLES_FILES
from singleout.report.variables import write_variables
from singleout.weights.registry import BUILT_IN, weight_named

BENCHES = ("matching", "topology", "tables")
PROTECTED = Path("singleout-protected")
COMPARE_FILES = ("frontier.json", "frontier.vl.json")
TOPOLOGY_FILES = ("result.json", "alone.vl.json", "ranks.vl.json", "defences.vl.json")
GUESSED = "who guesses --seed can undo pseudonyms and noise. Leave it out for what you release."


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"singleout {version('singleout')}")
        raise typer.Exit


@app.callback()
def _main_options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options before a command."""


for _command in (demo, audit):
    app.command()(_command)


@app.command()
@grouped
def match(
    released: Annotated[str, typer.Argument(help="Events to be released, or all events with --split. File or glob.")],
    known: Annotated[str | None, typer.Argument(help="Events the intruder knows.")] = None,
    *,
    reading: Reading,
    channel: Annotated[str | None, typer.Option(help="weekday, daypart, or a column: one histogram each.")] = None,
    measure: Annotated[str, typer.Option(help="events, or dwell: seconds until the next record.")] = "events",
    window: Annotated[str | None, typer.Option(help="Daily window, such as 09:00-17:00.")] = None,
    days: Annotated[str | None, typer.Option(help="Only these weekdays, such as monday,tuesday.")] = None,
    whole_window: Annotated[bool, typer.Option("--whole-window", help="Only people seen at both ends of it.")] = False,
    splitting: Splitting,
    weight: Annotated[list[str] | None, typer.Option(help="js, l1, cosine, dot, glrt; repeat for several.")] = None,
    size: Annotated[int | None, typer.Option(min=1, help="Joint: exactly this many pairs.")] = None,
    tolerance: Annotated[float, typer.Option(help="Joint: stop when proven within this share of the best.")] = 0.0,
    out: Out = Path("singleout-out"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Attack your own event log: how many people could be picked out, by which attack."""
    told = Told("match", out, seed, as_json, quiet, reveal, files=MATCH_FILES)
    counting: dict[str, Any] = {"measure": measure, "channel": channel, "whole_window": whole_window}
    when: dict[str, Any] = {"window": _window(window), "days": words(days)}
    joint: dict[str, Any] = {"size": size, "tolerance": tolerance}
    with errors_in_words(told.command), silenced(quiet):
        told.check(released, known)
        weights = [name for given in weight or BUILT_IN for name in given.split(",")]
        for name in weights:
            weight_named(name)
        own_channel = None if channel in ("weekday", "daypart") else channel
        logs = [reading.events(source, own_channel) for source in (released, known) if source is not None]
        sides = [so.histograms(part, **counting, **when) for part in splitting.sides(logs, command="match", seed=seed)]
        label = " and ".join(Path(name).name for name in (released, known) if name)
        ladder = so.ladder(*sides, weights=weights, seed=seed, label=label, **joint)
        parameters = asdict(reading) | asdict(splitting) | counting | joint
        parameters |= {"window": window, "days": days, "weight": weights}
        told.attacked(ladder, parameters, _files(logs))


@app.command()
@grouped
def protect(
    events: Annotated[str, typer.Argument(help="Events to be released. File or glob.")],
    known: Annotated[str | None, typer.Argument(help="For --compare: events the intruder knows.")] = None,
    *,
    reading: Reading,
    protecting: Protecting,
    max_risk: Annotated[
        float | None, typer.Option(help="Write nothing, and exit with 1, if more might be re-identified in the file.")
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Attack again after each; strengths with commas. Releases nothing.")
    ] = False,
    splitting: Splitting,
    repeats: Annotated[int, typer.Option(min=1, help="For --compare: draw noise so many times.")] = 1,
    quote_formulas: Annotated[
        bool, typer.Option("--quote-formulas", help="Put ' before places that begin with =, +, -, @ or '.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the result. [default: singleout-protected, if that is new]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Undoes pseudonyms and noise if guessed: leave it out to release.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Protect an event log: write one row per person and place with the share, under fresh pseudonyms."""
    secret = 0 if compare else secrets.randbits(63)
    drawn = secret if seed is None else seed
    told = Told("protect", out or PROTECTED, drawn, as_json, quiet, files=COMPARE_FILES if compare else RELEASE_FILES)
    with errors_in_words(told.command), silenced(quiet):
        if out is None and told.replaced:
            hint = "name another folder with --out, or this one to replace it"
            raise OutputError(f"out: {PROTECTED} holds an earlier result, and the seed that belongs to it; {hint}.")
        steps = protecting.steps()
        told.check(events, known, files=steps.files)
        logs = [reading.events(source) for source in (events, known) if source is not None]
        parameters = asdict(reading) | protecting.named() | {"quote_formulas": quote_formulas or None}
        inputs = _files(logs) + steps.files
        if compare:
            sides = splitting.sides(logs, command="protect --compare", seed=told.seed)
            inside = logs[0], (*sides, None) if len(logs) == 1 else known_parts(logs[0])
            frontier = so.frontier(*sides, protections(steps), inside=inside, repeats=repeats, seed=told.seed)
            parameters |= asdict(splitting) | {"compare": True, "repeats": repeats}
            documents = {"frontier.json": frontier.as_json(), "frontier.vl.json": so.chart(frontier)}
            write_documents(told.out, documents, told.manifest(parameters, inputs), told.files)
            told.told(frontier)
            return
        if known is not None or splitting != Splitting() or repeats != 1:
            raise InputError("protect: a second file, --split and --repeats go with --compare.")
        if max_risk is not None and not 0 < max_risk < 1:
            raise bad_argument("protect", "max_risk", "between 0 and 1", max_risk)
        result = release(logs[0], steps, told.seed)
        if max_risk is not None:
            _hold_against(result, max_risk)
        files = told.manifest(parameters, inputs)
        table = without_formulas(result.table) if quote_formulas else result.table
        write_release(told.out, {result.name: table, KEY: result.key}, result.as_json(), files)
        told.told(result, f" Release {result.name} only: manifest.json and key.csv say who is who.")
        if seed is not None and not quiet:
            typer.echo(f"warning: {GUESSED}", err=True)


@app.command()
@grouped
def topology(
    events: Annotated[str, typer.Argument(help="Events in time. File or glob.")],
    *,
    reading: Reading,
    top: Annotated[
        list[int] | None, typer.Option(min=1, help="Most visited places; repeat. [default: 10, 200]")
    ] = None,
    kernel: Annotated[
        list[str] | None, typer.Option(help="dsp, dwl, sp, wl, dd, wd, size; repeat. [default: dsp]")
    ] = None,
    min_dwell: Annotated[str | None, typer.Option(help="Leave out shorter visits, such as 15min.")] = None,
    max_gap: Annotated[str, typer.Option(help="Cut where nothing was recorded for longer; none: never.")] = "none",
    edges: Annotated[str, typer.Option(help="induced, or contract: link across places left out.")] = "induced",
    richest: Annotated[int | None, typer.Option(min=2, help="Only this many people, those with most records.")] = None,
    ablations: Annotated[
        bool, typer.Option("--ablations", help="Also: what each choice of the attack is worth.")
    ] = False,
    defences: Annotated[
        bool, typer.Option("--defences", help="Also: noise on networks, privacy against loss.")
    ] = False,
    out: Out = Path("singleout-topology"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Attack the shape of movements: who is found when every place name is removed."""
    told = Told("topology", out, seed, as_json, quiet, files=TOPOLOGY_FILES)
    asked: dict[str, Any] = {"top": top or [10, 200], "kernels": kernel or ["dsp"], "edges": edges}
    asked |= {"min_dwell": min_dwell, "max_gap": max_gap, "richest": richest}
    asked |= {"ablate": ablations, "defend": defences}
    with errors_in_words(told.command), silenced(quiet):
        told.check(events)
        log = reading.events(events)
        found = so.topology(log, label=Path(events).name, seed=seed, **asked)
        documents = {"result.json": found.as_json(), "alone.vl.json": so.chart(found)}
        documents |= {"ranks.vl.json": so.chart(found.attacks)}
        if found.defences is not None:
            documents["defences.vl.json"] = so.chart(found.defences)
        write_documents(out, documents, told.manifest(asdict(reading) | asked, log.files), told.files)
        told.told(found)


@app.command()
@grouped
def variables(
    table: Annotated[str, typer.Argument(help="Records to be released. File or glob.")],
    *,
    asking: Asking,
    reading: TableReading,
    out: Out = Path("singleout-variables"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Annotated[bool, typer.Option("--reveal", help="Tell values of fewer than five people too.")] = False,
) -> None:
    """Find the variables that give people away in a table, beside what an intruder knows."""
    told = Told("variables", out, seed, as_json, quiet, reveal, files=VARIABLES_FILES)
    with errors_in_words(told.command), silenced(quiet):
        told.check(table)
        opened = reading.table(table)
        result = asking.answered(opened, label=Path(table).name, seed=seed, reveal=reveal)
        parameters = asdict(reading) | asdict(asking)
        write_variables(out, result, told.manifest(parameters, opened.files))
        told.told(result, " It holds values of few people." if reveal else "")


@app.command()
def bench(
    what: Annotated[str, typer.Argument(help="What to measure: matching, topology or tables.")],
    people: Annotated[list[int] | None, typer.Option(min=2, help="Made-up people; repeat for several sizes.")] = None,
    hard: Annotated[bool, typer.Option("--hard", help="A third of the people with one place only.")] = False,
    tolerance: Annotated[float, typer.Option(min=0.0, max=0.99, help="Stop when proven within this share.")] = 0.0,
    ours_only: Annotated[bool, typer.Option("--ours-only", help="Leave the other solvers out.")] = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Time it on this machine beside SciPy, lapx, OR-tools, POT, GraKeL (extra 'bench') or DuckDB, where they fit."""
    with errors_in_words("bench"):
        if what not in BENCHES:
            raise unknown_name("bench", "what", what, BENCHES)
        if what != "matching" and (hard or tolerance):
            raise InputError("bench: --hard and --tolerance go with matching.")
        rows, heading, missing = _timed(what, people, hard, tolerance, not ours_only, seed)
        if as_json:
            typer.echo(json.dumps({"machine": machine(), "rows": [row.as_json() for row in rows]}, indent=2))
            return
        typer.echo(f"{machine()}\n{heading}")
        for row in rows:
            typer.echo(row)
        if not ours_only and missing:
            typer.echo(f"Not installed: {', '.join(missing)}. pip install 'singleout[bench]'", err=True)


def _hold_against(result: Release, limit: float) -> None:
    """A file above the limit is not written: nobody should take it for protected."""
    if result.risk.upper > limit:
        above = f"up to {result.risk.upper:.1%} is above --max-risk {limit:.1%}"
        typer.echo(f"{result.risk}\ngate failed: {above}; nothing was written.", err=True)
        raise typer.Exit(GATE_FAILED)


def _timed(what: str, people: list[int] | None, hard: bool, tolerance: float, *rest: Any) -> tuple[Any, str, list[str]]:
    others, seed = rest
    if what == "topology":
        rows = topology_timings(people or [600], others=others, seed=seed)
        return rows, TOPOLOGY_HEADING, [] if find_spec("grakel") else ["GraKeL"]
    if what == "tables":
        return table_timings(people or [100_000], others=others, seed=seed), TABLES_HEADING, []
    sizes = people or [1_000, 4_000, 16_000]
    return timings(sizes, hard=hard, tolerance=tolerance, others=others, seed=seed), HEADING, missing_solvers()


def _files(logs: list[so.Events]) -> tuple[Path, ...]:
    return tuple(file for log in logs for file in log.files)


def _window(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(text.split("-"))


for _command in (link, profiles, reproduce, convert):
    app.command()(_command)


def main() -> None:
    """Run the command line. A terminal that lacks a character shows another in its place."""
    for name in ("stdout", "stderr"):
        # a stream that was closed by the caller is none at all
        stream = getattr(sys, name) or Path(os.devnull).open("w")  # noqa: SIM115 - stays open to the end
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
        setattr(sys, name, VisibleText(stream))
    try:
        app()
    except OutputError as error:  # help and version are printed outside of any command
        sys.stderr.write(f"error: {error}\n")
        sys.exit(BAD_INPUT)
    except SystemExit as ended:
        if isinstance(ended.code, int) and ended.code > EXIT_OF_SIGNALS:
            leave(ended.code)
        raise
