"""The command line: parse, call the library, print. Words and defaults are the library's."""

from __future__ import annotations

import io
import json
import secrets
import sys
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import singleout as so
from singleout._bench import BENCHES, HEADING, machine, missing_solvers, timings
from singleout._linking import link, profiles
from singleout._options import (
    INTERRUPTED,
    AsJson,
    Encoding,
    Out,
    Quiet,
    Reveal,
    Seed,
    errors_in_words,
    words,
)
from singleout._release import Steps, release
from singleout._variables import variables
from singleout.ground.errors import InputError, unknown_name
from singleout.ground.files import check_target, manifest
from singleout.ground.progress import silenced
from singleout.reading.demo import demo_data
from singleout.report.folder import FILES, write_result
from singleout.report.model import Ladder
from singleout.report.release import write_release
from singleout.report.terminal import show
from singleout.weights.registry import BUILT_IN, weight_named

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="How many people in your data could be picked out, who, why, and what would protect them.",
)

User = Annotated[str, typer.Option(help="Column of people.")]
Place = Annotated[str | None, typer.Option(help="Column of places.")]
Time = Annotated[str | None, typer.Option("--time", help="Column of times.")]
TimeUnit = Annotated[str, typer.Option(help="Unit of numeric times: s, ms, us, ns.")]
Timezone = Annotated[str, typer.Option(help="Zone of the clock that weeks and days follow.")]
Lat = Annotated[str | None, typer.Option(help="Column of latitudes.")]
Lng = Annotated[str | None, typer.Option(help="Column of longitudes.")]
Scale = Annotated[float, typer.Option(help="Degrees are the column's value times this.")]
Cells = Annotated[float | None, typer.Option(help="Side of a square cell in metres.")]
Box = Annotated[str | None, typer.Option(help="LAT,LNG,SIDE: centre and side in metres of a square.")]
Count = Annotated[str | None, typer.Option(help="Column of how often an event happened.")]


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


@dataclass(frozen=True)
class Told:
    """Where a command's result goes and what is said on the way."""

    command: str
    out: Path
    seed: int
    as_json: bool
    quiet: bool
    reveal: bool
    parameters: dict[str, Any]

    def tell(self, ladder: Ladder, inputs: tuple[Path, ...], started: float) -> None:
        """Write the folder, then print."""
        document = manifest(
            command=self.command,
            parameters=self.parameters,
            inputs=inputs,
            files=FILES,
            seed=self.seed,
            seconds=time.perf_counter() - started,
            reveal=self.reveal,
        )
        write_result(self.out, ladder, document, reveal=self.reveal)
        if self.as_json:
            typer.echo(json.dumps(ladder.as_json(), indent=2, allow_nan=False))
        elif not self.quiet:
            console = Console()
            show(ladder, console)
            revealed = " with the ids of people" if self.reveal else ""
            console.print(f"\nWritten to {self.out}{revealed}", markup=False, highlight=False, soft_wrap=True)
        if ladder.interrupted:
            gap = ladder.matching.relative_gap
            typer.echo(
                f"interrupted: wrote what there was, its matching proven within {gap:.2%} of the best.", err=True
            )
            raise typer.Exit(INTERRUPTED)


@app.command()
def demo(
    out: Out = Path("singleout-demo"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Attack a year of real purchases (extra 'demo'), or made-up calls without it. Needs no file."""
    told = Told("demo", out, seed, as_json, quiet, reveal, {})
    with errors_in_words(), silenced(quiet):
        started = time.perf_counter()
        check_target(out)
        data = demo_data(seed)
        released, known = (so.histograms(part) for part in so.split(data.events, by=data.split))
        ladder = so.ladder(released, known, seed=seed, label=data.label, synthetic=data.synthetic)
        told.tell(ladder, data.events.files, started)


@app.command()
def match(
    released: Annotated[str, typer.Argument(help="Events to be released, or all events with --split. File or glob.")],
    known: Annotated[str | None, typer.Argument(help="Events the intruder knows.")] = None,
    user: User = ...,  # type: ignore[assignment]
    place: Place = None,
    time_column: Time = None,
    time_unit: TimeUnit = "s",
    timezone: Timezone = "UTC",
    lat: Lat = None,
    lng: Lng = None,
    coordinate_scale: Scale = 1.0,
    grid: Cells = None,
    box: Box = None,
    count: Count = None,
    channel: Annotated[str | None, typer.Option(help="weekday, daypart, or a column: one histogram each.")] = None,
    encoding: Encoding = "utf-8",
    measure: Annotated[str, typer.Option(help="events, or dwell: seconds until the next record.")] = "events",
    window: Annotated[str | None, typer.Option(help="Daily window, such as 09:00-17:00.")] = None,
    days: Annotated[str | None, typer.Option(help="Only these weekdays, such as monday,tuesday.")] = None,
    whole_window: Annotated[bool, typer.Option("--whole-window", help="Only people seen at both ends of it.")] = False,
    split: Annotated[str | None, typer.Option(help="halves, weeks, dates or point: make two parts of one log.")] = None,
    week_start: Annotated[str, typer.Option(help="For halves: the day on which weeks start.")] = "monday",
    longer_first: Annotated[bool, typer.Option("--longer-first", help="For halves: an odd week goes first.")] = False,
    dates: Annotated[str | None, typer.Option(help="For dates: START,MIDDLE,END.")] = None,
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
    parameters = {
        name: value
        for name, value in locals().items()
        if value is not None and name not in ("released", "known", "out", "seed", "as_json", "quiet", "reveal")
    }
    told = Told("match", out, seed, as_json, quiet, reveal, parameters)
    with errors_in_words(), silenced(quiet):
        started = time.perf_counter()
        check_target(out)
        if (known is None) == (split is None):
            raise InputError("match: give either a second file, or --split halves (weeks, dates, point) for one file.")
        _refuse_idle(split, dates, week_start, longer_first)
        weights = [name for given in weight or BUILT_IN for name in given.split(",")]
        for name in weights:
            weight_named(name)
        own_channel = None if channel in ("weekday", "daypart") else channel
        columns = {"user": user, "place": place, "time": time_column, "lat": lat, "lng": lng, "count": count}
        reading: dict[str, Any] = columns | {
            "time_unit": time_unit,
            "timezone": timezone,
            "coordinate_scale": coordinate_scale,
        }
        reading |= {"grid": grid, "box": _numbers("box", box), "channel": own_channel, "encoding": encoding}
        logs = [so.read_events(source, **reading) for source in (released, known) if source is not None]
        files = tuple(file for log in logs for file in log.files)
        if split is not None:
            rule: dict[str, Any] = {
                "week_start": week_start,
                "longer_first": longer_first,
                "dates": words(dates),
                "seed": seed,
            }
            logs = list(so.split(logs[0], by=split, **rule))
        counting: dict[str, Any] = {
            "measure": measure,
            "window": _window(window),
            "days": words(days),
            "channel": channel,
        }
        counting |= {"whole_window": whole_window}
        sides = [so.histograms(log, **counting) for log in logs]
        label = " and ".join(Path(name).name for name in (released, known) if name)
        joint: dict[str, Any] = {"size": size, "tolerance": tolerance}
        told.tell(so.ladder(*sides, weights=weights, seed=seed, label=label, **joint), files, started)


@app.command()
def protect(
    events: Annotated[str, typer.Argument(help="Events to be released. File or glob.")],
    user: User = ...,  # type: ignore[assignment]
    place: Place = None,
    time_column: Time = None,
    time_unit: TimeUnit = "s",
    timezone: Timezone = "UTC",
    lat: Lat = None,
    lng: Lng = None,
    coordinate_scale: Scale = 1.0,
    grid: Cells = None,
    box: Box = None,
    count: Count = None,
    encoding: Encoding = "utf-8",
    shorten: Annotated[int | None, typer.Option(help="Keep each person's first so many days with events.")] = None,
    coarsen: Annotated[str | None, typer.Option(help="Larger cells in metres, or a hierarchy file of places.")] = None,
    level: Annotated[str | None, typer.Option(help="For --coarsen: the column of the file to go to.")] = None,
    keep: Annotated[int | None, typer.Option(help="Keep only so many of the most popular places.")] = None,
    min_people: Annotated[int | None, typer.Option(help="Leave out places with fewer visitors.")] = None,
    microaggregate: Annotated[int | None, typer.Option(help="Everyone the mean of a cluster of so many.")] = None,
    noise: Annotated[float | None, typer.Option(help="Noise on every count: epsilon, protecting one event.")] = None,
    max_total: Annotated[int | None, typer.Option(help="For --noise: protect a person, cut to so many events.")] = None,
    out: Out = Path("singleout-protected"),
    seed: Annotated[
        int | None, typer.Option(min=0, help="Draws pseudonyms and noise; a secret one if left out.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Protect an event log: write one row per person and place with the share, under fresh pseudonyms."""
    chosen: dict[str, Any] = {
        "shorten": shorten,
        "coarsen": coarsen,
        "level": level,
        "keep": keep,
        "min_people": min_people,
    }
    chosen |= {"microaggregate": microaggregate, "noise": noise, "max_total": max_total}
    with errors_in_words(), silenced(quiet):
        started = time.perf_counter()
        check_target(out)
        columns = {"user": user, "place": place, "time": time_column, "lat": lat, "lng": lng, "count": count}
        reading: dict[str, Any] = columns | {"time_unit": time_unit, "timezone": timezone, "encoding": encoding}
        reading |= {"coordinate_scale": coordinate_scale, "grid": grid, "box": _numbers("box", box)}
        log = so.read_events(events, **reading)
        drawn = secrets.randbits(63) if seed is None else seed
        result = release(log, Steps(**chosen), drawn)
        parameters = {name: value for name, value in (reading | chosen).items() if value is not None}
        document = manifest(
            command="protect",
            parameters=parameters,
            inputs=log.files,
            files=[result.name],
            seed=drawn,
            seconds=time.perf_counter() - started,
            reveal=False,
        )
        write_release(out, result.table, result.name, document)
        if as_json:
            typer.echo(json.dumps(result.as_json(), indent=2, allow_nan=False))
        elif not quiet:
            typer.echo(f"{result}\nWritten to {out}. Release {result.name} only: manifest.json holds the seed.")


@app.command()
def bench(
    what: Annotated[str, typer.Argument(help="What to measure: matching.")],
    people: Annotated[list[int] | None, typer.Option(min=2, help="Made-up callers; repeat for several sizes.")] = None,
    hard: Annotated[bool, typer.Option("--hard", help="A third of the people with one place only.")] = False,
    tolerance: Annotated[float, typer.Option(min=0.0, max=0.99, help="Stop when proven within this share.")] = 0.0,
    ours_only: Annotated[bool, typer.Option("--ours-only", help="Leave the other solvers out.")] = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Time joint matching on this machine, beside SciPy, lapx, OR-tools and POT (extra 'bench') where they fit."""
    with errors_in_words():
        if what not in BENCHES:
            raise unknown_name("bench", "what", what, BENCHES)
        sizes = people or [1_000, 4_000, 16_000]
        rows = timings(sizes, hard=hard, tolerance=tolerance, others=not ours_only, seed=seed)
        if as_json:
            typer.echo(json.dumps({"machine": machine(), "rows": [row.as_json() for row in rows]}, indent=2))
            return
        typer.echo(f"{machine()}\n{HEADING}")
        for row in rows:
            typer.echo(row)
        if not ours_only and missing_solvers():
            typer.echo(f"Not installed: {', '.join(missing_solvers())}. pip install 'singleout[bench]'", err=True)


def _refuse_idle(split: str | None, dates: str | None, week_start: str, longer_first: bool) -> None:
    """Options that would be passed over without a word."""
    if dates is not None and split != "dates":
        raise InputError("match: --dates goes with --split dates.")
    if (week_start != "monday" or longer_first) and split != "halves":
        raise InputError("match: --week-start and --longer-first go with --split halves.")


def _numbers(option: str, text: str | None) -> tuple[float, ...] | None:
    try:
        return None if text is None else tuple(float(word) for word in text.split(","))
    except ValueError as error:
        raise InputError(f"--{option} must be numbers with commas between them, got {text!r}.") from error


def _window(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(text.split("-"))


for _command in (variables, link, profiles):
    app.command()(_command)


def main() -> None:
    """Run the command line. A terminal that lacks a character shows another in its place."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()
