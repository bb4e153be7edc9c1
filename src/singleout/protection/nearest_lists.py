"""The nearest ungrouped records of each record, from lists that outlast many groups: few of them are searched twice."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from singleout._kernels.cluster import pick_alive
from singleout.ground.arrays import Flags, Indices
from singleout.protection.record_distances import Space

Lists = NDArray[np.int32]
RESERVE = 4
"""A list holds this many times as many records as are needed: it lasts until about three quarters are grouped."""


class OpeningLists:
    """The nearest of all records, before any is grouped: the same whatever the size of groups, so that it is kept.

    Lists hold at least ``least`` records, so that those for small groups serve larger ones.
    """

    def __init__(self, space: Space, least: int = 0) -> None:
        self._space, self._least, self._lock = space, least, Lock()
        self._found = np.empty((space.size, 0), dtype=np.int32)

    def nearest(self, most: int) -> Lists:
        """The nearest of each record, ``most`` of them; -1 where there are fewer."""
        with self._lock:
            if self._found.shape[1] < most:
                rows, alive = np.arange(self._space.size), np.ones(self._space.size, dtype=bool)
                self._found = self._space.nearest(rows, max(most, self._least), alive).astype(np.int32)
            return self._found[:, :most].copy()


class NearestLists:
    """For each record the nearest others, the nearest first; a list is made anew once too few of it are ungrouped."""

    def __init__(self, space: Space, most: int, opening: OpeningLists) -> None:
        self._space, self._most = space, most
        self._lists = opening.nearest(RESERVE * most)

    def nearest(self, rows: Indices, alive: Flags) -> Indices:
        """The nearest ungrouped records of each of these, the same as ``Space.nearest``."""
        found, short = pick_alive(rows, self._lists, alive, self._most)
        if len(short):
            again = rows[short]
            self._lists[again] = self._space.nearest(again, self._lists.shape[1], alive)
            found[short] = pick_alive(again, self._lists, alive, self._most)[0]
        return np.asarray(found)
