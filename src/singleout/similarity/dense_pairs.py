"""All pairs worked out once and kept: for sides where nearly everybody shares many places with everybody."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from singleout._kernels import scores as kernels
from singleout.ground.parallel import map_tiles
from singleout.similarity.overlaps import Overlaps
from singleout.similarity.pairs import Asked, Floats, Pairs, Priced, Rows

MOST_PAIRS = 2**24
"""128 MB: more is never kept, whatever a sweep costs."""
TERMS_A_PAIR = 4
"""A sweep that works out fewer terms than this for each pair there is costs no more than looking at a table."""


@dataclass(frozen=True, eq=False)
class TablePairs:
    """Gains of all pairs in a table, and the overlaps they came from."""

    overlaps: Overlaps
    gains: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        return self.overlaps.shape

    def price(self, rows: Rows, price: Floats, other_price: Floats, asked: Asked) -> Priced:
        """Pairs of these rows that are worth more than the prices."""
        arguments = rows, self.gains, price, other_price, asked.slack, asked.most
        return Priced.joined(rows, map_tiles(_priced, len(rows), *arguments, label="pricing", progress=asked.progress))

    @property
    def complete(self) -> bool:
        """Anybody may be anybody."""
        return True

    @cached_property
    def _other_way(self) -> TablePairs:
        return TablePairs(self.overlaps.exchanged(), np.ascontiguousarray(self.gains.T))

    def exchanged(self) -> TablePairs:
        """The same pairs with the sides exchanged."""
        return self._other_way

    def opening_prices(self) -> tuple[Floats, Floats]:
        """What makes a class dear to all."""
        return self.overlaps.opening_prices()

    def spanning(self) -> tuple[Rows, Rows, Floats]:
        """Pairs on which everyone can be matched, where that matters."""
        return self.overlaps.spanning()

    def offsets(self, rows: Rows, columns: Rows) -> Floats:
        """The part of a pair's gain that is no sum of terms."""
        return self.overlaps.offsets(rows, columns)


def _priced(first: int, last: int, rows: Rows, *arguments: Any) -> Any:
    return kernels.price_table(rows[first:last], *arguments)


def kept_if_dense(overlaps: Overlaps, *, progress: bool | None = None) -> Pairs:
    """The pairs in a table if that is small and saves work; else as they are, worked out anew in every sweep."""
    rows, columns = overlaps.shape
    if rows * columns > MOST_PAIRS or overlaps.terms_a_sweep < TERMS_A_PAIR * rows * columns:
        return overlaps
    gains = overlaps.gains(progress=progress)
    if overlaps.lift:
        gains += overlaps.lift - overlaps.constants(np.arange(rows)[:, None], np.arange(columns)[None, :])
    return TablePairs(overlaps, gains)
