"""Unnikrishnan, Movahedi Naini 2013: De-anonymizing Private Data by Matching Statistics, on a made-up campus."""

from __future__ import annotations

from collections.abc import Sequence

import singleout as so
from singleout.ground.progress import stage
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row
from singleout.papers.shelf import WIFI, Shelf, Sides, active

LONG, SHORT = ("09:00", "17:00"), ("10:00", "17:00")
SECONDS = 8 * 3_600
MONDAY, BOTH_DAYS = ("monday",), ("monday", "tuesday")
MADE_UP = "A made-up campus: timetables by weekday, the same in both weeks but for some drift; fitted to Table I only."
MISPRINT = "Eq. 3 prints the factor -2n where -n is right; nothing depends on it."


def _sides(shelf: Shelf, window: tuple[str, str], days: Sequence[str], *, apart: bool = False) -> Sides:
    """Seconds at each access point in each week, of people there at both ends of the window on every day used."""
    first, second = (
        so.histograms(
            week, measure="dwell", window=window, days=days, whole_window=True, channel="weekday" if apart else None
        )
        for week in shelf.wifi_weeks
    )
    return active(first, second)


def _row(sides: Sides, method: str, at: str, printed: float | None) -> Row:
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
            sides = _sides(shelf, window, days, apart=days == BOTH_DAYS)
            rows.append(Row(WIFI, "people", at, float(len(sides[0])), people))
            rows += [
                _row(sides, method, at, share) for method, share in zip(("joint", "one-by-one"), printed, strict=True)
            ]
    joint, single = ([row.value for row in rows if row.series == name] for name in ("all at once", "one at a time"))
    return Reproduction(
        tuple(rows),
        (
            Finding("all at once is better than one at a time", all(a > b for a, b in zip(joint, single, strict=True))),
            Finding("more people and a shorter window are worse", joint[1] < joint[0]),
            Finding("a second day is better", joint[2] > joint[1]),
        ),
        notes=(MADE_UP, MISPRINT),
    )


@reproduces("unnikrishnan-merged", "IV-C: two days as one histogram, or their weights added", WIFI)
def merged_days(shelf: Shelf) -> Reproduction:
    """The paper's negative result: merging weekdays hides the timetable."""
    rows = [
        _row(_sides(shelf, SHORT, BOTH_DAYS, apart=apart), "joint", at, printed)
        for at, apart, printed in (("merged", False, 0.140), ("weights added", True, 0.705))
    ]
    finding = Finding(
        "merged days are far worse than added weights (less than half)", rows[0].value < rows[1].value / 2
    )
    return Reproduction(tuple(rows), (finding,), notes=(MADE_UP,))


@reproduces("unnikrishnan-rejection", "Theorem 3.3: when a matching may be believed", WIFI)
def rejection(shelf: Shelf) -> Reproduction:
    """The thresholds alongside what the data offers, and rejection pair by pair instead."""
    matching = so.match(*_sides(shelf, LONG, MONDAY))
    bound, paper = (matching.decide(exponent=1.0, length=SECONDS, rule=rule) for rule in ("bound", "paper"))
    curve = so.precision_by_margin(matching).rows
    surer = next((row for row in curve if row.coverage <= 0.5), curve[-1])
    rows = (
        Row(WIFI, "bits", "threshold with an error bound", bound.threshold),
        Row(WIFI, "bits", "threshold of the paper", paper.threshold),
        Row(WIFI, "bits", "best matching", bound.best),
        Row(WIFI, "bits", "second best matching", bound.second_best),
        Row(WIFI, "pairs right", "all", curve[0].precision),
        Row(WIFI, "pairs right", f"the surest {surer.coverage:.0%}", surer.precision),
    )
    finding = Finding(
        "rejecting doubtful pairs leaves fewer mistakes", surer.precision.value > curve[0].precision.value
    )
    return Reproduction(rows, (finding,), notes=(MADE_UP, *_verdicts(bound, paper), "The paper measures no rejection."))


def _verdicts(bound: so.Decision, paper: so.Decision) -> list[str]:
    """What the two rules say at an exponent of 1 bit."""
    notes = ["The paper's rule bounds the error only in the limit; the other threshold bounds it for any length."]
    if paper.threshold <= 0:
        notes.append("At an exponent of 1 bit the paper's rule accepts whatever the data.")
    if bound.model_fails:
        notes.append(
            "Even the best matching costs more than the threshold with a bound: seconds are not independent draws, "
            "and people change from week to week, so the theorem's model does not hold."
        )
    return notes
