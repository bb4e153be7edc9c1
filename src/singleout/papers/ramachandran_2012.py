"""Ramachandran, Singh, Porter, Nagle 2012: Exploring Re-identification Risks. The case study of III: Tables I, II."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.parquet as pq
from scipy.special import pdtr

import singleout as so
from singleout.ground.progress import stage
from singleout.matching.records import Uniques
from singleout.measures.intervals import wilson
from singleout.papers.census_samples import CLASSES, EVERYWHERE, STATES, Tally, Way, draw_samples, read_people
from singleout.papers.data_sets import CENSUS, Shelf
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row

TABLE_1 = {"Florida": (547_847, 43, 27), EVERYWHERE: (2_251_571, 389, 87)}
"""Surveys, linked, linked correctly; for all three the paper's sums over California, Florida and Texas."""
LARGE = 0.00005
"""Below this overall vulnerability the paper calls large-scale re-identification unlikely."""
LISTED = 700_000 / 2_251_571
"""The paper's list, by the number of people in its survey."""

TABLE_2 = {"fewer than 10": (10, 14_741), "fewer than 5": (5, 5_227), "one": (2, 926)}
UNIQUE, MET, FEW, FEW_MET = 926, 11_000, 56, 158
SURVEY_WEIGHTS = ("PWGTP", "WGTP")
"""Of the person, and of the household."""

WAYS = (
    Way(),
    Way(errors=0.0),
    Way(errors=0.2),
    Way(all_listed=True),
    Way(missing="any"),
    Way(CLASSES),
    Way(surveyed=0.5, listed=0.5 * LISTED),
    Way(draw=1),
    Way(draw=2),
)


@reproduces("ramachandran-table1", "Table I: records linked to a public list, and how many correctly", CENSUS)
def table_1(shelf: Shelf) -> Reproduction:
    """A survey and a list with errors, drawn from the same census file and linked with the paper's limits."""
    people = read_people(shelf)
    with stage(f"{len(WAYS)} ways to draw a survey and a list"):
        samples = [draw_samples(people, way, shelf.seed) for way in WAYS]
        linkings = [each.link(way.columns, way.missing) for each, way in zip(samples, WAYS, strict=True)]
        by_class = [each.link(CLASSES, way.missing) for each, way in zip(samples, WAYS, strict=True)]
    rows: list[Row] = []
    for state in (*STATES, EVERYWHERE):
        rows += _line(state, [linking.tally(state) for linking in linkings], linkings[0].links.random)
    rows += _uniques([linking.links.uniques for linking in by_class])
    return Reproduction(tuple(rows), tuple(_of_table_1(rows)), OPEN_1, NOTES_1)


OPEN_1 = (
    "the common columns (ours: seven, as α is; or state, area, sex and age), errors in the list (ours: in 10% of the "
    "values of a column; none; 20%), how many of the surveyed are on the list (ours: 35%; all), missing values (ours: "
    "they agree with nothing; with anything), the sizes (ours: 5% and 35% of the people; 50% and 16%, as the paper's "
    "counts), which people are drawn (three draws)"
)
NOTES_1 = (
    "Survey and list are random samples of one census file, so that the true pairs are known: 5% of the householders "
    "and, independently, 35%. In the list 5% of the values of each column except the state are wrong and 5% are "
    "missing. The file is itself a sample of one household in a hundred; a real list has far more people with the same "
    "values.",
    "Printed for all three: the paper's sums over California, Florida and Texas; here they are Florida, New York and "
    "Pennsylvania, the largest in the file.",
    "Unique records are by state, area, sex and age, as in the paper. That the paper's list is larger than its survey "
    "is said in the text; by the counts it has 0.31 times its people.",
)


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
    records = next(row.value for row in rows if row.series == "records" and row.at == EVERYWHERE)
    too_few = f"one correct link in a survey of {records:,.0f} is already more" if 1 / records > LARGE else ""
    return [
        _below("most links lead to someone else", accuracy[EVERYWHERE], 0.5),
        Finding("accuracy depends on the state (the best has ten times the worst)", apart[0], tuple(apart)),
        _below("large-scale re-identification is unlikely (overall less than 0.005%)", overall, LARGE, too_few),
        Finding("each unique released record agrees with more than one known record, on average", met[0], tuple(met)),
    ]


def _below(text: str, row: Row, limit: float, aside: str = "") -> Finding:
    """A finding that a share is below a limit, under each open choice."""
    return Finding(text, row.value < limit, tuple(share < limit for share in row.choices), aside)


@reproduces("ramachandran-table2", "Table II: combinations of state, area, sex and age by number of records", CENSUS)
def table_2(shelf: Shelf) -> Reproduction:
    """Classes of householders in the file, and how many people of the population have a unique record's values."""
    states, weights = (None, STATES["Florida"]), SURVEY_WEIGHTS[:1] if shelf.quick else SURVEY_WEIGHTS
    tables = [_read_classes(shelf, weight, state) for state in states for weight in weights]
    files = [so.uniqueness(table, columns=CLASSES) for table in tables if len(table)]
    populations = [so.population_risk(table, columns=CLASSES) for table in tables if len(table)]
    rows = []
    for at, (size, printed) in TABLE_2.items():
        counts = tuple(float(found.below(size)) for found in files)
        rows.append(Row(CENSUS, "combinations", at, counts[0], printed, choices=counts))
    shares = tuple(found.rate.value for found in files)
    rows.append(Row(CENSUS, "records", "unique", files[0].rate, UNIQUE / TABLE_1[EVERYWHERE][0], choices=shares))
    rows += _in_the_population(populations)
    return Reproduction(tuple(rows), tuple(_of_table_2(rows)), OPEN_2, NOTES_2)


OPEN_2 = (
    "which counties: all 49 states here (ours), or Florida only; the survey weight of the person (ours) or of the "
    "household"
)
NOTES_2 = (
    "The paper: three counties of California, Florida and Texas, all persons. This file: householders, no California, "
    "no Texas.",
    "The population is estimated from the survey weights (so.population_risk, by the tree). Printed alongside is what "
    "the paper counted on its list: 926 unique records agreed with just over 11,000, 56 of them with fewer than 5.",
)
ALONE = "unique records"
EACH, AT_MOST_FOUR = "people with these values, each", "share that fewer than 5 people have"


def _read_classes(shelf: Shelf, survey_weight: str, state: str | None) -> so.Table:
    filters = None if state is None else [("STATE", "=", state)]
    rows = pq.read_table(shelf.file(CENSUS), columns=[*CLASSES, survey_weight], filters=filters)
    return so.read_table(rows, columns=CLASSES, survey_weight=survey_weight)


def _in_the_population(found: Sequence[so.PopulationRisk]) -> list[Row]:
    """What the model says of the unique records, and the risk of all of them."""
    others = [each.expected[each.sizes == 1] - 1 for each in found]
    people = tuple(float(np.mean(1 + each)) if len(each) else 0.0 for each in others)
    # others are Poisson: at most three of them make fewer than five
    few = tuple(float(np.mean(pdtr(3, each))) if len(each) else 0.0 for each in others)
    right = tuple(each.rows[0].unique_right or 0.0 for each in found)
    alone = tuple(each.rows[0].population_unique or 0.0 for each in found)
    risks = tuple(each.rate.value for each in found)
    return [
        Row(CENSUS, ALONE, EACH, people[0], MET / UNIQUE, choices=people),
        Row(CENSUS, ALONE, AT_MOST_FOUR, few[0], FEW / UNIQUE, choices=few),
        Row(CENSUS, ALONE, "re-identified in the population", right[0], choices=right),
        Row(CENSUS, ALONE, "unique in the population", alone[0], choices=alone),
        Row(CENSUS, "all records", "risk in the population", found[0].rate, None, 1 / found[0].population, risks),
    ]


def _of_table_2(rows: Sequence[Row]) -> list[Finding]:
    people, few = (next(row for row in rows if row.at == at) for at in (EACH, AT_MOST_FOUR))
    many = tuple(each >= 10 for each in people.choices)
    return [
        Finding("many people have the values of a unique record (ten or more, on average)", many[0], many),
        _below("fewer than 5 people have the values of hardly any (less than a tenth)", few, 0.1),
    ]
