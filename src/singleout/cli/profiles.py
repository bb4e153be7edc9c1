"""The command ``profiles``: compare profiles of two sites by fields and by friends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.linking_options import FRIEND_LISTS, ProfileOptions
from singleout.cli.link import check_columns
from singleout.cli.options import AsJson, Out, Quiet, Reveal, Seed, with_options
from singleout.cli.output import Output
from singleout.ground.errors import InputError

if TYPE_CHECKING:
    from singleout.assessment.linking import Method
    from singleout.matching.candidates import Profiles
    from singleout.reading.tables import Table

FRIENDS = "friendsMatch"


@with_options
def profiles(
    released: Annotated[str | None, typer.Argument(help="Profiles to be released (default: synthetic ones).")] = None,
    known: Annotated[str | None, typer.Argument(help="Profiles the intruder has.")] = None,
    *,
    options: ProfileOptions,
    out: Out = Path("singleout-profiles"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Compare profiles of two sites by fields and by friends: how many candidates are equally good."""
    import singleout as so
    from singleout.assessment.linking import PROFILE_FILES, ProfileReport

    output = Output("profiles", out, seed, as_json, quiet, reveal, files=PROFILE_FILES)
    output.check(released, known, options.released_edges, options.known_edges)
    _refuse_idle(options, (released, known))
    sites = _read(released, known, options) if released and known else _synthetic(seed)
    methods = []
    for name, arguments in _ways(sites, options).items():
        if name == FRIENDS:
            lists: Any = sites.friends | {"rare": options.rare, "mutual": options.mutual}
            found = so.match_friends(sites.tables[0], sites.tables[1], id=sites.column, **arguments, **lists)
        else:
            found = so.match_profiles(*sites.tables, id=sites.column, **arguments)
        methods.append(_measure(name, found, sites.truth or options.truth, options.joint, seed))
    report = ProfileReport(tuple(methods), sites.label, synthetic=sites.truth is not None)
    inputs = [file for side in sites.read for file in side.files]
    report.write(out, output.manifest(_as_asked(options), inputs), reveal=reveal)
    output.show(report, " It contains ids, places and rare values (--reveal)." if reveal else "")


def _as_asked(options: ProfileOptions) -> dict[str, Any]:
    """What was asked for; files by name, never by path."""
    given = options.non_defaults()
    return {name: Path(value).name if name in FRIEND_LISTS else value for name, value in given.items()}


@dataclass(frozen=True, eq=False)
class Sites:
    """What is compared: profiles, friend lists, and who is who where the sites are synthetic."""

    tables: tuple[Table, Table]
    column: str
    friends: dict[str, Any]
    truth: dict[str, str] | None
    label: str

    @property
    def read(self) -> list[Table]:
        """Every table read, each once."""
        from singleout.reading.tables import Table

        return [*dict.fromkeys(self.tables), *(value for value in self.friends.values() if isinstance(value, Table))]


def _synthetic(seed: int) -> Sites:
    import singleout as so

    made = so.synthetic_profiles(seed=seed)
    tables = so.read_table(made.released), so.read_table(made.known)
    edges = {"released_edges": made.released_edges, "known_edges": made.known_edges, "name": "name"}
    return Sites(tables, "id", edges, made.truth, "synthetic profiles of two sites")


def _read(released: str, known: str, options: ProfileOptions) -> Sites:
    """Two files, or the same one twice, and their friend lists where there are any."""
    import singleout as so

    first = so.read_table(released, **options.writing())
    second = first if known == released else so.read_table(known, **options.writing())
    label = " and ".join(Path(name).name for name in dict.fromkeys((released, known)))
    friends: dict[str, Any] = {}
    if options.friend_name is not None:
        files = {"released_edges": options.released_edges, "known_edges": options.known_edges}
        friends = {name: so.read_table(file, **options.writing()) for name, file in files.items()}
        friends["name"] = options.friend_name
    return Sites((first, second), options.id, friends, None, label)


def _refuse_idle(options: ProfileOptions, files: tuple[str | None, str | None]) -> None:
    """Options that would have no effect on these files, or lack their other half."""
    read, lists = None not in files, options.friend_name is not None
    rules = (
        (files.count(None) == 1, "give two files, or none to use synthetic sites."),
        (not read and (lists or options.truth is not None), "`truth` and friend lists require two files."),
        (
            read and not lists and (options.rare or options.mutual),
            "`rare` and `mutual` require `released_edges`, `known_edges` and `friend_name`.",
        ),
        (read and options.joint and options.truth is None, "`joint` requires `truth`."),
    )
    for wrong, message in rules:
        if wrong:
            raise InputError(message)


def _ways(sites: Sites, options: ProfileOptions) -> dict[str, dict[str, Any]]:
    """The arguments of each way to compare, by name."""
    from singleout.reading.spellings import NICKNAMES
    from singleout.similarity.profiles.presets import PRESETS, presets

    if options.block is not None:
        own: dict[str, Any] = {
            "block": dict(_fields("block", options.block)),
            "compare": _parse_weight(options.score or ""),
        }
        return {"own fields": own} | ({FRIENDS: {"block": own["block"]}} if sites.friends else {})
    names: list[Any] = [
        name for name in options.preset or PRESETS if name != FRIENDS or sites.friends or options.preset
    ]
    if FRIENDS in names and not sites.friends:
        raise InputError("friendsMatch requires `released_edges`, `known_edges` and `friend_name`.")
    columns = {"first": options.first, "last": options.last, "location": options.location}
    ways = {name: presets(name, **columns, nicknames=options.nicknames) for name in names}
    used = {name for way in ways.values() for name in (*way["block"], *way.get("compare", ()))}
    check_columns(list(sites.tables), {option: name for option, name in columns.items() if name in used})
    if options.nicknames and FRIENDS in ways:
        ways[FRIENDS]["spellings"][sites.friends["name"]] = NICKNAMES
    return ways


def _fields(option: str, text: str) -> list[tuple[str, str]]:
    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    if not all(name and how for name, _, how in pairs):
        raise InputError(f"`{option}` must be field=comparator separated by commas, such as last=initial.")
    return [(name, how) for name, _, how in pairs]


def _parse_weight(text: str) -> dict[str, tuple[str, float]]:
    """``last=contains:2`` is a weight of 2, ``last=similar:0.85:2`` a threshold and a weight; 1 where none is given."""
    compared = {}
    for name, how in _fields("score", text):
        comparator, *numbers = how.split(":")
        weight = numbers.pop() if len(numbers) > (comparator == "similar") else "1"
        try:
            compared[name] = ":".join([comparator, *numbers]), float(weight)
        except ValueError as error:
            raise InputError(f"`score` must have numbers as weights (got {weight!r}).") from error
    return compared


def _measure(name: str, found: Profiles, truth: Any, joint: bool, seed: int) -> Method:
    import singleout as so
    from singleout.assessment.linking import Method

    if truth is None or not found.candidates.any():
        return Method(name, found)
    one_by_one = so.accuracy(found, truth)
    together = so.accuracy(so.assign(found.scores, seed=seed), _one_to_one(found, truth)) if joint else None
    return Method(name, found, one_by_one, together)


def _one_to_one(found: Profiles, truth: Any) -> dict[Any, Any]:
    """Who is who by id: joint matching gives everyone one partner only."""
    from singleout.measures.truth import pairs_by_column

    if not isinstance(truth, str):
        return dict(truth)
    rows, others = pairs_by_column("profiles", found.tables, truth)
    if len(set(rows.tolist())) < len(rows) or len(set(others.tolist())) < len(others):
        raise InputError("`joint` requires a `truth` that is unique on both sides.")
    ids = found.released_side.people[rows].tolist(), found.known_side.people[others].tolist()
    return dict(zip(*ids, strict=True))
