"""Naini, Unnikrishnan, Thiran, Vetterli 2016: Where You Are Is Who You Are. Its tables, and its figures on calls."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

import singleout as so
from singleout.ground.progress import stage
from singleout.papers.attacks import (
    SIMILARITIES,
    draw_people,
    falls,
    js_is_best,
    mean,
    measure_attack,
    rises,
    rows_by_similarity,
)
from singleout.papers.data_sets import CALLS, GEOLIFE, PRINTED, WEB, Shelf, Sides, active
from singleout.papers.registry import reproduces
from singleout.papers.result import Data, Finding, Reproduction, Row
from singleout.reading.times import WEEKDAYS

PLACES = ("dormitory", "restaurant", "library")
DAY_1 = ((75, 15, 10), (31, 30, 39), (15, 15, 70), (15, 65, 20))
DAY_2 = {"John": (33, 33, 34), "Jill": (70, 20, 10), "Mary": (15, 60, 25), "Mike": (15, 20, 65)}
TRUTH = {"row 1": "Jill", "row 2": "John", "row 3": "Mike", "row 4": "Mary"}

TABLE_2 = {
    CALLS: (0.211, 0.186, 0.164, 0.133),
    WEB: (0.900, 0.811, 0.727, 0.644),
    GEOLIFE: (0.584, 0.513, 0.520, 0.468),
}
PEOPLE_AND_PLACES = {CALLS: (46_986, 1_211), WEB: (121, 83_219), GEOLIFE: (154, 1_024)}
SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000)
HALVES = (
    "the day on which weeks start (ours: Tuesday, which gives the paper's N), which half an odd week belongs to, and "
    "the side of the box (ours: 39 km, as the paper says; or 33 km, which gives about its number of places)"
)
FITTED = (
    "fitted to the paper's js accuracy at 1,000 and at 46,986 people, its calls and antennas per person, its "
    "antennas in use and its people active on both Mondays; the holiday and the quiet Tuesday of its first week are "
    "built in; how much people differ in their number of calls is set by hand"
)


@reproduces("naini-table1", "Table I: the worked example", PRINTED)
def table_1(shelf: Shelf) -> Reproduction:
    """Four people, three places, two days: joint matching re-identifies all four, by any similarity."""
    released = so.Histograms(np.array(DAY_1), list(TRUTH), PLACES)
    known = so.Histograms(np.array(list(DAY_2.values())), list(DAY_2), PLACES)
    rows = []
    for similarity in SIMILARITIES:
        right = so.accuracy(so.match(released, known, similarity=similarity, seed=shelf.seed), TRUTH)
        rows.append(Row(PRINTED, similarity, "joint", right.rate, 1.0, right.random))
    everyone = Finding("all four people are re-identified", all(row.value == 1 for row in rows))
    return Reproduction(tuple(rows), (everyone,))


@reproduces("naini-table2", "Table II: accuracy by similarity, on three data sets", CALLS, WEB, GEOLIFE)
def table_2(shelf: Shelf) -> Reproduction:
    """(A1) with each similarity, on calls, web visits and GPS points."""
    rows: list[Row] = []
    for data, printed in TABLE_2.items():
        if shelf.has(data):
            with stage(data.name):
                sides = sides_of(shelf, data)
                choices = shelf.geolife_choices() if data is GEOLIFE else []
                rows += _sizes(data, sides, choices)
                if data is CALLS:
                    rows += _rows_of_all_calls(shelf, printed)
                else:
                    rows += rows_by_similarity(data, sides, data.name, printed=printed, choices=choices)
    measured = {data: [row for row in rows if row.data is data] for data in TABLE_2}
    findings = [js_is_best(of, f"{data.name}: ") for data, of in measured.items() if of]
    notes = (synthetic_note(shelf), "Eq. 9 has the factor -2T where -T is right; nothing depends on it.")
    return Reproduction(
        tuple(rows),
        tuple(findings),
        f"GeoLife: {HALVES}",
        notes,
    )


def _rows_of_all_calls(shelf: Shelf, printed: Sequence[float]) -> list[Row]:
    measured = [
        (similarity, shelf.all_calls(similarity), told) for similarity, told in zip(SIMILARITIES, printed, strict=True)
    ]
    return [Row(CALLS, similarity, CALLS.name, right.rate, told, right.random) for similarity, right, told in measured]


def _sizes(data: Data, sides: Sides, choices: Sequence[Sides] = ()) -> list[Row]:
    """The numbers of people and places, N and K."""
    ways = [_size(each) for each in (choices or (sides,))]
    printed = zip(("people", "places"), zip(*ways, strict=True), PEOPLE_AND_PLACES[data], strict=True)
    return [
        Row(data, name, data.name, numbers[0], told, choices=numbers if choices else ())
        for name, numbers, told in printed
    ]


def _size(sides: Sides) -> tuple[float, float]:
    return float(len(sides[0])), float(len(np.union1d(sides[0].places, sides[1].places)))


def synthetic_note(shelf: Shelf) -> str:
    """The note on every number from synthetic calls."""
    return f"{len(shelf.calls[0]):,} synthetic callers (paper 46,986), {FITTED}."


def sides_of(shelf: Shelf, data: Data) -> Sides:
    """The two sides of Table II."""
    if data is CALLS:
        return shelf.calls
    return shelf.web if data is WEB else shelf.geolife()


@reproduces("naini-table3", "Table III: 3,750 of 5,000 people on both sides, all matched or only 3,750", CALLS)
def table_3(shelf: Shelf) -> Reproduction:
    """(A2) with r pairs against (A1): fewer correct pairs, but a larger share of them."""
    released, known = shelf.calls
    size = min(5_000, int(len(released) / 1.25))
    common = size * 3 // 4
    people = draw_people(released.people, 2 * size - common, np.random.default_rng(shelf.seed))
    sides = released.only(people[:size]), known.only([*people[:common], *people[size:]])
    rows = []
    for series, pairs, right, share in (("(A2)", common, 1_340, 0.36), ("(A1)", size, 1_672, 0.33)):
        measured = so.accuracy(so.match(*sides, size=pairs, seed=shelf.seed))
        of_pairs = Row(CALLS, series, f"of {pairs:,} pairs", measured.precision, share, measured.random_precision)
        rows += [of_pairs, Row(CALLS, series, "correct pairs", measured.expected, right)]
    fewer, more = (tuple(row.value for row in rows if row.series == series) for series in ("(A2)", "(A1)"))
    return Reproduction(
        tuple(rows),
        (
            Finding("with fewer pairs, a larger share is correct", fewer[0] > more[0]),
            Finding("but fewer pairs are correct", fewer[1] < more[1]),
        ),
        notes=(synthetic_note(shelf),),
    )


@reproduces("naini-fig5", "Fig. 5: accuracy against the number of people", CALLS)
def figure_5(shelf: Shelf) -> Reproduction:
    """Several random subsets of people; mean and 90% interval."""
    rng = np.random.default_rng(shelf.seed)
    printed = {("js", 1_000): 0.78} | {(w, 46_986): told for w, told in zip(SIMILARITIES, TABLE_2[CALLS], strict=True)}
    rows = []
    for size in sizes_up_to(len(shelf.calls[0])):
        with stage(f"{size:,} people"):
            pairs = _draw_pairs(size, shelf, rng)
            for similarity in SIMILARITIES:
                measured = [measure_attack(pair, similarity=similarity) for pair in pairs] or [
                    shelf.all_calls(similarity)
                ]
                rows.append(
                    Row(CALLS, similarity, size, mean(measured), printed.get((similarity, size)), measured[0].random)
                )
    curves = [[row.value for row in rows if row.series == similarity] for similarity in SIMILARITIES]
    return Reproduction(
        tuple(rows),
        (
            Finding(
                "the more people, the lower the accuracy", all(map(falls, curves)), aside="fitted at two of the sizes"
            ),
            js_is_best(rows),
        ),
        notes=(synthetic_note(shelf),),
        axis="people on both sides",
        logarithmic="x",
    )


def _draw_pairs(size: int, shelf: Shelf, rng: np.random.Generator) -> list[Sides]:
    """Both sides of this many random callers, several times; none for all callers, since there is nothing to draw."""
    released, known = shelf.calls
    times = 0 if size == len(released) else draws_of(size, shelf)
    chosen = [draw_people(released.people, size, rng) for _ in range(times)]
    return [(released.only(people), known.only(people)) for people in chosen]


def sizes_up_to(most: int) -> list[int]:
    """Round numbers of people below the total, and the total."""
    return [*(size for size in SIZES if size < most), most]


def draws_of(size: int, shelf: Shelf) -> int:
    """How often to draw this many people: more often if that is cheap."""
    return 3 if shelf.quick or size > 3_000 else 10


@reproduces("naini-fig7", "Fig. 7: accuracy against the days of each week", CALLS)
def figure_7(shelf: Shelf) -> Reproduction:
    """Monday only, Monday and Tuesday, up to the whole week; people active on both Mondays."""
    mondays = _on(shelf, WEEKDAYS[:1])
    people = active(*mondays)[0].people
    rows = []
    for number in range(1, 8):
        with stage(f"{number} of 7 days"):
            sides = mondays if number == 1 else _on(shelf, WEEKDAYS[:number])
            rows += rows_by_similarity(CALLS, (sides[0].only(people), sides[1].only(people)), number)
    curves = [[row.value for row in rows if row.series == similarity] for similarity in SIMILARITIES]
    return Reproduction(
        tuple(rows),
        (
            Finding("the more days, the higher the accuracy", all(map(rises, curves))),
            js_is_best(rows),
            tuesday(curves[0]),
        ),
        notes=(
            synthetic_note(shelf),
            f"{len(people):,} people are active on both Mondays; 30,937 in the paper.",
            f"Percentage points of accuracy that each further day adds, from Tuesday on: {_steps(curves[0])}.",
        ),
        axis="days from Monday",
    )


def tuesday(curve: Sequence[float]) -> Finding:
    """Whether adding Tuesday helps less than adding any other day; the quiet Tuesday is built into our data."""
    second, *others = np.diff(curve)
    holds = bool(second < min(others))
    aside = "the quiet Tuesday is built into the generator" if holds else ""
    return Finding("Tuesday, the day after a holiday, adds less than any other day", holds, aside=aside)


def _steps(curve: Sequence[float]) -> str:
    return ", ".join(f"{100 * step:+.2f}" for step in np.diff(curve))


def _on(shelf: Shelf, days: Sequence[str]) -> Sides:
    first, second = shelf.call_weeks
    return so.histograms(first, days=days), so.histograms(second, days=days)


@reproduces("naini-iv-a6", "IV-A6: antennas merged into sub-prefectures", CALLS)
def coarser_places(shelf: Shelf) -> Reproduction:
    """The same calls by antenna and by region."""
    places = shelf.call_log.places
    region = dict(zip(places["place"].to_pylist(), places["region"].to_pylist(), strict=True))
    released, known = shelf.calls
    rows = _sizes(CALLS, (released, known))[:1]
    merged = measure_attack((so.coarsen(released, region), so.coarsen(known, region)))
    for at, measured, printed in (("antennas", shelf.all_calls(), 0.211), ("sub-prefectures", merged, 0.0440)):
        rows.append(Row(CALLS, "js", at, measured.rate, printed, measured.random))
    return Reproduction(
        tuple(rows),
        (Finding("coarser places give a much lower accuracy (less than half)", rows[2].value < rows[1].value / 2),),
        notes=(synthetic_note(shelf), "The paper uses other people for the sub-prefectures; here they are the same."),
    )


@reproduces("naini-iv-d", "IV-D: run times of Table II's first column", CALLS, WEB, GEOLIFE)
def run_times(shelf: Shelf) -> Reproduction:
    """Seconds for similarities and matching together: we never compute all pairs, so they cannot be separated."""
    rows = []
    for data, printed in ((CALLS, 473 * 60.0), (WEB, 6.1), (GEOLIFE, 1.1)):
        if shelf.has(data):
            sides = sides_of(shelf, data)
            started = time.perf_counter()
            so.match(*sides, seed=shelf.seed)
            taken = round(time.perf_counter() - started, 3)
            rows += [*_sizes(data, sides)[:1], Row(data, "seconds", data.name, taken, printed)]
    return Reproduction(
        tuple(rows),
        (),
        notes=("The paper's times are for MATLAB 8.3 on a laptop of 2010; times vary between runs and machines.",),
    )
