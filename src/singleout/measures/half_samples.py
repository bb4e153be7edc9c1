"""Some of the people, drawn at random and matched again: how much a rate varies with who is in the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError
from singleout.ground.parallel import send_jobs
from singleout.matching.matching import How, match, match_compared
from singleout.matching.result import Matching, MatchingInterrupted
from singleout.measures.intervals import HALVES
from singleout.similarity.alignment import AlignedSides
from singleout.similarity.comparison import compare
from singleout.similarity.registry import Compared, Similarity
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids

Measured = TypeVar("Measured")
STREAM = 7_020_331
"""Separates the draws of halves from all others made with the same seed, such as noise on the data."""


@dataclass(frozen=True, eq=False)
class DrawnPeople:
    """Rows of the released and known sides. The first ``common`` of each are the same people in the same order."""

    rows: tuple[Indices, Indices]
    common: int


def draw_halves(result: Matching, released: Indices, known: Indices) -> Iterator[DrawnPeople]:
    """Half of the people on both sides (``released`` and ``known`` are their rows), drawn without replacement.

    Each person on one side only is kept with probability one half: how many there are for each person on both sides is
    itself random. Draws follow the order of ids, so that the order of rows does not matter; of known ids, since
    released people may have pseudonyms.
    """
    rng = np.random.default_rng([result.seed, STREAM])
    common = in_order_of_id(result.known_side.people, released, known)
    for _ in range(HALVES):
        yield draw_people((result.released_side.people, result.known_side.people), common, len(released) // 2, 0.5, rng)


def in_order_of_id(people: Ids, released: Indices, known: Indices) -> tuple[Indices, Indices]:
    """The rows of people on both sides, in order of their known ids."""
    order = np.argsort(people[known], kind="stable")
    return released[order], known[order]


def draw_people(
    people: tuple[Ids, Ids], common: tuple[Indices, Indices], number: int, share: float, rng: np.random.Generator
) -> DrawnPeople:
    """Draw a number of the people on both sides, and a share of those on one side only, without replacement."""
    drawn = np.sort(rng.permutation(len(common[0]))[:number])
    alone = [_without(ids, rows) for ids, rows in zip(people, common, strict=True)]
    others = [rows[rng.random(len(rows)) < share] for rows in alone]
    of_released, of_known = (np.concatenate([both[drawn], kept]) for both, kept in zip(common, others, strict=True))
    return DrawnPeople((of_released, of_known), len(drawn))


def _without(people: Ids, rows: Indices) -> Indices:
    """All other rows, in order of id."""
    others = np.setdiff1d(np.arange(len(people)), rows)
    return others[np.argsort(people[others], kind="stable")]


def measure_halves(
    function: str,
    result: Matching,
    rows: tuple[Indices, Indices],
    measure: Callable[[DrawnPeople, Matching], Measured],
    *,
    progress: bool | None = None,
) -> list[Measured]:
    """Match random halves in the same way as the whole, and measure each; ``rows`` are of the people on both sides.

    ``measure`` is a function that pickle can name, so that halves can be matched elsewhere.
    """
    _check_repeatable(function, result)
    halves = list(draw_halves(result, *rows))
    match_half = partial(_match_half, Again.of(result), measure)
    return send_jobs(match_half, halves, label="halves of the people for the interval", progress=progress)


def _match_half(again: Again, measure: Callable[[DrawnPeople, Matching], Measured], half: DrawnPeople) -> Measured:
    try:
        return measure(half, again.match_some(half.rows))
    except MatchingInterrupted:
        # the best matching so far of a half is of no use to the caller
        raise KeyboardInterrupt from None


@dataclass(frozen=True, eq=False)
class Again:
    """How people were matched, so that some of them can be in the same way, here or elsewhere.

    It holds neither the pairs nor the tables of that matching.
    """

    sides: AlignedSides | tuple[Histograms, Histograms]
    compared: Compared
    how: How
    pairs_a_person: float | None
    """Of the smaller side; None if everyone there is matched."""

    @classmethod
    def of(cls, result: Matching) -> Again:
        """The way of this matching of histograms."""
        assert result.compared is not None
        how = How(result.method, result.by, seed=result.seed, progress=False)
        if result.sides is not None and isinstance(result.compared, Similarity):
            return cls(result.sides, result.compared, how, _pairs_a_person(result))
        sides = result.released_side, result.known_side
        assert isinstance(sides[0], Histograms)
        assert isinstance(sides[1], Histograms)
        return cls((sides[0], sides[1]), result.compared, how, _pairs_a_person(result))

    def match_some(self, rows: tuple[Indices, Indices]) -> Matching:
        """The people in these rows of both sides."""
        pairs = None if self.pairs_a_person is None else max(1, round(self.pairs_a_person * min(map(len, rows))))
        how = replace(self.how, size=pairs)
        if isinstance(self.sides, AlignedSides):
            assert isinstance(self.compared, Similarity)
            few = self.sides.only(*rows)
            return match_compared(compare(few, self.compared, seed=how.seed, progress=False), how)
        released, known = (side.only_rows(few) for side, few in zip(self.sides, rows, strict=True))
        return match(released, known, similarity=self.compared, **asdict(how))


def _pairs_a_person(result: Matching) -> float | None:
    most = min(len(result.released_side), len(result.known_side))
    if result.proof is not None and not result.proof.pairs.complete:
        return None  # where pairs are forbidden, as many as possible are made
    if result.method != "joint" or len(result) == most:
        return None
    return len(result) / most


def _check_repeatable(function: str, result: Matching) -> None:
    """Refuse what cannot be matched again in the same way."""
    if not all(isinstance(side, Histograms) for side in (result.released_side, result.known_side)):
        raise DataError(
            "half-sampling matches halves of the people again, which needs a matching of histograms; "
            "this one was made from scores.",
            function=function,
        )
    if result.proof is not None and not result.proof.solution.exact:
        raise DataError("half-sampling needs an exact matching. Match again with `tolerance=0`.", function=function)
