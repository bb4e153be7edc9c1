"""Ramachandran et al. 2012 continued: profiles of two social networks (IV). Table III and Fig. 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow.compute as pc

import singleout as so
from singleout.ground.progress import stage
from singleout.measures.intervals import wilson
from singleout.papers.data_sets import SITES, Shelf
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row
from singleout.similarity.profiles.presets import PRESETS

GENERATED = "Synthetic sites: names with a heavy tail, friends in circles; not fitted to the paper."
NAME, FRIENDS = PRESETS[0], PRESETS[-1]
TABLE_3 = {
    "nameMatch": (0.233, 0.172, 11.055, 12.833),
    "fieldsMatch1": (0.231, 0.174, 21.321, 38.601),
    "fieldsMatch2": (0.203, 0.167, 21.321, 38.601),
    "fieldsMatch3": (0.201, 0.166, 18.441, 39.076),
    "friendsMatch": (0.501, 0.275, 13.625, 17.962),
}
"""Selectivity and its deviation, candidates and their deviation, for people with at least two candidates."""
CHECKED = {"friendsMatch": 1.0, "nameMatch": 0.2, "fieldsMatch2": 0.2}
SURE = "correct where friends are certain"
TWO = 2
SEEDS, QUICK_SEEDS = 5, 1


@reproduces("ramachandran-table3", "Table III: selectivity of profiles with at least two candidates", SITES)
def table_3(shelf: Shelf) -> Reproduction:
    """The five setups of IV-D on people whose candidates show all their friends."""
    found = _compare_worlds(shelf, cut=False)
    rows = [row for method in PRESETS for row in _selectivity(method, found)]
    rows += _right(found)
    return Reproduction(tuple(rows), tuple(_of_table_3(rows)), OPEN_3, NOTES_3)


OPEN_3 = "whether nicknames count as names (ours: no); and other synthetic people"
NOTES_3 = (
    f"{GENERATED} Only people whose candidates' friend lists are complete, as in the paper's table.",
    "friendsMatch has the blocking of fieldsMatch2, so its 13.625 candidates in the paper cannot be the same people's.",
    "Correct where friends are certain: of people on both sites whom friends single out. The paper checked some.",
)


@dataclass(frozen=True)
class _Compared:
    """Each setup on the same two sites."""

    sites: so.ProfileSites
    by_method: dict[str, so.Profiles]


def _compare_worlds(shelf: Shelf, *, cut: bool) -> list[_Compared]:
    """One group of people in every synthetic world, without and with nicknames that count as names."""
    seeds = range(shelf.seed, shelf.seed + (QUICK_SEEDS if shelf.quick else SEEDS))
    ways = [(seed, nicknames) for seed in seeds for nicknames in (False, True)]
    found = []
    for number, (seed, nicknames) in enumerate(ways, 1):
        with stage(f"{number} of {len(ways)} synthetic worlds"):
            found.append(_compare(_group(shelf.sites(seed), cut=cut), nicknames))
    return found


def _group(sites: so.ProfileSites, *, cut: bool) -> so.ProfileSites:
    """Only released people whose candidates show at most eight friends (``cut``: about 1,100 of 1,600), or all."""
    people = sites.released.filter(pc.equal(sites.released["cut"], cut))
    edges = sites.released_edges.filter(pc.is_in(sites.released_edges["person"], people["id"].combine_chunks()))
    ids = set(people["id"].to_pylist())
    truth = {mine: theirs for mine, theirs in sites.truth.items() if mine in ids}
    return replace(sites, released=people, released_edges=edges, truth=truth)


def _compare(sites: so.ProfileSites, nicknames: bool = False) -> _Compared:
    fields: dict[str, Any] = {name: so.presets(name, nicknames=nicknames) for name in PRESETS}
    friends: dict[str, Any] = {"released_edges": sites.released_edges, "known_edges": sites.known_edges, "name": "name"}
    by_method = {
        name: so.match_friends(sites.released, sites.known, **friends, **chosen)
        if name == FRIENDS
        else so.match_profiles(sites.released, sites.known, id="id", **chosen)
        for name, chosen in fields.items()
    }
    return _Compared(sites, by_method)


def _selectivity(method: str, found: Sequence[_Compared]) -> list[Row]:
    """The row of a setup in Table III, and how often a random choice among its best candidates is correct."""
    summaries = [so.selectivity(each.by_method[method], at_least=TWO) for each in found]
    columns: list[tuple[str, list[so.Estimate | float]]] = [
        ("selectivity", [each.selectivity or 0.0 for each in summaries]),
        ("its deviation", [each.deviation for each in summaries]),
        ("candidates", [each.candidates for each in summaries]),
        ("their deviation", [each.candidates_deviation for each in summaries]),
    ]
    rows = []
    for (at, ours), printed in zip(columns, TABLE_3[method], strict=True):
        random = summaries[0].random if at == "selectivity" else None
        rows.append(Row(SITES, method, at, ours[0], printed, random, tuple(map(_value, ours))))
    right = [so.accuracy(each.by_method[method], each.sites.truth) for each in found if each.sites.truth]
    shares = tuple(each.rate.value for each in right)
    return [*rows, *(Row(SITES, method, "correct", each.rate, None, each.random, shares) for each in right[:1])]


def _value(value: so.Estimate | float) -> float:
    return value.value if isinstance(value, so.Estimate) else value


def _right(found: Sequence[_Compared]) -> list[Row]:
    """How many of those whom friends single out each setup identifies (the paper's check by hand, IV-E)."""
    rows = []
    for method, printed in CHECKED.items():
        tallies = [_sure_and_right(each, method) for each in found]
        shares = tuple(right / sure for sure, right in tallies if sure)
        sure, right = tallies[0]
        if sure:
            random = 1 / found[0].sites.known.num_rows
            rows.append(Row(SITES, method, SURE, wilson(right, sure), printed, random, shares))
    return rows


def _sure_and_right(each: _Compared, method: str) -> tuple[int, float]:
    """People on both sites whom friendsMatch singles out among two or more, and those whom the method identifies."""
    friends, profiles = each.by_method[FRIENDS], each.by_method[method]
    row = {person: number for number, person in enumerate(profiles.released_side.people.tolist())}
    other = {person: number for number, person in enumerate(profiles.known_side.people.tolist())}
    rows = np.array([row[mine] for mine in each.sites.truth], dtype=np.intp)
    others = np.array([other[theirs] for theirs in each.sites.truth.values()], dtype=np.intp)
    sure = (friends.selectivity[rows] == 1) & (friends.candidates[rows] >= TWO) if len(rows) else np.zeros(0, bool)
    return int(sure.sum()), float(profiles.chances(rows[sure], others[sure]).sum())


def _of_table_3(rows: Sequence[Row]) -> list[Finding]:
    by_method = {row.series: row for row in rows if row.at == "selectivity"}
    worlds = range(len(by_method[FRIENDS].choices))
    ours = {method: row.value for method, row in by_method.items()}
    each = [{method: row.choices[world] for method, row in by_method.items()} for world in worlds]
    checked = {row.series: row.value for row in rows if row.at == SURE}
    findings = [
        Finding(
            "friends are more selective than any setup of fields", _friends_best(ours), tuple(map(_friends_best, each))
        ),
        Finding(
            "all setups of fields have similar selectivity (within 0.05)",
            _fields_similar(ours),
            tuple(map(_fields_similar, each)),
        ),
        Finding("location adds nothing to names", _location_idle(ours), tuple(map(_location_idle, each))),
    ]
    if checked:
        findings += [
            Finding("people whom friends single out are always identified correctly", checked[FRIENDS] == 1),
            Finding("names are correct for less than a quarter of these", checked[NAME] < 0.25),
        ]
    return findings


def _friends_best(by_method: dict[str, float]) -> bool:
    return by_method[FRIENDS] > max(by_method[method] for method in PRESETS[:-1])


def _fields_similar(by_method: dict[str, float]) -> bool:
    fields = [by_method[method] for method in PRESETS[:-1]]
    return max(fields) - min(fields) <= 0.05


def _location_idle(by_method: dict[str, float]) -> bool:
    return by_method["fieldsMatch3"] <= by_method["fieldsMatch2"]


@reproduces("ramachandran-fig2", "Fig. 2: selectivity of each person, in ascending order", SITES)
def figure_2(shelf: Shelf) -> Reproduction:
    """The people of Table III, at every tenth, and how many are singled out."""
    compared = _compare(_group(shelf.sites(shelf.seed), cut=False))
    rows, single = [], []
    for method, found in compared.by_method.items():
        shown = np.sort(found.selectivity[found.candidates >= TWO])
        for percent in range(0, 101, 10):
            value = float(shown[min(len(shown) * percent // 100, len(shown) - 1)]) if len(shown) else 0.0
            rows.append(Row(SITES, method, float(percent), value))
        shares = [_share_singled_out(found, least) for least in (TWO, 1, 0)]
        spread = tuple(map(_value, shares))
        single.append(Row(SITES, method, "singled out", shares[0], None, 1 / len(found.known_side), spread))
    most = [row.choices for row in single]
    return Reproduction(
        (*rows, *single),
        (
            Finding(
                "friends single out most people",
                _last_is_most([row.value for row in single]),
                tuple(_last_is_most(values) for values in zip(*most, strict=True)),
            ),
        ),
        "whether people with one candidate, or none, count (ours: only those with two or more)",
        (GENERATED, "The paper draws every person and gives no numbers."),
        axis="people in ascending order of selectivity, in %",
    )


def _share_singled_out(found: so.Profiles, at_least: int) -> so.Estimate | float:
    group = found.candidates >= at_least
    return wilson(int((found.selectivity[group] == 1).sum()), int(group.sum())) if group.any() else 0.0


def _last_is_most(values: Sequence[float]) -> bool:
    *others, last = values
    return last > max(others)


@reproduces("ramachandran-iv-c", "IV-C: the second group, whose candidates show at most eight friends", SITES)
def second_group(shelf: Shelf) -> Reproduction:
    """The five setups on both groups of people: the paper says that they have the same trends, and shows the first."""
    groups = {name: _compare_worlds(shelf, cut=cut) for name, cut in GROUPS.items()}
    rows = [row for name, found in groups.items() for method in PRESETS for row in _of_group(name, method, found)]
    return Reproduction(tuple(rows), tuple(_of_groups(rows)), OPEN_3, NOTES_4)


GROUPS = {"at most eight friends": True, "all friends": False}
ALONE = "singled out"
NOTES_4 = (
    f"{GENERATED} Blocks of names are divided between the groups at random, about 1,100 and 500 of 1,600 people; "
    "candidates in the second group show at most eight friends, chosen at random.",
    "People with at least two candidates. Singled out: one candidate has the highest score. nameMatch compares "
    "nothing, so all its candidates are equal and it singles out nobody.",
)
AT_RANDOM = "the groups are drawn at random and differ only in friends"


def _of_group(group: str, method: str, found: Sequence[_Compared]) -> list[Row]:
    """Selectivity of a setup, and whom it singles out and identifies."""
    profiles = [each.by_method[method] for each in found]
    summaries = [so.selectivity(each, at_least=TWO) for each in profiles]
    means = [each.selectivity or 0.0 for each in summaries]
    alone = [_share_singled_out(each, TWO) for each in profiles]
    chance = 1 / len(profiles[0].known_side)
    right = [so.accuracy(each.by_method[method], each.sites.truth) for each in found if each.sites.truth]
    shares = tuple(each.rate.value for each in right)
    return [
        Row(SITES, method, f"selectivity, {group}", means[0], None, summaries[0].random, tuple(map(_value, means))),
        Row(SITES, method, f"{ALONE}, {group}", alone[0], None, chance, tuple(map(_value, alone))),
        *(Row(SITES, method, f"correct, {group}", each.rate, None, each.random, shares) for each in right[:1]),
    ]


def _of_groups(rows: Sequence[Row]) -> list[Finding]:
    cut, whole = (_by_world(rows, f"selectivity, {group}") for group in GROUPS)
    alone = _by_world(rows, f"{ALONE}, {next(iter(GROUPS))}")
    same = [_order_of_fields(mine) == _order_of_fields(other) for mine, other in zip(cut, whole, strict=True)]
    return [
        _in_every_world("friends are more selective than any setup of fields", map(_last_is_most, cut)),
        _in_every_world("friends single out most people", map(_last_is_most, alone)),
        _in_every_world("setups of fields are in the same order as in the first group", same, AT_RANDOM),
    ]


def _by_world(rows: Sequence[Row], at: str) -> list[tuple[float, ...]]:
    """The numbers of the five setups in each world, ours first."""
    return list(zip(*(row.choices for row in rows if row.at == at), strict=True))


def _order_of_fields(values: Sequence[float]) -> list[int]:
    return sorted(range(len(values) - 1), key=lambda setup: values[setup])


def _in_every_world(text: str, holds: Iterable[bool], aside: str = "") -> Finding:
    worlds = tuple(holds)
    return Finding(f"second group: {text}", worlds[0], worlds, aside)
