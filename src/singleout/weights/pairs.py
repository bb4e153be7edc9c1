"""What the matching engine asks of two sides: which pairs are worth more than their prices say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Priced:
    """What a sweep over rows found.

    ``best``: each row's largest gain minus the other's price, never below zero. ``least``: the least slack (price +
    other price - gain) among the pairs that were not returned. ``row``, ``other``, ``gain``: undervalued pairs.
    """

    best: Floats
    least: Floats
    row: Rows
    other: Rows
    gain: Floats

    @classmethod
    def joined(cls, rows: Rows, parts: list[tuple[Floats, Floats, Rows, Rows, Floats]]) -> Priced:
        """From the tiles' arrays: best, least, number found, and the found ones in a table with room to spare."""
        best, least, found, others, gains = (np.concatenate(part) for part in zip(*parts, strict=True))
        used = np.arange(others.shape[1])[None, :] < found[:, None]
        return cls(best, least, np.repeat(rows, found), others[used], gains[used])


class Pairs(Protocol):
    """All pairs of two sides, never stored: asked for by sweep. Gains are zero or more."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        ...

    def price(
        self, rows: Rows, price: Floats, other_price: Floats, *, slack: float, most: int, progress: bool | None
    ) -> Priced:
        """Up to ``most`` pairs of each of these rows with gain above price + other price + slack."""
        ...

    def exchanged(self) -> Pairs:
        """The same pairs with the sides exchanged."""
        ...

    def offsets(self, rows: Rows, columns: Rows) -> Floats:
        """The part of a pair's gain that was added to make all gains positive."""
        ...
