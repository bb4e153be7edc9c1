"""Naini et al. 2016 continued: only a subset of the people is released (Fig. 6), on calls and on two stand-ins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import singleout as so
from singleout.ground.progress import stage
from singleout.papers.attacks import ROUNDING, below_zero, draw_people, mean, measure_attack
from singleout.papers.data_sets import CALLS, CHECKINS, WEB, Shelf, Sides
from singleout.papers.naini_2016 import SIZES, draws_of, synthetic_note
from singleout.papers.registry import reproduces
from singleout.papers.result import STAND_IN, Data, Finding, Reproduction, Row
from singleout.papers.traces import in_order

VISITS = Data(CHECKINS.name, STAND_IN, CALLS.original, CHECKINS.file, CHECKINS.get)
SMALL = (10, 30)
JOINT, SINGLE, GAIN = "joint", "one by one", "gain"


@dataclass(frozen=True)
class Paired:
    """Some people released, everyone known: accuracy of joint matching and one by one on the same people."""

    size: int
    joint: tuple[so.Accuracy, ...]
    single: tuple[so.Accuracy, ...]

    @property
    def gains(self) -> list[float]:
        """Gains of joint matching over one by one, draw by draw."""
        return [a.rate.value - b.rate.value for a, b in zip(self.joint, self.single, strict=True)]

    @property
    def gain(self) -> float:
        """The average gain over the draws."""
        return float(np.mean(self.gains))


@reproduces("naini-fig6", "Fig. 6: only a subset is released, everyone is known", CALLS, WEB, VISITS)
def figure_6(shelf: Shelf) -> Reproduction:
    """The more people are released, the better each of them is matched; the left end equals one by one."""
    rows: list[Row] = []
    findings: list[Finding] = []
    for data, sides in ((CALLS, _calls), (WEB, _web), (VISITS, _visits)):
        if shelf.has(data):
            with stage(data.name):
                ways = [_measure(each, shelf) for each in sides(shelf)]
                rows += _rows(data, ways)
                findings += _findings(data, ways)
    return Reproduction(
        tuple(rows),
        tuple(findings),
        "for calls, how much people differ in their number of calls (ours: calibrated; or a heavy tail)",
        (synthetic_note(shelf), PAIRED),
        axis="people released",
        logarithmic="x",
    )


PAIRED = (
    "Joint matching and one by one are compared on the same people, draw by draw; the gain is in percentage "
    "points. Draws are nested: a larger one contains the people of the smaller."
)


def _calls(shelf: Shelf) -> list[Sides]:
    return [shelf.calls] if shelf.quick else [shelf.calls, shelf.heavy_tailed_calls]


def _web(shelf: Shelf) -> list[Sides]:
    return [shelf.web]


def _visits(shelf: Shelf) -> list[Sides]:
    events = so.read_events(shelf.file(VISITS), user="user", time="time", place="place")
    first, second = in_order(so.split(events))
    return [(so.histograms(first), so.histograms(second))]


def _measure(sides: Sides, shelf: Shelf) -> list[Paired]:
    released, known = sides
    people, rng = len(released), np.random.default_rng(shelf.seed)
    orders = [draw_people(released.people, people, rng) for _ in range(draws_of(1, shelf))]
    measured = []
    sizes = SIZES if people > SIZES[3] else (*SMALL, *SIZES)
    for size in [*(size for size in sizes if size < people), people]:
        with stage(f"{size:,} people released"):
            taken = orders[: draws_of(size, shelf)] if size < people else orders[:1]
            subsets = [(released.only(order[:size]), known) for order in taken]
            joint = tuple(measure_attack(pair) for pair in subsets)
            single = tuple(measure_attack(pair, method="one-by-one") for pair in subsets)
            measured.append(Paired(size, joint, single))
    return measured


def _rows(data: Data, ways: Sequence[Sequence[Paired]]) -> list[Row]:
    rows = []
    for number, each in enumerate(ways[0]):
        random = each.joint[0].random
        gains = tuple(100 * way[number].gain for way in ways)
        rows += [
            Row(data, JOINT, each.size, mean(each.joint), random=random),
            Row(data, SINGLE, each.size, mean(each.single), random=random),
            Row(data, GAIN, f"{each.size:,} released", gains[0], choices=gains if len(gains) > 1 else ()),
        ]
    return rows


def _findings(data: Data, ways: Sequence[Sequence[Paired]]) -> list[Finding]:
    higher, lowest = ([holds(way) for way in ways] for holds in (gains_rise, never_below))
    choices = (tuple(higher), tuple(lowest)) if len(ways) > 1 else ((), ())
    return [
        Finding(f"{data.name}: the more people are released, the higher the accuracy", higher[0], choices[0]),
        Finding(f"{data.name}: one by one is never above joint matching", lowest[0], choices[1]),
    ]


def gains_rise(measured: Sequence[Paired]) -> bool:
    """Whether the gain over one by one starts at zero, ends above it, and falls at no step beyond chance.

    Steps are compared on the draws that both sizes have.
    """
    steps = [_steps(before, after) for before, after in pairwise(measured)]
    return not any(map(below_zero, steps)) and measured[-1].gain > ROUNDING


def _steps(before: Paired, after: Paired) -> list[float]:
    # all people are one draw, which contains those of every other
    later = after.gains * len(before.gains) if len(after.gains) == 1 else after.gains
    return [b - a for a, b in zip(before.gains, later, strict=False)]


def never_below(measured: Sequence[Paired]) -> bool:
    """Whether joint matching is nowhere below one by one, beyond chance."""
    return not any(below_zero(each.gains) for each in measured)
