"""Naini et al. 2016 continued: web sites (Fig. 8, 9), GPS cells (Fig. 10, 11), micro-aggregation (Fig. 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import singleout as so
from singleout.ground.names import Method
from singleout.ground.progress import stage
from singleout.papers.attacks import (
    SIMILARITIES,
    draw_people,
    falls,
    find_identified,
    js_is_best,
    measure_attack,
    rises,
    rises_but_for_chance,
    rows_by_similarity,
)
from singleout.papers.data_sets import CALLS, GEOLIFE, OPEN_HALVES, WEB, WEEK_START, Shelf, Sides
from singleout.papers.markov_rival import markov_scores
from singleout.papers.naini_2016 import HALVES, sides_of, synthetic_note
from singleout.papers.registry import reproduces
from singleout.papers.result import Data, Finding, Reproduction, Row
from singleout.papers.traces import in_order
from singleout.reading.events import Events
from singleout.reading.times import DAY, WEEKDAYS

RANKS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
TOPS = (5, 10, 20, 40, 60, 100, 200, 500, 1_000)
CELLS = (5, 10, 20, 50, 100, 200, 300, 500, 1_000, 2_000, 5_000)
SLOW = 50
"""There are many smaller cells: they are counted in one way only, and not at all if quick."""
VERY_SMALL, VERY_LARGE = 10, 2_000
ABOUT = (50, 200)
"""About 100 m: within a factor of two."""
KS = (1, 2, 3, 5, 10, 20, 50)
AGGREGATED = 1_000


@reproduces("naini-fig8", "Fig. 8: visits to each site, most popular first", WEB)
def figure_8(shelf: Shelf) -> Reproduction:
    """Popularity against rank, and how many sites are visited by one person only."""
    places, visits, visitors = _popularity(shelf.web)
    falling = np.sort(visits)[::-1]
    rows = [Row(WEB, "visits", rank, float(falling[rank - 1])) for rank in RANKS if rank <= len(places)]
    single = float((visitors <= 1).mean())
    rows.append(Row(WEB, "sites", "all", float(len(places)), 83_219))
    rows.append(Row(WEB, "sites", "share visited by one person only", single, round(77_935 / 83_219, 3)))
    top = float(falling[: max(1, len(falling) // 100)].sum() / falling.sum())
    return Reproduction(
        tuple(rows),
        (
            Finding("most sites are visited by one person only", single > 0.5),
            Finding("one per cent of the sites have more than a third of the visits", top > 1 / 3),
        ),
        notes=("Requests at a proxy, not page views: a page contacts many hosts, the same ones for everyone.",),
        axis="rank of the site",
        logarithmic="xy",
    )


def _popularity(sides: Sides) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Sites, visits to each and people who visit it, over both weeks."""
    places = np.union1d(sides[0].places, sides[1].places)
    visits, visited = np.zeros(len(places)), np.zeros((len(sides[0]), len(places)), dtype=bool)
    for side in sides:
        column = np.searchsorted(places, side.places)
        visits[column] += np.asarray(side.counts.sum(axis=0)).ravel()
        visited[:, column] |= side.counts.toarray() > 0
    return places, visits, visited.sum(axis=0)


@reproduces("naini-fig9", "Fig. 9: only the most popular sites", WEB)
def figure_9(shelf: Shelf) -> Reproduction:
    """Histograms reduced to the top sites; people who visit one of the top five in both weeks."""
    by_visits, by_people = (_tops(shelf.web, by_visits=way) for way in (True, False))
    rows, found_by_js = [], []
    for top in (top for top in TOPS if top <= len(by_visits)):
        with stage(f"{top:,} sites"):
            sides = _keep_sites(shelf.web, by_visits, top)
            rows += rows_by_similarity(WEB, sides, top, choices=[sides, _keep_sites(shelf.web, by_people, top)])
            found_by_js.append(find_identified(sides))
    return Reproduction(
        tuple(rows),
        (
            Finding("the fewer sites, the lower the accuracy", rises_but_for_chance(found_by_js)),
            js_is_best(rows),
            Finding("the top 60 sites identify more than half of the people", _at(rows, 60) > 0.5),
        ),
        "popular by visits (first) or by visitors",
        (
            f"{rows[0].ours.n} people visit one of the top five in both weeks; 102 in the paper.",  # type: ignore[union-attr]
            "People who visit none of them in one of the weeks have no histogram to normalise there.",
        ),
        axis="most popular sites kept",
        logarithmic="x",
    )


def _at(rows: list[Row], at: float) -> float:
    """The accuracy of js there, or at the nearest value below."""
    return [row.value for row in rows if row.series == "js" and float(row.at) <= at][-1]


def _tops(sides: Sides, *, by_visits: bool) -> NDArray[Any]:
    """Sites, most popular first; ties by smaller id."""
    places, visits, visitors = _popularity(sides)
    order: NDArray[Any] = np.argsort(-(visits if by_visits else visitors), kind="stable")
    return np.asarray(places[order])


def _keep_sites(sides: Sides, sites: NDArray[Any], top: int) -> Sides:
    """Both sides without the other sites, and without people who visit none of the first five in one of the weeks."""
    kept = [_only_places(side, sites[:5]).totals > 0 for side in sides]
    people = sides[0].people[kept[0] & kept[1]]
    first, second = (_only_places(side.only(people), sites[:top]) for side in sides)
    return first, second


def _only_places(side: so.Histograms, places: NDArray[Any]) -> so.Histograms:
    column = np.flatnonzero(np.isin(side.places, places))
    return so.Histograms(side.counts[:, column], side.people, side.places[column])


@reproduces("naini-fig10", "Fig. 10: occupied cells of 100 m, and active weeks", GEOLIFE)
def figure_10(shelf: Shelf) -> Reproduction:
    """How much of the map the traces cover, and for how many weeks people were recorded."""
    points = shelf.geolife_days(100)
    rows = points.rows("person", "place", "clock", "placed")
    days = points.query_part(
        f"SELECT DISTINCT person, clock // {DAY} AS day FROM {rows} WHERE placed ORDER BY person, day",
        label="finding active days",
    )
    occupied = points.query_part(
        f"SELECT count(DISTINCT place) AS n FROM {rows} WHERE placed", label="finding occupied cells"
    )
    person = np.unique(days["person"].to_numpy(), return_inverse=True)[1]
    day = days["day"].to_numpy()
    means, people = [], []
    for number in range(len(WEEKDAYS)):
        weeks = np.bincount(np.unique(np.stack([person, (day - number) // 7]), axis=1)[0])
        means.append(float(weeks[weeks >= 2].mean()))
        people.append(float((weeks >= 2).sum()))
    chosen = WEEKDAYS.index(WEEK_START)
    rows_shown = (
        Row(GEOLIFE, "cells of 100 m", "occupied", float(occupied["n"][0].as_py())),
        Row(GEOLIFE, "people", "two active weeks or more", people[chosen], 154, choices=tuple(people)),
        Row(GEOLIFE, "active weeks", "mean", means[chosen], 15.4, choices=tuple(means)),
    )
    chosen_for = "the start of weeks was chosen to match it"
    finding = Finding("154 people have two active weeks or more", people[chosen] == 154, aside=chosen_for)
    return Reproduction(
        rows_shown,
        (finding,),
        f"the day on which weeks start (chosen: {WEEK_START})",
    )


@reproduces("naini-fig11", "Fig. 11: accuracy against the side of the cells", GEOLIFE)
def figure_11(shelf: Shelf) -> Reproduction:
    """Table II's last row on other grids."""
    printed = {1_000: (0.584, 0.513, 0.520, 0.468)}
    sides = [side for side in CELLS if side >= SLOW or not shelf.quick]
    rows = []
    for side in sides:
        with stage(f"{side:,} m"):
            values = printed.get(side, (None,) * len(SIMILARITIES))
            choices = [] if shelf.quick or side < SLOW else shelf.geolife_choices(side)
            rows += rows_by_similarity(GEOLIFE, shelf.geolife(side), side, printed=values, choices=choices)
    js = [row.value for row in rows if row.series == "js"]
    return Reproduction(
        tuple(rows),
        (*by_side(sides, js), js_is_best([row for row in rows if float(row.at) >= SLOW])),
        HALVES,
        (f"Cells below {SLOW} m are counted under the first choice only; the finding on similarities excludes them.",),
        axis="side of the cells in metres",
        logarithmic="x",
    )


def by_side(sides: Sequence[int], curve: Sequence[float]) -> tuple[Finding, ...]:
    """Where the accuracy is highest, and whether very large and very small cells are worse than those between."""
    large = [value for side, value in zip(sides, curve, strict=True) if side >= VERY_LARGE]
    small = [value for side, value in zip(sides, curve, strict=True) if side <= VERY_SMALL]
    between = [value for side, value in zip(sides, curve, strict=True) if VERY_SMALL < side < VERY_LARGE]
    low, high = ABOUT
    best = sides[int(np.argmax(curve))]
    findings = [
        Finding(f"very large cells, from {VERY_LARGE:,} m, are increasingly worse", falls([min(between), *large])),
        Finding(f"cells of moderate size, about 100 m ({low} to {high}), are best", low <= best <= high),
    ]
    if small:
        worse = max(small) < max(between) and rises(small)
        findings.insert(1, Finding(f"very small cells, up to {VERY_SMALL} m, are worse than the best as well", worse))
    return tuple(findings)


@reproduces("naini-iv-c4", "IV-C4: one by one against joint, and Markov chains, 1000 m", GEOLIFE)
def rivals(shelf: Shelf) -> Reproduction:
    """What joint matching adds, and what the order of visits does instead."""
    rows = []
    methods: tuple[tuple[Method, float], ...] = (("joint", 0.584), ("one-by-one", 0.50))
    for method, printed in methods:
        measured = measure_attack(shelf.geolife(), method=method)
        spread = tuple(measure_attack(sides, method=method).rate.value for sides in shelf.geolife_choices())
        rows.append(Row(GEOLIFE, "js", method, measured.rate, printed, measured.random, spread))
    with stage("Markov chains"):
        rows += _markov_rows(shelf)
    joint, single, _, markov = rows
    return Reproduction(
        tuple(rows),
        (
            _above("joint matching re-identifies more people than one by one", joint, single.value, single.choices),
            _above("one by one re-identifies more than the 45% of Gambs et al.'s Markov chains", single, 0.45),
            _above(
                "one by one re-identifies more than Markov chains on the same cells",
                single,
                markov.value,
                markov.choices,
            ),
        ),
        HALVES,
        ("The 45% are of 77 people, by their own places; our chains move between the cells of the histograms.",),
    )


def _markov_rows(shelf: Shelf) -> list[Row]:
    """Our own mobility Markov chains, joint and one by one."""
    each = [
        _markov_accuracy(in_order(so.split(shelf.geolife_visits(box), week_start=day, longer_first=longer)))
        for day, longer, box in OPEN_HALVES
    ]
    chosen = each[0]
    published = (("joint", None), ("one-by-one", 0.45))
    return [
        Row(GEOLIFE, "Markov", at, chosen[k], printed, 1 / chosen[k].n, tuple(estimates[k].value for estimates in each))
        for k, (at, printed) in enumerate(published)
    ]


def _markov_accuracy(parts: tuple[Events, Events]) -> tuple[so.Estimate, so.Estimate]:
    scores = markov_scores(*parts)
    return so.accuracy(so.assign(scores)).rate, so.ranking(scores).one_by_one


def _above(text: str, row: Row, other: float, choices: tuple[float, ...] = ()) -> Finding:
    """Whether a row is above another number, or the same choice of another row."""
    others = choices or (other,) * len(row.choices)
    return Finding(text, row.value > other, tuple(a > b for a, b in zip(row.choices, others, strict=True)))


def _microaggregate(data: Data, sides: Sides, shelf: Shelf, *notes: str) -> Reproduction:
    """How many people and clusters are still re-identified as k grows, what is lost, and the number of clusters."""
    people = len(sides[0])
    ks = [*(k for k in KS if k < people), people]
    rows = []
    for k in ks:
        with stage(f"clusters of at least {k}"):
            clusters = so.microaggregate(sides[0], k)
            matching = so.match(clusters.protected, sides[1], seed=shelf.seed)
            user = so.accuracy(matching)
            cluster = so.accuracy(matching, clusters=clusters.labels)
            rows.append(Row(data, "person", k, user.rate, random=user.random))
            rows.append(Row(data, "cluster", k, cluster.rate, random=cluster.random))
            rows.append(Row(data, "loss L", k, clusters.loss))
            rows.append(Row(data, "clusters g/N", k, len(np.unique(clusters.labels)) / people))
    user_level, cluster_level = ([row.value for row in rows if row.series == name] for name in ("person", "cluster"))
    ten = ks.index(max(k for k in ks if k <= 10))
    return Reproduction(
        tuple(rows),
        (
            lost_steeply(user_level[0], user_level[ten], ks[ten]),
            Finding(
                "but their cluster hardly suffers (more than three quarters left)",
                cluster_level[ten] > 0.75 * cluster_level[0],
            ),
        ),
        notes=(*notes, "L around means in l1 may exceed 1: it is not always largest for one cluster."),
        axis="k",
        logarithmic="x",
    )


def lost_steeply(before: float, after: float, k: int) -> Finding:
    """Whether less than a third of those re-identified at k = 1 is left; of k identical people at most one can be."""
    text = "up to k of about 10, re-identification of the person falls steeply (less than a third left)"
    aside = f"at k = {k} at most one in {k} can be re-identified" if 1 / k < before / 3 else ""
    return Finding(text, after < before / 3, aside=aside)


@reproduces("naini-fig12a", "Fig. 12 (a): micro-aggregation of 1,000 people's calls", CALLS)
def figure_12a(shelf: Shelf) -> Reproduction:
    """A thousand of the callers, at random."""
    released, known = shelf.calls
    people = draw_people(released.people, min(AGGREGATED, len(released)), np.random.default_rng(shelf.seed))
    return _microaggregate(CALLS, (released.only(people), known.only(people)), shelf, synthetic_note(shelf))


@reproduces("naini-fig12b", "Fig. 12 (b): micro-aggregation of visits to the top 100 sites", WEB)
def figure_12b(shelf: Shelf) -> Reproduction:
    """The people and the sites of Fig. 9."""
    return _microaggregate(WEB, _keep_sites(shelf.web, _tops(shelf.web, by_visits=True), 100), shelf)


@reproduces("naini-fig12c", "Fig. 12 (c): micro-aggregation of GPS cells of 1000 m", GEOLIFE)
def figure_12c(shelf: Shelf) -> Reproduction:
    """Table II's last row, protected."""
    return _microaggregate(GEOLIFE, sides_of(shelf, GEOLIFE), shelf)
