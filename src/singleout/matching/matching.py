"""Matching people, and the result."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument, check_seed, is_number, is_whole, unknown_name
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, nonzero, of_two_sides
from singleout.matching.joint import flow_of, joint_solution
from singleout.matching.joint_engine import Interrupted, Solution
from singleout.matching.margins import Margins, Proof
from singleout.matching.one_by_one import highest_chances, nearest_chances, nearest_pairs, transpose
from singleout.matching.rejection import Decision, check_decision, decision
from singleout.matching.ties import Chances, Flow, chances_of_flow, draw_pairs
from singleout.similarity.dense_pairs import store_if_dense
from singleout.similarity.explain import Explanation, explanation
from singleout.similarity.overlaps import Overlaps, overlaps
from singleout.similarity.own_attack import OwnAttack
from singleout.similarity.pairs import Pairs
from singleout.similarity.registry import Compared, Similarity, find_similarity
from singleout.similarity.scores import ScorePairs, Scores, score_pairs
from singleout.statistics.classes import Classes
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import People

METHODS = ("joint", "one-by-one")
SIDES = ("released", "known")


@dataclass(frozen=True, eq=False)
class Matching(Tabular):
    """The pairs of released and known people that an attack makes.

    ``released`` and ``known`` are the row numbers of the pairs, with ties broken at random by the seed; ``costs`` are
    their costs. ``chances`` holds the probability of every pair over all ways to break ties: measures use that, not
    the one draw.
    """

    released: Indices
    known: Indices
    costs: Floats
    chances: Chances
    released_side: Histograms | People
    known_side: Histograms | People
    compared: Compared | None
    """What pairs of histograms are compared by; None where scores were given."""
    method: str
    by: str
    seed: int
    notes: tuple[Note, ...]
    gap: float
    """No matching of this size can cost less than ``cost - gap``."""
    gain: float
    """The total gain: the sum of all terms over the places that pairs share."""
    seconds: dict[str, float]
    """Seconds spent on preparing, candidates, solving and pricing."""
    proof: Proof | None = field(repr=False)
    """What proves a joint matching; margins are computed from it."""
    margins_by_limit: dict[float, Margins] = field(default_factory=dict, repr=False)
    """Margins already computed, by limit."""

    @property
    def similarity(self) -> str:
        """The name of what pairs are compared by."""
        return "scores" if self.compared is None else self.compared.name

    @property
    def cost(self) -> float:
        """The sum of the costs, which a joint matching minimises."""
        return float(self.costs.sum())

    @property
    def bound(self) -> float:
        """A proven lower bound: no matching of this size can cost less."""
        return self.cost - self.gap

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the total gain, which ``tolerance`` limits. At most 1, if nothing is proven."""
        return self.gap / self.gain if self.gap < self.gain else float(self.gap > 0)

    def costs_in_bits(self) -> Floats:
        """Costs as logarithms to base 2, as in UN13; for js and glrt."""
        if self.similarity not in ("js", "glrt"):
            raise bad_argument("costs_in_bits", "similarity", "js or glrt, which are logarithms", self.similarity)
        return np.asarray(self.costs / np.log(2))

    def margins(self, limit: float | None = None, *, progress: bool | None = None) -> Margins:
        """For each pair, the extra cost of the best matching of the same size that avoids it (UN13 III).

        Zero for people who are indistinguishable from someone else; infinite if no other matching exists. With
        ``limit``, margins above it are only known to be above it, which takes less time. For people with very many
        close alternatives a margin may be cut off even without it; ``above`` says which.
        """
        if limit is not None and not (is_number(limit) and limit > 0):
            raise bad_argument("margins", "limit", "above zero, or omitted", limit)
        proof = self._exact_proof("margins")
        bound = np.inf if limit is None else float(limit)
        if bound not in self.margins_by_limit:
            values, certain = proof.margins(*self._classes_of_pairs, limit=bound, progress=progress)
            self.margins_by_limit[bound] = Margins(np.minimum(values, certain), values > certain, bound)
        return self.margins_by_limit[bound]

    def second_best(self, *, progress: bool | None = None) -> float:
        """The cost of the best matching of this size that differs in at least one pair (UN13 eq. 10)."""
        proof = self._exact_proof("second_best")
        return self.cost + proof.least_margin(*self._classes_of_pairs, progress=progress)

    def decide(self, exponent: float, length: int, *, rule: str = "bound") -> Decision:
        """Accept or reject the whole matching (UN13 Theorem 3.3): with js, two sides of equal size, all matched.

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
        """Why the two people of a pair were matched: what each shared place contributes, largest first.

        ``pair`` is its position in ``released`` and ``known``.
        """
        released, known = self.released_side, self.known_side
        if not isinstance(self.compared, Similarity) or isinstance(released, People) or isinstance(known, People):
            raise DataError("a matching by scores has no places that could explain it.", function="explain")
        if not is_whole(pair) or not 0 <= pair < len(self):
            raise bad_argument("explain", "pair", f"the number of a pair, from 0 to {len(self) - 1}", pair)
        rows = int(self.released[pair]), int(self.known[pair])
        return explanation((released, known), rows, self.compared, float(self.costs[pair]))

    @property
    def explainable(self) -> bool:
        """Whether shared places explain its pairs: not where a function of a user's or scores made them."""
        return isinstance(self.compared, Similarity)

    def _exact_proof(self, function: str) -> Proof:
        if self.proof is None:
            raise DataError("only a joint matching has margins; this one was made one by one.", function=function)
        if not self.proof.solution.exact:
            raise DataError("this needs an exact matching. Match again with `tolerance=0`.", function=function)
        return self.proof

    @property
    def _classes_of_pairs(self) -> tuple[Indices, Indices]:
        return self.chances.released.label[self.released], self.chances.known.label[self.known]

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """Pairs as a table: row numbers, costs, probabilities; ids only with ``reveal``."""
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
    similarity: str | Compared = "js",
    method: str = "joint",
    by: str = "released",
    size: int | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    progress: bool | None = None,
) -> Matching:
    """Match released people, whose identities are hidden, with known people.

    Parameters
    ----------
    similarity
        js (N16 eq. 7), l1, cosine, dot, glrt (UN13 section V), evidence (rare places and people with more events
        count more; its parts are js_popularity and js_reliability), evidence_mild and evidence_levels (for GPS logs),
        js_roots, or the name of a registered similarity or attack (``so.similarities()`` lists all). glrt treats every
        event as an independent draw: where people differ much in their number of events it may fail (GeoLife: 18%
        against 58% by js).
    method
        ``"joint"``: everyone at once with the least total cost; everyone on the smaller side is matched.
        ``"one-by-one"``: each person gets the nearest one.
    by
        For one-by-one: whether each ``"released"`` person gets the nearest known (N16) or each ``"known"`` person the
        nearest released (UN13).
    size
        For joint: exactly this many pairs (N16 III-D, A2) instead of one for everyone on the smaller side.
    tolerance
        For joint: stop once the cost is proven to be within this share of the total gain from the optimum.
    seed
        Seed for breaking ties between identical or equally near histograms at random.

    Ctrl-C raises ``MatchingInterrupted`` (a ``KeyboardInterrupt``), whose ``matching`` is the best so far; before
    there is one, while the first candidates are searched, a plain ``KeyboardInterrupt``.
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
    compared = find_similarity(similarity)
    if isinstance(compared, OwnAttack):
        return _match_by_own(compared, (released, known), method, by, size, tolerance, seed=seed, progress=progress)
    rng, started = np.random.default_rng(seed), time.perf_counter()
    pairs = overlaps(released, known, compared.for_method(method), rng)
    builder = _MatchingBuilder(pairs, released, known, method, by, seed)
    if method == "one-by-one":
        return builder.one_by_one(rng, progress)
    kept = store_if_dense(pairs, progress=progress)
    preparing = time.perf_counter() - started
    try:
        solution = joint_solution(kept, *builder.sizes, size=size, tolerance=tolerance, progress=progress)
    except Interrupted as interrupted:
        raise MatchingInterrupted(builder.joint(interrupted.solution, kept, preparing, rng)) from None
    return builder.joint(solution, kept, preparing, rng)


class MatchingInterrupted(KeyboardInterrupt):
    """Ctrl-C during a joint matching; ``matching`` is the best so far, with its certified gap."""

    def __init__(self, matching: Matching) -> None:
        super().__init__(f"interrupted with a certified gap of {matching.relative_gap:.2%}")
        self.matching = matching


@dataclass(frozen=True, eq=False)
class _MatchingBuilder:
    """Builds a matching of histograms, by either method."""

    pairs: Overlaps
    released: Histograms
    known: Histograms
    method: str
    by: str
    seed: int

    @property
    def sizes(self) -> tuple[Indices, Indices]:
        return self.pairs.released.classes.size, self.pairs.known.classes.size

    def joint(self, solution: Solution, kept: Pairs, preparing: float, rng: np.random.Generator) -> Matching:
        solution.seconds["preparing"] = preparing
        sides, flow = (self.pairs.released.classes, self.pairs.known.classes), flow_of(solution)
        rows, others = draw_pairs(flow, *sides, rng)
        return self._matching(chances_of_flow(flow, *sides), rows, others, Proof(kept, solution, *self.sizes))

    def one_by_one(self, rng: np.random.Generator, progress: bool | None) -> Matching:
        return self._matching(*_one_by_one(self.pairs, self.by, rng, progress), None)

    def _matching(self, chances: Chances, rows: Indices, others: Indices, proof: Proof | None) -> Matching:
        r, c = chances.released.label[rows], chances.known.label[others]
        costs = self.pairs.of_pairs(r, c)
        solution = None if proof is None else proof.solution
        gain = float((self.pairs.constants(r, c) - costs).sum())
        gap = 0.0 if solution is None else solution.bound - solution.gain
        notes = of_two_sides(self.released.notes, self.known.notes) + self.pairs.notes
        most, share = min(len(self.released), len(self.known)), gap / gain if gain > 0 else 0.0
        return Matching(
            released=rows,
            known=others,
            costs=costs,
            chances=chances,
            released_side=self.pairs.histograms[0],
            known_side=self.pairs.histograms[1],
            compared=self.pairs.similarity,
            method=self.method,
            by=self.by,
            seed=self.seed,
            notes=notes + _notes_of_joint(len(rows), most, share),
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
    """Match people jointly by scores of any kind: the greatest total score, with proof.

    Everyone on the smaller side is matched (if pairs are forbidden: as many as possible), or exactly ``size`` pairs
    are made; not both, since that many pairs may not exist. ``costs`` of the result are the negated scores. People
    with the same scores with everyone are indistinguishable; ties between them are broken at random.
    """
    if not isinstance(scores, Scores):
        raise bad_argument("assign", "scores", "Scores", type(scores).__name__, "Make them with so.Scores(…).")
    sides = People(scores.released), People(scores.known)
    _check_sides("assign", sides)
    _check_numbers("assign", min(map(len, sides)), "joint", size, tolerance, seed)
    if size is not None and scores.absent == "forbidden":
        hint = "As many pairs as possible are made."
        raise bad_argument("assign", "size", "omitted if pairs are forbidden", size, hint)
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

    scores: Scores
    pairs: ScorePairs
    released: Classes
    known: Classes
    sides: tuple[People, People]
    seed: int

    def joint(self, solution: Solution, rng: np.random.Generator) -> Matching:
        """From numbers of people between classes to pairs; if pairs are forbidden, nobody is paired at random."""
        flow = flow_of(solution)
        if self.scores.absent == "forbidden":
            left = self.released.size - np.bincount(flow.released, flow.people, len(self.released.size))
            flow = Flow(flow.released, flow.known, flow.people, left.astype(np.intp))
        rows, others = draw_pairs(flow, self.released, self.known, rng)
        score = np.asarray(self.scores.matrix[rows, others]).ravel() if len(rows) else np.zeros(0)
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
            gain=float((score - min(0.0, float(self.scores.matrix.data.min(initial=0.0)))).sum()),
            seconds=solution.seconds,
            proof=Proof(self.pairs, solution, self.released.size, self.known.size),
        )


def _match_by_own(
    compared: OwnAttack,
    sides: tuple[Histograms, Histograms],
    method: str,
    by: str,
    size: int | None,
    tolerance: float,
    *,
    seed: int,
    progress: bool | None,
) -> Matching:
    """Match by the scores of a user's function; the sides stay, so that people can be drawn and matched again."""
    scores = compared.scores(*sides)
    own: dict[str, Any] = {"released_side": sides[0], "known_side": sides[1], "compared": compared, "seed": seed}
    own |= {"notes": of_two_sides(sides[0].notes, sides[1].notes) + scores.notes}
    if method == "one-by-one":
        return _one_by_one_scores(scores, by, own)
    try:
        found = assign(scores, size=size, tolerance=tolerance, seed=seed, progress=progress)
    except MatchingInterrupted as interrupted:
        raise MatchingInterrupted(replace(interrupted.matching, **own)) from None
    return replace(found, **own)


def _one_by_one_scores(scores: Scores, by: str, own: dict[str, Any]) -> Matching:
    """Everyone gets the one with the highest score, at random among several."""
    rng = np.random.default_rng(own["seed"])
    pairs, released, known = score_pairs(scores, rng)
    sides = (released, known) if by == "released" else (known, released)
    chances = highest_chances(pairs if by == "released" else pairs.swap_sides(), *sides)
    first, second = nearest_pairs(chances, rng)
    if by == "known":
        order = np.lexsort((first, second))
        chances, first, second = transpose(chances), second[order], first[order]
    score = np.asarray(scores.matrix[first, second]).ravel()
    more: dict[str, Any] = {"gap": 0.0, "gain": float(np.abs(score).sum()), "seconds": {}, "proof": None}
    return Matching(
        released=first, known=second, costs=-score, chances=chances, method="one-by-one", by=by, **own, **more
    )


def _notes_of_joint(pairs: int, most: int, gap: float) -> tuple[Note, ...]:
    """Notes on a joint matching that leaves people out or is not proven optimal."""
    return nonzero(
        Note(
            pairs if pairs < most else 0, "pairs made", "as many as requested: judge them by precision, not by the rate"
        ),
        Note(
            pairs if gap > 0 else 0,
            "pairs not proven optimal",
            f"their total gain is proven to be within {gap:.2%} of the optimum",
        ),
    )


def _one_by_one(
    pairs: Overlaps, by: str, rng: np.random.Generator, progress: bool | None
) -> tuple[Chances, Indices, Indices]:
    if by == "released":
        chances = nearest_chances(pairs, progress=progress)
        return chances, *nearest_pairs(chances, rng)
    chances = nearest_chances(pairs.swap_sides(), progress=progress)
    known, released = nearest_pairs(chances, rng)
    order = np.lexsort((known, released))
    return transpose(chances), released[order], known[order]


def _check_sides(function: str, sides: tuple[Histograms | People, Histograms | People]) -> None:
    for argument, side in zip(SIDES, sides, strict=True):
        if not len(side):
            raise DataError(f"`{argument}` contains no people.", function=function)


def _check_numbers(function: str, largest: int, method: str, size: int | None, tolerance: float, seed: int) -> None:
    if method != "joint" and (size is not None or tolerance != 0):
        raise bad_argument(function, "method", "joint if size or tolerance is given", method)
    if size is not None and not (is_whole(size) and 1 <= size <= largest):
        raise bad_argument(function, "size", f"a whole number from 1 to {largest} (the smaller side)", size)
    if not is_number(tolerance) or not 0 <= tolerance < 1:
        raise bad_argument(function, "tolerance", "from 0 (exact) to below 1", tolerance)
    check_seed(function, seed)
