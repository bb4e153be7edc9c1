"""What may be asked of an audit, the same in Python, as flags and in a TOML file."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import takewhile
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from singleout.assessment.about import INTERNAL, PUBLIC, AboutOptions
from singleout.assessment.attack_options import KNOWN_PAIRS_HELP, OF_SIMILARITIES, SimilarityOptions
from singleout.assessment.config_files import PATHS, read_config
from singleout.assessment.file_names import PATTERN_SIGNS
from singleout.assessment.options import (
    ATTACK,
    OF_EVENTS,
    PROTECTION,
    REPORT,
    RUN,
    KnownOptions,
    OptionGroup,
    ProtectOptions,
    ReadOptions,
    SplitOptions,
    foreign_options,
    option,
)
from singleout.assessment.table_options import (
    OF_TABLES,
    CommonColumnOptions,
    TableChangeOptions,
    TableLimitOptions,
    TableOptions,
)
from singleout.ground.errors import LONGEST, InputError, SourceError, near
from singleout.ground.notes import cut_middle
from singleout.reading.addresses import is_server, parse_address
from singleout.reading.locations import hide_query

if TYPE_CHECKING:
    from singleout.reading.sources import Source

LOW_RISK = 0.05
"""Protections are tried up to strengths that may reach this risk where no limit was set. It is no limit."""
PROTECTIONS = tuple(each.name for each in fields(ProtectOptions) if each.name not in ("hierarchy_level", "max_total"))
ONLY_EVENTS = (*OF_EVENTS, *OF_SIMILARITIES, "known_pairs", "topology", "time_limit", "sample", "tolerance")
ONLY_TABLES = (*OF_TABLES, "max_singled_out", *(each.name for each in fields(CommonColumnOptions)))
OF_PLACES = ("user", "time", "date", "place", "lat", "lng", "count")
OF_BOTH_TABLES = ("on", "truth")
COLUMNS = (*OF_PLACES, *OF_BOTH_TABLES, "known_columns", "sensitive", "columns", "drop", "allow", "survey_weight")
"""Options that name columns of the source."""


# fields come in the order of the last base first
@dataclass(frozen=True, kw_only=True, repr=False)
class AuditOptions(
    AboutOptions,
    SimilarityOptions,
    ProtectOptions,
    SplitOptions,
    TableChangeOptions,
    CommonColumnOptions,
    TableLimitOptions,
    TableOptions,
    KnownOptions,
    ReadOptions,
):
    """What to ask. An event log needs ``user``, a table ``known_columns``; everything else has a default.

    Wrong options raise one InputError that names every fault.

    Examples
    --------
    >>> import singleout as so
    >>> so.AuditOptions(user="card", time="at", place="shop", max_risk=0.05)
    AuditOptions(user='card', time='at', place='shop', max_risk=0.05)
    """

    function: ClassVar[str] = "audit"

    place_name: str = option("What reports call a place, such as product or antenna.", "place", panel=REPORT)
    tolerance: float = option(
        "For event logs: accept joint matchings proven to be within this share of the best, such as 0.01.",
        0.0,
        panel=ATTACK,
    )
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
    audience: str = option(
        "Who reads the report; public: it lists no rows.", INTERNAL, panel=REPORT, metavar="internal|public",
        flag="--for",
    )  # fmt: skip
    confidence_level: float = option("Confidence level of the intervals.", 0.95, panel=REPORT)
    label: str | None = option("Name of the data in the report (default: the file names).", panel=REPORT)
    protect: bool = option("Try protections.", default=True, panel=PROTECTION)
    reveal: bool = option("Show ids, places and rare values.", default=False, panel=RUN)
    sample: int | None = option(
        "For event logs: audit only N people, drawn at random. Among fewer people the risk is higher.", panel=RUN
    )
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
    def low_risk(self) -> float:
        """What protections are to reach: the risk limit, where there is one."""
        return self.max_risk or LOW_RISK

    @property
    def people_listed(self) -> int:
        """How many of the people at risk are listed: none where everyone may read the report."""
        return 0 if self.audience == PUBLIC else self.list_people

    @property
    def names_protections(self) -> bool:
        """Whether protections to try were named."""
        return any(getattr(self, name) is not None for name in PROTECTIONS)

    __repr__ = OptionGroup.__repr__

    @property
    def place_files(self) -> tuple[str, ...]:
        """Files of places that the result depends on."""
        return tuple(each for each in (*self.hierarchy_files, self.file_of_levels) if each is not None)

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """What does not go together, or is missing."""
        if values["audience"] == PUBLIC and values["reveal"]:
            return ["`reveal` is not for a public report; leave it out."]
        if values["truth"] is not None and values["on"] is None:
            return ["`truth` requires `on`."]
        if faults := CommonColumnOptions.contradictions(values):
            return faults
        if values["user_from_name"]:
            if values["user"] is not None:
                return ["give either `user` or `user_from_name`, not both."]
            values = {**values, "user": "the name of the file"}
        if values["on"] is not None:
            values = {**values, "known_columns": values["known_columns"] or values["on"]}
        if values["user"] is None and values["known_columns"] is None:
            kinds = "`user` for an event log, `known_columns` for a table, or `on` for two tables"
            return [f"specify what the file is: {kinds}."]
        if values["user"] is not None and values["known_columns"] is not None:
            return ["give either `user` (for an event log) or `known_columns` (for a table), not both."]
        faults = foreign_options(AuditOptions, values, ONLY_EVENTS, ONLY_TABLES)
        if values["known_columns"] is not None:
            return faults
        if values["topology"] == "yes" and values["time"] is None:
            faults.append("`topology=yes` requires `time`.")
        faults += SimilarityOptions.contradictions(values)
        if values["place"] is None and values["lat"] is None:
            faults.append(
                "`place` is missing (or give `lat`, `lng` and `grid`). "
                "For a table, give `known_columns` instead of `user`."
            )
        return faults


# the help of options is written once; here it becomes part of the docstring, before the examples
AuditOptions.__doc__ = inspect.cleandoc(AuditOptions.__doc__ or "").replace(
    "Examples\n", f"{AuditOptions.in_words()}\n\nExamples\n", 1
)


Group = TypeVar("Group", bound=OptionGroup)


def options_from(config: Path | None, flags: Mapping[str, Any]) -> AuditOptions:
    """What to ask of an audit, from a TOML file and from flags."""
    return group_from(AuditOptions, config, flags)


def group_from(group: type[Group], config: Path | None, flags: Mapping[str, Any]) -> Group:
    """Options of a TOML file, and flags that override them; the faults of both are reported together."""
    from singleout.assessment.option_rules import all_faults, parse_options

    listed = {} if config is None else read_config(config)
    known = {each.name for each in fields(group)}
    names = {*known, *PATHS}
    unknown = [f"`{name}`: no such option. {near(name, names)}".rstrip() for name in listed if name not in names]
    given = {name: value for name, value in (listed | dict(flags)).items() if name in known}
    values, faults = parse_options(group, given)
    if unknown or faults:
        raise all_faults(unknown + faults, getattr(group, "function", ""))
    return group(**values)


def time_is_missing() -> InputError:
    """A log that cannot be split, and no second one."""
    return InputError(
        "`time` is missing: a single log is split by time. Or give a second one: what the intruder knows. "
        "For a table, give `known_columns` instead of `user`.",
        function="audit",
    )


NAMES = frozenset(each.name for each in fields(AuditOptions))
"""All options of an audit."""


def open_sources(sources: Sequence[Any], options: AuditOptions) -> list[Source]:
    """Open every source once; columns that they lack are reported all at once."""
    from singleout.reading.forms import make_form
    from singleout.reading.sources import open_source

    names = () if options.is_table else [getattr(options, name) for name in COLUMNS]
    known = () if options.is_table else options.known_names().values()
    form = make_form(**options.writing(), user_from_name=options.user_from_name, function="audit")
    asked: dict[str, Any] = {"form": form, "columns": [name for name in (*names, *known) if isinstance(name, str)]}
    opened = [open_source(each, function="audit", **asked) for each in sources]
    _check_columns(opened, options)
    return [opened[0], *(options.as_released(each) if options.is_table else each for each in opened[1:])]


def _check_columns(sources: Sequence[Source], options: AuditOptions) -> None:
    faults = []
    for number, opened in enumerate(sources):
        # the intruder's table needs only what links the two
        asked = OF_BOTH_TABLES if number and options.is_table else COLUMNS
        own = [_own_name(name, options) if number else name for name in asked]
        named = [(name, getattr(options, name)) for name in own if getattr(options, name) is not None]
        pairs = [(name, each) for name, value in named for each in ([value] if isinstance(value, str) else value)]
        away = [(name, each) for name, each in pairs if each not in opened.column_types]
        if away:
            faults += _columns_away(opened, away, [name for _, name in pairs])
            there = [name for name, each in away if number and name in asked and each in sources[0].column_types]
            faults += [KnownOptions.other_names(list(dict.fromkeys(there)))] if there else []
    if faults:
        raise SourceError("\n  ".join(faults), function="audit")


def _columns_away(opened: Source, away: Sequence[tuple[str, str]], named: Sequence[str]) -> list[str]:
    """What columns a source lacks, by option, and those it has: of several, each with the name that is close to it."""
    where = f"is not a column of {opened.display_name}."
    alone = len(away) == 1
    lines = [
        f"`{name}={cut_middle(repr(each), LONGEST)}` {where} {'' if alone else opened.near_name(each, named)}".rstrip()
        for name, each in away
    ]
    return [*lines, opened.columns_there(away[0][1] if alone else "", named)]


def _own_name(name: str, options: AuditOptions) -> str:
    """The option that names a column of the intruder's file."""
    known = f"known_{name}"
    return known if getattr(options, known, None) is not None else name


def names_of(*sources: Any) -> str:
    """The names of the files among them; all files of a folder have its name."""
    named = [str(source) for source in sources if isinstance(source, str | PathLike)]
    return " and ".join(map(_name_of, named)) or "data as given"


def _name_of(source: str) -> str:
    if is_server(source):
        return parse_address(source).label
    path = Path(hide_query(source))
    if path.name.partition(".")[0] not in ("*", "**"):
        return path.name
    folders = list(takewhile(lambda part: not PATTERN_SIGNS.search(part), path.parts[bool(path.anchor) :]))
    return next((folder for folder in reversed(folders) if folder not in ("..", "~")), path.name)
