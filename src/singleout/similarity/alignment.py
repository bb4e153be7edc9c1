"""Two sides over the same columns: places and channels aligned by id, once for everything they are compared by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError
from singleout.ground.notes import Note
from singleout.statistics.classes import Classes, classes_of, row_digests
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, comparable
from singleout.statistics.levels import Levels, expand_sides

Reliability = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class AlignedSide:
    """One of two sides: counts over the common columns, and what does not depend on the similarity."""

    histograms: Histograms
    counts: sparse.csr_array
    channel: Indices
    """The channel of each column."""
    kept: dict[Any, Any] = field(default_factory=dict)
    """What was computed already."""

    @property
    def channels(self) -> int:
        """The number of channels."""
        return int(self.channel.max(initial=0)) + 1

    def classes(self, *, of_counts: bool) -> Classes:
        """People with equal counts, or equal shares."""
        key = "classes", of_counts
        if key not in self.kept:
            content = self.counts.data if of_counts else _reduce(self.counts.data, self.segments(self.counts))
            digests = row_digests(self.counts.indptr, self.counts.indices, content)
            self.kept[key] = classes_of(digests, self.histograms.people)
        return self.kept[key]  # type: ignore[no-any-return]

    def segments(self, table: sparse.csr_array) -> Indices:
        """The number of the row and channel of each entry of rows of this side."""
        row = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        return np.asarray(row * self.channels + self.channel[table.indices])

    def factors(self, reliability: Reliability | None) -> Floats:
        """How much each person counts; the same for all where their numbers of events are not known."""
        events = None if reliability is None else self.histograms.events
        return np.ones(self.counts.shape[0]) if reliability is None or events is None else reliability(events)

    def only(self, rows: Indices) -> AlignedSide:
        """These people, in this order."""
        few = {key: each.only(rows) for key, each in self.kept.items() if isinstance(each, Classes)}
        return AlignedSide(self.histograms.only_rows(rows), self.counts[rows], self.channel, few)


@dataclass(frozen=True, eq=False)
class AlignedSides:
    """A released and a known side over the same columns, prepared once for every similarity, method and sub-sample."""

    released: AlignedSide
    known: AlignedSide
    column_of_known: Indices
    """The aligned column of each column of the known side."""
    notes: tuple[Note, ...] = ()
    kept: dict[Any, AlignedSides] = field(default_factory=dict)
    """The same at several levels of places."""

    @property
    def histograms(self) -> tuple[Histograms, Histograms]:
        """What is compared."""
        return self.released.histograms, self.known.histograms

    def at_levels(self, levels: Levels | None) -> AlignedSides:
        """Coarser places as well."""
        if levels is None or not all(levels.fit(side) for side in self.histograms):
            return self
        if levels not in self.kept:
            released, known, notes = expand_sides(*self.histograms, levels)
            self.kept[levels] = replace(align_sides(released, known), notes=notes)
        return self.kept[levels]

    def only(self, released: Indices, known: Indices) -> AlignedSides:
        """These people of both sides."""
        return AlignedSides(self.released.only(released), self.known.only(known), self.column_of_known)


def align_sides(released: Histograms, known: Histograms) -> AlignedSides:
    """Both sides over the same columns, ordered by channel and place id."""
    if released.grid != known.grid:
        raise DataError(
            "`released` and `known` are on different grids. Read both with the same `grid` and `box`.", function="match"
        )
    places = comparable(released.places, known.places)
    labels = comparable(*_labels(released, known))
    place, place_names = _number_ids(*places)
    channel, _ = _number_ids(*labels)
    keys = [channel[side] * len(place_names) + place[side] for side in (0, 1)]
    for name, side in (("released", released), ("known", known)):
        if not len(side.places):
            raise DataError(f"`{name}` contains no events: every count is zero.", function="match")
    new, columns = _number_ids(*keys)
    if len(columns) == len(keys[0]) + len(keys[1]):
        raise DataError(
            "`released` and `known` have no place in common. Do both sides use the same place ids?",
            function="match",
        )
    # channels without any column on either side do not exist; those that do are numbered from zero
    dense_channel = np.unique(columns // len(place_names), return_inverse=True)[1].astype(np.intp)
    sides = [
        AlignedSide(side, _move_columns(side.counts, moved, len(columns)), dense_channel)
        for side, moved in zip((released, known), new, strict=True)
    ]
    return AlignedSides(sides[0], sides[1], new[1])


def _move_columns(counts: sparse.csr_array, new: Indices, columns: int) -> sparse.csr_array:
    """The same rows over other columns, in ascending order; a copy, since sorting moves the counts."""
    ascending = bool((np.diff(new) > 0).all())
    data = counts.data if ascending else counts.data.copy()
    table = sparse.csr_array((data, new[counts.indices], counts.indptr), shape=(counts.shape[0], columns))
    if not ascending:
        table.sort_indices()
    return table


def _labels(released: Histograms, known: Histograms) -> tuple[Ids, Ids]:
    if (released.channels is None) != (known.channels is None):
        raise DataError(
            "one side has channels and the other does not. Make both histograms in the same way.", function="match"
        )
    if released.channels is None or known.channels is None:
        return np.zeros(len(released.places), dtype=np.int64), np.zeros(len(known.places), dtype=np.int64)
    return released.channels, known.channels


def _number_ids(first: Ids, second: Ids) -> tuple[tuple[Indices, Indices], Ids]:
    """Number the ids of both sides together, in ascending order of id."""
    names, number = np.unique(np.concatenate([first, second]), return_inverse=True)
    return (number[: len(first)], number[len(first) :]), names


def _reduce(data: NDArray[Any], segment: Indices) -> NDArray[Any]:
    """Whole counts of a person and channel divided by their greatest common divisor: equal iff the shares are."""
    if data.dtype.kind != "i" or not data.size:
        return data
    starts = np.flatnonzero(np.r_[True, segment[1:] != segment[:-1]])
    divisor = np.gcd.reduceat(data, starts)
    return np.asarray(data // np.repeat(divisor, np.diff(np.r_[starts, len(data)])))
