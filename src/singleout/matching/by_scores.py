"""Matching by scores of any kind: given ones, or those of a function that a user brings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from singleout.ground.errors import bad_argument
from singleout.ground.notes import of_two_sides
from singleout.matching.arguments import check_numbers, check_sides
from singleout.matching.joint import flow_of, joint_solution
from singleout.matching.joint_engine import Interrupted, Solution
from singleout.matching.margins import Proof
from singleout.matching.one_by_one import highest_chances, nearest_pairs, transpose
from singleout.matching.result import Matching, MatchingInterrupted
from singleout.matching.ties import Flow, chances_of_flow, draw_pairs
from singleout.similarity.grouped_scores import GroupedScores
from singleout.similarity.own_attack import OwnAttack
from singleout.similarity.scores import ScorePairs, Scores, score_pairs
from singleout.statistics.classes import Classes
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import People

Sides = tuple[People | Histograms, People | Histograms]


def assign(
    scores: Scores,
    *,
    size: int | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    progress: bool | None = None,
) -> Matching:
    """Match people jointly by scores of any kind: the greatest total score, with proof.

    Everyone on the smaller side is matched (if pairs are forbidden: as many as possible), or exactly ``size`` pairs
    are made; not both, since that many pairs may not exist. ``costs`` of the result are the negated scores. People
    with the same scores with everyone are indistinguishable; ties between them are broken at random.

    Parameters
    ----------
    scores
        Scores of all pairs, or of some.
    size
        Exactly this many pairs; None: as many as possible.
    tolerance
        How far from the best the matching may be, as a share; 0: exact.
    seed
        Seed for breaking ties at random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Matching
        The joint matching.

    Examples
    --------
    >>> import singleout as so
    >>> scores = so.Scores([[0.9, 0.2], [0.8, 0.7]], released=["r1", "r2"], known=["k1", "k2"])
    >>> matching = so.assign(scores)
    >>> matching.released.tolist(), matching.known.tolist()
    ([0, 1], [0, 1])
    """
    if not isinstance(scores, Scores):
        raise bad_argument("assign", "scores", "Scores", type(scores).__name__, "Make them with so.Scores(…).")
    sides = People(scores.released), People(scores.known)
    check_sides("assign", sides)
    check_numbers("assign", min(map(len, sides)), "joint", size, tolerance, seed)
    if size is not None and scores.absent == "forbidden":
        hint = "As many pairs as possible are made."
        raise bad_argument("assign", "size", "omitted if pairs are forbidden", size, hint)
    return _assign(scores, sides, size, tolerance, seed, progress)


def _assign(
    scores: Scores | GroupedScores, sides: Sides, size: int | None, tolerance: float, seed: int, progress: bool | None
) -> Matching:
    rng = np.random.default_rng(seed)
    pairs, released, known = score_pairs(scores, rng)
    builder = _ScoreMatchingBuilder(scores, pairs, released, known, sides, seed)
    try:
        solution = joint_solution(pairs, released.size, known.size, size=size, tolerance=tolerance, progress=progress)
    except Interrupted as interrupted:
        raise MatchingInterrupted(builder.joint(interrupted.solution, rng)) from None
    return builder.joint(solution, rng)


@dataclass(frozen=True, eq=False)
class _ScoreMatchingBuilder:
    """Builds a matching by scores."""

    scores: Scores | GroupedScores
    pairs: ScorePairs
    released: Classes
    known: Classes
    sides: Sides
    seed: int

    def joint(self, solution: Solution, rng: np.random.Generator) -> Matching:
        """From numbers of people between classes to pairs; if pairs are forbidden, nobody is paired at random."""
        flow = flow_of(solution)
        if self.scores.absent == "forbidden":
            left = self.released.size - np.bincount(flow.released, flow.people, len(self.released.size))
            flow = Flow(flow.released, flow.known, flow.people, left.astype(np.intp))
        rows, others = draw_pairs(flow, self.released, self.known, rng)
        score = self.scores.of_pairs(rows, others) if len(rows) else np.zeros(0)
        return Matching(
            released=rows,
            known=others,
            costs=-score,
            chances=chances_of_flow(flow, self.released, self.known),
            released_side=self.sides[0],
            known_side=self.sides[1],
            compared=None,
            method="joint",
            by="released",
            seed=self.seed,
            notes=(),
            gap=solution.bound - solution.gain,
            gain=float((score - self.scores.lowest).sum()),
            seconds=solution.seconds,
            proof=Proof(self.pairs, solution, self.released.size, self.known.size),
        )


def match_by_own(
    compared: OwnAttack,
    scores: Scores | GroupedScores,
    sides: tuple[Histograms, Histograms],
    *,
    method: str,
    by: str,
    size: int | None,
    tolerance: float,
    seed: int,
    progress: bool | None,
) -> Matching:
    """Match by the scores of an attack; the sides stay, so that people can be drawn and matched again."""
    own: dict[str, Any] = {"released_side": sides[0], "known_side": sides[1], "compared": compared, "seed": seed}
    own |= {"notes": of_two_sides(sides[0].notes, sides[1].notes) + scores.notes}
    if method == "one-by-one":
        return _one_by_one_scores(scores, by, own)
    try:
        found = _assign(scores, sides, size, tolerance, seed, progress)
    except MatchingInterrupted as interrupted:
        raise MatchingInterrupted(replace(interrupted.matching, **own)) from None
    return replace(found, **own)


def _one_by_one_scores(scores: Scores | GroupedScores, by: str, own: dict[str, Any]) -> Matching:
    """Everyone gets the one with the highest score, at random among several."""
    rng = np.random.default_rng(own["seed"])
    pairs, released, known = score_pairs(scores, rng)
    sides = (released, known) if by == "released" else (known, released)
    chances = highest_chances(pairs if by == "released" else pairs.swap_sides(), *sides)
    first, second = nearest_pairs(chances, rng)
    if by == "known":
        order = np.lexsort((first, second))
        chances, first, second = transpose(chances), second[order], first[order]
    score = scores.of_pairs(first, second)
    more: dict[str, Any] = {"gap": 0.0, "gain": float(np.abs(score).sum()), "seconds": {}, "proof": None}
    return Matching(
        released=first, known=second, costs=-score, chances=chances, method="one-by-one", by=by, **own, **more
    )
