"""How likely each pair of a joint matching is to be right.

Margins are not comparable between logs: on one log a margin of 0.3 means that four in ten pairs are right, on another
that all are. Isotonic regression of right on margin turns them into probabilities: fitted on other people of the same
matching where it is known who is who, or on a matching of two parts of what the intruder knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np
import pyarrow as pa
from scipy.optimize import isotonic_regression

from singleout.ground.arrays import Floats
from singleout.ground.errors import DataError, bad_argument, check_seed
from singleout.ground.notebooks import Tabular, WithoutNotes
from singleout.ground.plain_data import NotNegative, Share
from singleout.ground.text_tables import align_rows
from singleout.matching.result import Matching
from singleout.measures.accuracy import true_partners
from singleout.measures.intervals import Estimate, EstimateDict, wilson
from singleout.measures.precision import chances_of_being_right
from singleout.statistics.ids import Ids, comparable

FOLDS = 2
"""Pairs are scored by fits on the other half; over many divisions these average to a smooth curve."""
DIVISIONS = 12
BINS = 10
PRIOR = 1.0
"""Pairs of each kind, right and wrong, that every step of the curve is held to have seen already."""
FARTHEST = 0.15
"""How far apart stated and observed may be in a bin for an estimate without known identities to be used."""
FEWEST = 20
"""Pairs in a bin below which its observed share says too little to hold an estimate to."""


class BinDict(TypedDict):
    """Pairs of similar probability."""

    stated: Share
    observed: EstimateDict


class ReliabilityDict(TypedDict):
    """Stated probabilities against what happened."""

    bins: list[BinDict]
    brier: NotNegative
    base: Annotated[NotNegative, "The score of stating the overall share for everyone."]


@dataclass(frozen=True)
class Bin:
    """Pairs of similar probability: the mean that was stated, and the share that was right."""

    stated: float
    observed: Estimate

    @property
    def holds(self) -> bool:
        """Whether the interval of what was observed contains what was stated."""
        return self.observed.low <= self.stated <= self.observed.high

    def to_dict(self) -> BinDict:
        """Plain data."""
        return {"stated": self.stated, "observed": self.observed.to_dict()}


@dataclass(frozen=True, repr=False)
class Reliability(WithoutNotes, Tabular):
    """Stated probabilities against what happened: ten bins, and the mean squared error (Brier score).

    ``base`` is the score of stating the overall share for everyone.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = so.probabilities(matching, seed=1).reliability
    >>> len(found.bins) <= 10
    True
    """

    bins: tuple[Bin, ...]
    brier: float
    base: float

    @property
    def farthest(self) -> float:
        """The largest difference between stated and observed, over bins with enough pairs."""
        return max(
            (abs(each.stated - each.observed.value) for each in self.bins if each.observed.n >= FEWEST), default=0.0
        )

    def to_arrow(self) -> pa.Table:
        """One row per bin."""
        rows = [
            {"stated": each.stated, "observed": each.observed.value, "low": each.observed.low}
            | {"high": each.observed.high, "pairs": each.observed.n}
            for each in self.bins
        ]
        return pa.Table.from_pylist(rows)

    def headline(self) -> str:
        """How good the probabilities are overall."""
        return f"Reliability(Brier score {self.brier:.4f}; {self.base:.4f} if everyone had the overall share)"

    def __repr__(self) -> str:
        return f"{self.headline()}\n{self}"

    def to_dict(self) -> ReliabilityDict:
        """Plain data."""
        return {"bins": [each.to_dict() for each in self.bins], "brier": self.brier, "base": self.base}

    def __str__(self) -> str:
        rows = [(each.stated, each.observed, each.observed.n) for each in self.bins]
        lines = align_rows(rows, "stated:>.2f", "right (interval):<", "pairs:>,")
        return "\n".join([*lines, f"Brier score {self.brier:.4f}; {self.base:.4f} if everyone had the overall share"])


@dataclass(frozen=True, eq=False)
class Probabilities(WithoutNotes, Tabular):
    """For each pair of a matching, in its order, how likely it is to be right; ``fitted_on`` says how that is known.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = so.probabilities(matching, seed=1)
    >>> len(found) == len(matching)
    True
    """

    values: Floats
    fitted_on: str
    reliability: Reliability | None

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """One row per pair."""
        return pa.table({"probability": self.values})

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        found = "" if self.reliability is None else f"\n{self.reliability}"
        return f"Probabilities({len(self):,} pairs, {self.fitted_on}){found}"


def probabilities(
    result: Matching,
    truth: Mapping[Any, Any] | None = None,
    *,
    reference: Matching | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    progress: bool | None = None,
) -> Probabilities:
    """How likely each pair of a joint matching is to be right.

    ``truth`` is as for ``accuracy``. Every pair is scored by a curve fitted to other pairs: nobody's own pair is used
    for their probability. With ``reference``, a joint matching of people whom the intruder knows twice, such as two
    parts of what is known, the curve is fitted to that instead, as an intruder would who knows nobody in the release;
    who is who in ``result`` is then used only for the reliability, where it is known.

    Parameters
    ----------
    result
        A joint matching.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.
    reference
        A matching of two parts of what is known: the curve is fitted to it, and no identity in the release is used.
    confidence_level
        Confidence level of the interval.
    seed
        Seed for everything random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Probabilities
        One probability per pair, and how reliable they are.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = so.probabilities(matching, seed=1)
    >>> found.headline()
    'Probabilities(50 pairs, fitted on other people of this matching)'
    """
    for argument, given in (("result", result), ("reference", reference)):
        if given is not None and not isinstance(given, Matching):
            raise bad_argument(
                "probabilities", argument, "a Matching", type(given).__name__, "Make it with so.match(…)."
            )
    check_seed("probabilities", seed)
    if not len(result):
        raise DataError("the matching contains no pairs.", function="probabilities")
    margins = finite_margins(result, progress)
    measurable = truth is not None or np.intersect1d(*comparable(*_people(result))).size > 0
    known = np.flatnonzero(true_partners(result, truth)[result.known] >= 0) if measurable else np.empty(0, np.intp)
    right = chances_of_being_right(result, truth) if measurable else np.empty(0)
    if reference is None:
        if not measurable:
            hint = "Give truth, or a reference: a matching of two parts of what is known."
            raise DataError(f"nobody is on both sides, so nothing can be fitted. {hint}", function="probabilities")
        # without a pair to learn from, every match is as likely right as wrong
        rng = np.random.default_rng(seed)
        values = _cross_fit(margins, right, known, rng) if len(known) else np.full(len(margins), 0.5)
        source = "fitted on other people of this matching"
    else:
        curve = ProbabilityCurve.fit(finite_margins(reference, progress), chances_of_being_right(reference, None))
        values = curve.at(margins)
        source = "estimated from the known side"
    table = reliability(values[known], right[known], confidence_level) if len(known) else None
    return Probabilities(values, source, table)


def _people(result: Matching) -> tuple[Ids, Ids]:
    return result.released_side.people, result.known_side.people


def finite_margins(result: Matching, progress: bool | None) -> Floats:
    """Margins, with one beyond all others where there is no other matching at all."""
    margins = result.margins(progress=progress).values
    there = np.isfinite(margins)
    return np.where(there, margins, 1.0 + 2.0 * margins[there].max(initial=0.0))


@dataclass(frozen=True, eq=False)
class ProbabilityCurve:
    """A rising curve of right against margin: a low step, a high step, and straight lines between."""

    margins: Floats
    values: Floats

    @classmethod
    def fit(cls, margins: Floats, right: Floats) -> ProbabilityCurve:
        """Isotonic regression; each step is drawn a little towards one half, the more the fewer pairs it has."""
        at, group = np.unique(margins, return_inverse=True)
        pairs = np.bincount(group)
        found = isotonic_regression(np.bincount(group, right) / pairs, weights=pairs)
        starts = found.blocks[:-1]
        size = np.add.reduceat(pairs, starts)
        step = (found.x[starts] * size + PRIOR) / (size + 2 * PRIOR)
        middle = np.add.reduceat(at * pairs, starts) / size
        # the lowest step and the highest are flat to their ends; between them a few pairs make each step
        middle[0], middle[-1] = at[found.blocks[1] - 1], at[starts[-1]]
        return cls(middle, np.maximum.accumulate(step))

    def at(self, margins: Floats) -> Floats:
        """Probabilities at these margins."""
        return np.interp(margins, self.margins, self.values)


def _cross_fit(margins: Floats, right: Floats, known: Any, rng: np.random.Generator) -> Floats:
    """Each half of the pairs from the other, mean over several divisions; pairs without a true partner from all."""
    values = ProbabilityCurve.fit(margins[known], right[known]).at(margins)
    if len(known) < 2:
        values[known] = 0.5
        return values
    values[known] = 0.0
    for _ in range(DIVISIONS):
        for fold in np.array_split(rng.permutation(known), min(FOLDS, len(known))):
            others = np.setdiff1d(known, fold)
            values[fold] += ProbabilityCurve.fit(margins[others], right[others]).at(margins[fold]) / DIVISIONS
    return values


def reliability(stated: Floats, right: Floats, confidence_level: float = 0.95) -> Reliability:
    """Ten bins of stated probabilities, empty ones left out, and the Brier score."""
    number = np.minimum((stated * BINS).astype(np.intp), BINS - 1)
    bins = [
        Bin(float(stated[here].mean()), wilson(float(right[here].sum()), int(here.sum()), confidence_level))
        for here in (number == each for each in range(BINS))
        if here.any()
    ]
    # where ties are drawn at random a pair is right with a probability of its own
    brier = float(np.mean(right * (1 - stated) ** 2 + (1 - right) * stated**2))
    share = float(right.mean())
    return Reliability(tuple(bins), brier, share * (1 - share))
