"""An intruder who keeps only the most certain pairs: precision against coverage by margin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.errors import DataError, bad_argument
from singleout.ground.notebooks import Pictured, WithoutNotes
from singleout.ground.numbers import percent
from singleout.ground.text_tables import align_rows
from singleout.matching.result import Matching
from singleout.measures.accuracy import true_partners
from singleout.measures.intervals import Estimate, rate_columns, wilson

MOST_POINTS = 21


@dataclass(frozen=True)
class KeptPairs:
    """What remains of a matching if only pairs of at least this margin are kept."""

    margin: float
    pairs: int
    coverage: float
    correct: float
    precision: Estimate


@dataclass(frozen=True)
class PrecisionByMargin(WithoutNotes, Pictured):
    """Precision against coverage, from keeping every pair (margin 0) to keeping only the most certain.

    A margin that is only known to be above a limit counts as that limit.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = so.precision_by_margin(matching)
    >>> found.to_arrow().column_names
    ['margin', 'pairs', 'coverage', 'correct', 'precision', 'low', 'high']
    """

    rows: tuple[KeptPairs, ...]
    above: int
    """Pairs whose margin is only known to be above the one they are counted at."""

    def to_arrow(self) -> pa.Table:
        """One row per margin."""
        plain = [
            {"margin": row.margin, "pairs": row.pairs, "coverage": row.coverage, "correct": row.correct}
            | {"precision": row.precision.value, "low": row.precision.low, "high": row.precision.high}
            for row in self.rows
        ]
        return pa.Table.from_pylist(plain)

    def __str__(self) -> str:
        rows = [(row.margin, row.pairs, row.coverage, row.precision) for row in self.rows]
        lines = align_rows(rows, "margin at least:>.4g", "pairs kept:>,", "coverage:>.1%", "precision:<")
        if self.above:
            lines.append(f"{self.above:,} pairs have a larger margin than the one they are counted at (Margins.above)")
        return "\n".join(lines)

    def headline(self) -> str:
        """Which of the pairs are right."""
        return "Precision of the pairs with at least each margin"

    def _shown_table(self) -> pa.Table:
        """One row per margin."""
        return pa.Table.from_pylist(
            [
                {"margin at least": row.margin, "pairs": row.pairs, "share of all pairs": percent(row.coverage)}
                | rate_columns("right", row.precision)
                for row in self.rows
            ]
        )

    __repr__ = __str__


def precision_by_margin(
    result: Matching,
    truth: Mapping[Any, Any] | None = None,
    *,
    limit: float | None = None,
    confidence_level: float = 0.95,
    progress: bool | None = None,
) -> PrecisionByMargin:
    """Keep only the pairs of a joint matching whose margin is at least t, for some 20 values of t.

    ``truth`` and ``confidence_level`` are as for ``accuracy``, ``limit`` as for ``Matching.margins``. Ties count by
    probability: a pair that random tie-breaking could have changed has margin zero, so it is among the first to go.

    Parameters
    ----------
    result
        A joint matching.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.
    limit
        Margins are computed up to this; None: all of them.
    confidence_level
        Confidence level of the interval.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    PrecisionByMargin
        One row per margin.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = so.precision_by_margin(matching)
    >>> found.rows[0].pairs, found.rows[0].precision
    (50, Estimate(98.0% [89.5%, 99.6%] of 50))
    """
    if not isinstance(result, Matching):
        hint = "Make it with so.match(…)."
        raise bad_argument("precision_by_margin", "result", "a Matching", type(result).__name__, hint)
    if not len(result):
        raise DataError("the matching contains no pairs.", function="precision_by_margin")
    found = result.margins(limit, progress=progress)
    margins = found.values
    chance = chances_of_being_right(result, truth)
    order = np.argsort(-margins, kind="stable")
    # probabilities summed, most certain first: at each margin the last pair that reaches it
    correct, ordered = np.cumsum(chance[order]), margins[order]
    rows = []
    for threshold in _thresholds(margins):
        pairs = int(np.searchsorted(-ordered, -threshold, side="right"))
        right = float(min(correct[pairs - 1], pairs))
        rows.append(KeptPairs(threshold, pairs, pairs / len(result), right, wilson(right, pairs, confidence_level)))
    return PrecisionByMargin(tuple(rows), int(found.above.sum()))


def chances_of_being_right(result: Matching, truth: Mapping[Any, Any] | None) -> np.typing.NDArray[np.float64]:
    """For each pair's known person, the probability that random tie-breaking gives them the right partner."""
    partner = true_partners(result, truth)[result.known]
    there = partner >= 0
    chance = np.zeros(len(result))
    chance[there] = result.chances.of(partner[there], result.known[there])
    return chance


def chances_by_known_person(result: Matching, truth: Mapping[Any, Any] | None) -> np.typing.NDArray[np.float64]:
    """For each known person with a true partner, in order of rows, the probability of getting them."""
    partner = true_partners(result, truth)
    known = np.flatnonzero(partner >= 0)
    return np.asarray(result.chances.of(partner[known], known))


def _thresholds(margins: np.typing.NDArray[np.float64]) -> list[float]:
    """Zero, and margins between which the kept share falls in about equal steps."""
    positive = np.sort(margins[margins > 0])
    if not len(positive):
        return [0.0]
    steps = np.linspace(0, len(positive) - 1, MOST_POINTS - 1).astype(np.intp)
    return [0.0, *np.unique(positive[steps]).tolist()]
