"""Joint matching: everyone at once, with the least total cost (A1 and A2 of N16 III-E; UN13 Proposition 3.1)."""

from __future__ import annotations

from singleout.ground.arrays import Indices
from singleout.matching.joint_engine import Solution, greatest_gain
from singleout.matching.ties import Flow
from singleout.similarity.pairs import Pairs


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
    return greatest_gain(pairs, released, known, absent=absent, tolerance=tolerance, progress=progress)


def flow_of(solution: Solution) -> Flow:
    """The engine's result, for drawing pairs. Pairs without gain are left to chance."""
    return Flow(solution.row, solution.col, solution.people, solution.absent)
