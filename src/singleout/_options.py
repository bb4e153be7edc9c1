"""Options that several commands share, each group written down once.

A command takes a group as one argument; ``grouped`` turns its fields into options of their own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import asdict, dataclass, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from singleout._release import Steps
from singleout.ground.errors import InputError
from singleout.reading.events import Events, read_events
from singleout.reading.split import split


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The columns of an event log, and how to read them."""

    user: Annotated[str, typer.Option(help="Column of people.")]
    place: Annotated[str | None, typer.Option(help="Column of places.")] = None
    time: Annotated[str | None, typer.Option(help="Column of times.")] = None
    time_unit: Annotated[str, typer.Option(help="Unit of numeric times: s, ms, us, ns.")] = "s"
    timezone: Annotated[str, typer.Option(help="Zone of the clock that weeks and days follow.")] = "UTC"
    lat: Annotated[str | None, typer.Option(help="Column of latitudes.")] = None
    lng: Annotated[str | None, typer.Option(help="Column of longitudes.")] = None
    coordinate_scale: Annotated[float, typer.Option(help="Degrees are the column's value times this.")] = 1.0
    grid: Annotated[float | None, typer.Option(help="Side of a square cell in metres.")] = None
    box: Annotated[str | None, typer.Option(help="LAT,LNG,SIDE: centre and side in metres of a square.")] = None
    count: Annotated[str | None, typer.Option(help="Column of how often an event happened.")] = None
    encoding: Annotated[str, typer.Option(help="Of text files: utf-8 or latin-1.")] = "utf-8"

    def events(self, source: str, channel: str | None = None) -> Events:
        """The event log of a file or glob."""
        return read_events(source, **asdict(self) | {"box": numbers("box", self.box, float), "channel": channel})


@dataclass(frozen=True, kw_only=True)
class Splitting:
    """How to make two parts of one log."""

    split: Annotated[str | None, typer.Option(help="halves, weeks, dates or point: make two parts of one log.")] = None
    week_start: Annotated[str, typer.Option(help="For halves: the day on which weeks start.")] = "monday"
    longer_first: Annotated[bool, typer.Option("--longer-first", help="For halves: an odd week goes first.")] = False
    dates: Annotated[str | None, typer.Option(help="For dates: START,MIDDLE,END.")] = None

    def sides(self, logs: list[Events], *, command: str, seed: int) -> tuple[Events, Events]:
        """What is released and what is known: two logs as they are, or one in two parts."""
        if (len(logs) == 2) == (self.split is not None):
            choice = "give either a second file, or --split halves (weeks, dates, point) for one file."
            raise InputError(f"{command}: {choice}")
        self._refuse_idle(command)
        if self.split is None:
            return logs[0], logs[1]
        rule: dict[str, Any] = {"week_start": self.week_start, "longer_first": self.longer_first}
        return split(logs[0], by=self.split, dates=words(self.dates), seed=seed, **rule)

    def _refuse_idle(self, command: str) -> None:
        """Options that would be passed over without a word."""
        if self.dates is not None and self.split != "dates":
            raise InputError(f"{command}: --dates goes with --split dates.")
        if (self.week_start != "monday" or self.longer_first) and self.split != "halves":
            raise InputError(f"{command}: --week-start and --longer-first go with --split halves.")


@dataclass(frozen=True, kw_only=True)
class Protecting:
    """Protections and their strengths; several of each, with commas, where they are to be compared."""

    shorten: Annotated[str | None, typer.Option(help="Keep each person's first so many days with events.")] = None
    coarsen: Annotated[str | None, typer.Option(help="Larger cells in metres, or a hierarchy file of places.")] = None
    level: Annotated[str | None, typer.Option(help="For --coarsen: the column of the file to go to.")] = None
    keep: Annotated[str | None, typer.Option(help="Keep only so many of the most popular places.")] = None
    min_people: Annotated[str | None, typer.Option(help="Leave out places with fewer visitors.")] = None
    microaggregate: Annotated[str | None, typer.Option(help="Everyone the mean of a cluster of so many.")] = None
    noise: Annotated[str | None, typer.Option(help="Noise on every count: epsilon, protecting one event.")] = None
    max_total: Annotated[int | None, typer.Option(help="For --noise: protect a person, cut to so many events.")] = None

    def steps(self) -> Steps:
        """What was asked for, as numbers."""
        whole = {
            name: numbers(name, getattr(self, name), int)
            for name in ("shorten", "keep", "min_people", "microaggregate")
        }
        noise = numbers("noise", self.noise, float)
        levels = words(self.level)
        return Steps(coarsen=_sides_or_file(self.coarsen), level=levels, noise=noise, max_total=self.max_total, **whole)

    def named(self) -> dict[str, Any]:
        """What was asked for, for a manifest: files by name, never by path."""
        place = self.steps().coarsen
        return asdict(self) | ({"coarsen": place.name} if isinstance(place, Path) else {})


def _sides_or_file(text: str | None) -> tuple[float, ...] | Path | None:
    if text is not None and not text.strip():
        raise InputError("--coarsen must be the side of larger cells in metres, or a hierarchy file of places.")
    try:
        return numbers("coarsen", text, float)
    except InputError:
        return Path(str(text))


def words(text: str | None) -> tuple[str, ...] | None:
    """Words with commas between them."""
    return None if text is None else tuple(word.strip() for word in text.split(","))


def numbers(option: str, text: str | None, kind: type[int] | type[float]) -> tuple[Any, ...] | None:
    """Numbers with commas between them."""
    try:
        return None if text is None else tuple(kind(word) for word in text.split(","))
    except ValueError as error:
        what = "whole numbers" if kind is int else "numbers"
        name = option.replace("_", "-")
        raise InputError(f"--{name} must be {what} with commas between them, got {text!r}.") from error


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take groups of options: Typer sees their fields, the command the groups."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {each.name: each.annotation for each in own if is_dataclass(each.annotation)}
    fields = {name: inspect.signature(group, eval_str=True).parameters for name, group in groups.items()}
    shown = [option for each in own for option in fields.get(each.name, {each.name: each}).values()]

    @wraps(command)
    def taken_apart(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field: given.pop(field) for field in fields[name]})
        command(**given)

    # by name only, so that what is needed may follow what is not
    named = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in shown]
    taken_apart.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    taken_apart.__annotations__ = {option.name: option.annotation for option in named}
    return taken_apart
