"""What may be asked of an audit, the same in Python, as flags and in a TOML file; all faults told at once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any, get_type_hints

from singleout.ground.errors import LONGEST, InputError, SingleoutError, SourceError, is_number, is_whole, near
from singleout.ground.notes import shortened
from singleout.reading.sources import ENCODINGS, open_source
from singleout.reading.split import RULES
from singleout.reading.times import PER_SECOND, WEEKDAYS
from singleout.weights.registry import BUILT_IN, weight_named

READING = (
    "user", "time", "time_unit", "timezone", "place", "lat", "lng", "coordinate_scale", "grid", "box", "count",
    "encoding",
)  # fmt: skip
PROTECTIONS = ("shorten", "coarsen", "hierarchy", "keep", "min_people", "noise", "microaggregate")
OF_EVENTS = (*READING[1:-1], "split", "week_start", "longer_first", "dates", "weights", "topology", *PROTECTIONS)
OF_TABLES = ("columns", "drop", "survey_weight", "one_row_per_person", "k", "max_singled_out")
COLUMNS = ("user", "time", "place", "lat", "lng", "count", "known_columns", "columns", "drop", "survey_weight")
"""Options that name columns of the source."""
TOPOLOGY = ("auto", "yes", "no")


def _option(text: str, default: Any = None) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, kw_only=True)
class AuditOptions:
    """What to ask. An event log needs ``user``, a table ``known_columns``; everything else has a default.

    Wrong options raise one InputError that names every fault.
    """

    user: str | None = _option("Column of people: the source is an event log.")
    time: str | None = _option("Column of times.")
    time_unit: str = _option("Unit of numeric times: s, ms, us, ns.", "s")
    timezone: str = _option("Zone of the clock that weeks and days follow.", "UTC")
    place: str | None = _option("Column of places.")
    lat: str | None = _option("Column of latitudes.")
    lng: str | None = _option("Column of longitudes.")
    coordinate_scale: float = _option("Degrees are the column's value times this.", 1.0)
    grid: float | None = _option("Side of a square cell in metres.")
    box: tuple[float, ...] | None = _option("LAT,LNG,SIDE: centre and side in metres of a square.")
    count: str | None = _option("Column of how often an event happened.")
    encoding: str = _option("Of text files: utf-8 or latin-1.", "utf-8")
    split: str | None = _option("Of one log: halves (the default), weeks, dates or point.")
    week_start: str = _option("For halves: the day on which weeks start.", "monday")
    longer_first: bool = _option("For halves: an odd week goes first.", default=False)
    dates: tuple[str, ...] | None = _option("For dates: START,MIDDLE,END.")
    known_columns: tuple[str, ...] | None = _option("Columns the intruder knows, A,B,…: the source is a table.")
    columns: tuple[str, ...] | None = _option("Table: only these columns count, A,B,…")
    drop: tuple[str, ...] | None = _option("Table: columns that are not released, A,B,…")
    survey_weight: str | None = _option("Table: column of the people of the population a record stands for.")
    one_row_per_person: bool = _option("Table: every row is another person, though ids repeat.", default=False)
    weights: tuple[str, ...] | None = _option(
        "Attack by these weights only: js,l1,cosine,dot,glrt (weak where people differ much in number of events)."
    )
    topology: str = _option("Attack the shape of movements: auto (where order means something), yes, no.", "auto")
    max_risk: float | None = _option("Limit of the share picked out, such as 0.05: above it the exit code is 1.")
    k: int | None = _option("Table: each combination of known values must be shared by K records; else exit code 1.")
    max_singled_out: int | None = _option("Table: at most this many records may be singled out; else exit code 1.")
    population: int | None = _option("Extrapolate to so many people.")
    listed: int = _option("How many of the people at risk to list.", 10)
    level: float = _option("Level of the intervals.", 0.95)
    protect: bool = _option("Try protections.", default=True)
    shorten: tuple[int, ...] | None = _option("Protections to try: days to keep, such as 7,14.")
    coarsen: tuple[float, ...] | None = _option("Protections to try: larger cells in metres.")
    hierarchy: str | None = _option("Protections to try: a file of coarser places; each level is tried.")
    keep: tuple[int, ...] | None = _option("Protections to try: so many most popular places.")
    min_people: tuple[int, ...] | None = _option("Protections to try: places of at least so many people.")
    noise: tuple[float, ...] | None = _option("Protections to try: noise of these epsilons.")
    microaggregate: tuple[int, ...] | None = _option("Protections to try: clusters of so many people.")
    label: str | None = _option("What the data is, for the report. [default: names of the files]")
    reveal: bool = _option("Tell ids, places and rare values.", default=False)
    seed: int = _option("Draws lots for ties and samples. Same seed, same result.", 0)

    def __post_init__(self) -> None:
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        values, faults = checked(given)
        if faults:
            raise InputError(_told(faults))
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def is_table(self) -> bool:
        """Whether the source is a table of records, not a log of events."""
        return self.known_columns is not None

    @property
    def tries_own(self) -> bool:
        """Whether protections to try were named."""
        return any(getattr(self, name) is not None for name in PROTECTIONS)

    def reading(self) -> dict[str, Any]:
        """The arguments of ``read_events``."""
        return {name: getattr(self, name) for name in READING}

    def given(self) -> dict[str, Any]:
        """Everything that differs from its default, as plain data; files by name, never by path."""
        changed = {
            each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) != each.default
        }
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}
        return plain | ({"hierarchy": Path(self.hierarchy).name} if self.hierarchy else {})


def options_from(config: Path | None, flags: Mapping[str, Any]) -> AuditOptions:
    """Options of a TOML file, and flags that go before them; the faults of both are told together."""
    listed = {} if config is None else _read(config)
    known = {each.name for each in fields(AuditOptions)}
    strange = [name for name in listed if name not in known]
    values, faults = checked({name: value for name, value in (listed | dict(flags)).items() if name in known})
    unknown = [f"{name}: no such option. {near(name, known)}".rstrip() for name in strange]
    if unknown or faults:
        raise InputError(_told(unknown + faults))
    return AuditOptions(**values)


def _read(config: Path) -> dict[str, Any]:
    try:
        if config.exists() and not config.is_file():
            raise SourceError(f"config: {config.name} is not a plain file.")
        listed = tomllib.loads(config.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(f"config: cannot read {config.name}: {error.strerror or type(error).__name__}.") from error
    except RecursionError as error:
        raise SourceError(f"config: {config.name} is nested too deeply; options are names and values.") from error
    except ValueError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"config: {config.name} is not TOML in UTF-8: {error}.") from error
    return {name.replace("-", "_"): value for name, value in listed.items()}


def _told(faults: list[str]) -> str:
    if len(faults) == 1:
        return f"audit: {faults[0]}"
    return "\n".join([f"audit: {len(faults)} options are wrong:", *(f"  {fault}" for fault in faults)])


def checked(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The same as values of the right kinds, and whatever is wrong with them."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for name, value in given.items():
        try:
            values[name] = _of_kind(name, value)
        except ValueError as error:
            faults.append(f"{name} must be {error}, got {shortened(repr(value), LONGEST)}.")
    for name, value in values.items():
        if value is not None and name in RIGHT:
            right, must = RIGHT[name]
            if not right(value):
                faults.append(f"{name} must be {must}, got {shortened(repr(_plain(value)), LONGEST)}.")
    faults += _unknown_weights(values.get("weights"))
    return values, faults + _contradictions(values)


KINDS = get_type_hints(AuditOptions)


def _of_kind(name: str, value: Any) -> Any:
    """A value of the kind an option wants; several may come as a list, or as text with commas."""
    kind = KINDS[name]
    if value is None:
        return None
    if kind in (bool, str, str | None):
        wanted, must = (bool, "true or false") if kind is bool else (str, "text")
        if not isinstance(value, wanted):
            raise ValueError(must)
        return value
    if kind in (int, int | None):
        return _number(value, int)
    if kind in (float, float | None):
        return _number(value, float)
    listed = _listed(value)
    if kind == tuple[str, ...] | None:
        if not all(isinstance(each, str) for each in listed):
            raise ValueError("names with commas between them, or a list of names")
        return tuple(listed)
    return _numbers(listed, int if kind == tuple[int, ...] | None else float)


def _number(value: Any, kind: type[int] | type[float]) -> Any:
    try:
        value = kind(value) if isinstance(value, str) else value
    except ValueError:
        value = None
    if kind is int and not is_whole(value):
        raise ValueError("a whole number")
    if not is_number(value):
        raise ValueError("a number")
    return kind(value)


def _listed(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    return list(value) if isinstance(value, list | tuple) else [value]


def _numbers(listed: list[Any], kind: type[int] | type[float]) -> tuple[Any, ...]:
    try:
        return tuple(_number(each, kind) for each in listed)
    except ValueError as error:
        raise ValueError("whole numbers, or a list of them" if kind is int else "numbers, or a list of them") from error


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


Test = tuple[Callable[[Any], bool], str]


def _one_of(names: Any) -> Test:
    return lambda value: value in names, f"one of {', '.join(names)}"


def _at_least(least: int, what: str) -> Test:
    return lambda values: bool(values) and all(value >= least for value in values), what


BETWEEN: Test = (lambda value: 0 < value < 1, "between 0 and 1")
POSITIVE: Test = (lambda values: bool(values) and all(value > 0 for value in values), "numbers above zero")
RIGHT: dict[str, Test] = {
    "time_unit": _one_of(tuple(PER_SECOND)),
    "week_start": _one_of(WEEKDAYS),
    "split": _one_of(RULES),
    "topology": _one_of(TOPOLOGY),
    "encoding": _one_of(ENCODINGS),
    "level": BETWEEN,
    "max_risk": BETWEEN,
    "k": (lambda value: value >= 2, "a whole number of two or more"),
    "max_singled_out": (lambda value: value >= 0, "a whole number of zero or more"),
    "population": (lambda value: value >= 1, "a whole number above zero"),
    "listed": (lambda value: value >= 0, "a whole number of zero or more"),
    "seed": (lambda value: value >= 0, "a whole number of zero or more"),
    "box": (lambda value: len(value) == 3, "three numbers: latitude, longitude, side in metres"),
    "known_columns": (lambda value: len(set(value)) == len(value), "different columns"),
    "dates": (lambda value: len(value) == 3, "three dates: start, middle, end"),
    "shorten": _at_least(1, "whole numbers above zero"),
    "keep": _at_least(1, "whole numbers above zero"),
    "min_people": _at_least(2, "whole numbers of two or more"),
    "microaggregate": _at_least(2, "whole numbers of two or more"),
    "noise": POSITIVE,
    "coarsen": POSITIVE,
    "label": (lambda value: value.encode(errors="replace").decode() == value, "text in UTF-8"),
}


def _unknown_weights(weights: tuple[str, ...] | None) -> list[str]:
    if weights is not None and not weights:
        return [f"weights must name at least one, such as {', '.join(BUILT_IN)}."]
    faults = []
    for weight in weights or ():
        try:
            weight_named(weight)
        except SingleoutError as error:
            faults.append(f"weights{str(error).removeprefix('match: weight')}")
    return faults


def _contradictions(values: Mapping[str, Any]) -> list[str]:
    """What does not go together, or is missing."""
    defaults = {each.name: each.default for each in fields(AuditOptions)}

    def set_to(name: str) -> bool:
        return bool(values.get(name, defaults[name]) != defaults[name])

    if values.get("user") is None and values.get("known_columns") is None:
        return ["name the column of people (user) for an event log, or known_columns for a table."]
    if values.get("user") is not None and values.get("known_columns") is not None:
        return ["user is for an event log and known_columns for a table; give one of them."]
    table = values.get("known_columns") is not None
    foreign, whose = (OF_EVENTS, "event logs") if table else (OF_TABLES, "tables")
    faults = [f"{name} is for {whose}; leave it out." for name in foreign if set_to(name)]
    if table:
        return faults
    if values.get("dates") is not None and values.get("split") != "dates":
        faults.append("dates goes with split dates.")
    if values.get("split") in RULES[1:] and (set_to("week_start") or set_to("longer_first")):
        faults.append("week_start and longer_first go with split halves.")
    if values.get("topology") == "yes" and values.get("time") is None:
        faults.append("topology yes needs time.")
    if values.get("place") is None and values.get("lat") is None:
        faults.append("place is missing; or give lat and lng with grid.")
    return faults


def check_columns(sources: Sequence[Any], options: AuditOptions) -> None:
    """Columns that files lack, all of them at once. Frames are looked at when they are read."""
    faults = []
    for source in (each for each in sources if isinstance(each, str | PathLike)):
        opened = open_source(source, function="audit", encoding=options.encoding)
        named = [(name, getattr(options, name)) for name in COLUMNS if getattr(options, name) is not None]
        pairs = [(name, each) for name, value in named for each in ([value] if isinstance(value, str) else value)]
        away = [(name, each) for name, each in pairs if each not in opened.kinds]
        faults += [
            f"{name}={shortened(repr(each), LONGEST)} is not a column of {opened.called}." for name, each in away
        ]
        faults += [opened.columns_there(each) for _, each in away[:1]]
    if faults:
        raise SourceError("audit: " + "\n  ".join(faults))


def names_of(*sources: Any) -> str:
    """The names of the files among them."""
    paths = [Path(source).name for source in sources if isinstance(source, str | PathLike)]
    return " and ".join(paths) or "data as given"
