"""The commands ``link`` and ``profiles``: read two files, compare them, tell. The command line registers them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from singleout._command import AsJson, Encoding, Out, Quiet, Seed, Told, errors_in_words
from singleout._options import words
from singleout.ground.errors import InputError
from singleout.ground.progress import silenced
from singleout.matching.result import assign
from singleout.measures.accuracy import accuracy
from singleout.measures.links import Links, link_records
from singleout.measures.profiles import match_friends, match_profiles
from singleout.measures.selectivity import Profiles
from singleout.measures.truth import pairs_by_column
from singleout.reading.spellings import NICKNAMES
from singleout.reading.synthetic_profiles import synthetic_profiles
from singleout.reading.tables import Table, read_table
from singleout.report.linking import LINK_FILES, PROFILE_FILES, LinkReport, Method, ProfileReport
from singleout.weights.presets import PRESETS, presets

Truth = Annotated[str | None, typer.Option(help="Column on both sides that is the same for the same person.")]
FRIENDS = "friendsMatch"


def link(
    released: Annotated[str, typer.Argument(help="Records to be released. File or glob.")],
    known: Annotated[str, typer.Argument(help="Records the intruder has.")],
    *,
    on: Annotated[
        str | None, typer.Option(help="Common columns, such as state,sex; all of the same name if out.")
    ] = None,
    max_columns: Annotated[int, typer.Option(help="The largest combination of columns.")] = 7,
    max_released: Annotated[int, typer.Option(help="Rare: at most so many released records.")] = 10,
    max_known: Annotated[int, typer.Option(help="Rare: at most so many known records.")] = 5,
    missing: Annotated[str, typer.Option(help="A missing value is a value, matches never, or any.")] = "value",
    truth: Truth = None,
    encoding: Encoding = "utf-8",
    out: Out = Path("singleout-links"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Annotated[bool, typer.Option("--reveal", help="Write the values of linked records too.")] = False,
) -> None:
    """Link released records to known ones: which lead to a single person, by which columns."""
    told = Told("link", out, seed, as_json, quiet, reveal, files=LINK_FILES)
    with errors_in_words(told.command), silenced(quiet):
        told.check(released, known)
        names = words(on)
        chosen: dict[str, Any] = {"on": names, "max_columns": max_columns, "max_released": max_released}
        chosen |= {"max_known": max_known, "missing": missing}
        sides = [_opened(source, encoding) for source in (released, known)]
        for side in sides:
            _check_columns(side, {} if truth is None else {"truth": truth})
        if names is None and truth is not None:
            chosen["on"] = [name for name in sides[0].columns if name in sides[1].columns and name != truth]
        links = link_records(*sides, **chosen)
        _tell(told, _link_report(links, truth), chosen | {"truth": truth}, sides)


def _link_report(links: Links, truth: str | None) -> LinkReport:
    if truth is None:
        return LinkReport(links)
    return LinkReport(links, links.rate(truth) if len(links) else None, links.overall(truth))


def profiles(
    released: Annotated[str | None, typer.Argument(help="Profiles to be released; made up if left out.")] = None,
    known: Annotated[str | None, typer.Argument(help="Profiles the intruder has.")] = None,
    *,
    id: Annotated[str, typer.Option(help="Column of ids on both sides.")] = "id",  # noqa: A002 - the option's name
    first: Annotated[str, typer.Option(help="Column of first names.")] = "first",
    last: Annotated[str, typer.Option(help="Column of last names.")] = "last",
    location: Annotated[str, typer.Option(help="Column of locations.")] = "location",
    nicknames: Annotated[bool, typer.Option("--nicknames", help="Take nicknames for names.")] = False,
    preset: Annotated[list[str] | None, typer.Option(help="nameMatch, fieldsMatch1 to 3; repeat; all if out.")] = None,
    block: Annotated[str | None, typer.Option(help="Fields of one's own: last=initial,first=exact.")] = None,
    compare: Annotated[str | None, typer.Option(help="With --block: last=contains:2,city=exact:1.")] = None,
    released_edges: Annotated[str | None, typer.Option(help="Friend lists: person, friend.")] = None,
    known_edges: Annotated[str | None, typer.Option(help="Friend lists of the known side.")] = None,
    friend_name: Annotated[str | None, typer.Option(help="Column of names by which friends are the same.")] = None,
    rare: Annotated[bool, typer.Option("--rare", help="Rare friends count more.")] = False,
    mutual: Annotated[bool, typer.Option("--mutual", help="Each friendship counts for both.")] = False,
    joint: Annotated[bool, typer.Option("--joint", help="Match all at once by the scores too; needs --truth.")] = False,
    truth: Truth = None,
    encoding: Encoding = "utf-8",
    out: Out = Path("singleout-profiles"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Annotated[bool, typer.Option("--reveal", help="Write ids beside the row numbers.")] = False,
) -> None:
    """Compare profiles of two sites by fields and by friends: how many candidates are equally good."""
    given = {name: value for name, value in locals().items() if value and name not in NOT_PARAMETERS}
    told = Told("profiles", out, seed, as_json, quiet, reveal, files=PROFILE_FILES)
    with errors_in_words(told.command), silenced(quiet):
        told.check(released, known, released_edges, known_edges)
        columns = {"first": first, "last": last, "location": location}
        friends = {"released_edges": released_edges, "known_edges": known_edges, "name": friend_name}
        _refuse_idle(given, (released, known))
        made_up = released is None or known is None
        sites = _made_up(seed) if made_up else _read(str(released), str(known), id, friends, encoding)
        ways = _ways(sites, columns, nicknames, preset, block, compare)
        methods = []
        for name, arguments in ways.items():
            if name == FRIENDS:
                lists: Any = sites.friends | {"rare": rare, "mutual": mutual}
                found = match_friends(sites.tables[0], sites.tables[1], id=sites.column, **arguments, **lists)
            else:
                found = match_profiles(*sites.tables, id=sites.column, **arguments)
            methods.append(_measured(name, found, sites.truth or truth, joint, seed))
        report = ProfileReport(tuple(methods), sites.label, synthetic=sites.truth is not None)
        _tell(told, report, given, sites.read)


NOT_PARAMETERS = ("released", "known", "out", "seed", "as_json", "quiet", "reveal")
LISTS = ("released_edges", "known_edges", "friend_name")


def _tell(
    told: Told,
    report: LinkReport | ProfileReport,
    parameters: dict[str, Any],
    sides: list[Table],
) -> None:
    """Write the folder, then print."""
    # files go by name, never by path
    given = {name: Path(value).name if name in LISTS else value for name, value in parameters.items() if value}
    inputs = [file for side in sides for file in side.files]
    report.write(told.out, told.manifest(given, inputs), reveal=bool(told.reveal))
    told.told(report, " It holds what --reveal shows." if told.reveal else "")


@dataclass(frozen=True, eq=False)
class _Sites:
    """What ``profiles`` compares."""

    tables: tuple[Table, Table]
    column: str
    friends: dict[str, Any]
    truth: dict[str, str] | None
    """Who is who, where the sites are made up."""
    label: str

    @property
    def read(self) -> list[Table]:
        """Every table read, each once."""
        return [*dict.fromkeys(self.tables), *(value for value in self.friends.values() if isinstance(value, Table))]


def _opened(source: str, encoding: str) -> Table:
    return read_table(source, encoding=encoding)


def _check_columns(table: Table, options: dict[str, str]) -> None:
    """Columns that options name, checked here so that errors speak of these options."""
    for option, name in options.items():
        table.source.column("read_table", option, name)


def _made_up(seed: int) -> _Sites:
    made = synthetic_profiles(seed=seed)
    tables = read_table(made.released), read_table(made.known)
    edges = {"released_edges": made.released_edges, "known_edges": made.known_edges, "name": "name"}
    return _Sites(tables, "id", edges, made.truth, "synthetic profiles of two sites")


def _read(released: str, known: str, column: str, friends: dict[str, Any], encoding: str) -> _Sites:
    """Two files, or the same one twice, and their friend lists where there are any."""
    first = _opened(released, encoding)
    second = first if known == released else _opened(known, encoding)
    label = " and ".join(Path(name).name for name in dict.fromkeys((released, known)))
    if friends["name"] is not None:
        friends = {name: value if name == "name" else _opened(value, encoding) for name, value in friends.items()}
        return _Sites((first, second), column, friends, None, label)
    return _Sites((first, second), column, {}, None, label)


def _refuse_idle(given: dict[str, Any], files: tuple[str | None, str | None]) -> None:
    """Options that would be passed over without a word, or lack their other half."""
    lists = [name for name in LISTS if name in given]
    read = None not in files
    mistakes = {
        "give two files, or none for made-up sites.": files.count(None) == 1,
        "--truth and friend lists go with two files.": not read and bool(lists or "truth" in given),
        "--compare goes with --block.": "compare" in given and "block" not in given,
        "give either --preset or --block.": "preset" in given and "block" in given,
        "--released-edges, --known-edges and --friend-name go together.": 0 < len(lists) < len(LISTS),
        "--rare and --mutual go with --released-edges and --known-edges.": read
        and not lists
        and bool({"rare", "mutual"} & given.keys()),
        "--joint goes with --truth.": read and "joint" in given and "truth" not in given,
    }
    for mistake, made in mistakes.items():
        if made:
            raise InputError(f"profiles: {mistake}")


def _ways(
    sites: _Sites, columns: dict[str, str], nicknames: bool, preset: Any, block: str | None, compare: str | None
) -> dict[str, dict[str, Any]]:
    """The arguments of each way to compare, by name."""
    if block is not None:
        own: dict[str, Any] = {"block": dict(_fields("block", block)), "compare": _weighted(compare or "")}
        return {"own fields": own} | ({FRIENDS: {"block": own["block"]}} if sites.friends else {})
    names = [name for name in preset or PRESETS if name != FRIENDS or sites.friends or preset]
    if FRIENDS in names and not sites.friends:
        raise InputError("profiles: friendsMatch needs --released-edges, --known-edges and --friend-name.")
    ways = {name: presets(name, **columns, nicknames=nicknames) for name in names}
    used = {name for way in ways.values() for name in (*way["block"], *way.get("compare", ()))}
    for table in sites.tables:
        _check_columns(table, {option: name for option, name in columns.items() if name in used})
    if nicknames and FRIENDS in ways:
        ways[FRIENDS]["spellings"][sites.friends["name"]] = NICKNAMES
    return ways


def _fields(option: str, text: str) -> list[tuple[str, str]]:
    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    if not all(name and how for name, _, how in pairs):
        raise InputError(f"--{option} must be field=comparator with commas between them, such as last=initial.")
    return [(name, how) for name, _, how in pairs]


def _weighted(text: str) -> dict[str, tuple[str, float]]:
    """``last=contains:2`` is a weight of 2, ``last=similar:0.85:2`` a threshold and a weight; 1 where none is given."""
    compared = {}
    for name, how in _fields("compare", text):
        comparator, *numbers = how.split(":")
        weight = numbers.pop() if len(numbers) > (comparator == "similar") else "1"
        try:
            compared[name] = ":".join([comparator, *numbers]), float(weight)
        except ValueError as error:
            raise InputError(f"--compare must have numbers as weights, got {weight!r}.") from error
    return compared


def _measured(name: str, found: Profiles, truth: Any, joint: bool, seed: int) -> Method:
    if truth is None or not found.candidates.any():
        return Method(name, found)
    one_by_one = accuracy(found, truth)
    together = accuracy(assign(found.scores, seed=seed), _one_to_one(found, truth)) if joint else None
    return Method(name, found, one_by_one, together)


def _one_to_one(found: Profiles, truth: Any) -> dict[Any, Any]:
    """Who is who by id: joint matching gives everyone one partner only."""
    if not isinstance(truth, str):
        return dict(truth)
    rows, others = pairs_by_column("profiles", found.tables, truth)
    if len(set(rows.tolist())) < len(rows) or len(set(others.tolist())) < len(others):
        raise InputError("profiles: --joint needs a --truth that is unique on both sides.")
    ids = found.released_side.people[rows].tolist(), found.known_side.people[others].tolist()
    return dict(zip(*ids, strict=True))
