"""Unnikrishnan, Movahedi Naini 2013: De-anonymizing Private Data by Matching Statistics, on a synthetic campus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr

import singleout as so
from singleout.ground.names import Method
from singleout.ground.progress import stage
from singleout.matching.matching import METHODS
from singleout.papers.data_sets import WIFI, Shelf, Sides, active
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row
from singleout.reading.events import Events

LONG, SHORT = ("09:00", "17:00"), ("10:00", "17:00")
SECONDS = 8 * 3_600
MONDAY, BOTH_DAYS = ("monday",), ("monday", "tuesday")
FEW_EXITS, MANY_EXITS, NO_EXITS = 4, 100, 0
GENERATED = (
    "A synthetic campus: timetables by weekday, the same in both weeks except for some drift. Fitted to Table I "
    "(people and shares) and to the paper's access points per person; the number of exits is set by hand."
)
FITTED = "the campus is fitted to this table"
PAPER_STATES = "The paper states the test but reports no measurement."
MISPRINT = "Eq. 3 has the factor -2n where -n is right; nothing depends on it."


@dataclass(frozen=True)
class Reading:
    """How the seconds at access points are counted."""

    window: tuple[str, str]
    days: tuple[str, ...]
    apart: bool = False
    overnight: bool = False

    def sides(self, weeks: tuple[Events, Events]) -> Sides:
        """Histograms of each week, of people present at both ends of the window on every day used."""
        first, second = (
            so.histograms(
                week, measure="dwell", window=self.window, days=self.days, whole_window=True,
                channel="weekday" if self.apart else None, overnight=self.overnight,
            )
            for week in weeks
        )  # fmt: skip
        return active(first, second)


def _row(sides: Sides, method: Method, at: str, printed: float | None) -> Row:
    right = so.accuracy(so.match(*sides, method=method, by="known"))
    series = "all at once" if method == "joint" else "one at a time"
    return Row(WIFI, series, at, right.rate, printed, right.random)


@reproduces("unnikrishnan-table1", "Table I: Mondays, and Mondays and Tuesdays; all at once, one at a time", WIFI)
def table_1(shelf: Shelf) -> Reproduction:
    """Three settings, each matched jointly and one by one (Gutman)."""
    rows = []
    for at, window, days, people, printed in (
        ("Mondays 9 to 17 h", LONG, MONDAY, 1_154, (0.529, 0.445)),
        ("Mondays 10 to 17 h", SHORT, MONDAY, 2_174, (0.430, 0.329)),
        ("Mondays, Tuesdays 10 to 17 h", SHORT, BOTH_DAYS, 1_047, (0.705, 0.535)),
    ):
        with stage(at):
            sides = Reading(window, days, apart=days == BOTH_DAYS).sides(shelf.wifi_weeks)
            rows.append(Row(WIFI, "people", at, float(len(sides[0])), people))
            rows += [_row(sides, method, at, share) for method, share in zip(METHODS, printed, strict=True)]
    joint, single = ([row.value for row in rows if row.series == name] for name in ("all at once", "one at a time"))
    better = all(a > b for a, b in zip(joint, single, strict=True))
    return Reproduction(
        tuple(rows),
        (
            Finding("all at once is better than one at a time", better, aside=FITTED),
            Finding("more people and a shorter window are worse", joint[1] < joint[0], aside=FITTED),
            Finding("a second day is better", joint[2] > joint[1], aside=FITTED),
        ),
        notes=(GENERATED, MISPRINT),
    )


@reproduces("unnikrishnan-merged", "IV-C: two days as one histogram, or their similarities added", WIFI)
def merged_days(shelf: Shelf) -> Reproduction:
    """The paper's negative result, under each way to make one long trace of two days."""
    apart = Reading(SHORT, BOTH_DAYS, apart=True)
    added = _row(apart.sides(shelf.wifi_weeks), "joint", "similarities added", 0.705)
    rows = [added]
    for at, overnight, exits in (
        ("merged: two windows", False, None),
        ("merged: through the night", True, None),
        (f"merged: through the night, {FEW_EXITS} exits", True, FEW_EXITS),
        (f"merged: through the night, {MANY_EXITS} exits", True, MANY_EXITS),
        ("merged: through the night, last seen in a room", True, NO_EXITS),
    ):
        with stage(at):
            weeks = shelf.wifi_weeks if exits is None else shelf.wifi_weeks_with(exits=exits)
            reading = Reading(SHORT, BOTH_DAYS, overnight=overnight)
            rows.append(_row(reading.sides(weeks), "joint", at, 0.140))
    merged = tuple(row.value for row in rows[1:])
    rows[1] = replace(rows[1], choices=merged)
    holds = tuple(value < added.value / 2 for value in merged)
    finding = Finding("merged days are far worse than added similarities (less than half)", holds[0], holds)
    return Reproduction(tuple(rows), (finding,), MERGED, (GENERATED, NIGHTS))


MERGED = (
    "whether one long trace is the two windows in a row (ours: each day is a string of 25,200 s) or continues through "
    "the night, when a device is assumed to stay where it was last seen; and where that is"
)
NIGHTS = (
    "Through the night most of the time is spent where a device was last seen on Monday. If that is an exit, which "
    "says nothing about the person, merged days are poor, as in the paper; if it is their own room, they are not."
)


@reproduces("unnikrishnan-rejection", "Theorem 3.3 on the campus: when to accept a matching", WIFI)
def rejection(shelf: Shelf) -> Reproduction:
    """The thresholds and the costs of the data, and rejection pair by pair instead."""
    sides = Reading(LONG, MONDAY).sides(shelf.wifi_weeks)
    matching = so.match(*sides)
    bound, paper = (matching.decide(exponent=1.0, length=SECONDS, rule=rule) for rule in ("bound", "paper"))
    true = float(divergences(*sides).sum())
    curve = so.precision_by_margin(matching).rows
    half = next((row for row in curve if row.coverage <= 0.5), curve[-1])
    rows = (
        Row(WIFI, "bits", "threshold with an error bound", bound.threshold),
        Row(WIFI, "bits", "threshold of the paper", paper.threshold),
        Row(WIFI, "bits", "best matching", bound.best),
        Row(WIFI, "bits", "second best above it", bound.second_best - bound.best),
        Row(WIFI, "bits", "true matching above it", true - bound.best),
        Row(WIFI, "correct pairs", "all", curve[0].precision),
        Row(WIFI, "correct pairs", f"the most certain {half.coverage:.0%}", half.precision),
    )
    finding = Finding("rejecting doubtful pairs leaves fewer mistakes", half.precision.value > curve[0].precision.value)
    return Reproduction(rows, (finding,), notes=(GENERATED, *_verdicts(bound, paper), PAPER_STATES))


def _verdicts(bound: so.Decision, paper: so.Decision) -> list[str]:
    """What the two rules say at an exponent of 1 bit."""
    notes = ["The paper's rule bounds the error only in the limit; the other threshold bounds it for any length."]
    if paper.threshold <= 0:
        notes.append("At an exponent of 1 bit the paper's rule accepts any data.")
    if bound.model_fails:
        notes.append(
            "Even the best matching costs more than the threshold with a bound: seconds are not independent draws, "
            "and people change from week to week, so the theorem's model does not hold. The true matching costs far "
            "more than the best, while the second best costs hardly more."
        )
    return notes


def divergences(released: so.Histograms, known: so.Histograms) -> NDArray[np.float64]:
    """Eq. 7 in bits between the two histograms of each person, row by row."""
    places = np.union1d(released.places, known.places)
    shares = [_shares(side, places) for side in (released, known)]
    middle = (shares[0] + shares[1]) / 2
    return np.asarray(sum(rel_entr(each, middle).sum(axis=1) for each in shares) / np.log(2))


def _shares(side: so.Histograms, places: NDArray[Any]) -> NDArray[np.float64]:
    table = np.zeros((len(side), len(places)))
    table[:, np.searchsorted(places, side.places)] = side.counts.toarray()
    return np.asarray(table / table.sum(axis=1, keepdims=True))
