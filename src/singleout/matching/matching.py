"""Matching people by their histograms: everyone at once, or one by one."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any, get_args

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import bad_argument, unknown_name
from singleout.ground.lazy import cached_property
from singleout.ground.names import Method, Side, SimilarityName
from singleout.ground.notes import Note, nonzero, of_two_sides
from singleout.ground.other_processes import workers_kept
from singleout.matching.arguments import SIDES, check_numbers, check_sides
from singleout.matching.by_scores import match_by_own
from singleout.matching.joint import flow_of, joint_solution
from singleout.matching.joint_engine import Interrupted, Solution
from singleout.matching.margins import Proof
from singleout.matching.one_by_one import nearest_chances, nearest_pairs, transpose
from singleout.matching.result import Matching, MatchingInterrupted
from singleout.matching.ties import Chances, chances_of_flow, draw_pairs
from singleout.similarity.alignment import AlignedSides, align_sides
from singleout.similarity.comparison import Comparison, compare
from singleout.similarity.grouped_scores import GroupedScores
from singleout.similarity.overlaps import Overlaps
from singleout.similarity.own_attack import OwnAttack
from singleout.similarity.registry import Compared, Similarity, find_similarity
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import Histograms

METHODS: tuple[Method, ...] = get_args(Method)


def match(
    released: Histograms,
    known: Histograms,
    *,
    similarity: SimilarityName | str | Compared = "js",
    method: Method = "joint",
    by: Side = "released",
    size: int | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    progress: bool | None = None,
) -> Matching:
    """Match released people, whose identities are hidden, with known people.

    Ctrl-C raises ``MatchingInterrupted`` (a ``KeyboardInterrupt``), whose ``matching`` is the best so far; before
    there is one, while the first candidates are searched, a plain ``KeyboardInterrupt``.

    Parameters
    ----------
    released, known
        The two sides, as histograms.
    similarity
        js (Naini 2016 eq. 7), l1, cosine, dot, glrt (Unnikrishnan and Naini 2013 section V), evidence (rare places and
        people with more events count more; its parts are js_popularity and js_reliability), evidence_mild and
        evidence_levels (for GPS logs), js_roots, or the name of a registered similarity or attack
        (``so.similarities()`` lists all). glrt treats every event as an independent draw: where people differ much in
        their number of events it may fail (GeoLife: 18% against 58% by js).
    method
        ``"joint"``: everyone at once with the least total cost; everyone on the smaller side is matched.
        ``"one-by-one"``: each person gets the nearest one.
    by
        For one-by-one: whether each ``"released"`` person gets the nearest known (Naini 2016) or each ``"known"``
        person the nearest released (Unnikrishnan and Naini 2013).
    size
        For joint: exactly this many pairs (Naini 2016 III-D, A2) instead of one for everyone on the smaller side.
    tolerance
        For joint: stop once the cost is proven to be within this share of the total gain from the optimum.
    seed
        Seed for breaking ties between identical or equally near histograms at random.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Matching
        The pairs, and what proves them.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> so.match(released, known)
    Matching(50 pairs, joint, similarity js, cost 23, proven best)
    >>> so.match(released, known, similarity="cosine", method="one-by-one")
    Matching(50 pairs, one by one for each released, similarity cosine, cost 15.21)
    """
    return PreparedSides(released, known, seed=seed, progress=progress).match(
        similarity, method=method, by=by, size=size, tolerance=tolerance
    )


@dataclass(frozen=True)
class How:
    """How two sides are matched that were compared already."""

    method: str = "joint"
    by: str = "released"
    size: int | None = None
    tolerance: float = 0.0
    seed: int = 0
    progress: bool | None = None


class PreparedSides:
    """Two sides to be matched by several similarities, each in several ways: aligned once, compared once for each.

    Only the last similarity stays prepared, since its table of pairs may take 128 MB. ``as_they_are``: not aligned, for
    an attack of one's own; that would take as much memory as several copies of both sides.
    """

    def __init__(
        self,
        released: Histograms,
        known: Histograms,
        *,
        seed: int = 0,
        progress: bool | None = None,
        as_they_are: bool = False,
    ) -> None:
        for argument, side in (("released", released), ("known", known)):
            if not isinstance(side, Histograms):
                hint = "Make them with so.histograms(events)."
                raise bad_argument("match", argument, "Histograms", type(side).__name__, hint)
        self.histograms, self._seed, self._progress = (released, known), seed, progress
        self._as_they_are = as_they_are
        self._last: Comparison | None = None
        self._scored: tuple[OwnAttack, Scores | GroupedScores] | None = None

    def match(
        self,
        similarity: SimilarityName | str | Compared,
        *,
        method: Method = "joint",
        by: Side = "released",
        size: int | None = None,
        tolerance: float = 0.0,
    ) -> Matching:
        """The same as ``match`` of the two sides."""
        if method not in METHODS:
            raise unknown_name("match", "method", str(method), METHODS)
        if by not in SIDES:
            raise unknown_name("match", "by", str(by), SIDES)
        check_sides("match", self.histograms)
        check_numbers("match", min(map(len, self.histograms)), method, size, tolerance, self._seed)
        compared, how = find_similarity(similarity), How(method, by, size, tolerance, self._seed, self._progress)
        if isinstance(compared, OwnAttack):
            return match_by_own(compared, self._score(compared), self.histograms, **asdict(how))
        started = time.perf_counter()
        return match_compared(self._compare(compared), how, started)

    def for_one_similarity(self) -> PreparedSides:
        """The same sides, aligned already: several threads can compare them by one similarity each."""
        own = self._with(self.histograms)
        if not self._as_they_are:
            own.__dict__["_aligned"] = self._aligned
        return own

    def only_rows(self, released: Indices, known: Indices) -> PreparedSides:
        """These people of both sides, aligned already."""
        if self._as_they_are:
            return self._with((self.histograms[0].only_rows(released), self.histograms[1].only_rows(known)))
        aligned = self._aligned.only(released, known)
        some = self._with(aligned.histograms)
        some.__dict__["_aligned"] = aligned
        return some

    def _with(self, sides: tuple[Histograms, Histograms]) -> PreparedSides:
        return PreparedSides(*sides, seed=self._seed, progress=self._progress, as_they_are=self._as_they_are)

    @cached_property
    def _aligned(self) -> AlignedSides:
        return align_sides(*self.histograms)

    def _score(self, attack: OwnAttack) -> Scores | GroupedScores:
        if self._scored is None or self._scored[0] is not attack:
            self._scored = attack, attack.scores(*self.histograms)
        return self._scored[1]

    def _compare(self, similarity: Similarity) -> Comparison:
        if self._last is None or self._last.overlaps.similarity is not similarity:
            new, last = compare(self._aligned, similarity, seed=self._seed, progress=self._progress), self._last
            # the old table goes before a new one is made, unless it is the same
            self._last = new if last is None else new.like(last)
        return self._last


@workers_kept()
def match_compared(comparison: Comparison, how: How, started: float | None = None) -> Matching:
    """Match two sides that were prepared; the same result as ``match``."""
    started = time.perf_counter() if started is None else started
    rng, builder = np.random.default_rng(how.seed), _MatchingBuilder(comparison, how)
    if how.method == "one-by-one":
        return builder.one_by_one(rng)
    pairs, preparing = comparison.pairs, time.perf_counter() - started
    asked: dict[str, Any] = {"size": how.size, "tolerance": how.tolerance, "progress": how.progress}
    try:
        solution = joint_solution(pairs, *builder.sizes, **asked)
    except Interrupted as interrupted:
        raise MatchingInterrupted(builder.joint(interrupted.solution, preparing, rng)) from None
    return builder.joint(solution, preparing, rng)


@dataclass(frozen=True, eq=False)
class _MatchingBuilder:
    """Builds a matching of histograms, by either method."""

    comparison: Comparison
    how: How

    @property
    def pairs(self) -> Overlaps:
        return self.comparison.overlaps if self.how.method == "joint" else self.comparison.plain

    @property
    def sizes(self) -> tuple[Indices, Indices]:
        return self.pairs.released.classes.size, self.pairs.known.classes.size

    def joint(self, solution: Solution, preparing: float, rng: np.random.Generator) -> Matching:
        solution.seconds["preparing"] = preparing
        sides, flow = (self.pairs.released.classes, self.pairs.known.classes), flow_of(solution)
        rows, others = draw_pairs(flow, *sides, rng)
        proof = Proof(self.comparison.pairs, solution, *self.sizes)
        return self._matching(chances_of_flow(flow, *sides), rows, others, proof)

    def one_by_one(self, rng: np.random.Generator) -> Matching:
        chances = nearest_chances(self.comparison, self.how.by)
        if self.how.by == "released":
            return self._matching(chances, *nearest_pairs(chances, rng), None)
        known, released = nearest_pairs(chances, rng)
        order = np.lexsort((known, released))
        return self._matching(transpose(chances), released[order], known[order], None)

    def _matching(self, chances: Chances, rows: Indices, others: Indices, proof: Proof | None) -> Matching:
        r, c = chances.released.label[rows], chances.known.label[others]
        costs = self.pairs.of_pairs(r, c)
        solution = None if proof is None else proof.solution
        gain = float((self.pairs.constants(r, c) - costs).sum())
        gap = 0.0 if solution is None else solution.bound - solution.gain
        released, known = self.pairs.sides.histograms
        notes = of_two_sides(released.notes, known.notes) + self.pairs.notes
        most, share = min(len(released), len(known)), gap / gain if gain > 0 else 0.0
        return Matching(
            released=rows,
            known=others,
            costs=costs,
            chances=chances,
            released_side=released,
            known_side=known,
            compared=self.pairs.similarity,
            method=self.how.method,
            by=self.how.by,
            seed=self.how.seed,
            notes=notes + _notes_of_joint(len(rows), most, share),
            gap=gap,
            gain=gain,
            seconds={} if solution is None else solution.seconds,
            proof=proof,
            sides=self.pairs.sides,
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
