"""How close to the top of an intruder's list the right person is, and what the intruder gains (M18 section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout._kernels import ranking as kernels
from singleout.ground.arrays import Floats
from singleout.ground.errors import DataError, bad_argument, check_level, is_number, is_whole
from singleout.ground.notebooks import Pictured, WithoutNotes
from singleout.measures.accuracy import true_rows
from singleout.measures.intervals import Estimate, wilson
from singleout.similarity.scores import Scores

TOLERANCE = 1e-12
"""Scores closer than this count as equal."""
Belief = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Ranking(WithoutNotes, Pictured):
    """The rank of the true person on each released person's list of known people.

    ``ahead`` others score higher, ``tied`` others the same; ``loss`` is the privacy loss with f = 1 / rank.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> scores = so.graph_scores(released, known, top=10)
    >>> found = so.ranking(scores)
    >>> found.candidates
    50
    """

    ahead: NDArray[np.int64]
    tied: NDArray[np.int64]
    loss: Floats
    candidates: int
    confidence_level: float = 0.95

    @property
    def ranks(self) -> Floats:
        """1 + those ahead + half of those tied."""
        return 1.0 + self.ahead + self.tied / 2

    @property
    def first(self) -> Floats:
        """The probability that the true person is ranked first, with ties broken at random."""
        return self._chances(1)

    def _chances(self, most: int) -> Floats:
        return np.clip((min(most, self.candidates) - self.ahead) / (1.0 + self.tied), 0.0, 1.0)

    def within(self, most: int) -> Estimate:
        """Share of people whose true one is among the first ``most``, with ties broken at random."""
        if not is_whole(most) or most < 1:
            raise bad_argument("within", "most", "a whole number above zero", most)
        return wilson(
            min(float(np.sort(self._chances(most)).sum()), len(self.ahead)), len(self.ahead), self.confidence_level
        )

    @property
    def one_by_one(self) -> Estimate:
        """Share of people re-identified if each is matched to the best on their list."""
        return self.within(1)

    @property
    def expected_at_random(self) -> float:
        """Mean rank in a random order."""
        return (1 + self.candidates) / 2

    def cdf(self) -> pa.Table:
        """Share of people within each rank, alongside that of a random order."""
        steps = _steps(self.candidates)
        found = [self.within(step) for step in steps]
        return pa.table(
            {
                "rank": steps,
                "share": [each.value for each in found],
                "low": [each.low for each in found],
                "high": [each.high for each in found],
                "random": [step / self.candidates for step in steps],
            }
        )

    def to_arrow(self) -> pa.Table:
        """One row per person who is on both sides."""
        return pa.table({"rank": self.ranks, "ahead": self.ahead, "tied": self.tied, "privacy_loss": self.loss})

    def __repr__(self) -> str:
        mean, spread = self.ranks.mean(), self.ranks.std()
        at_random = f"at random {self.expected_at_random:,.1f}"
        loss = f"privacy loss median {np.median(self.loss):.2f}, mean {self.loss.mean():.2f}"
        return f"Ranking({len(self.ahead):,} people: mean rank {mean:,.1f} ± {spread:,.1f}, {at_random}; {loss})"


def _steps(candidates: int) -> list[int]:
    """Ranks at which a curve is drawn: every rank at first, then fewer and fewer."""
    grown = np.unique(np.round(np.geomspace(1, candidates, 60)).astype(int))
    return [int(step) for step in grown]


def ranking(scores: Scores, truth: Mapping[Any, Any] | None = None, *, confidence_level: float = 0.95) -> Ranking:
    """Ranks and privacy losses of everyone on both sides, in order of the released rows.

    Parameters
    ----------
    scores
        Scores of all pairs.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.
    confidence_level
        Confidence level of the interval.

    Returns
    -------
    Ranking
        Ranks of the true people, with what chance would give.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> scores = so.graph_scores(released, known, top=10)
    >>> so.ranking(scores)
    Ranking(50 people: mean rank 17.4 ± 12.7, at random 25.5; privacy loss median -0.21, mean 0.59)
    """
    check_level("ranking", confidence_level)
    # both results from each block while it is in memory: all blocks together may not fit
    parts = [
        (*kernels.standing(*part, TOLERANCE), kernels.true_shares(*part, TOLERANCE))
        for part in _blocks("ranking", scores, truth)
    ]
    ahead, equal, shares = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return Ranking(ahead, equal, shares * scores.shape[1] - 1.0, scores.shape[1], confidence_level)


def ranks(scores: Scores, truth: Mapping[Any, Any] | None = None) -> Floats:
    """The true person's rank for everyone on both sides, in order of the released rows; ties share the middle rank.

    ``truth`` gives the known id of each released id; None: the same id on both sides.

    Parameters
    ----------
    scores
        Scores of all pairs.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.

    Returns
    -------
    array of float
        One rank per person on both sides; 1: the most similar.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> scores = so.graph_scores(released, known, top=10)
    >>> so.ranks(scores)[:3].tolist()
    [2.0, 14.0, 29.0]
    """
    parts = [kernels.standing(*part, TOLERANCE) for part in _blocks("ranks", scores, truth)]
    return np.concatenate([1.0 + ahead + tied / 2 for ahead, tied in parts])


def privacy_loss(
    scores: Scores, truth: Mapping[Any, Any] | None = None, *, f: Belief | None = None, unseen: float = 0.0
) -> Floats:
    """How many times more probable the intruder finds the true person than a random guess, minus one.

    Manousakas 2018, equations 5 and 6.

    Parameters
    ----------
    scores
        Scores of all pairs.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.
    f
        Function from a person's scores with everyone to the intruder's weight for each, before normalisation. None: 1
        divided by the rank (Manousakas 2018 eq. 7).
    unseen
        Probability that the intruder reserves for people not on the known side (open world). A random guess reserves
        as much, so the loss does not change; ``posterior`` shows it.

    Returns
    -------
    array of float
        One number per person on both sides.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> scores = so.graph_scores(released, known, top=10)
    >>> print(f"{so.privacy_loss(scores).mean():.2f}")
    0.59
    """
    _check_belief("privacy_loss", f, unseen)
    shares = [
        kernels.true_shares(*part, TOLERANCE) if f is None else _true_belief(f, *part)
        for part in _blocks("privacy_loss", scores, truth)
    ]
    # the intruder gives the true person (1 - unseen) times the share, a random guess (1 - unseen) / n
    return np.concatenate(shares) * scores.shape[1] - 1.0


def posterior(scores: Scores, row: int, *, f: Belief | None = None, unseen: float = 0.0) -> Floats:
    """What the intruder believes about one released person: the probability of each known person.

    Manousakas 2018, equation 5.

    In order of ``scores.known``; sums to 1 minus ``unseen``. ``f`` and ``unseen`` as for ``privacy_loss``.

    Parameters
    ----------
    scores
        Scores of all pairs.
    row
        The released person, by row number.
    f
        Function from a person's scores to the intruder's weight for each known person; None: 1 divided by the rank.
    unseen
        Probability that the intruder reserves for people not on the known side.

    Returns
    -------
    array of float
        One probability per known person.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> scores = so.graph_scores(released, known, top=10)
    >>> likely = so.posterior(scores, 0)
    >>> print(f"{likely.sum():.2f}")
    1.00
    """
    if not isinstance(scores, Scores):
        raise bad_argument("posterior", "scores", "Scores", type(scores).__name__, "Make them with so.graph_scores(…).")
    if not is_whole(row) or not 0 <= row < scores.shape[0]:
        raise bad_argument("posterior", "row", f"a row of the released people, 0 to {scores.shape[0] - 1:,}", row)
    _check_belief("posterior", f, unseen)
    line = np.ascontiguousarray(scores.rows(int(row), int(row) + 1)[0])
    given = kernels.inverse_ranks(line, TOLERANCE) if f is None else _apply_belief("posterior", f, line)
    return np.asarray((1.0 - unseen) * given / given.sum())


def _check_belief(function: str, f: object, unseen: object) -> None:
    if not is_number(unseen) or not 0 <= float(unseen) < 1:  # type: ignore[arg-type]
        raise bad_argument(function, "unseen", "a share of at least 0 and below 1", unseen)
    if f is not None and not callable(f):
        raise bad_argument(function, "f", "a function of scores, or None", type(f).__name__)


def _true_belief(f: Belief, block: Floats, rows: Any, columns: Any) -> Floats:
    out = np.empty(len(rows))
    for number, (row, column) in enumerate(zip(rows, columns, strict=True)):
        given = _apply_belief("privacy_loss", f, block[row])
        out[number] = given[column] / given.sum()
    return out


def _apply_belief(function: str, f: Belief, line: Floats) -> Floats:
    given = np.asarray(f(line), dtype=np.float64)
    if given.shape != line.shape or not np.isfinite(given).all() or (given < 0).any() or not given.sum():
        must = "a function that returns one finite number, 0 or more, for each score, not all zero"
        raise bad_argument(function, "f", must, "other numbers")
    return given


def _blocks(function: str, scores: Scores, truth: Mapping[Any, Any] | None) -> Iterator[tuple[Floats, Any, Any]]:
    """Blocks of scores with the rows (in the block) and columns of the true pairs."""
    if not isinstance(scores, Scores):
        raise bad_argument(function, "scores", "Scores", type(scores).__name__, "Make them with so.graph_scores(…).")
    released, known = true_rows(function, scores.released, scores.known, truth)
    for first, block in scores.blocks():
        inside = (released >= first) & (released < first + len(block))
        if not np.isfinite(block[released[inside] - first, known[inside]]).all():
            raise DataError(
                "a true pair is forbidden, so it has no rank. Give scores for all pairs.", function=function
            )
        yield np.ascontiguousarray(block), released[inside] - first, known[inside]
