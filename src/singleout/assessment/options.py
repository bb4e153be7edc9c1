"""Options in groups, each declared once: the library, the command line and TOML files use these declarations.

Nothing heavy is imported here, so that ``singleout --help`` is quick. Kinds and rules are checked in ``option_rules``.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from singleout.reading.events import Events
    from singleout.reading.split import Sides
    from singleout.reading.tables import Table

DATA, SPLIT, ATTACK, PROTECTION, REPORT, RUN = PANELS = ("Data", "Split", "Attack", "Protection", "Report", "Run")
"""The panels of ``--help``, in their order."""

SPLIT_CHOICES = "halves, weeks, dates or point"
ENCODING_HELP = "Encoding of text files."
ENCODING_WORD = "utf-8|latin-1"
LEVELS_HELP = "Compare places at several levels: multiples of the side of a cell, or a file of places and levels."
LEVELS_WORD = "1,4,16 or FILE"
PLUGIN_HELP = "Python file that registers attacks of your own; they are tried as well, unless --similarities is given."
KNOWN_PAIRS_HELP = "Also attack as an intruder who already knows this share of the people, and learns from them."


class Repeated(tuple[str, ...]):
    """Values of an option that may be given several times; commas are part of a value."""

    __slots__ = ()


def file_of_levels(levels: Sequence[str] | None) -> str | None:
    """The file of levels, where a file and not multiples of a cell were given."""
    return levels[0] if levels is not None and len(levels) == 1 and not levels[0].isdecimal() else None


def option(text: str, default: Any = None, *, panel: str, metavar: str | None = None) -> Any:
    """An option: its help, its default, the panel that shows it, and a word for its value."""
    return field(default=default, metadata={"help": text, "panel": panel, "metavar": metavar})


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

    def non_defaults(self) -> dict[str, Any]:
        """Everything that differs from its default, as plain data."""
        changed = {each.name: getattr(self, each.name) for each in fields(self) if not self._is_default(each.name)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}

    def _is_default(self, name: str) -> bool:
        default = type(self).__dataclass_fields__[name].default
        return default is not MISSING and getattr(self, name) == default


@dataclass(frozen=True, kw_only=True)
class ReadOptions(OptionGroup):
    """The columns of an event log, and how to read them."""

    user: str | None = column("For event logs: column that identifies the person.")
    time: str | None = column("Column with the time of each event.")
    time_unit: str = option("Unit of numeric times.", "s", panel=DATA, metavar="s|ms|us|ns")
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
    encoding: str = option(ENCODING_HELP, "utf-8", panel=DATA, metavar=ENCODING_WORD)

    def reading(self) -> dict[str, Any]:
        """The arguments of ``read_events``."""
        return {each.name: getattr(self, each.name) for each in fields(ReadOptions)}

    def read(self, source: Any, channel: str | None = None) -> Events:
        """The event log of a source."""
        from singleout.reading.events import read_events

        return read_events(source, **self.reading(), channel=channel)


@dataclass(frozen=True, kw_only=True)
class TableOptions(OptionGroup):
    """The columns of a table, and how to read them."""

    columns: tuple[str, ...] | None = option("For tables: only these columns are released (default: all).", panel=DATA)
    drop: tuple[str, ...] | None = option("For tables: columns that are not released.", panel=DATA)
    survey_weight: str | None = column(
        "For tables: column with the number of people in the population that each record represents."
    )
    encoding: str = option(ENCODING_HELP, "utf-8", panel=DATA, metavar=ENCODING_WORD)

    def read_table(self, source: Any) -> Table:
        """The table of a source."""
        from singleout.reading.tables import read_table

        chosen: dict[str, Any] = {"columns": self.columns, "drop": self.drop or (), "encoding": self.encoding}
        return read_table(source, survey_weight=self.survey_weight, **chosen)


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

        rule: dict[str, Any] = {"week_start": self.week_start, "longer_first": self.longer_first}
        return split(log, by=self.split or "halves", dates=self.dates, seed=seed, **rule)


@dataclass(frozen=True, kw_only=True)
class ProtectOptions(OptionGroup):
    """Protections and their strengths; several strengths where protections are compared."""

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
    keep: tuple[int, ...] | None = option("Keep only the N most popular places.", panel=PROTECTION)
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
    def place_hierarchy(self) -> str | None:
        """The file of coarser places of an event log."""
        return None if self.hierarchy is None else self.hierarchy[0]

    @property
    def column_hierarchies(self) -> dict[str, str]:
        """The file of coarser values of each column of a table."""
        return as_pairs(self.hierarchy)

    @property
    def hierarchy_files(self) -> tuple[str, ...]:
        """All of them, as they were named; of a table without the columns."""
        return tuple(each.partition("=")[2] or each for each in self.hierarchy or ())

    @property
    def protection_files(self) -> tuple[Path, ...]:
        """Files that the protections read."""
        from singleout.reading.sources import input_files

        return tuple(file for name in self.hierarchy_files for file in input_files(name, "protect"))

    def non_defaults(self) -> dict[str, Any]:
        """Everything that differs from its default; files by name, never by path."""
        plain = super().non_defaults()
        if self.hierarchy:
            plain["hierarchy"] = [_without_folder(each) for each in self.hierarchy]
        return plain


def as_pairs(values: Sequence[str] | None) -> dict[str, str]:
    """Values such as age=0,18,65 by column."""
    return {column: value for column, _, value in (each.partition("=") for each in values or ())}


def _without_folder(value: str) -> str:
    from pathlib import Path

    column, sign, file = value.rpartition("=")
    return f"{column}{sign}{Path(file).name}"


@dataclass(frozen=True, kw_only=True)
class TableLimitOptions(OptionGroup):
    """What the intruder knows about the people in a table, and limits for those who are worst off."""

    known_columns: tuple[str, ...] | None = option("For tables: columns the intruder knows.", panel=DATA)
    sensitive: tuple[str, ...] | None = option(
        "For tables: columns whose values must not be revealed; l and t are measured for them.", panel=DATA
    )
    risk: str = option(
        "For tables: compare the average risk with the limit, or that of the record that is worst off.",
        "average",
        panel=REPORT,
        metavar="average|maximum",
    )
    k: int | None = option(
        "For tables: every combination of known values must occur in at least N records.", panel=REPORT
    )
    l: int | None = option(  # noqa: E741 - its name in the literature
        "For tables: indistinguishable records must have at least N values of each sensitive column.", panel=REPORT
    )
    t: float | None = option(
        "For tables: the sensitive values of indistinguishable records may be at most X from those of all.",
        panel=REPORT,
    )


@dataclass(frozen=True, kw_only=True)
class TableChangeOptions(OptionGroup):
    """How the known columns of a table may be changed."""

    recode: Repeated | None = option(
        "For tables: how to change a column: age=0,18,65 (ranges), age=round:5, age=bottom:18,top:85, town=rare:0.01, "
        "town=keep or town=drop; repeatable. A column may still be left out, unless it is kept.",
        panel=PROTECTION,
        metavar="COLUMN=HOW",
    )
    max_suppressed: float = option(
        "For tables: the share of records that may be left out of the file, such as 0.02.", 0.0, panel=PROTECTION
    )

    @property
    def recodings(self) -> dict[str, str]:
        """How to change each column."""
        return as_pairs(self.recode)


OF_EVENTS = (
    *(each.name for each in fields(ReadOptions) if each.name not in ("user", "encoding")),
    *(each.name for each in fields(SplitOptions)),
    *(each.name for each in fields(ProtectOptions) if each.name != "hierarchy"),
)
OF_TABLES = (
    *(each.name for each in fields(TableOptions) if each.name != "encoding"),
    *(each.name for each in fields(TableLimitOptions) if each.name != "known_columns"),
    *(each.name for each in fields(TableChangeOptions)),
)


def foreign_options(
    group: type[OptionGroup], values: Mapping[str, Any], of_events: Sequence[str], of_tables: Sequence[str]
) -> list[str]:
    """Options for tables that were given for an event log, or the other way round."""
    table = values["known_columns"] is not None
    foreign, whose = (of_events, "event logs") if table else (of_tables, "tables")
    defaults = {each.name: each.default for each in fields(group)}
    return [f"`{name}` applies only to {whose}; leave it out." for name in foreign if values[name] != defaults[name]]


# fields come in the order of the last base first
@dataclass(frozen=True, kw_only=True)
class ReleaseOptions(ProtectOptions, SplitOptions, TableChangeOptions, TableLimitOptions, TableOptions, ReadOptions):
    """What to protect, an event log or a table, and how."""

    method: str = option(
        "For tables: recode columns, suppress single cells, or micro-aggregate numbers.",
        "recode",
        panel=PROTECTION,
        metavar="recode|cells|microaggregate",
    )
    loss: str = option(
        "For tables: the loss that recoding minimises; per-column: each column counts the same.",
        "entropy",
        panel=PROTECTION,
        metavar="entropy|per-column|discernibility|class-size",
    )
    population: int | None = option("For tables: the file is a sample of this many people.", panel=DATA)
    one_row_per_person: bool = option(
        "For tables: every row is a different person, even if ids repeat.", default=False, panel=DATA
    )
    max_risk: float | None = option(
        "Risk limit. A table is changed until it is met; of an event log nothing is written, and the exit code is 1, "
        "if the risk in the file could exceed it.",
        panel=REPORT,
    )

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """Options of event logs and of tables exclude each other."""
        if values["user"] is not None and values["known_columns"] is not None:
            return ["give either `user` (for an event log) or `known_columns` (for a table), not both."]
        return foreign_options(
            ReleaseOptions, values, OF_EVENTS, (*OF_TABLES, "method", "loss", "population", "one_row_per_person")
        )
