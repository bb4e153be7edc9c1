"""The result of an attack that matches people: pairs, their costs, and what proves them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument, is_number, is_whole
from singleout.ground.lazy import cached_property
from singleout.ground.names import DecisionRule
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note
from singleout.ground.numbers import percent
from singleout.matching.margins import Margins, Proof
from singleout.matching.rejection import Decision, check_decision, decision
from singleout.matching.ties import Chances
from singleout.similarity.alignment import AlignedSides
from singleout.similarity.explain import Explanation, PlaceFactors, explanation
from singleout.similarity.registry import Compared, Similarity
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import People

PROVEN = 1e-9
"""A relative gap below this is rounding."""


@dataclass(frozen=True, eq=False)
class Matching(Tabular):
    """The pairs of released and known people that an attack makes.

    ``released`` and ``known`` are the row numbers of the pairs, with ties broken at random by the seed; ``costs`` are
    their costs. ``chances`` holds the probability of every pair over all ways to break ties: measures use that, not
    the one draw.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> matching
    Matching(50 pairs, joint, similarity js, cost 23, proven best)
    >>> matching.to_pandas().columns.tolist()[:3]
    ['released_row', 'known_row', 'cost']
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
    sides: AlignedSides | None = field(default=None, repr=False)
    """The two sides as they were compared; None where scores were given."""
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
        """Costs as logarithms to base 2, as in Unnikrishnan and Naini 2013; for js and glrt."""
        if self.similarity not in ("js", "glrt"):
            raise bad_argument("costs_in_bits", "similarity", "js or glrt, which are logarithms", self.similarity)
        return np.asarray(self.costs / np.log(2))

    def margins(self, limit: float | None = None, *, progress: bool | None = None) -> Margins:
        """For each pair, the extra cost of the best matching of the same size that avoids it.

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
        """The cost of the best matching of this size that differs in at least one pair."""
        proof = self._exact_proof("second_best")
        return self.cost + proof.least_margin(*self._classes_of_pairs, progress=progress)

    def decide(self, exponent: float, length: int, *, rule: DecisionRule = "bound") -> Decision:
        """Accept or reject the whole matching: with js, two sides of equal size, all matched.

        After Unnikrishnan and Naini 2013, Theorem 3.3.
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
        return explanation((released, known), rows, self.compared, float(self.costs[pair]), self._place_factors)

    @cached_property
    def _place_factors(self) -> PlaceFactors:
        assert isinstance(self.compared, Similarity)
        assert isinstance(self.known_side, Histograms)
        return PlaceFactors.of(self.known_side, self.compared)

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
        what = f"{len(self):,} pairs, {method}, similarity {self.similarity}, cost {self.cost:.4g}"
        return f"Matching({what}{self._proof()})"

    def _proof(self) -> str:
        if self.method != "joint":
            return ""
        return ", proven best" if self.relative_gap < PROVEN else f", within {percent(self.relative_gap)} of the best"


class MatchingInterrupted(KeyboardInterrupt):
    """Ctrl-C during a joint matching; ``matching`` is the best so far, with its certified gap."""

    def __init__(self, matching: Matching) -> None:
        super().__init__(f"interrupted with a certified gap of {matching.relative_gap:.2%}")
        self.matching = matching
