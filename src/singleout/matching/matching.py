"""The door to matching, and what comes out of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.errors import DataError, bad_argument, check_seed, is_number, is_whole, unknown_name
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, counted, of_two_sides
from singleout.matching.joint import flow_of, joint_solution
from singleout.matching.margins import Margins, Proof
from singleout.matching.one_by_one import nearest_chances, nearest_pairs, transposed
from singleout.matching.rejection import Decision, check_decision, decision
from singleout.matching.ties import Chances, Floats, Flow, Rows, chances_of_flow, drawn_pairs
from singleout.matching.transport import Interrupted, Solution
from singleout.similarity.dense_pairs import kept_if_dense
from singleout.similarity.explain import Explanation, explanation
from singleout.similarity.overlaps import Overlaps, overlaps
from singleout.similarity.pairs import Pairs
from singleout.similarity.registry import similarity_named
from singleout.similarity.scores import ScorePairs, Scores, score_pairs
from singleout.statistics.classes import Classes
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import People

METHODS = ("joint", "one-by-one")
SIDES = ("released", "known")


@dataclass(frozen=True, eq=False)
class Matching(Tabular):
    """Who was taken for whom.

    ``released`` and ``known`` are the row numbers of the pairs, one draw from the seed where ties left a choice;
    ``costs`` their costs. ``chances`` holds the probability of every pair over all draws: that, not the draw, is
    what measures use.
    """

    released: Rows
    known: Rows
    costs: Floats
    chances: Chances
    released_side: Histograms | People
    known_side: Histograms | People
    similarity: str
    method: str
    by: str
    seed: int
    notes: tuple[Note, ...]
    gap: float
    """No matching of this size can cost less than ``cost - gap``."""
    gain: float
    """The sum of what the pairs share: of all terms over common places."""
    seconds: dict[str, float]
    """Where the time went: preparing, candidates, solving, pricing."""
    proof: Proof | None = field(repr=False)
    """What a joint matching is proven by; margins are worked out from it."""
    known_margins: dict[float, Margins] = field(default_factory=dict, repr=False)
    """Margins asked for before, by limit."""

    @property
    def cost(self) -> float:
        """The sum of the costs: what a joint matching makes as small as can be."""
        return float(self.costs.sum())

    @property
    def bound(self) -> float:
        """A cost that no matching of this size can go below, proven by prices."""
        return self.cost - self.gap

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the total gain: what ``tolerance`` limits. At most 1, where nothing is proven."""
        return self.gap / self.gain if self.gap < self.gain else float(self.gap > 0)

    def costs_in_bits(self) -> Floats:
        """Weights to base 2, as UN13 prints them; for js and glrt."""
        if self.similarity not in ("js", "glrt"):
            raise bad_argument("costs_in_bits", "similarity", "js or glrt, which are logarithms", self.similarity)
        return np.asarray(self.costs / np.log(2))

    def margins(self, limit: float | None = None, *, progress: bool | None = None) -> Margins:
        """For each pair the extra cost of the best matching of the same size that avoids it (UN13 III).

        Zero for people with an identical twin; infinite where no other matching exists. With ``limit`` margins above
        it are only known to be above it, and the work is less. Where people have very many near alternatives a margin
        may be cut off without it; ``above`` says which.
        """
        if limit is not None and not (is_number(limit) and limit > 0):
            raise bad_argument("margins", "limit", "above zero, or left out", limit)
        proof = self._exact_proof("margins")
        bound = np.inf if limit is None else float(limit)
        if bound not in self.known_margins:
            values, certain = proof.margins(*self._classes_of_pairs, limit=bound, progress=progress)
            self.known_margins[bound] = Margins(np.minimum(values, certain), values > certain, bound)
        return self.known_margins[bound]

    def second_best(self, *, progress: bool | None = None) -> float:
        """The cost of the best matching of this size that differs in at least one pair (UN13 eq. 10)."""
        proof = self._exact_proof("second_best")
        return self.cost + proof.least_margin(*self._classes_of_pairs, progress=progress)

    def decide(self, exponent: float, length: int, *, rule: str = "bound") -> Decision:
        """Accept or reject the whole matching (UN13 Theorem 3.3): of js, two sides of equal size, all matched.

        ``length`` is n, the number of observations of each histogram. With ``rule="bound"`` a wrong matching is
        accepted with probability at most 2^(-exponent n) if observations are independent draws; ``rule="paper"`` is
        the theorem's own rule, which bounds the error only in the limit.
        """
        sides = self.released_side, self.known_side
        self._exact_proof("decide")
        if self.similarity != "js" or not isinstance(sides[0], Histograms) or not isinstance(sides[1], Histograms):
            raise DataError("Theorem 3.3 holds for similarity js only.", function="decide")
        check_decision((sides[0], sides[1]), len(self), exponent, length, rule)
        return decision((self.cost, self.second_best()), (sides[0], sides[1]), exponent, int(length), rule)

    def explain(self, pair: int) -> Explanation:
        """Why the two people of a pair were matched: what each place they share adds, largest first.

        ``pair`` is its number in ``released`` and ``known``.
        """
        if not isinstance(self.released_side, Histograms) or not isinstance(self.known_side, Histograms):
            raise DataError("a matching by scores has no places to explain it by.", function="explain")
        if not is_whole(pair) or not 0 <= pair < len(self):
            raise bad_argument("explain", "pair", f"the number of a pair, from 0 to {len(self) - 1}", pair)
        sides, rows = (self.released_side, self.known_side), (int(self.released[pair]), int(self.known[pair]))
        return explanation(sides, rows, similarity_named(self.similarity), float(self.costs[pair]))

    def _exact_proof(self, function: str) -> Proof:
        if self.proof is None:
            raise DataError("only a joint matching has margins; this one was made one by one.", function=function)
        if not self.proof.solution.exact:
            raise DataError("needs an exact matching. Match again with `tolerance=0`.", function=function)
        return self.proof

    @property
    def _classes_of_pairs(self) -> tuple[Rows, Rows]:
        return self.chances.released.label[self.released], self.chances.known.label[self.known]

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """Pairs as a table: row numbers, costs, chances; ids only if asked to reveal them."""
        columns: dict[str, Any] = {"released_row": self.released, "known_row": self.known}
        if reveal:
            columns["released_id"] = pa.array(self.released_side.people[self.released].tolist())
            columns["known_id"] = pa.array(self.known_side.people[self.known].tolist())
        columns |= {"cost": self.costs, "chance": self.chances.of(self.released, self.known)}
        return pa.table(columns)

    def __len__(self) -> int:
        return len(self.released)

    def __repr__(self) -> str:
        method = "joint" if self.method == "joint" else f"one by one for each {self.by}"
        proof = "" if self.method != "joint" else f", certified gap {self.relative_gap:.1e}"
        return f"Matching({len(self):,} pairs, {method}, similarity {self.similarity}, cost {self.cost:.6g}{proof})"


def match(
    released: Histograms,
    known: Histograms,
    *,
    similarity: str = "js",
    method: str = "joint",
    by: str = "released",
    size: int | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    progress: bool | None = None,
) -> Matching:
    """Match released people, whose identities are hidden, with known ones.

    Parameters
    ----------
    similarity
        js (N16 eq. 7), l1, cosine, dot, glrt (UN13 section V), or the name of a registered similarity. glrt takes every
        event for an independent draw: where people differ much in how many they have it may fail (GeoLife: 18 %
        against 58 % by js).
    method
        ``"joint"``: all at once, least total cost, everyone of the smaller side matched. ``"one-by-one"``: whoever
        is nearest.
    by
        For one-by-one: whether each ``"released"`` person gets the nearest known (N16) or each ``"known"`` person the
        nearest released (UN13).
    size
        For joint: exactly this many pairs (N16 III-D, A2) instead of as many as the smaller side has people.
    tolerance
        For joint: stop as soon as the cost is proven to be within this share of the total gain from the least there is.
    seed
        Draws the lots where histograms are identical or equally near.

    Ctrl-C raises ``MatchingInterrupted`` (a ``KeyboardInterrupt``), whose ``matching`` is the best so far; before there
    is one, while the first candidates are looked for, a plain ``KeyboardInterrupt``.
    """
    for argument, side in (("released", released), ("known", known)):
        if not isinstance(side, Histograms):
            hint = "Make them with so.histograms(events)."
            raise bad_argument("match", argument, "Histograms", type(side).__name__, hint)
    if method not in METHODS:
        raise unknown_name("match", "method", str(method), METHODS)
    if by not in SIDES:
        raise unknown_name("match", "by", str(by), SIDES)
    _check_sides("match", (released, known))
    _check_numbers("match", min(len(released), len(known)), method, size, tolerance, seed)
    rng, started = np.random.default_rng(seed), time.perf_counter()
    pairs = overlaps(released, known, similarity_named(similarity), rng)
    about = _About(pairs, released, known, similarity, method, by, seed)
    if method == "one-by-one":
        return about.one_by_one(rng, progress)
    kept = kept_if_dense(pairs, progress=progress)
    weighing = time.perf_counter() - started
    try:
        solution = joint_solution(kept, *about.sizes, size=size, tolerance=tolerance, progress=progress)
    except Interrupted as interrupted:
        raise MatchingInterrupted(about.joint(interrupted.solution, kept, weighing, rng)) from None
    return about.joint(solution, kept, weighing, rng)


class MatchingInterrupted(KeyboardInterrupt):
    """Ctrl-C during a joint matching; ``matching`` is the best so far, with its certified gap."""

    def __init__(self, matching: Matching) -> None:
        super().__init__(f"interrupted with a certified gap of {matching.relative_gap:.2%}")
        self.matching = matching


@dataclass(frozen=True, eq=False)
class _About:
    """What a matching is made from, whatever the method."""

    pairs: Overlaps
    released: Histograms
    known: Histograms
    similarity: str
    method: str
    by: str
    seed: int

    @property
    def sizes(self) -> tuple[Rows, Rows]:
        return self.pairs.released.classes.size, self.pairs.known.classes.size

    def joint(self, solution: Solution, kept: Pairs, weighing: float, rng: np.random.Generator) -> Matching:
        solution.seconds["preparing"] = weighing
        sides, flow = (self.pairs.released.classes, self.pairs.known.classes), flow_of(solution)
        rows, others = drawn_pairs(flow, *sides, rng)
        return self._matching(chances_of_flow(flow, *sides), rows, others, Proof(kept, solution, *self.sizes))

    def one_by_one(self, rng: np.random.Generator, progress: bool | None) -> Matching:
        return self._matching(*_one_by_one(self.pairs, self.by, rng, progress), None)

    def _matching(self, chances: Chances, rows: Rows, others: Rows, proof: Proof | None) -> Matching:
        r, c = chances.released.label[rows], chances.known.label[others]
        costs = self.pairs.of_pairs(r, c)
        solution = None if proof is None else proof.solution
        gain = float((self.pairs.constants(r, c) - costs).sum())
        gap = 0.0 if solution is None else solution.bound - solution.gain
        notes = of_two_sides(self.released.notes, self.known.notes)
        return Matching(
            rows,
            others,
            costs,
            chances,
            self.released,
            self.known,
            self.similarity,
            self.method,
            self.by,
            self.seed,
            notes
            + _notes_of_joint(len(rows), min(len(self.released), len(self.known)), gap / gain if gain > 0 else 0.0),
            gap=gap,
            gain=gain,
            seconds={} if solution is None else solution.seconds,
            proof=proof,
        )


def assign(
    scores: Scores,
    *,
    size: int | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    progress: bool | None = None,
) -> Matching:
    """Match people jointly by scores of any kind: the greatest total score, proven.

    Everyone of the smaller side is matched (where pairs are forbidden: as many as can be), or exactly ``size`` pairs
    are made; not both, since so many pairs may not be there. ``costs`` of the result are minus the scores. People
    whose scores are the same with everybody cannot be told apart; lots are drawn among them.
    """
    if not isinstance(scores, Scores):
        raise bad_argument("assign", "scores", "Scores", type(scores).__name__, "Make them with so.Scores(…).")
    sides = People(scores.released), People(scores.known)
    _check_sides("assign", sides)
    _check_numbers("assign", min(map(len, sides)), "joint", size, tolerance, seed)
    if size is not None and scores.absent == "forbidden":
        hint = "As many pairs are made as there can be."
        raise bad_argument("assign", "size", "left out where pairs are forbidden", size, hint)
    rng = np.random.default_rng(seed)
    pairs, released, known = score_pairs(scores, rng)
    about = _AboutScores(scores, pairs, released, known, sides, seed)
    try:
        solution = joint_solution(pairs, released.size, known.size, size=size, tolerance=tolerance, progress=progress)
    except Interrupted as interrupted:
        raise MatchingInterrupted(about.joint(interrupted.solution, rng)) from None
    return about.joint(solution, rng)


@dataclass(frozen=True, eq=False)
class _AboutScores:
    """What a matching by scores is made from."""

    scores: Scores
    pairs: ScorePairs
    released: Classes
    known: Classes
    sides: tuple[People, People]
    seed: int

    def joint(self, solution: Solution, rng: np.random.Generator) -> Matching:
        """From numbers of people between classes to pairs; where pairs are forbidden nobody is paired blindly."""
        flow = flow_of(solution)
        if self.scores.absent == "forbidden":
            left = self.released.size - np.bincount(flow.released, flow.people, len(self.released.size))
            flow = Flow(flow.released, flow.known, flow.people, left.astype(np.intp))
        rows, others = drawn_pairs(flow, self.released, self.known, rng)
        score = np.asarray(self.scores.matrix[rows, others]).ravel() if len(rows) else np.zeros(0)
        return Matching(
            rows,
            others,
            -score,
            chances_of_flow(flow, self.released, self.known),
            *self.sides,
            "scores",
            "joint",
            "released",
            self.seed,
            (),
            gap=solution.bound - solution.gain,
            gain=float((score - min(0.0, float(self.scores.matrix.data.min(initial=0.0)))).sum()),
            seconds=solution.seconds,
            proof=Proof(self.pairs, solution, self.released.size, self.known.size),
        )


def _notes_of_joint(pairs: int, most: int, gap: float) -> tuple[Note, ...]:
    """What keeps a joint matching from being the best of everyone."""
    return counted(
        Note(pairs if pairs < most else 0, "pairs made", "as many as asked for: see their precision, not the rate"),
        Note(
            pairs if gap > 0 else 0, "pairs not proven best", f"their gain is proven within {gap:.2%} of the greatest"
        ),
    )


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


def _check_sides(function: str, sides: tuple[Histograms | People, Histograms | People]) -> None:
    for argument, side in zip(SIDES, sides, strict=True):
        if not len(side):
            raise DataError(f"{argument} holds nobody.", function=function)


def _check_numbers(function: str, largest: int, method: str, size: int | None, tolerance: float, seed: int) -> None:
    if method != "joint" and (size is not None or tolerance != 0):
        raise bad_argument(function, "method", "joint where size or tolerance is given", method)
    if size is not None and not (is_whole(size) and 1 <= size <= largest):
        raise bad_argument(function, "size", f"a whole number from 1 to {largest} (the smaller side)", size)
    if not is_number(tolerance) or not 0 <= tolerance < 1:
        raise bad_argument(function, "tolerance", "from 0 (exact) to below 1", tolerance)
    check_seed(function, seed)
