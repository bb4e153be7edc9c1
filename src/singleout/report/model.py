"""Results as plain data: the attacker ladder, as JSON and as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from singleout.ground.html import Pictured
from singleout.ground.notes import Note
from singleout.matching.result import Matching
from singleout.measures.accuracy import Accuracy
from singleout.measures.intervals import Estimate, wilson
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import People

FEW = 30
SCHEMA = "singleout/result/1"
INTERVAL = "Wilson on the expected count, as if people were independent; half-sampling allows for joint matching"


@dataclass(frozen=True)
class Rung:
    """One attack of the ladder and how often it is right; ``accuracy`` None where the truth is not known."""

    attack: str
    weight: str | None
    accuracy: Accuracy | None

    @property
    def rate(self) -> Estimate | None:
        """Share of the common people identified."""
        return None if self.accuracy is None else self.accuracy.rate

    def as_json(self) -> dict[str, Any]:
        """Plain data for a result file."""
        if self.accuracy is None:
            return {"attack": self.attack, "weight": self.weight, "rate": None}
        return {
            "attack": self.attack,
            "weight": self.weight,
            "expected": self.accuracy.expected,
            "rate": self.accuracy.rate.as_json(),
            "precision": self.accuracy.precision.as_json(),
            "random": self.accuracy.random,
            "shuffled": self.accuracy.shuffled,
        }


@dataclass(frozen=True, eq=False)
class Ladder(Pictured):
    """Attacks from the blindest to the strongest on one pair of sides.

    ``matching`` is the joint matching of the first weight asked for. ``label`` says what the data is.
    """

    rungs: tuple[Rung, ...]
    matching: Matching
    label: str
    synthetic: bool
    interrupted: bool = False

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was left out on the way."""
        return self.matching.notes

    @property
    def random(self) -> Estimate | None:
        """What blind matching would reach."""
        measured = next((rung.accuracy for rung in self.rungs if rung.accuracy is not None), None)
        return (
            None
            if measured is None
            else wilson(measured.random * measured.common, measured.common, measured.rate.level)
        )

    @property
    def strongest(self) -> Rung | None:
        """The attack that identifies most."""
        measured = [rung for rung in self.rungs if rung.accuracy is not None]
        return max(measured, key=lambda rung: rung.accuracy.expected if rung.accuracy else 0.0, default=None)

    def as_json(self) -> dict[str, Any]:
        """The result file: counts and shares, no ids."""
        matching = self.matching
        random = self.random
        return {
            "schema": SCHEMA,
            "data": {
                "label": self.label,
                "synthetic": self.synthetic,
                "released": _size(matching.released_side),
                "known": _size(matching.known_side),
            },
            "seed": matching.seed,
            "interval": INTERVAL,
            "random": None if random is None else random.as_json(),
            "ladder": [rung.as_json() for rung in self.rungs],
            "matches": {
                "attack": matching.method,
                "weight": matching.weight,
                "pairs": len(matching),
                "cost": matching.cost,
                "bound": matching.bound,
                "relative_gap": matching.relative_gap,
            },
            "interrupted": self.interrupted,
            "notes": [note.as_json() for note in self.notes],
        }

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        rows = [
            {
                "attack": rung.attack,
                "weight": rung.weight,
                "expected": None if rung.accuracy is None else rung.accuracy.expected,
                "rate": None if rung.rate is None else rung.rate.value,
                "low": None if rung.rate is None else rung.rate.low,
                "high": None if rung.rate is None else rung.rate.high,
            }
            for rung in self.rungs
        ]
        return pa.Table.from_pylist(rows)

    def sentence(self) -> str:
        """The answer in one sentence."""
        strongest = self.strongest
        if strongest is None or strongest.accuracy is None:
            return f"{len(self.matching):,} pairs were matched; who is who is not known, so no rate can be given."
        measured = strongest.accuracy
        rate = measured.rate
        few = " These are too few people to say much." if measured.common < FEW else ""
        return (
            f"Of {measured.common:,} people, about {measured.expected:,.0f} ({share(rate.value)}, {rate.level:.0%} "
            f"interval {share(rate.low)} to {share(rate.high)}) could be picked out by {strongest.attack} matching "
            f"({strongest.weight}); blind guessing finds {share(measured.random)}.{few}"
        )

    def __repr__(self) -> str:
        return f"Ladder({len(self.rungs)} attacks): {self.sentence()}"


def _size(side: Histograms | People) -> dict[str, int]:
    if isinstance(side, People):
        return {"people": len(side)}
    return {"people": len(side), "places": side.number_of_places, "entries": int(side.counts.nnz)}


def share(value: float) -> str:
    """A share in percent, with two digits where one would hide it."""
    if 0 < value < 0.0001:
        return f"{100 * value:.{-math.floor(math.log10(100 * value))}f}%"
    return f"{value:.2%}" if value < 0.01 else f"{value:.1%}"
