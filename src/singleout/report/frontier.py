"""Protections side by side: risk against loss, as plain data and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from singleout.measures.intervals import Estimate
from singleout.measures.utility import Utility


@dataclass(frozen=True)
class Point:
    """One protection at one strength: what the attack still finds, and what is lost."""

    protection: str
    strength: Any
    user_level: Estimate
    cluster_level: Estimate
    utility: Utility
    on_frontier: bool

    @property
    def loss(self) -> float:
        """The common loss."""
        return self.utility.loss

    def as_row(self) -> dict[str, Any]:
        """Plain data, one number a column."""
        return {
            "protection": self.protection,
            "strength": None if self.strength is None else str(self.strength),
            "user_level": self.user_level.value,
            "user_low": self.user_level.low,
            "user_high": self.user_level.high,
            "cluster_level": self.cluster_level.value,
            "cluster_low": self.cluster_level.low,
            "cluster_high": self.cluster_level.high,
            "loss": self.utility.loss,
            "popularity_error": self.utility.popularity_error,
            "top_kept": self.utility.top_kept,
            "on_frontier": self.on_frontier,
        }


@dataclass(frozen=True)
class Frontier:
    """Every protection at every strength, the data as it is first; ``on_frontier`` marks those that no other beats."""

    rows: tuple[Point, ...]
    weight: str
    repeats: int
    seed: int

    def to_arrow(self) -> pa.Table:
        """One row per protection and strength."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def __str__(self) -> str:
        lines = ["protection       strength  identified (interval)    cluster    loss  popular  top 10"]
        for row in self.rows:
            mark = "*" if row.on_frontier else " "
            strength = "" if row.strength is None else str(row.strength)
            lost = f"{row.loss:7.3f} {row.utility.popularity_error:8.3f} {row.utility.top_kept:7.0%}"
            found = f"{row.user_level!s:>22} {row.cluster_level.value:10.1%}"
            lines.append(f"{mark} {row.protection[:14]:14} {strength[:9]:>9} {found} {lost}")
        return "\n".join([*lines, "* no other has less risk at no more loss"])
