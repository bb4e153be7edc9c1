"""The door to matching, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.errors import DataError, bad_argument, unknown_name
from singleout.ground.notes import Note, joined
from singleout.matching.joint import joint_flow
from singleout.matching.one_by_one import nearest_chances, nearest_pairs, transposed
from singleout.matching.ties import Chances, Floats, Rows, chances_of_flow, drawn_pairs
from singleout.statistics.histograms import Histograms
from singleout.weights.histogram import Overlaps, overlaps
from singleout.weights.registry import weight_named

METHODS = ("joint", "one-by-one")
SIDES = ("released", "known")


@dataclass(frozen=True, eq=False)
class Matching:
    """Who was taken for whom.

    ``released`` and ``known`` are the row numbers of the pairs, one draw from the seed where ties left a choice;
    ``weights`` their weights and ``cost`` the sum, which a joint matching makes as small as can be. ``chances`` holds
    the probability of every pair over all draws: that, not the draw, is what measures use.
    """

    released: Rows
    known: Rows
    weights: Floats
    chances: Chances
    released_histograms: Histograms
    known_histograms: Histograms
    weight: str
    method: str
    by: str
    seed: int
    notes: tuple[Note, ...]

    @property
    def cost(self) -> float:
        """The sum of the weights."""
        return float(self.weights.sum())

    def weights_in_bits(self) -> Floats:
        """Weights to base 2, as UN13 prints them; for js and glrt."""
        if self.weight not in ("js", "glrt"):
            raise bad_argument("weights_in_bits", "weight", "js or glrt, which are logarithms", self.weight)
        return np.asarray(self.weights / np.log(2))

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """Pairs as a table: row numbers, weights, chances; ids only if asked to reveal them."""
        columns: dict[str, Any] = {"released_row": self.released, "known_row": self.known}
        if reveal:
            columns["released_id"] = pa.array(self.released_histograms.people[self.released].tolist())
            columns["known_id"] = pa.array(self.known_histograms.people[self.known].tolist())
        columns |= {"weight": self.weights, "chance": self.chances.of(self.released, self.known)}
        return pa.table(columns)

    def __len__(self) -> int:
        return len(self.released)

    def __repr__(self) -> str:
        method = "joint" if self.method == "joint" else f"one by one for each {self.by}"
        return f"Matching({len(self):,} pairs, {method}, weight {self.weight}, cost {self.cost:.6g})"


def match(
    released: Histograms,
    known: Histograms,
    *,
    weight: str = "js",
    method: str = "joint",
    by: str = "released",
    seed: int = 0,
    progress: bool | None = None,
) -> Matching:
    """Match released people, whose identities are hidden, with known ones.

    Parameters
    ----------
    weight
        js (N16 eq. 7), l1, cosine, dot, glrt (UN13 section V), or the name of a registered weight.
    method
        ``"joint"``: all at once, least total weight, everyone of the smaller side matched. ``"one-by-one"``: whoever
        is nearest.
    by
        For one-by-one: whether each ``"released"`` person gets the nearest known (N16) or each ``"known"`` person the
        nearest released (UN13).
    seed
        Draws the lots where histograms are identical or equally near.
    """
    _check(released, known, method, by)
    pairs = overlaps(released, known, weight_named(weight))
    rng = np.random.default_rng(seed)
    chances, rows, others = _joint(pairs, rng, progress) if method == "joint" else _one_by_one(pairs, by, rng, progress)
    weights = pairs.of_pairs(chances.released.label[rows], chances.known.label[others])
    notes = joined(released.notes, known.notes)
    return Matching(rows, others, weights, chances, released, known, weight, method, by, seed, notes)


def _joint(pairs: Overlaps, rng: np.random.Generator, progress: bool | None) -> tuple[Chances, Rows, Rows]:
    flow = joint_flow(pairs, rng, progress=progress)
    sides = pairs.released.classes, pairs.known.classes
    return chances_of_flow(flow, *sides), *drawn_pairs(flow, *sides, rng)


def _one_by_one(
    pairs: Overlaps, by: str, rng: np.random.Generator, progress: bool | None
) -> tuple[Chances, Rows, Rows]:
    if by == "released":
        chances = nearest_chances(pairs, progress=progress)
        return chances, *nearest_pairs(chances, rng)
    chances = nearest_chances(pairs.exchanged(), progress=progress)
    known, released = nearest_pairs(chances, rng)
    order = np.lexsort((known, released))
    return transposed(chances), released[order], known[order]


def _check(released: Histograms, known: Histograms, method: str, by: str) -> None:
    for argument, side in (("released", released), ("known", known)):
        if not isinstance(side, Histograms):
            hint = "Make them with so.histograms(events)."
            raise bad_argument("match", argument, "Histograms", type(side).__name__, hint)
        if not len(side):
            raise DataError(f"match: {argument} holds nobody.")
    if method not in METHODS:
        raise unknown_name("match", "method", str(method), METHODS)
    if by not in SIDES:
        raise unknown_name("match", "by", str(by), SIDES)
