"""Options in groups, each declared once: the library, the command line and TOML files use these declarations.

Nothing heavy is imported here, so that ``singleout --help`` is quick. Kinds and rules are checked in ``option_rules``.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from singleout.ground.errors import InputError, SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from singleout.reading.events import Events
    from singleout.reading.split import Sides

DATA, SPLIT, ATTACK, PROTECTION, REPORT, ABOUT, RUN = PANELS = (
    "Data", "Split", "Attack", "Protection", "Report", "About this assessment", "Run",
)  # fmt: skip
"""The panels of ``--help``, in their order."""

SPLIT_CHOICES = "halves, weeks, dates or point"


ONE_OF_A_LIST = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|\Z)')


def split_list(text: str) -> list[str]:
    """Words between commas; a word with a comma in it is quoted, as in a CSV file.

    Unlike Python's reader of CSV this takes any text: line breaks and words of any length.
    """
    found = ONE_OF_A_LIST.finditer(text)
    words = [
        plain if quoted is None else quoted.replace('""', '"') for quoted, plain in (each.groups() for each in found)
    ]
    return [word.strip() for word in words if word.strip()]


class Repeated(tuple[str, ...]):
    """Values of an option that may be given several times; commas are part of a value."""

    __slots__ = ()


def option(text: str, default: Any = None, *, panel: str, metavar: str | None = None, flag: str | None = None) -> Any:
    """An option: its help, its default, the panel that shows it, a word for its value, and a flag besides its name."""
    return field(default=default, metadata={"help": text, "panel": panel, "metavar": metavar, "flag": flag})


def column(text: str, panel: str = DATA) -> Any:
    """An option that names a column."""
    return option(text, panel=panel, metavar="COLUMN")


@dataclass(frozen=True, kw_only=True)
class OptionGroup:
    """Options that belong together. Wrong ones raise a single InputError that names every fault."""

    def __post_init__(self) -> None:
        from singleout.assessment.option_rules import check_options

        given = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, value in check_options(type(self), given).items():
            object.__setattr__(self, name, value)

    @classmethod
    def in_words(cls) -> str:
        """Every option with its help, as a section of a docstring."""
        lines = [line for each in fields(cls) for line in (each.name, f"    {each.metadata['help']}")]
        return "\n".join(["Parameters", "----------", *lines])

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.non_defaults().items())
        return f"{type(self).__name__}({given})"

    def non_defaults(self) -> dict[str, Any]:
        """Everything that differs from its default, as plain data."""
        changed = {each.name: getattr(self, each.name) for each in fields(self) if not self._is_default(each.name)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}

    def _is_default(self, name: str) -> bool:
        default = type(self).__dataclass_fields__[name].default
        return default is not MISSING and getattr(self, name) == default


@dataclass(frozen=True, kw_only=True)
class FileOptions(OptionGroup):
    """How files are written, where that is not recognised."""

    encoding: str | None = option(
        "Encoding of text files (default: recognised).", panel=DATA, metavar="utf-8|latin-1|windows-1252|utf-16"
    )
    delimiter: str | None = option(
        "Character between the fields of text files, or tab (default: recognised).", panel=DATA, metavar="SIGN"
    )
    decimal: str | None = option(
        "Decimal sign of numbers in text (default: recognised).", panel=DATA, metavar="point|comma"
    )
    columns_are: tuple[str, ...] | None = option(
        "Names for the columns of a file without a header line, in their order.", panel=DATA
    )

    def writing(self) -> dict[str, Any]:
        """How files are written, as arguments of ``read_events`` and ``read_table``."""
        return {each.name: getattr(self, each.name) for each in fields(FileOptions)}

    def as_flags(self) -> list[str]:
        """The same as flags of a command."""
        given = {name: value for name, value in self.writing().items() if value is not None}
        plain = {name: value if isinstance(value, str) else ",".join(value) for name, value in given.items()}
        return [word for name, value in plain.items() for word in (f"--{name.replace('_', '-')}", value)]


@dataclass(frozen=True, kw_only=True)
class ReadOptions(FileOptions):
    """The columns of an event log, and how to read them."""

    user: str | None = column("For event logs: column that identifies the person.")
    user_from_name: bool = option(
        "For event logs: one file for each person, named after them; in place of --user.", default=False, panel=DATA
    )
    time: str | None = column("Column with the time of each event.")
    date: str | None = column("Column with the date, if --time holds only the time of day or the hour.")
    time_format: str | None = option(
        "How times are written, such as '%d.%m.%Y %H:%M' (default: recognised).", panel=DATA, metavar="FORMAT"
    )
    time_unit: str = option("Unit of numeric times.", "s", panel=DATA, metavar="s|ms|us|ns|min|h|d")
    timezone: str = option("Time zone for weeks, days and hours.", "UTC", panel=DATA)
    place: str | None = column("Column with places.")
    lat: str | None = column("Column with latitudes.")
    lng: str | None = column("Column with longitudes.")
    coordinate_scale: float = option("Multiply coordinates by this to get degrees.", 1.0, panel=DATA)
    grid: float | None = option("Side of a square cell in metres; cells become the places.", panel=DATA)
    box: tuple[float, ...] | None = option(
        "Use only points in this square, given by its centre and side in metres.",
        panel=DATA,
        metavar="LAT,LNG,SIDE",
    )
    count: str | None = column("Column with the number of times an event happened.")

    def reading(self) -> dict[str, Any]:
        """The arguments of ``read_events``."""
        return {each.name: getattr(self, each.name) for each in fields(ReadOptions)}

    def read(self, source: Any, channel: str | None = None) -> Events:
        """The event log of a source."""
        from singleout.reading.events import read_events

        return read_events(source, **self.reading(), channel=channel)


@dataclass(frozen=True, kw_only=True)
class KnownOptions(OptionGroup):
    """Columns of the intruder's file that have other names there."""

    known_user: str | None = column("If the known file has another name for it: its column of people.")
    known_time: str | None = column("The same for --time.")
    known_date: str | None = column("The same for --date.")
    known_time_format: str | None = option("The same for --time-format.", panel=DATA, metavar="FORMAT")
    known_place: str | None = column("The same for --place.")
    known_lat: str | None = column("The same for --lat.")
    known_lng: str | None = column("The same for --lng.")
    known_count: str | None = column("The same for --count.")

    def known_names(self) -> dict[str, str]:
        """What was given, by the name of the option that it replaces."""
        given = {each.name: getattr(self, each.name) for each in fields(KnownOptions)}
        return {name.removeprefix("known_"): value for name, value in given.items() if value is not None}

    @staticmethod
    def other_names(columns: Sequence[str]) -> str:
        """How to go on where the intruder's file lacks columns, by the options that name them."""
        *rest, last = [f"`known_{name}`" for name in columns]
        names = f"{', '.join(rest)} and {last}" if rest else last
        return f"If that file has {'other names for them' if rest else 'another name for it'}, give {names}."

    def read_known(self, source: Any, reading: ReadOptions, channel: str | None = None) -> Events:
        """The event log that the intruder has."""
        from singleout.reading.events import read_events
        from singleout.reading.forms import make_form
        from singleout.reading.sources import open_source

        names, asked = self.known_names(), reading.reading()
        form = make_form(**reading.writing(), user_from_name=reading.user_from_name, function="read_events")
        columns = [value for value in (*(asked | names).values(), channel) if isinstance(value, str)]
        opened = open_source(source, form=form, columns=columns)
        for name, value in names.items():
            if name != "time_format":  # an error names the option that was given
                opened.column("read_events", f"known_{name}", value)
        own = {each.name.removeprefix("known_") for each in fields(KnownOptions)} - {"time_format"} - names.keys()
        away = [name for name in asked if name in own and asked[name] not in (None, *opened.column_types)]
        try:
            return read_events(opened, **(asked | names), channel=channel)
        except SourceError as error:
            error.hint = f"{error.hint} {self.other_names(away)}" if away else error.hint
            raise

    def read_logs(self, sources: Sequence[Any], reading: ReadOptions, channel: str | None = None) -> list[Events]:
        """One log, or the released and the known one."""
        if len(sources) < 2 and self.known_names():
            name = next(iter(self.known_names()))
            raise InputError(f"`known_{name}` requires a second file: the one that the intruder has.")
        return [
            self.read_known(each, reading, channel) if number else reading.read(each, channel)
            for number, each in enumerate(sources)
        ]


@dataclass(frozen=True, kw_only=True)
class AllowOptions(OptionGroup):
    """Columns that are used all the same."""

    allow: tuple[str, ...] | None = option(
        "Columns that are used although they look like direct identifiers, which are refused otherwise.", panel=DATA
    )

    def refuse_distinct(self, log: Events, columns: Mapping[str, str | None], function: str) -> None:
        """Refuse columns of an event log, by the option that names each, whose values hardly occur twice."""
        from singleout.reading.identifiers import refuse_distinct

        refuse_distinct(log.log.source, columns, self.allow, function)


@dataclass(frozen=True, kw_only=True)
class SplitOptions(OptionGroup):
    """How one event log is divided into a known and a released part."""

    split: str | None = option(
        "How to split one log by time; point: at one point in time per person. The earlier part is known.",
        panel=SPLIT,
        metavar="halves|weeks|dates|point",
    )
    week_start: str = option("For halves: the day on which weeks start.", "monday", panel=SPLIT)
    longer_first: bool = option(
        "For halves: with an odd number of weeks, the extra one goes to the first half.", default=False, panel=SPLIT
    )
    dates: tuple[str, ...] | None = option(
        "For dates: the start, the date that divides the two parts, and the end.",
        panel=SPLIT,
        metavar="START,MIDDLE,END",
    )

    def splitting(self) -> SplitOptions:
        """These options alone, of a larger group."""
        return SplitOptions(**{each.name: getattr(self, each.name) for each in fields(SplitOptions)})

    def split_log(self, log: Events, *, seed: int) -> Sides:
        """The two parts of a log; in halves where no rule was named."""
        from singleout.reading.split import split

        rule: dict[str, Any] = {"by": self.split or "halves", "week_start": self.week_start}
        return split(log, longer_first=self.longer_first, dates=self.dates, seed=seed, **rule)


@dataclass(frozen=True, kw_only=True)
class CoarserOptions(OptionGroup):
    """Protections that an intruder can apply to what they know."""

    shorten: tuple[int, ...] | None = option("Keep each person's first N days with events.", panel=PROTECTION)
    coarsen: tuple[float, ...] | None = option("Use larger cells, with sides of X metres.", panel=PROTECTION)
    hierarchy: Repeated | None = option(
        "Use coarser places, from a file of places and levels. For tables: coarser values of a column, repeatable.",
        panel=PROTECTION,
        metavar="[COLUMN=]FILE",
    )
    hierarchy_level: tuple[str, ...] | None = option(
        "For --hierarchy: the column of the file to use.", panel=PROTECTION, metavar="COLUMN"
    )

    @property
    def place_hierarchy(self) -> str | None:
        """The file of coarser places of an event log."""
        return None if self.hierarchy is None else self.hierarchy[0]

    @property
    def hierarchy_files(self) -> tuple[str, ...]:
        """All of them, as they were named; of a table without the columns."""
        return tuple(each.partition("=")[2] or each for each in self.hierarchy or ())

    @property
    def protection_files(self) -> tuple[Path, ...]:
        """Files that the protections read."""
        from singleout.reading.locations import input_files

        return tuple(file for name in self.hierarchy_files for file in input_files(name, "protect"))

    def non_defaults(self) -> dict[str, Any]:
        """Everything that differs from its default; files by name, never by path."""
        plain = super().non_defaults()
        if self.hierarchy:
            plain["hierarchy"] = [_without_folder(each) for each in self.hierarchy]
        return plain


@dataclass(frozen=True, kw_only=True)
class ProtectOptions(CoarserOptions):
    """Protections and their strengths; several strengths where protections are compared."""

    keep: tuple[int, ...] | None = option(
        "Keep only the N most popular places: those where most people were.", panel=PROTECTION
    )
    min_people: tuple[int, ...] | None = option("Keep only places with at least N visitors.", panel=PROTECTION)
    noise: tuple[float, ...] | None = option(
        "Add noise to every count, with this epsilon (protects single events).", panel=PROTECTION
    )
    max_total: int | None = option(
        "For --noise: protect each person as a whole, keeping at most N events each.", panel=PROTECTION
    )
    microaggregate: tuple[int, ...] | None = option(
        "Replace each person's data with the average of a group of at least N people.", panel=PROTECTION
    )

    @property
    def column_hierarchies(self) -> dict[str, str]:
        """The file of coarser values of each column of a table."""
        return as_pairs(self.hierarchy)


def as_pairs(values: Sequence[str] | None) -> dict[str, str]:
    """Values such as age=0,18,65 by column."""
    return {column: value for column, _, value in (each.partition("=") for each in values or ())}


def _without_folder(value: str) -> str:
    from pathlib import Path

    column, sign, file = value.rpartition("=")
    return f"{column}{sign}{Path(file).name}"


OF_FILES = tuple(each.name for each in fields(FileOptions))
OF_EVENTS = (
    *(each.name for each in (*fields(ReadOptions), *fields(KnownOptions)) if each.name not in ("user", *OF_FILES)),
    *(each.name for each in fields(SplitOptions)),
    *(each.name for each in fields(ProtectOptions) if each.name != "hierarchy"),
)


def foreign_options(
    group: type[OptionGroup], values: Mapping[str, Any], of_events: Sequence[str], of_tables: Sequence[str]
) -> list[str]:
    """Options for tables that were given for an event log, or the other way round."""
    table = values["known_columns"] is not None
    foreign, whose = (of_events, "event logs") if table else (of_tables, "tables")
    defaults = {each.name: each.default for each in fields(group)}
    return [f"`{name}` applies only to {whose}; leave it out." for name in foreign if values[name] != defaults[name]]
