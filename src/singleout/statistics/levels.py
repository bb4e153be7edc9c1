"""Several resolutions at once: places as they are and coarser ones as well, each level a channel of its own.

Nobody has to choose the one cell or category at which people are most recognisable: the gains of all levels add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.errors import DataError, InputError, SingleoutError, bad_argument, is_whole
from singleout.ground.lazy import cached_property
from singleout.ground.notes import Note, nonzero
from singleout.statistics.histograms import FINEST, Histograms
from singleout.statistics.ids import Ids, as_ids, as_text, comparable
from singleout.statistics.merging import hierarchy_levels, merge_columns, read_mapping

TIMES = (4, 16)
"""Larger cells that are tried in addition to those of a grid, as multiples of their side."""
MOST_OVERLAP = 10
"""A level that nobody asked for is skipped where it costs this many times as much as all finer ones together."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Coarser places: larger cells (``times`` the side), or levels of a ``hierarchy``, the finest first.

    ``asked``: every level is used, whatever it costs.
    """

    times: tuple[int, ...] = ()
    hierarchy: Any = None
    asked: bool = True

    @classmethod
    def parse(cls, levels: Any) -> Levels:
        """Whole numbers are multiples of the side of a cell; anything else is a hierarchy: a file, frame or mapping."""
        if not isinstance(levels, Sequence) or isinstance(levels, str | bytes):
            return cls(hierarchy=levels)
        if len(levels) == 1 and isinstance(levels[0], str) and not levels[0].isdecimal():
            return cls(hierarchy=levels[0])
        times = [int(each) if isinstance(each, str) and each.isdecimal() else each for each in levels]
        if not times or not all(is_whole(each) and each >= 1 for each in times):
            must = "whole numbers, such as 1,4,16 (multiples of the side of a cell), or one hierarchy of places"
            raise bad_argument("histograms", "levels", must, list(levels))
        return cls(tuple(sorted(set(times) - {1})))

    def fit(self, side: Histograms) -> bool:
        """Whether there are coarser places: cells of a grid, or a hierarchy."""
        return side.channels is None and (self.hierarchy is not None or (bool(self.times) and side.grid is not None))

    def expand(self, side: Histograms) -> Histograms:
        """The side with a channel for each level, the finest first."""
        return join_levels([(FINEST, side), *self.coarser(side)], side)

    def coarser(self, side: Histograms) -> list[tuple[str, Histograms]]:
        """Each coarser level by name, with the same people."""
        if side.channels is not None:
            raise bad_argument("histograms", "levels", "omitted if there are channels", side.number_of_places)
        if self.hierarchy is not None:
            try:
                return [(name, _merge_those_in(side, fine, coarse)) for name, fine, coarse in self._mappings]
            except SingleoutError as error:
                raise error.within(function="histograms") from None
        if side.grid is None:
            hint = "Give `lat`, `lng` and `grid`, or a file of places and levels."
            raise InputError("`levels` requires a grid.", function="histograms", hint=hint)
        larger = [replace(side.grid, side=side.grid.side * times) for times in self.times]
        # cells of a file may have been read as text
        cells = side.places.astype(np.int64)
        return [
            (f"{grid.side:g} m", merge_columns(side, side.places, grid.containing(cells, side.grid))) for grid in larger
        ]

    @cached_property
    def _mappings(self) -> list[tuple[str, Ids, Ids]]:
        if isinstance(self.hierarchy, Mapping):
            return [("coarser", *read_mapping(self.hierarchy, None))]
        return [(name, *read_mapping(self.hierarchy, name)) for name in hierarchy_levels(self.hierarchy)]


def _merge_those_in(side: Histograms, fine: Ids, coarse: Ids) -> Histograms:
    """The places that a hierarchy has, merged; the others are compared at the finest level only."""
    known = np.isin(*comparable(side.places, fine))
    if not known.any():
        raise DataError("no place is in the hierarchy. Does its first column hold the places?", function="histograms")
    return merge_columns(replace(side, counts=side.counts[:, known], places=side.places[known]), fine, coarse)


def join_levels(levels: Sequence[tuple[str, Histograms]], side: Histograms) -> Histograms:
    """The columns of all levels next to each other; each person's events count once."""
    kinds = {each.places.dtype.kind for _, each in levels}
    places = [each.places if len(kinds) == 1 else as_text(each.places) for _, each in levels]
    labels = [name for name, each in levels for _ in range(len(each.places))]
    return replace(
        side,
        counts=sparse.hstack([each.counts for _, each in levels], format="csr"),
        places=as_ids("histograms", "levels", np.concatenate(places).tolist()),
        channels=as_ids("histograms", "levels", labels),
        records=side.events,
    )


def expand_sides(
    released: Histograms, known: Histograms, levels: Levels
) -> tuple[Histograms, Histograms, tuple[Note, ...]]:
    """Both sides at the same levels; as they are where there is nothing coarser, and costly levels left out."""
    if not (levels.fit(released) and levels.fit(known)):
        return released, known, ()
    both = [[(FINEST, side), *levels.coarser(side)] for side in (released, known)]
    chosen = [0]
    spent = _overlap(both[0][0][1], both[1][0][1])
    for number in range(1, len(both[0])):
        cost = _overlap(both[0][number][1], both[1][number][1])
        if levels.asked or cost <= MOST_OVERLAP * spent:
            chosen.append(number)
            spent += cost
    skipped = len(both[0]) - len(chosen)
    notes = nonzero(Note(skipped, "levels of places left out", "at this level nearly everyone has the same places"))
    mine, theirs = (join_levels([each[number] for number in chosen], each[0][1]) for each in both)
    return mine, theirs, notes


def _overlap(released: Histograms, known: Histograms) -> int:
    """How many pairs of people meet, summed over places: what comparing everyone costs."""
    mine, theirs = comparable(released.places, known.places)
    _, rows, others = np.intersect1d(mine, theirs, return_indices=True)
    met = [np.bincount(side.counts.indices, minlength=side.counts.shape[1]) for side in (released, known)]
    return int(met[0][rows] @ met[1][others])
