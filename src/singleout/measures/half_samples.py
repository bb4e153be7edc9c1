"""Random halves of the people, matched again in the same way: how much a rate varies with who is in the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError
from singleout.ground.progress import stage
from singleout.matching.matching import How, match, match_compared
from singleout.matching.result import Matching, MatchingInterrupted
from singleout.measures.intervals import HALVES
from singleout.similarity.comparison import compare
from singleout.similarity.registry import Similarity
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids

STREAM = 7_020_331
"""Separates the draws of halves from all others made with the same seed, such as noise on the data."""


@dataclass(frozen=True, eq=False)
class Half:
    """Rows of the released and known sides. The first ``common`` of each are the same people in the same order."""

    rows: tuple[Indices, Indices]
    common: int


def draw_halves(result: Matching, released: Indices, known: Indices) -> Iterator[Half]:
    """Half of the people on both sides (``released`` and ``known`` are their rows), drawn without replacement.

    Each person on one side only is kept with probability one half: how many there are for each person on both sides is
    itself random. Draws follow the order of ids, so that the order of rows does not matter; of known ids, since
    released people may have pseudonyms.
    """
    rng = np.random.default_rng([result.seed, STREAM])
    order = np.argsort(result.known_side.people[known], kind="stable")
    common = released[order], known[order]
    sides = result.released_side, result.known_side
    alone = [_without(side.people, rows) for side, rows in zip(sides, common, strict=True)]
    for _ in range(HALVES):
        drawn = np.sort(rng.permutation(len(released))[: len(released) // 2])
        others = [rows[rng.random(len(rows)) < 0.5] for rows in alone]
        of_released, of_known = (np.concatenate([both[drawn], kept]) for both, kept in zip(common, others, strict=True))
        yield Half((of_released, of_known), len(drawn))


def _without(people: Ids, rows: Indices) -> Indices:
    """All other rows, in order of id."""
    others = np.setdiff1d(np.arange(len(people)), rows)
    return others[np.argsort(people[others], kind="stable")]


def match_halves(
    function: str, result: Matching, rows: tuple[Indices, Indices], *, progress: bool | None = None
) -> Iterator[tuple[Half, Matching]]:
    """Match random halves in the same way as the whole; ``rows`` are those of the people on both sides."""
    sides = _sides(function, result)
    for number, half in enumerate(draw_halves(result, *rows), 1):
        size = _size(result, *map(len, half.rows))
        how = How(result.method, result.by, size, seed=result.seed, progress=progress)
        try:
            with stage(f"half {number} of {HALVES} for the interval"):
                matching = _match_rows(result, sides, half.rows, how)
        except MatchingInterrupted:
            # the best matching so far of a half is of no use to the caller
            raise KeyboardInterrupt from None
        yield half, matching


def _match_rows(
    result: Matching, sides: tuple[Histograms, Histograms], rows: tuple[Indices, Indices], how: How
) -> Matching:
    """Some of the people, matched in the same way."""
    if result.sides is not None and isinstance(result.compared, Similarity):
        few = result.sides.only(*rows)
        return match_compared(compare(few, result.compared, seed=how.seed, progress=how.progress), how)
    released, known = (side.only_rows(own) for side, own in zip(sides, rows, strict=True))
    assert result.compared is not None
    return match(released, known, similarity=result.compared, **asdict(how))


def _size(result: Matching, released: int, known: int) -> int | None:
    """As many pairs per person as in the whole matching; None if everyone on the smaller side is matched."""
    most = min(len(result.released_side), len(result.known_side))
    if result.proof is not None and not result.proof.pairs.complete:
        return None  # where pairs are forbidden, as many as possible are made
    if result.method != "joint" or len(result) == most:
        return None
    return max(1, round(len(result) / most * min(released, known)))


def _sides(function: str, result: Matching) -> tuple[Histograms, Histograms]:
    """The two sides, if they can be matched again in the same way."""
    released, known = result.released_side, result.known_side
    if not isinstance(released, Histograms) or not isinstance(known, Histograms):
        raise DataError(
            "half-sampling matches halves of the people again, which needs a matching of histograms; "
            "this one was made from scores.",
            function=function,
        )
    if result.proof is not None and not result.proof.solution.exact:
        raise DataError("half-sampling needs an exact matching. Match again with `tolerance=0`.", function=function)
    return released, known
