"""One by one: each person gets the nearest one, whomever the others get (Gutman; UN13 IV-D, N16 IV-C4)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from singleout.ground.arrays import Floats, Indices, row_slice
from singleout.ground.parallel import map_tiles
from singleout.matching.ties import Chances
from singleout.similarity.comparison import Comparison
from singleout.similarity.overlaps import TIE, Overlaps
from singleout.similarity.scores import ScorePairs
from singleout.statistics.classes import Classes


def nearest_chances(comparison: Comparison, by: str) -> Chances:
    """Each person of the side ``by`` gets one of the t equally near people of the other, each with probability 1/t."""
    overlaps = comparison.plain if by == "released" else comparison.plain.swap_sides()
    if _varies(overlaps):
        _, ties, tied = _nearest_by_totals(overlaps, comparison.progress)
    else:
        _, ties, tied = comparison.nearest(by)
    released, known = overlaps.released.classes, overlaps.known.classes
    row = np.repeat(np.arange(len(ties)), ties)
    people_tied = np.bincount(row, known.size[tied], len(ties))
    shares = 1.0 / np.maximum(people_tied, 1)
    table = sparse.csr_array((shares[row], (row, tied)), shape=(len(released.size), len(known.size)))
    # a person who shares no place with anyone is equally near to all
    at_random = np.where(ties == 0, 1.0 / len(known.label), 0.0)
    return Chances(released, known, table, at_random, np.ones(len(known.size)))


def highest_chances(pairs: ScorePairs, rows: Classes, columns: Classes) -> Chances:
    """By scores: everyone in a row gets one of those with the highest score, at random among them.

    Who may be matched with nobody gets nobody in particular: anyone, at random.
    """
    shape, found = (len(rows.size), len(columns.size)), []
    for row in range(shape[0]):
        piece = row_slice(pairs.table, row)
        values = np.full(shape[1], 0.0 if pairs.complete else -np.inf)
        values[pairs.table.indices[piece]] = pairs.table.data[piece]
        best = values.max()
        found.append(np.flatnonzero(values == best) if best > -np.inf else np.empty(0, np.intp))
    ties = np.array([len(tied) for tied in found])
    tied, row_of = np.concatenate(found), np.repeat(np.arange(shape[0]), ties)
    people = np.bincount(row_of, columns.size[tied], shape[0])
    table = sparse.csr_array(((1.0 / np.maximum(people, 1))[row_of], (row_of, tied)), shape=shape)
    at_random = np.where(ties == 0, 1.0 / len(columns.label), 0.0)
    return Chances(rows, columns, table, at_random, np.ones(shape[1]))


def nearest_pairs(chances: Chances, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Draw one choice for everyone, at random among the equally near. Sorted by released row."""
    people, table, size = chances.released.members, chances.table, chances.known.size
    row, draws = chances.released.label[people], rng.random(len(chances.released.members))
    chosen = chances.known.members[(draws * len(chances.known.members)).astype(np.intp)]
    # tickets of the tied people of all rows in sequence
    ends = np.cumsum(size[table.indices])
    before = np.concatenate([[0], ends])[table.indptr]
    some = np.flatnonzero(np.diff(table.indptr)[row])
    first, last = before[row[some]], before[row[some] + 1]
    ticket = first + (draws[some] * (last - first)).astype(np.intp)
    which = np.searchsorted(ends, ticket, side="right")
    within = ticket - (ends[which] - size[table.indices[which]])
    chosen[some] = chances.known.members[(np.cumsum(size) - size)[table.indices[which]] + within]
    order = np.argsort(people, kind="stable")
    return people[order], chosen[order]


def transpose(chances: Chances) -> Chances:
    """The same probabilities with the sides swapped."""
    return Chances(
        chances.known, chances.released, chances.table.T.tocsr(), chances.known_share, chances.released_share
    )


def _varies(overlaps: Overlaps) -> bool:
    """Whether costs of pairs without a common place differ (glrt): then all of them must be examined."""
    return overlaps.similarity.constant is None


def _nearest_by_totals(overlaps: Overlaps, progress: bool | None) -> tuple[Floats, Indices, Indices]:
    """The same as ``Overlaps.best`` for a similarity whose constant differs from pair to pair.

    A person without events has no cost with anyone, which is no reason to match them with anyone: they are candidates
    only if nobody has events.
    """
    tolerance = TIE * overlaps.self_gains()
    empty = overlaps.known.totals.sum(axis=1) == 0
    blocked = np.where(empty & ~empty.all(), np.inf, 0.0)
    arguments = overlaps, tolerance, blocked
    parts = map_tiles(_nearest_in_rows, overlaps.shape[0], *arguments, label="comparing people", progress=progress)
    best, ties, tied = (np.concatenate(part) for part in zip(*parts, strict=True))
    return best, ties, tied


def _nearest_in_rows(
    first: int, last: int, overlaps: Overlaps, tolerance: Floats, blocked: Floats
) -> tuple[Floats, Indices, Indices]:
    """Each row's least cost, and the columns that have it up to the row's tolerance."""
    costs = overlaps.costs_of_rows(first, last) + blocked
    least = costs.min(axis=1)
    near = costs <= (least + tolerance[first:last])[:, None]
    return -least, near.sum(axis=1), np.nonzero(near)[1]
