"""What may be asked of an audit, the same in Python, as flags and in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from singleout.assessment.options import (
    ATTACK,
    DATA,
    KNOWN_PAIRS_HELP,
    LEVELS_HELP,
    LEVELS_WORD,
    OF_EVENTS,
    OF_TABLES,
    PLUGIN_HELP,
    PROTECTION,
    REPORT,
    RUN,
    ProtectOptions,
    ReadOptions,
    SplitOptions,
    TableChangeOptions,
    TableLimitOptions,
    TableOptions,
    file_of_levels,
    foreign_options,
    option,
)
from singleout.ground.errors import LONGEST, SourceError, near
from singleout.ground.notes import cut_middle

if TYPE_CHECKING:
    from singleout.reading.sources import Source
    from singleout.statistics.levels import Levels

DEFAULT_LIMIT = 0.05
"""What risks are compared with where no limit was set."""
PROTECTIONS = tuple(each.name for each in fields(ProtectOptions) if each.name not in ("hierarchy_level", "max_total"))
ONLY_EVENTS = (*OF_EVENTS, "similarities", "levels", "plugin", "known_pairs", "topology", "time_limit")
ONLY_TABLES = (*OF_TABLES, "one_row_per_person", "max_singled_out", "on", "truth")
OF_PLACES = ("user", "time", "place", "lat", "lng", "count")
OF_BOTH_TABLES = ("on", "truth")
COLUMNS = (*OF_PLACES, *OF_BOTH_TABLES, "known_columns", "sensitive", "columns", "drop", "survey_weight")
"""Options that name columns of the source."""


# fields come in the order of the last base first
@dataclass(frozen=True, kw_only=True)
class AuditOptions(ProtectOptions, SplitOptions, TableChangeOptions, TableLimitOptions, TableOptions, ReadOptions):
    """What to ask. An event log needs ``user``, a table ``known_columns``; everything else has a default.

    Wrong options raise one InputError that names every fault.
    """

    function: ClassVar[str] = "audit"

    on: tuple[str, ...] | None = option(
        "For two tables: columns that both have, by which the intruder links them.", panel=DATA
    )
    truth: str | None = option(
        "For two tables: column that is the same for the same person; only used to count correct links.",
        panel=DATA,
        metavar="COLUMN",
    )
    one_row_per_person: bool = option(
        "For tables: every row is a different person, even if ids repeat.", default=False, panel=DATA
    )
    place_name: str = option("What reports call a place, such as product or antenna.", "place", panel=REPORT)
    similarities: tuple[str, ...] | None = option(
        "Use only these similarities: evidence, js and others (see docs/methods.md; default: all).", panel=ATTACK
    )
    levels: tuple[str, ...] | None = option(LEVELS_HELP, panel=ATTACK, metavar=LEVELS_WORD)
    plugin: str | None = option(PLUGIN_HELP, panel=ATTACK, metavar="FILE")
    known_pairs: float = option(KNOWN_PAIRS_HELP + " 0: not at all.", 0.2, panel=ATTACK)
    topology: str = option(
        "Attack the shape of movements; auto: only if the order of events is meaningful.",
        "auto",
        panel=ATTACK,
        metavar="auto|yes|no",
    )
    max_risk: float | None = option(
        "Risk limit, such as 0.05: exit with code 1 if the upper end of the interval is above it.", panel=REPORT
    )
    max_singled_out: int | None = option(
        "For tables: exit with code 1 if more than N records are singled out.", panel=REPORT
    )
    population: int | None = option("Also estimate the risk in a population of this size.", panel=REPORT)
    list_people: int = option("How many of the people at risk to list.", 10, panel=REPORT)
    confidence_level: float = option("Confidence level of the intervals.", 0.95, panel=REPORT)
    label: str | None = option("Name of the data in the report (default: the file names).", panel=REPORT)
    protect: bool = option("Try protections.", default=True, panel=PROTECTION)
    reveal: bool = option("Show ids, places and rare values.", default=False, panel=RUN)
    time_limit: str | None = option(
        "For event logs: leave out what would take longer, such as 5m or 1h; planned from the size of the data.",
        panel=RUN,
        metavar="TIME",
    )
    seed: int = option(
        "Seed for breaking ties and drawing samples at random; the same seed gives the same result.", 0, panel=RUN
    )

    @property
    def is_table(self) -> bool:
        """Whether the source is a table of records, not a log of events."""
        return self.known_columns is not None or self.on is not None

    @property
    def coarser_levels(self) -> Levels | None:
        """The levels of places that were asked for."""
        if self.levels is None:
            return None
        from singleout.statistics.levels import Levels  # the command line shows its help without it

        return Levels.parse(self.levels)

    @property
    def risk_limit(self) -> float:
        """The largest acceptable upper end of the interval; 5% where none was set."""
        return self.max_risk or DEFAULT_LIMIT

    @property
    def names_protections(self) -> bool:
        """Whether protections to try were named."""
        return any(getattr(self, name) is not None for name in PROTECTIONS)

    def non_defaults(self) -> dict[str, Any]:
        """Everything that differs from its default, as plain data; files by name, never by path."""
        plain = super().non_defaults()
        if self.levels:
            plain["levels"] = [Path(each).name for each in self.levels]
        if self.plugin:
            plain["plugin"] = Path(self.plugin).name
        return plain

    @property
    def place_files(self) -> tuple[str, ...]:
        """Files of places that the result depends on."""
        return tuple(each for each in (*self.hierarchy_files, file_of_levels(self.levels)) if each is not None)

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """What does not go together, or is missing."""
        if values["truth"] is not None and values["on"] is None:
            return ["`truth` requires `on`."]
        if values["on"] is not None:
            values = {**values, "known_columns": values["known_columns"] or values["on"]}
        if values["user"] is None and values["known_columns"] is None:
            return ["specify what the file is: `user` for an event log, or `known_columns` for a table."]
        if values["user"] is not None and values["known_columns"] is not None:
            return ["give either `user` (for an event log) or `known_columns` (for a table), not both."]
        faults = foreign_options(AuditOptions, values, ONLY_EVENTS, ONLY_TABLES)
        if values["known_columns"] is not None:
            return faults
        if values["topology"] == "yes" and values["time"] is None:
            faults.append("`topology=yes` requires `time`.")
        if values["levels"] is not None and "evidence_levels" not in (values["similarities"] or ("evidence_levels",)):
            faults.append("`levels` requires `similarities` to include evidence_levels, which compares them.")
        if values["place"] is None and values["lat"] is None:
            faults.append(
                "`place` is missing (or give `lat`, `lng` and `grid`). "
                "For a table, give `known_columns` instead of `user`."
            )
        return faults


def options_from(config: Path | None, flags: Mapping[str, Any]) -> AuditOptions:
    """Options of a TOML file, and flags that override them; the faults of both are reported together."""
    from singleout.assessment.option_rules import all_faults, parse_options

    listed = {} if config is None else _read(config)
    known = {each.name for each in fields(AuditOptions)}
    unknown = [f"`{name}`: no such option. {near(name, known)}".rstrip() for name in listed if name not in known]
    given = {name: value for name, value in (listed | dict(flags)).items() if name in known}
    values, faults = parse_options(AuditOptions, given)
    if unknown or faults:
        raise all_faults(unknown + faults, AuditOptions.function)
    return AuditOptions(**values)


def _read(config: Path) -> dict[str, Any]:
    try:
        if config.exists() and not config.is_file():
            raise SourceError(f"{config.name} is not a plain file.", argument="config")
        listed = tomllib.loads(config.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(f"cannot read {config.name}: {reason}.", argument="config") from error
    except RecursionError as error:
        problem = f"{config.name} is nested too deeply; options are names and values."
        raise SourceError(problem, argument="config") from error
    except ValueError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{config.name} is not a valid TOML file in UTF-8: {error}.", argument="config") from error
    return {name.replace("-", "_"): value for name, value in listed.items()}


def open_sources(sources: Sequence[Any], options: AuditOptions) -> list[Source]:
    """Open every source once; columns that they lack are reported all at once."""
    from singleout.reading.sources import open_source

    names = () if options.is_table else [getattr(options, name) for name in COLUMNS]
    asked: dict[str, Any] = {"encoding": options.encoding, "columns": [name for name in names if isinstance(name, str)]}
    opened = [open_source(each, function="audit", **asked) for each in sources]
    _check_columns(opened, options)
    return opened


def _check_columns(sources: Sequence[Source], options: AuditOptions) -> None:
    faults = []
    for number, opened in enumerate(sources):
        # the intruder's table needs only what links the two
        asked = OF_BOTH_TABLES if number and options.is_table else COLUMNS
        named = [(name, getattr(options, name)) for name in asked if getattr(options, name) is not None]
        pairs = [(name, each) for name, value in named for each in ([value] if isinstance(value, str) else value)]
        away = [(name, each) for name, each in pairs if each not in opened.column_types]
        faults += [
            f"`{name}={cut_middle(repr(each), LONGEST)}` is not a column of {opened.display_name}."
            for name, each in away
        ]
        faults += [opened.columns_there(each) for _, each in away[:1]]
    if faults:
        raise SourceError("\n  ".join(faults), function="audit")


def names_of(*sources: Any) -> str:
    """The names of the files among them."""
    paths = [Path(source).name for source in sources if isinstance(source, str | PathLike)]
    return " and ".join(paths) or "data as given"
