"""Ramachandran, Singh, Porter, Nagle 2012: Exploring Re-identification Risks. The case study of III: Tables I, II."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import singleout as so
from singleout.measures.intervals import wilson
from singleout.measures.links import Uniques
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row
from singleout.papers.shelf import CENSUS, PROFILES, SITES, Shelf
from singleout.reading.spellings import STATES
from singleout.reading.synthetic_profiles import CITIES

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

MADE_UP = "Made-up sites: names of a heavy tail, friends in circles; not fitted to the paper."


@reproduces("ramachandran-table1", "Table I: records linked to a public list, and how many rightly", SITES)
def table_1(shelf: Shelf) -> Reproduction:
    """The paper's limits; the people of three states, by what they write as their location."""
    # the crowd's size is ours to choose, and matters: ten times as many people have ten times as many namesakes
    crowds = dict.fromkeys(shelf.sites(shelf.seed, people) for people in (LISTED, PROFILES))
    linkings = [_linking(sites) for sites in crowds]
    rows: list[Row] = []
    for state, printed in TABLE_1.items():
        rows += _linked(state, printed, [linking.tallies(state) for linking in linkings], linkings[0].ways[0].random)
    rows += _uniques([linking.ways[0].uniques for linking in linkings])
    return Reproduction(tuple(rows), tuple(_of_table_1(rows)), OPEN_1, NOTES_1)


OPEN_1 = (
    "whether a missing value is a value like others (ours), matches never, or matches any; of shares also a crowd of a "
    "tenth"
)
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


@dataclass(frozen=True, eq=False)
class _Linking:
    """Two sites linked under each rule for missing values; ``home`` is the state of each released person."""

    ways: tuple[so.Links, ...]
    truth: dict[int, int]
    home: NDArray[np.str_]

    def tallies(self, state: str) -> list[_Tally]:
        """Counts of a state, or of all three, under each rule."""
        inside = np.isin(self.home, list(TABLE_1)) if state == EVERYWHERE else self.home == state
        return [self._tally(links, inside) for links in self.ways]

    def _tally(self, links: so.Links, inside: NDArray[np.bool_]) -> _Tally:
        here = inside[links.released]
        pairs = zip(links.released[here].tolist(), links.known[here].tolist(), strict=True)
        right = sum(self.truth.get(mine) == theirs for mine, theirs in pairs)
        return _Tally(int(inside.sum()), int(here.sum()), right)


def _linking(sites: so.ProfileSites) -> _Linking:
    ways = (so.link_records(sites.released, sites.known, on=COMMON, missing=missing) for missing in MISSING)
    truth = {int(mine[1:]): int(theirs[1:]) for mine, theirs in sites.truth.items()}
    return _Linking(tuple(ways), truth, _states(sites.released["location"]))


def _linked(state: str, printed: tuple[int, int, int], crowds: Sequence[Sequence[_Tally]], random: float) -> list[Row]:
    """A line of Table I: counts under each rule for missing values, shares in each crowd too."""
    ways, every = crowds[0], [way for crowd in crowds for way in crowd]
    ours = ways[0]
    surveys, linked, right = printed
    rows = [
        Row(SITES, "records", state, float(ours.released), surveys),
        Row(SITES, "linked", state, float(ours.linked), linked, choices=tuple(float(way.linked) for way in ways)),
        Row(SITES, "linked rightly", state, float(ours.right), right, choices=tuple(float(way.right) for way in ways)),
    ]
    if ours.linked:
        shares = tuple(way.right / way.linked for way in every if way.linked)
        rows.append(Row(SITES, "accuracy", state, wilson(ours.right, ours.linked), right / linked, random, shares))
    if ours.released:
        overall = wilson(ours.right, ours.released)
        shares = tuple(way.right / way.released for way in every if way.released)
        rows.append(Row(SITES, "overall vulnerability", state, overall, right / surveys, random, shares))
    return rows


def _uniques(crowds: Sequence[Uniques]) -> list[Row]:
    """Known records that the unique released ones meet, and those few that the least met of them do."""
    at = "known records each"
    every = tuple(found.known / max(found.released, 1) for found in crowds)
    few = tuple(found.few_known / max(found.few, 1) for found in crowds)
    return [
        Row(SITES, "unique released records", at, every[0], MET / UNIQUE, choices=every),
        Row(SITES, "of them those with few", at, few[0], 158 / FEW, choices=few),
    ]


def _of_table_1(rows: Sequence[Row]) -> list[Finding]:
    by_state = {str(row.at): row for row in rows if row.series == "accuracy"}
    if EVERYWHERE not in by_state:
        return []
    shares = [row.value for state, row in by_state.items() if state != EVERYWHERE]
    overall = next(row for row in rows if row.series == "overall vulnerability" and row.at == EVERYWHERE)
    unique = next(row for row in rows if row.series == "unique released records")
    return [
        _below("most of the linked are linked to somebody else", by_state[EVERYWHERE], 0.5),
        Finding("accuracy depends on the state (the best ten times the worst)", max(shares) > 10 * min(shares)),
        _below("large-scale re-identification is unlikely (overall less than 0.005 %)", overall, 0.00005),
        Finding(
            "the unique released records meet more than one known one each",
            unique.value > 1,
            tuple(met > 1 for met in unique.choices),
        ),
    ]


def _below(text: str, row: Row, limit: float) -> Finding:
    """A finding that a share is below a limit, under each open choice."""
    return Finding(text, row.value < limit, tuple(share < limit for share in row.choices))


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
        Row(CENSUS, "combinations", at, float(every.below(size)), printed, choices=_classes_below(places, size))
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


def _classes_below(places: Sequence[so.Uniqueness], size: int) -> tuple[float, ...]:
    return tuple(float(found.below(size)) for found in places)


def _population(found: so.Uniqueness) -> tuple[float, float]:
    """Of the unique records: how many people each stands for in the mean, and the share that stands for few."""
    assert found.frequencies is not None
    people = found.frequencies[found.sizes == 1]
    return (float(people.mean()), float((people < 5).mean())) if len(people) else (0.0, 0.0)
