"""All pairs computed once and stored: for sides where nearly everyone shares many places with everyone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from singleout._kernels import scores as kernels
from singleout.ground.arrays import Floats, Indices
from singleout.ground.parallel import map_tiles
from singleout.similarity.overlaps import Overlaps
from singleout.similarity.pairs import Pairs, Priced, SweepRequest

MOST_PAIRS = 2**24
"""128 MB: more is never stored, whatever a sweep costs."""
TERMS_A_PAIR = 4
"""A sweep that computes fewer terms than this per pair costs no more than reading a table."""


@dataclass(frozen=True, eq=False)
class TablePairs:
    """Gains of all pairs in a table, and the overlaps they came from."""

    overlaps: Overlaps
    gains: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        return self.overlaps.shape

    def price(self, rows: Indices, price: Floats, other_price: Floats, asked: SweepRequest) -> Priced:
        """Pairs of these rows that are worth more than the prices."""
        arguments = rows, self.gains, price, other_price, asked.slack, asked.most
        return Priced.join(
            rows, map_tiles(_price_tile, len(rows), *arguments, label="pricing", progress=asked.progress)
        )

    @property
    def complete(self) -> bool:
        """Anyone may be matched with anyone."""
        return True

    @cached_property
    def _other_way(self) -> TablePairs:
        return TablePairs(self.overlaps.swap_sides(), np.ascontiguousarray(self.gains.T))

    def swap_sides(self) -> TablePairs:
        """The same pairs with the sides swapped."""
        return self._other_way

    def opening_prices(self) -> tuple[Floats, Floats]:
        """What makes a class attractive to all."""
        return self.overlaps.opening_prices()

    def spanning(self) -> tuple[Indices, Indices, Floats]:
        """Pairs by which everyone can be matched, if that matters."""
        return self.overlaps.spanning()

    def offsets(self, rows: Indices, columns: Indices) -> Floats:
        """The part of a pair's gain that is not a sum of terms."""
        return self.overlaps.offsets(rows, columns)


def _price_tile(first: int, last: int, rows: Indices, *arguments: Any) -> Any:
    return kernels.price_table(rows[first:last], *arguments)


def store_if_dense(overlaps: Overlaps, *, progress: bool | None = None) -> Pairs:
    """The pairs in a table if that is small and saves time; else as they are, computed again in every sweep."""
    rows, columns = overlaps.shape
    if rows * columns > MOST_PAIRS or overlaps.terms_a_sweep < TERMS_A_PAIR * rows * columns:
        return overlaps
    gains = overlaps.gains(progress=progress)
    if overlaps.lift:
        gains += overlaps.lift - overlaps.constants(np.arange(rows)[:, None], np.arange(columns)[None, :])
    return TablePairs(overlaps, gains)
