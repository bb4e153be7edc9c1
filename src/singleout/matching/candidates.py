"""Profiles of two sites: for each released person, the known people they may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument
from singleout.ground.lazy import cached_property
from singleout.ground.names import AbsentPairs
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, in_lines
from singleout.ground.parallel import map_tiles
from singleout.reading.tables import Table
from singleout.similarity.profiles.blocking import Candidates
from singleout.similarity.scores import Scores
from singleout.statistics.ids import People

PAIRS_A_TILE = 2**20
MOST_ROWS_A_TILE = 4_096
MOST_PAIRS = 2**27
"""The most candidate pairs whose scores are put into one matrix; more would take gigabytes."""
EQUAL = 1e-12
"""Scores closer than this share of the highest count as equal: sums of the same terms may differ in the last bit."""
WITHOUT_CANDIDATES = "without-candidates"


@dataclass(frozen=True, eq=False)
class Profiles(Pictured):
    """For each released person, the known people they may be.

    ``candidates``: how many known people the blocking leaves. ``best``: the highest score among them, 0 without any.
    ``ties``: how many have it. ``one``: the row of one of them, -1 without candidates.

    Examples
    --------
    >>> import singleout as so
    >>> sites = so.synthetic_profiles(people=40, known=100, seed=1)
    >>> profiles = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    >>> profiles.candidates[:5].tolist()
    [1, 0, 2, 0, 0]
    """

    candidates: Indices
    best: Floats
    ties: Indices
    one: Indices
    released_side: People
    known_side: People
    tables: tuple[Table, Table] = field(repr=False)
    pairs: Candidates = field(repr=False)
    notes: tuple[Note, ...] = ()

    @property
    def selectivity(self) -> Floats:
        """1 divided by the number of candidates with the highest score, even if it is 0; 0 without candidates."""
        return np.divide(1.0, self.ties, out=np.zeros(len(self.ties)), where=self.ties > 0)

    def chances(self, rows: Indices, others: Indices) -> Floats:
        """The probability that a random choice among the best candidates of each row is this known person."""
        allowed = self.pairs.blocks.allow(rows, others)
        scores = np.full(len(rows), -1.0)
        scores[allowed] = self.pairs.scorer.of(rows[allowed], others[allowed])
        return np.where(scores >= _least_equal(self.best[rows]), self.selectivity[rows], 0.0) * allowed

    def winners(self, row: int) -> Indices:
        """The known rows with the highest score of a released one."""
        if not 0 <= row < len(self.best):
            raise bad_argument("winners", "row", f"a released row, from 0 to {len(self.best) - 1}", row)
        _, others, scores = self.pairs.score(row, row + 1)
        return np.sort(others[scores >= _least_equal(self.best[row])])

    @cached_property
    def scores(self) -> Scores:
        """All candidates with their scores, ready for joint matching: ``so.assign(profiles.scores)``.

        Pairs outside the block are forbidden; if everyone is a candidate of everyone, what is not stored is zero.
        """
        everyone = self.pairs.blocks.everyone
        number = int(self.candidates.sum())
        if everyone and number > MOST_PAIRS:  # scores of zero are not stored: count the others first
            number = sum(_over_tiles(_count_positive, self.pairs, label="counting scores", progress=None))
        if number > MOST_PAIRS:
            raise DataError(
                f"{number:,} pairs are too many for one matrix. Use more blocking fields.", function="Profiles.scores"
            )
        parts = _over_tiles(_scores_to_store, self.pairs, everyone, label="scoring candidates", progress=None)
        rows, others, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        shape = len(self.released_side), len(self.known_side)
        matrix = sparse.csr_array((values, (rows, others)), shape=shape)
        absent: AbsentPairs = "zero" if everyone else "forbidden"
        return Scores(matrix, self.released_side.people, self.known_side.people, absent=absent)

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """One row per released person; ``known_row`` if a single candidate is best. Ids only with ``reveal``."""
        single = self.ties == 1
        columns: dict[str, Any] = {"released_row": np.arange(len(self.best))}
        columns["known_row"] = pa.array(self.one, mask=~single)
        if reveal:
            known = self.known_side.people[self.one].tolist()
            columns["released_id"] = pa.array(self.released_side.people.tolist())
            columns["known_id"] = pa.array([who if sure else None for who, sure in zip(known, single, strict=True)])
        columns |= {"candidates": self.candidates, "best": self.best, "ties": self.ties}
        return pa.table(columns | {"selectivity": self.selectivity})

    def __repr__(self) -> str:
        sizes = f"{len(self.released_side):,} released, {len(self.known_side):,} known profiles"
        single = f"{int((self.ties == 1).sum()):,} released people have a single best candidate"
        return "\n".join([f"Profiles({sizes})", f"  {single}", *in_lines(self.notes)])


def _least_equal(best: Any) -> Any:
    """The lowest score that counts as equal to the highest."""
    return best * (1 - EQUAL)


def best_candidates(pairs: Candidates, progress: bool | None) -> tuple[Indices, Floats, Indices, Indices]:
    """For every released person: number of candidates, highest score, how many share it, and the row of one."""
    parts = _over_tiles(_best, pairs, label="comparing profiles", progress=progress)
    candidates, best, ties, one = (np.concatenate(part) for part in zip(*parts, strict=True))
    return candidates, best, ties, one


def _over_tiles(work: Any, pairs: Candidates, *more: Any, label: str, progress: bool | None) -> list[Any]:
    tile = min(MOST_ROWS_A_TILE, max(1, PAIRS_A_TILE // max(1, pairs.blocks.largest)))
    rows = len(pairs.blocks.released_key)
    return map_tiles(work, rows, pairs, *more, label=label, progress=progress, tile=tile)


def _best(first: int, last: int, pairs: Candidates) -> tuple[Indices, Floats, Indices, Indices]:
    rows, others, scores = pairs.score(first, last)
    number = np.bincount(rows - first, minlength=last - first)
    best, ties, one = np.zeros(last - first), np.zeros(last - first, np.intp), np.full(last - first, -1, np.intp)
    there = np.flatnonzero(number)
    if len(there):
        starts = (np.cumsum(number) - number)[there]
        best[there] = np.maximum.reduceat(scores, starts)
        tied = scores >= _least_equal(best)[rows - first]
        ties[there] = np.add.reduceat(tied, starts, dtype=np.intp)
        one[rows[tied] - first] = others[tied]
    return number, best, ties, one


def _count_positive(first: int, last: int, pairs: Candidates) -> int:
    return int((pairs.score(first, last)[2] > 0).sum())


def _scores_to_store(first: int, last: int, pairs: Candidates, everyone: bool) -> tuple[Indices, Indices, Floats]:
    rows, others, scores = pairs.score(first, last)
    kept = scores > 0 if everyone else np.ones(len(rows), dtype=bool)
    return rows[kept], others[kept], scores[kept]
