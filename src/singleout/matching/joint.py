"""Joint matching: everyone at once, with the least total cost (A1 and A2 of N16 III-E; UN13 Proposition 3.1)."""

from __future__ import annotations

from typing import Any

from singleout.ground.arrays import Indices
from singleout.matching.joint_engine import Interrupted, Solution, greatest_gain
from singleout.matching.ties import Flow
from singleout.similarity.pairs import Pairs

FEW_TO_MANY = 2
"""With this many times as many known classes as released ones, and not as many times the people, sides are swapped."""


def joint_solution(
    pairs: Pairs,
    released: Indices,
    known: Indices,
    *,
    size: int | None = None,
    tolerance: float = 0.0,
    progress: bool | None = None,
) -> Solution:
    """The matching of least total cost as numbers of people between classes of given sizes, with a proof.

    Everyone on the smaller side is matched, or exactly ``size`` pairs are made.
    """
    absent = 0 if size is None or size == min(released.sum(), known.sum()) else int(released.sum()) - size
    asked: dict[str, Any] = {"tolerance": tolerance, "progress": progress}
    if absent or not _are_few_to_many(released, known):
        return greatest_gain(pairs, released, known, absent=absent, **asked)
    try:
        return greatest_gain(pairs.swap_sides(), known, released, **asked).swap_sides()
    except Interrupted as interrupted:
        raise Interrupted(interrupted.solution.swap_sides()) from None


def _are_few_to_many(released: Indices, known: Indices) -> bool:
    """Whether large released classes meet small known ones, as in a file of groups.

    Prices settle quickly where each of many bids for room in one of few, slowly the other way round: the units of a
    large class would outbid each other.
    """
    many, few = FEW_TO_MANY * len(released) <= len(known), known.sum() <= FEW_TO_MANY * released.sum()
    return bool(many and few)


def flow_of(solution: Solution) -> Flow:
    """The engine's result, for drawing pairs. Pairs without gain are left to chance."""
    return Flow(solution.row, solution.col, solution.people, solution.absent)
