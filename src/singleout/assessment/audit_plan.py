"""How an audit of event logs spends its time: its steps, how long each may take, and what a time limit leaves out.

Seconds are those of two ordinary cores, from counts alone: the same data and options give the same plan on any machine.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_sample import enough_people
from singleout.assessment.audit_sides import SLOW, CountsOf
from singleout.assessment.file_attack import LARGE
from singleout.ground.arrays import Indices
from singleout.ground.notes import Note, nonzero
from singleout.ground.numbers import duration, seconds_of
from singleout.measures.intervals import HALVES
from singleout.similarity.comparison import MOST_PAIRS
from singleout.similarity.registry import similarities_to_try
from singleout.statistics.ids import Ids, comparable

READING, ATTACKS, PEOPLE = "reading and counting", "attacks on everyone", "who is at risk, and why"
SHAPES, KNOWN_PEOPLE = "the shape of movements", "an intruder who knows some of the people"
FEWER_PEOPLE, PROTECTIONS = "fewer people", "protections"
STEPS = (READING, ATTACKS, PEOPLE, SHAPES, KNOWN_PEOPLE, FEWER_PEOPLE, PROTECTIONS)
OPTIONAL = (KNOWN_PEOPLE, SHAPES, FEWER_PEOPLE, PROTECTIONS)
"""What a time limit leaves out, the first first."""


@dataclass(eq=False)
class AuditPlan:
    """The steps of an audit, the seconds each may take, and what is left out; it watches the clock as well."""

    seconds: dict[str, float]
    left_out: tuple[str, ...] = ()
    limit: float | None = None
    gate: bool = False
    """Whether there is a risk limit: data from the released period is tried then, whatever else is left out."""
    started: float = field(default_factory=time.monotonic)
    cut_short: list[str] = field(default_factory=list)
    """Steps that the clock, not the plan, left out."""

    def takes(self, step: str) -> bool:
        """Whether a step is taken: planned, and the time is not over."""
        if step in self.left_out:
            return False
        if step in OPTIONAL and self.limit is not None and time.monotonic() - self.started > self.limit:
            self.cut_short.append(step)
            return False
        return True

    def notes(self) -> list[Note]:
        """What was left out to save time."""
        if self.limit is None:
            return []
        limit = f"--time-limit {duration(self.limit)}"
        reasons = {
            f"planned from the size of the data, for {limit}": self.left_out,
            f"the clock passed {limit}; this result is not repeatable": self.cut_short,
        }
        named = {} if self.gate else {PROTECTIONS: f"{PROTECTIONS}, and an intruder with data from the released period"}
        return [*nonzero(Note(int(bool(self.too_short)), "time limits too short", self.too_short))] + [
            Note(1, "steps left out", f"{named.get(each, each)}: {why}")
            for why, steps in reasons.items()
            for each in steps
        ]

    @property
    def too_short(self) -> str:
        """Why the limit cannot be kept; empty where it can."""
        needed = sum(self.seconds.values())
        if self.limit is None or needed <= self.limit:
            return ""
        return f"what an audit always does may take {duration(needed)}, longer than --time-limit {duration(self.limit)}"

    @property
    def skipped(self) -> tuple[str, ...]:
        """All steps that were not taken."""
        return (*self.left_out, *self.cut_short)


def plan_audit(counts: CountsOf, options: AuditOptions, started: float) -> AuditPlan:
    """What is done, and how long it may take."""
    seconds = expect_seconds(counts, options)
    limit = None if options.time_limit is None else seconds_of(options.time_limit)
    left_out: list[str] = []
    for step in OPTIONAL if limit is not None else ():
        if sum(seconds.values()) <= (limit or 0.0):
            break
        left_out.append(step)
        del seconds[step]
    return AuditPlan(seconds, tuple(left_out), limit, options.max_risk is not None, started)


def expect_seconds(counts: CountsOf, options: AuditOptions) -> dict[str, float]:
    """Seconds that each step may take, fitted to measured audits (docs/benchmarks.md)."""
    people, terms = min(map(len, counts)), _terms(counts)
    tried = len(options.similarities or similarities_to_try(counts.released, options.coarser_levels))
    some = people if people < LARGE else min(people, enough_people(options.confidence_level))
    entries = counts.released.counts.nnz + counts.known.counts.nnz
    once, of_halves = _comparison(people, terms), _comparison(people / 2, terms / 4)
    return {
        READING: 0.3 + 5.0e-7 * entries,
        ATTACKS: tried * once + HALVES * of_halves / 1.7,
        PEOPLE: 0.05 + 2.2e-4 * people + 6.0e-8 * terms,
        SHAPES: 0.2 + 6.0e-6 * entries + 5.0e-7 * people**2 if people <= SLOW and options.time is not None else 0.0,
        KNOWN_PEOPLE: 0.2 + 5.5e-7 * people**2 if people**2 <= MOST_PAIRS else 0.0,
        FEWER_PEOPLE: 2.5 * once,
        PROTECTIONS: 1.0 + 6.0e-3 * some + 2.5e-2 * sqrt(entries * some / people) + 8.0 * once * (people > some),
    }


def _comparison(people: float, terms: float) -> float:
    """Seconds to compare two sides by one similarity and to match them in every way."""
    if people**2 <= MOST_PAIRS:
        return 0.01 + 4.0e-9 * terms + 2.0e-8 * people**2
    return 0.05 + 3.5e-8 * terms + 2.0e-5 * people


def _terms(counts: CountsOf) -> float:
    """How many terms one sweep over all pairs computes: people who share a place, added up over places."""
    ids = comparable(counts.released.places, counts.known.places)
    visitors = [_visitors(own, side.counts.indices) for own, side in zip(ids, counts, strict=True)]
    _, *common = np.intersect1d(visitors[0][0], visitors[1][0], return_indices=True)
    both = (number[rows].astype(np.float64) for (_, number), rows in zip(visitors, common, strict=True))
    return float(np.dot(*both))


def _visitors(places: Ids, columns: NDArray[Any]) -> tuple[Ids, Indices]:
    """The places in order of id, and how many people were at each."""
    names, place = np.unique(places, return_inverse=True)
    return names, np.bincount(place[columns], minlength=len(names))
