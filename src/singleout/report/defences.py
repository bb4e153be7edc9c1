"""Noise on networks: what the strongest intruder still finds, and what is lost (M18 section 5.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from singleout.ground.html import Pictured
from singleout.report.strongest import LEVEL, Strongest, Tried


@dataclass(frozen=True)
class Defence:
    """One way to perturb networks at one strength: what the strongest intruder still finds, and what is lost.

    ``by_size`` is the strongest attack by the size of networks alone; mean ranks are the lowest of any attack, and
    of size alone.
    """

    defence: str
    strength: float
    loss: float
    strongest: Strongest
    by_size: Tried
    mean_rank: float
    size_mean_rank: float

    def as_row(self) -> dict[str, Any]:
        """Plain data, one number a column."""
        ranks = {"size": self.by_size.share, "mean_rank": self.mean_rank, "size_mean_rank": self.size_mean_rank}
        return {"defence": self.defence, "strength": self.strength, "loss": self.loss} | self.strongest.as_row() | ranks


@dataclass(frozen=True)
class DefenceCurve(Pictured):
    """Risk against utility: every defence at every strength, the networks as they are first.

    Risk is what the strongest attack re-identifies, on average over ``draws`` of the noise. ``loss`` is the mean over
    people of half the absolute differences between true and released shares of transitions and of visits: 0 as it was,
    1 nothing in common. ``random`` and ``random_rank`` are what guessing gives.
    """

    rows: tuple[Defence, ...]
    kernels: tuple[str, ...]
    draws: int
    seed: int
    random: float
    random_rank: float

    def to_arrow(self) -> pa.Table:
        """One row per defence and strength."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def __repr__(self) -> str:
        return f"DefenceCurve({len(self.rows)} points, strongest of {', '.join(self.kernels)} and size)"

    def __str__(self) -> str:
        lines = ["defence  strength   lost  re-identified (interval)  by            size mean rank"]
        for row in self.rows:
            by = f"{row.strongest.attack.kernel} {row.strongest.attack.matching}"
            rates = f"{row.strongest.rate!s:>24}  {by:11} {row.by_size.share:6.1%}"
            lines.append(f"{row.defence:8} {row.strength:8g} {row.loss:6.3f}  {rates} {row.mean_rank:9,.1f}")
        lines.append(f"{'at random':25} {self.random:7.2%} {'':36} {self.random_rank:9,.1f}")
        return "\n".join([*lines, self._legend()])

    def _legend(self) -> str:
        most = max(row.strongest.attacks for row in self.rows)
        return (
            f"re-identified: by the strongest of up to {most} attacks, mean of {self.draws} draws; {LEVEL:.0%}\n"
            "interval that allows for the choice and the draws. size: by size alone."
        )
