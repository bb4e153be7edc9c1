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

SCHEMA = "singleout/frontier/1"
LABEL = 18
"""Width of names and strengths, so that a row fits a terminal of 80 columns."""
LEGEND = (
    "* no other has less risk at no more loss",
    "loss: 0 as it was, 1 everyone alike, more if worse than that",
    "popul: how far the popularity of places is off (total variation, 0 to 1)",
    "top 10: how many of the ten most popular places still are",
    "emptied: people left with nothing",
)


@dataclass(frozen=True)
class Point:
    """One protection at one strength: what the attack still finds, what blind guessing would, and what is lost.

    ``notes`` are those of what is released: what was left out, merged, cut or emptied.
    """

    protection: str
    strength: Any
    user_level: Estimate
    cluster_level: Estimate
    random: float
    cluster_random: float
    utility: Utility
    notes: tuple[Note, ...]
    on_frontier: bool

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
            "user_level": self.user_level.value,
            "user_low": self.user_level.low,
            "user_high": self.user_level.high,
            "user_random": self.random,
            "cluster_level": self.cluster_level.value,
            "cluster_low": self.cluster_level.low,
            "cluster_high": self.cluster_level.high,
            "cluster_random": self.cluster_random,
            "loss": self.utility.loss,
            "popularity_error": self.utility.popularity_error,
            "top_kept": self.utility.top_kept,
            "emptied": self.utility.emptied,
            "on_frontier": self.on_frontier,
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
        first = self.rows[0].user_level
        about = {"weight": self.weight, "repeats": self.repeats, "seed": self.seed, "people": first.n}
        return {"schema": SCHEMA, **about, "level": first.level, "rows": rows}

    def __str__(self) -> str:
        lines = [f"  {'protection':{LABEL}} identified (interval)  cluster   loss  popul top 10 emptied"]
        for row in self.rows:
            first, *more = row.label()
            lost = f"{row.loss:6.3f} {row.utility.popularity_error:6.3f} {row.utility.top_kept:6.0%}"
            found = f"{row.user_level!s:22} {row.cluster_level.value:7.1%}"
            mark = "*" if row.on_frontier else " "
            lines.append(f"{mark} {first:{LABEL}} {found} {lost} {row.utility.emptied_people():>7}")
            lines += [f"  {rest}" for rest in more]
        blind = f"Blind guessing finds {share(self.rows[0].random)} of {self.rows[0].user_level.n:,} people."
        return "\n".join([*lines, *LEGEND, blind])

    def __repr__(self) -> str:
        return f"Frontier({len(self.rows)} points, {self.weight}, {self.repeats} repeats)\n{self}"
