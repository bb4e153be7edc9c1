"""The nearest ungrouped records of each record, from lists that outlast many groups: few of them are searched twice."""

from __future__ import annotations

import numpy as np

from singleout._kernels.cluster import pick_alive
from singleout.ground.arrays import Flags, Indices
from singleout.protection.record_distances import Space

RESERVE = 4
"""A list holds this many times as many records as are needed: it lasts until about three quarters are grouped."""


class NearestLists:
    """For each record the nearest others, the nearest first; a list is made anew once too few of it are ungrouped."""

    def __init__(self, space: Space, most: int) -> None:
        self._space, self._most = space, most
        self._lists = np.full((space.size, RESERVE * most), -1, dtype=np.int32)

    def nearest(self, rows: Indices, alive: Flags) -> Indices:
        """The nearest ungrouped records of each of these, the same as ``Space.nearest``."""
        found, short = pick_alive(rows, self._lists, alive, self._most)
        if len(short):
            again = rows[short]
            self._lists[again] = self._space.nearest(again, self._lists.shape[1], alive)
            found[short] = pick_alive(again, self._lists, alive, self._most)[0]
        return np.asarray(found)
