"""Protections side by side: risk against loss, as plain data and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import pyarrow as pa

from singleout.ground.html import Pictured
from singleout.ground.notes import Note
from singleout.measures.intervals import Estimate
from singleout.measures.utility import Utility
from singleout.report.model import share

SCHEMA = "singleout/frontier/2"
ALL_LOST = 1.0
"""The loss of a protection that leaves everyone the same."""
MOST_EMPTIED = 0.1
"""Share of people left with nothing above which a protection is not recommended."""
LABEL = 18
"""Width of names and strengths, so that a row fits a terminal of 80 columns."""
LEGEND = (
    "* no other has less risk at no more loss",
    "outside: re-identified in the file written, by someone who knows another period",
    "inside: the same by someone who knows a part of the period that the file covers",
    "at most: no attack can be right for more, on average (identical rows)",
    "loss: 0 as it was, 1 everyone the same, more if worse than that",
    "popul: how far the popularity of places is off (total variation, 0 to 1)",
    "emptied: people left with nothing",
)


@dataclass(frozen=True)
class Point:
    """One protection at one strength: what the strongest attack finds in the file it writes, and what is lost.

    ``outside`` is with knowledge from another period, ``inside`` with knowledge that the file contains (None where
    there is none to try). ``guarantee``: where everyone shares their row with others, no attack can be right for more
    than this share on average; ``smallest`` is the least number of people who share a row. ``random`` is what guessing
    at random would reach. ``notes`` are those of what is released: what was left out, merged, cut or emptied.
    """

    protection: str
    strength: Any
    outside: Estimate
    inside: Estimate | None
    cluster_level: Estimate
    random: float
    attack: str
    smallest: int
    guarantee: float | None
    utility: Utility
    notes: tuple[Note, ...]
    on_frontier: bool = False
    recommended: bool = False

    @property
    def rates(self) -> tuple[Estimate, ...]:
        """What was measured: outside, and inside where there is one."""
        return (self.outside,) if self.inside is None else (self.outside, self.inside)

    @property
    def risk(self) -> Estimate:
        """The larger of the two: what a limit is held against."""
        return max(self.rates, key=lambda rate: rate.value)

    @property
    def upper(self) -> float:
        """What the risk is within: the upper ends of both intervals, or the guarantee where that is less."""
        measured = max(rate.high for rate in self.rates)
        return measured if self.guarantee is None else min(measured, self.guarantee)

    def is_guaranteed(self, limit: float) -> bool:
        """Whether the limit is met whatever the attack, on average."""
        return self.guarantee is not None and self.guarantee <= limit

    def is_enough(self, limit: float, people: int) -> bool:
        """Whether it may be recommended: within the limit, and enough of the data left."""
        return self.upper <= limit and self.loss < ALL_LOST and self.utility.emptied <= MOST_EMPTIED * people

    @property
    def loss(self) -> float:
        """The common loss."""
        return self.utility.loss

    def label(self) -> list[str]:
        """Name and strength, in as many lines as they need."""
        return wrap(self.protection if self.strength is None else f"{self.protection} {self.strength}", LABEL)

    def as_row(self) -> dict[str, Any]:
        """Plain data, one number a column."""
        return {
            "protection": self.protection,
            "strength": None if self.strength is None else str(self.strength),
            "outside": self.outside.value,
            "outside_low": self.outside.low,
            "outside_high": self.outside.high,
            "inside": None if self.inside is None else self.inside.value,
            "inside_low": None if self.inside is None else self.inside.low,
            "inside_high": None if self.inside is None else self.inside.high,
            "random": self.random,
            "attack": self.attack,
            "guarantee": self.guarantee,
            "smallest_group": self.smallest,
            "group_level": self.cluster_level.value,
            "loss": self.utility.loss,
            "popularity_error": self.utility.popularity_error,
            "top_kept": self.utility.top_kept,
            "emptied": self.utility.emptied,
            "on_frontier": self.on_frontier,
            "recommended": self.recommended,
        }


@dataclass(frozen=True, repr=False)
class Frontier(Pictured):
    """Every protection at every strength, the data as it is first; ``on_frontier`` marks those that no other beats."""

    rows: tuple[Point, ...]
    weight: str
    repeats: int
    seed: int
    left_out: tuple[Note, ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the protections changed, left out or emptied, each once; and strengths that could not be tried."""
        return tuple(dict.fromkeys([*(note for row in self.rows for note in row.notes), *self.left_out]))

    def to_arrow(self) -> pa.Table:
        """One row per protection and strength."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def as_json(self) -> dict[str, Any]:
        """The result file: shares, losses and counts, no ids."""
        rows = [row.as_row() | {"notes": [note.as_json() for note in row.notes]} for row in self.rows]
        first = self.rows[0].outside
        about = {"weight": self.weight, "repeats": self.repeats, "seed": self.seed, "people": first.n}
        return {"schema": SCHEMA, **about, "level": first.level, "rows": rows}

    def __str__(self) -> str:
        lines = [f"  {'protection':{LABEL}} outside (interval)    inside at most   loss  popul emptied"]
        for row in self.rows:
            first, *more = row.label()
            lost = f"{row.loss:6.3f} {row.utility.popularity_error:6.3f}"
            inside = "" if row.inside is None else f"{row.inside.value:.1%}"
            most = "" if row.guarantee is None else share(row.guarantee)
            found = f"{row.outside!s:21} {inside:>6} {most:>7}"
            mark = "*" if row.on_frontier else " "
            lines.append(f"{mark} {first:{LABEL}} {found} {lost} {row.utility.emptied_people():>7}")
            lines += [f"  {rest}" for rest in more]
        blind = f"Guessing at random finds {share(self.rows[0].random)} of {self.rows[0].outside.n:,} people."
        return "\n".join([*lines, *LEGEND, blind])

    def __repr__(self) -> str:
        return f"Frontier({len(self.rows)} points, {self.weight}, {self.repeats} repeats)\n{self}"
