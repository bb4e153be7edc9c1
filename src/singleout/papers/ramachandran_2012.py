"""Ramachandran, Singh, Porter, Nagle 2012: Exploring Re-identification Risks. The case study of III: Tables I, II."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import singleout as so
from singleout.matching.records import Uniques
from singleout.measures.intervals import wilson
from singleout.papers.attacks import rises
from singleout.papers.data_sets import CENSUS, Shelf
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row

CLASSES = ("STATE", "PUMA", "SEX", "AGEP")
"""The most interesting common attributes, according to the paper."""
ETHNICITY, INCOME = "RAC1P", "income"
BRACKET, BRACKETS = 25_000, 9
STATES = {"Florida": "12", "New York": "36", "Pennsylvania": "42"}
"""The three with most records in the file; of the paper's states only Florida is in it."""
EVERYWHERE = "all three"
TABLE_1 = {"Florida": (547_847, 43, 27), EVERYWHERE: (2_251_571, 389, 87)}
"""Surveys, linked, linked correctly; for all three the paper's sums over California, Florida and Texas."""
LISTED = 700_000 / 2_251_571

FLORIDA = STATES["Florida"]
TABLE_2 = {"fewer than 10": (10, 14_741), "fewer than 5": (5, 5_227), "one": (2, 926)}
UNIQUE, MET, FEW, FEW_MET = 926, 11_000, 56, 158


@dataclass(frozen=True)
class Way:
    """One way to draw a survey and a public list from the same people: what the paper leaves open.

    ``surveyed``: share of the people in the survey. ``errors``: share of ages in the list that are one year off.
    """

    columns: tuple[str, ...] = CLASSES
    surveyed: float = 0.5
    errors: float = 0.0


WAYS = (
    Way(),
    Way((*CLASSES, ETHNICITY)),
    Way((*CLASSES, ETHNICITY, INCOME)),
    Way(surveyed=0.1),
    Way(errors=0.1),
)


@reproduces("ramachandran-table1", "Table I: records linked to a public list, and how many correctly", CENSUS)
def table_1(shelf: Shelf) -> Reproduction:
    """A survey and a list drawn independently from the same census file, linked with the paper's limits."""
    people = _people(shelf)
    linkings = [_link(people, way, shelf.seed) for way in WAYS]
    rows: list[Row] = []
    for state in (*STATES, EVERYWHERE):
        rows += _line(state, [linking.tally(state) for linking in linkings], linkings[0].links.random)
    rows += _uniques([linking.links.uniques for linking in linkings])
    return Reproduction(tuple(rows), tuple(_of_table_1(rows)), OPEN_1, NOTES_1)


OPEN_1 = (
    "the common columns (ours: state, area, sex, age, which the paper names; or also ethnicity, or ethnicity and "
    "income in brackets), the share surveyed (ours: half; or a tenth), errors in the list (ours: none; or "
    "one age in ten a year off)"
)
NOTES_1 = (
    "Survey and list are independent random samples of one census file, so that the true pairs are known; the list has "
    "0.31 times the people of the survey, as in the paper. The file is itself a sample of one household in a hundred; "
    "a real list has far more people with the same values.",
    "Printed for all three: the paper's sums over California, Florida and Texas; here they are Florida, New York and "
    "Pennsylvania, the largest in the file.",
    "The paper gives an overall vulnerability of 0.00005, 0.00004 and 0.00001, and 'less than 0.005%' in the text.",
)


def _people(shelf: Shelf) -> dict[str, NDArray[np.generic]]:
    """The columns of all householders of the three states."""
    table = pq.read_table(
        shelf.file(CENSUS), columns=[*CLASSES, ETHNICITY, "HINCP"], filters=[("STATE", "in", list(STATES.values()))]
    )
    columns = {name: table[name].to_numpy() for name in (*CLASSES, ETHNICITY)}
    income = np.nan_to_num(table["HINCP"].to_numpy().astype(np.float64))
    return columns | {INCOME: np.clip(income // BRACKET, 0, BRACKETS - 1).astype(np.int64)}


@dataclass(frozen=True)
class Tally:
    """Released records of a state, those linked, and those linked correctly."""

    released: int
    linked: int
    right: int


@dataclass(frozen=True, eq=False)
class Linking:
    """A survey linked to a list; ``right`` says for each link whether it is, ``state`` where each record is from."""

    links: so.Links
    state: NDArray[np.generic]
    right: NDArray[np.bool_]

    def tally(self, state: str) -> Tally:
        """Counts of one state, or of all three."""
        inside = np.isin(self.state, list(STATES.values()) if state == EVERYWHERE else STATES[state])
        here = inside[self.links.released]
        return Tally(int(inside.sum()), int(here.sum()), int(self.right[here].sum()))


def _link(people: dict[str, NDArray[np.generic]], way: Way, seed: int) -> Linking:
    """Draw a survey and a list, and link them."""
    rng, everybody = np.random.default_rng(seed), len(people["STATE"])
    surveyed = rng.choice(everybody, int(way.surveyed * everybody), replace=False)
    listed = rng.choice(everybody, int(LISTED * len(surveyed)), replace=False)
    survey = {name: people[name][surveyed] for name in way.columns}
    public = {name: people[name][listed] for name in way.columns}
    off = np.where(rng.random(len(listed)) < way.errors, rng.choice([-1, 1], len(listed)), 0)
    public["AGEP"] = public["AGEP"].astype(np.int64) + off
    survey["AGEP"] = survey["AGEP"].astype(np.int64)
    links = so.link_records(pa.table(survey), pa.table(public), on=way.columns)
    return Linking(links, survey["STATE"], surveyed[links.released] == listed[links.known])


def _line(state: str, ways: Sequence[Tally], random: float) -> list[Row]:
    """A line of Table I."""
    ours = ways[0]
    surveys, linked, right = TABLE_1.get(state, (None, None, None))
    rows = [
        Row(CENSUS, "records", state, float(ours.released), surveys, choices=_each(ways, "released")),
        Row(CENSUS, "linked", state, float(ours.linked), linked, choices=_each(ways, "linked")),
        Row(CENSUS, "linked correctly", state, float(ours.right), right, choices=_each(ways, "right")),
    ]
    for series, of, printed in (("accuracy", "linked", linked), ("overall vulnerability", "released", surveys)):
        whole = getattr(ours, of)
        if whole:
            shares = tuple(way.right / getattr(way, of) for way in ways if getattr(way, of))
            value = None if right is None or printed is None else right / printed
            rows.append(Row(CENSUS, series, state, wilson(ours.right, whole), value, random, shares))
    return rows


def _each(ways: Sequence[Tally], name: str) -> tuple[float, ...]:
    return tuple(float(getattr(way, name)) for way in ways)


def _uniques(ways: Sequence[Uniques]) -> list[Row]:
    """Known records that agree with the unique released ones, and with those that agree with few."""
    at = "known records each"
    every = tuple(found.known / max(found.released, 1) for found in ways)
    few = tuple(found.few_known / max(found.few, 1) for found in ways)
    return [
        Row(CENSUS, "unique released records", at, every[0], MET / UNIQUE, choices=every),
        Row(CENSUS, "those that agree with few", at, few[0], FEW_MET / FEW, choices=few),
    ]


def _of_table_1(rows: Sequence[Row]) -> list[Finding]:
    accuracy = {str(row.at): row for row in rows if row.series == "accuracy"}
    if EVERYWHERE not in accuracy:
        return []
    overall = next(row for row in rows if row.series == "overall vulnerability" and row.at == EVERYWHERE)
    unique = next(row for row in rows if row.series == "unique released records")
    by_state = [row.choices for state, row in accuracy.items() if state != EVERYWHERE]
    apart = [max(shares) > 10 * min(shares) for shares in zip(*by_state, strict=False)]
    met = [each > 1 for each in unique.choices]
    fields = accuracy[EVERYWHERE].choices[:3]
    return [
        _below("most links lead to someone else", accuracy[EVERYWHERE], 0.5),
        Finding("accuracy depends on the state (the best has ten times the worst)", apart[0], tuple(apart)),
        _below("large-scale re-identification is unlikely (overall less than 0.005%)", overall, 0.00005),
        Finding("each unique released record agrees with more than one known record, on average", met[0], tuple(met)),
        Finding("more common fields improve the accuracy (III-D)", rises(fields)),
    ]


def _below(text: str, row: Row, limit: float) -> Finding:
    """A finding that a share is below a limit, under each open choice."""
    return Finding(text, row.value < limit, tuple(share < limit for share in row.choices))


@reproduces("ramachandran-table2", "Table II: combinations of state, area, sex and age by number of records", CENSUS)
def table_2(shelf: Shelf) -> Reproduction:
    """Classes of householders in the file."""
    file = shelf.file(CENSUS)
    every = so.uniqueness(so.read_table(file, columns=CLASSES), columns=CLASSES)
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
    return Reproduction(tuple(rows), (), "which counties: all 49 states here (ours), or Florida only", NOTES_2)


NOTES_2 = (
    "The paper: three counties of California, Florida and Texas, all persons. This file: householders, no California, "
    "no Texas.",
    "How many people of the population share a unique record's values is not shown: the sum of survey weights does not "
    "say so (it is far too high for unique records), and a valid estimate is not available yet. The paper's 926 unique "
    "records agreed with just over 11,000 on a public list; 56 of them agreed with fewer than 5.",
)


def _classes_below(places: Sequence[so.Uniqueness], size: int) -> tuple[float, ...]:
    return tuple(float(found.below(size)) for found in places)
