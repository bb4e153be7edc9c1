"""Ramachandran, Singh, Porter, Nagle 2012: Exploring Re-identification Risks. Its two case studies (III, IV)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

import singleout as so
from singleout.ground.progress import stage
from singleout.measures.intervals import wilson
from singleout.measures.links import Uniques
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row
from singleout.papers.shelf import CENSUS, SITES, Shelf
from singleout.reading.spellings import STATES
from singleout.reading.synthetic_profiles import CITIES
from singleout.weights.presets import PRESETS

EVERYWHERE = "all three"
TABLE_1 = {
    "California": (1_028_566, 233, 54),
    "Florida": (547_847, 43, 27),
    "Texas": (675_158, 113, 6),
    EVERYWHERE: (2_251_571, 389, 87),
}
"""Surveys, linked, linked rightly."""
LISTED = 16_000
MISSING = ("value", "never", "any")
COMMON = ("first", "last", "location")

CLASSES = ("STATE", "PUMA", "SEX", "AGEP")
FLORIDA = "12"
TABLE_2 = {"fewer than 10": (10, 14_741), "fewer than 5": (5, 5_227), "one": (2, 926)}
UNIQUE, MET, FEW = 926, 11_000, 56

NAME, FRIENDS = PRESETS[0], PRESETS[-1]
TABLE_3 = {
    "nameMatch": (0.233, 0.172, 11.055, 12.833),
    "fieldsMatch1": (0.231, 0.174, 21.321, 38.601),
    "fieldsMatch2": (0.203, 0.167, 21.321, 38.601),
    "fieldsMatch3": (0.201, 0.166, 18.441, 39.076),
    "friendsMatch": (0.501, 0.275, 13.625, 17.962),
}
"""Selectivity and its deviation, candidates and their deviation, of people with at least two."""
CHECKED = {"friendsMatch": 1.0, "nameMatch": 0.2, "fieldsMatch2": 0.2}
SURE = "right where friends are sure"
TWO = 2
SEEDS, QUICK_SEEDS = 5, 2
MADE_UP = "Made-up sites: names of a heavy tail, friends in circles; not fitted to the paper."


@reproduces("ramachandran-table1", "Table I: records linked to a public list, and how many rightly", SITES)
def table_1(shelf: Shelf) -> Reproduction:
    """LinkRecords with the paper's limits; the people of three states, by what they write as their location."""
    sites = shelf.sites(shelf.seed, LISTED)
    truth = {int(mine[1:]): int(theirs[1:]) for mine, theirs in sites.truth.items()}
    ways = [so.link_records(sites.released, sites.known, on=COMMON, missing=missing) for missing in MISSING]
    home = _states(sites.released["location"])
    rows: list[Row] = []
    for state, printed in TABLE_1.items():
        inside = np.isin(home, list(TABLE_1)) if state == EVERYWHERE else home == state
        rows += _linked(state, printed, [_tally(links, truth, inside) for links in ways], ways[0].random)
    rows += _uniques(ways[0].uniques)
    return Reproduction(tuple(rows), tuple(_of_table_1(rows)), MISSING_RULE, NOTES_1)


MISSING_RULE = "whether a missing value is a value like others (ours), matches never, or matches any"
NOTES_1 = (
    f"{MADE_UP} Common columns are first and last name and location; the paper's survey had no names.",
    "Printed overall vulnerability is 0.00005, 0.00004 and 0.00001, beside 'less than 0.005 %' in the text.",
    "The text speaks of 87 right, the sum of the states; together 389 linked is our sum.",
)


@dataclass(frozen=True)
class _Tally:
    """Released records of a state, those linked, and those linked rightly."""

    released: int
    linked: int
    right: int


def _tally(links: so.Links, truth: dict[int, int], inside: NDArray[np.bool_]) -> _Tally:
    here = inside[links.released]
    pairs = zip(links.released[here].tolist(), links.known[here].tolist(), strict=True)
    return _Tally(int(inside.sum()), int(here.sum()), sum(truth.get(mine) == theirs for mine, theirs in pairs))


def _linked(state: str, printed: tuple[int, int, int], ways: Sequence[_Tally], random: float) -> list[Row]:
    ours = ways[0]
    surveys, linked, right = printed
    rows = [
        Row(SITES, "records", state, float(ours.released), surveys),
        Row(SITES, "linked", state, float(ours.linked), linked, choices=tuple(float(way.linked) for way in ways)),
        Row(SITES, "linked rightly", state, float(ours.right), right, choices=tuple(float(way.right) for way in ways)),
    ]
    if ours.linked:
        shares = tuple(way.right / way.linked for way in ways if way.linked)
        rows.append(Row(SITES, "accuracy", state, wilson(ours.right, ours.linked), right / linked, random, shares))
    if ours.released:
        overall = wilson(ours.right, ours.released)
        shares = tuple(way.right / way.released for way in ways)
        rows.append(Row(SITES, "overall vulnerability", state, overall, right / surveys, random, shares))
    return rows


def _uniques(found: Uniques) -> list[Row]:
    """Known records that the unique released ones meet, and those few that the least met of them do."""
    at = "known records each"
    every = found.known / max(found.released, 1)
    few = found.few_known / max(found.few, 1)
    return [
        Row(SITES, "unique released records", at, every, MET / UNIQUE),
        Row(SITES, "of them those with few", at, few, 158 / FEW),
    ]


def _of_table_1(rows: Sequence[Row]) -> list[Finding]:
    by_state = {str(row.at): row for row in rows if row.series == "accuracy"}
    together, shares = by_state.get(EVERYWHERE), [by_state[state].value for state in by_state if state != EVERYWHERE]
    overall = next(row for row in rows if row.series == "overall vulnerability" and row.at == EVERYWHERE)
    unique = next(row for row in rows if row.series == "unique released records")
    if together is None:
        return []
    return [
        Finding(
            "most of the linked are linked to somebody else",
            together.value < 0.5,
            tuple(share < 0.5 for share in together.choices),
        ),
        Finding("accuracy depends on the state (the best ten times the worst)", max(shares) > 10 * min(shares)),
        Finding(
            "large-scale re-identification is unlikely (overall less than 0.005 %)",
            overall.value < 0.00005,
            tuple(share < 0.00005 for share in overall.choices),
        ),
        Finding("who is unique among the released meets several known records", unique.value > 1),
    ]


def _states(locations: pa.ChunkedArray) -> NDArray[np.str_]:
    """The state that people write, by its name, its letters or one of its towns; empty where they write none."""
    towns = dict(city.split(":") for city in CITIES)
    letters = towns | {code: code for code in STATES} | {name: code for code, name in STATES.items()}
    last = [(text or "").lower().split(", ")[-1] for text in locations.to_pylist()]
    return np.array([STATES.get(letters.get(word, ""), "").title() for word in last])


@reproduces("ramachandran-table2", "Table II: combinations of state, area, sex and age by how many have them", CENSUS)
def table_2(shelf: Shelf) -> Reproduction:
    """Classes of householders, and how many people of the population the single ones stand for."""
    file = shelf.file(CENSUS)
    every, by_person = (
        so.uniqueness(so.read_table(file, columns=CLASSES, survey_weight=weight), columns=CLASSES)
        for weight in ("WGTP", "PWGTP")
    )
    florida = pq.read_table(file, columns=list(CLASSES), filters=[("STATE", "=", FLORIDA)])
    places = [every]
    if florida.num_rows:
        places.append(so.uniqueness(so.read_table(florida), columns=CLASSES))
    rows = [
        Row(CENSUS, "combinations", at, float(every.below(size)), printed, choices=_below(places, size))
        for at, (size, printed) in TABLE_2.items()
    ]
    shares = tuple(found.rate.value for found in places)
    rows.append(Row(CENSUS, "records", "unique", every.rate, UNIQUE / TABLE_1[EVERYWHERE][0], choices=shares))
    weighed = [_population(found) for found in (every, by_person)]
    means, few = (tuple(float(value) for value in column) for column in zip(*weighed, strict=True))
    unique = wilson(few[0] * every.single, every.single)
    rows.append(Row(CENSUS, "unique ones", "people each stands for", means[0], MET / UNIQUE, choices=means))
    rows.append(Row(CENSUS, "unique ones", "stand for fewer than 5", unique, FEW / UNIQUE, choices=few))
    return Reproduction(
        tuple(rows),
        (
            _standing("who is unique in the sample stands for many (ten or more)", [mean >= 10 for mean in means]),
            _standing("hardly any stand for fewer than 5 (less than a tenth)", [share < 0.1 for share in few]),
        ),
        "which counties: all 49 states here (ours), or Florida only; of people, the household's or the person's weight",
        NOTES_2,
    )


NOTES_2 = (
    "The paper: three counties of California, Florida and Texas, all persons. This file: householders, no California, "
    "no Texas.",
    "Beside the people that a record stands for, by its survey weight, stand the records of the public list that the "
    "paper's 926 met: just over 11,000; 56 of the 926 met fewer than 5.",
)


def _standing(text: str, holds: Sequence[bool]) -> Finding:
    """A finding by the household's weight, ours, and by either weight."""
    return Finding(text, holds[0], tuple(holds))


def _below(places: Sequence[so.Uniqueness], size: int) -> tuple[float, ...]:
    return tuple(float(found.below(size)) for found in places)


def _population(found: so.Uniqueness) -> tuple[float, float]:
    """Of the unique records: how many people each stands for in the mean, and the share that stands for few."""
    assert found.frequencies is not None
    people = found.frequencies[found.sizes == 1]
    return (float(people.mean()), float((people < 5).mean())) if len(people) else (0.0, 0.0)


@reproduces("ramachandran-table3", "Table III: selectivity of profiles with at least two candidates", SITES)
def table_3(shelf: Shelf) -> Reproduction:
    """The five setups of IV-D on people whose candidates show all their friends."""
    ways = [
        (seed, nicknames)
        for seed in range(shelf.seed, shelf.seed + (QUICK_SEEDS if shelf.quick else SEEDS))
        for nicknames in (False, True)
    ]
    found = []
    for number, (seed, nicknames) in enumerate(ways, 1):
        with stage(f"{number} of {len(ways)} made-up worlds"):
            found.append(_compared(_whole_lists(shelf.sites(seed)), nicknames))
    rows = [row for method in PRESETS for row in _selectivity(method, found)]
    rows += _right(found)
    return Reproduction(tuple(rows), tuple(_of_table_3(rows)), OPEN_3, NOTES_3)


OPEN_3 = "whether nicknames stand for names (ours: no); beside it, other made-up people"
NOTES_3 = (
    f"{MADE_UP} Only people whose candidates' friend lists are whole, as in the paper's table.",
    "friendsMatch has the blocking of fieldsMatch2, so its 13.625 printed candidates cannot be of the same people.",
    "Right where friends are sure: of people on both sites whom friends single out. The paper checked some by hand.",
)


@dataclass(frozen=True)
class _Compared:
    """Each setup on the same two sites."""

    sites: so.ProfileSites
    by_method: dict[str, so.Profiles]


def _whole_lists(sites: so.ProfileSites) -> so.ProfileSites:
    """Only released people whose candidates show more than eight friends (R12 IV-C: about 500 of 1,600)."""
    people = sites.released.filter(pc.invert(sites.released["cut"]))
    edges = sites.released_edges.filter(pc.is_in(sites.released_edges["person"], people["id"].combine_chunks()))
    ids = set(people["id"].to_pylist())
    truth = {mine: theirs for mine, theirs in sites.truth.items() if mine in ids}
    return replace(sites, released=people, released_edges=edges, truth=truth)


def _compared(sites: so.ProfileSites, nicknames: bool = False) -> _Compared:
    fields = {name: so.presets(name, nicknames=nicknames) for name in PRESETS}
    friends: dict[str, Any] = {"released_edges": sites.released_edges, "known_edges": sites.known_edges, "name": "name"}
    by_method = {
        name: so.match_friends(sites.released, sites.known, **friends, **chosen)
        if name == FRIENDS
        else so.match_profiles(sites.released, sites.known, id="id", **chosen)
        for name, chosen in fields.items()
    }
    return _Compared(sites, by_method)


def _selectivity(method: str, found: Sequence[_Compared]) -> list[Row]:
    """The line of a setup in Table III, and how often a lot among its best candidates is right."""
    summaries = [each.by_method[method].summary(TWO) for each in found]
    columns: list[tuple[str, list[so.Estimate | float]]] = [
        ("selectivity", [each.selectivity or 0.0 for each in summaries]),
        ("its deviation", [each.deviation for each in summaries]),
        ("candidates", [each.candidates for each in summaries]),
        ("their deviation", [each.candidates_deviation for each in summaries]),
    ]
    rows = []
    for (at, ours), printed in zip(columns, TABLE_3[method], strict=True):
        random = summaries[0].random if at == "selectivity" else None
        rows.append(Row(SITES, method, at, ours[0], printed, random, tuple(map(_plain, ours))))
    right = [so.accuracy(each.by_method[method], each.sites.truth) for each in found if each.sites.truth]
    shares = tuple(each.rate.value for each in right)
    return [*rows, *(Row(SITES, method, "right", each.rate, None, each.random, shares) for each in right[:1])]


def _plain(value: so.Estimate | float) -> float:
    return value.value if isinstance(value, so.Estimate) else value


def _right(found: Sequence[_Compared]) -> list[Row]:
    """Of those whom friends single out: how many each setup names rightly (the paper's check by hand, IV-E)."""
    rows = []
    for method, printed in CHECKED.items():
        tallies = [_sure_and_right(each, method) for each in found]
        shares = tuple(right / sure for sure, right in tallies if sure)
        sure, right = tallies[0]
        if sure:
            random = 1 / found[0].sites.known.num_rows
            rows.append(
                Row(SITES, method, "right where friends are sure", wilson(right, sure), printed, random, shares)
            )
    return rows


def _sure_and_right(each: _Compared, method: str) -> tuple[int, float]:
    """People on both sites whom friendsMatch singles out among two or more, and those whom the method names."""
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
        Finding("friends select more than any setup of fields", _friends_best(ours), tuple(map(_friends_best, each))),
        Finding("fields select alike (within 0.05)", _fields_alike(ours), tuple(map(_fields_alike, each))),
        Finding("location adds nothing to names", _location_idle(ours), tuple(map(_location_idle, each))),
    ]
    if checked:
        findings += [
            Finding("whom friends single out they single out rightly, always", checked[FRIENDS] == 1),
            Finding("names are right for less than a quarter of these", checked[NAME] < 0.25),
        ]
    return findings


def _friends_best(by_method: dict[str, float]) -> bool:
    return by_method[FRIENDS] > max(by_method[method] for method in PRESETS[:-1])


def _fields_alike(by_method: dict[str, float]) -> bool:
    fields = [by_method[method] for method in PRESETS[:-1]]
    return max(fields) - min(fields) <= 0.05


def _location_idle(by_method: dict[str, float]) -> bool:
    return by_method["fieldsMatch3"] <= by_method["fieldsMatch2"]


@reproduces("ramachandran-fig2", "Fig. 2: selectivity of each person, in ascending order", SITES)
def figure_2(shelf: Shelf) -> Reproduction:
    """The people of Table III one by one, at every tenth of the way, and how many are singled out."""
    compared = _compared(_whole_lists(shelf.sites(shelf.seed)))
    rows, single = [], []
    for method, found in compared.by_method.items():
        shown = np.sort(found.selectivity[found.candidates >= TWO])
        for percent in range(0, 101, 10):
            value = float(shown[min(len(shown) * percent // 100, len(shown) - 1)]) if len(shown) else 0.0
            rows.append(Row(SITES, method, float(percent), value))
        shares = [_singled_out(found, least) for least in (TWO, 1, 0)]
        spread = tuple(map(_plain, shares))
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
        (MADE_UP, "The paper draws every person and prints no number."),
        axis="people in ascending order of selectivity, in %",
    )


def _singled_out(found: so.Profiles, at_least: int) -> so.Estimate | float:
    group = found.candidates >= at_least
    return wilson(int((found.selectivity[group] == 1).sum()), int(group.sum())) if group.any() else 0.0


def _last_is_most(values: Sequence[float]) -> bool:
    *others, last = values
    return last > max(others)
