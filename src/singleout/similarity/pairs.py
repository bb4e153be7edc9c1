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

    ``best``: each row's largest gain minus the other's price, never below zero. ``row``, ``other``, ``gain``:
    undervalued pairs, the most undervalued of each row.
    """

    best: Floats
    row: Rows
    other: Rows
    gain: Floats

    @classmethod
    def joined(cls, rows: Rows, parts: list[tuple[Floats, Rows, Rows, Floats]]) -> Priced:
        """From the tiles' arrays: best, number found, and the found ones in a table with room to spare."""
        if not parts:
            return cls(np.empty(0), rows, rows, np.empty(0))
        best, found, others, gains = (np.concatenate(part) for part in zip(*parts, strict=True))
        used = np.arange(others.shape[1])[None, :] < found[:, None]
        return cls(best, np.repeat(rows, found), others[used], gains[used])


@dataclass(frozen=True)
class Asked:
    """What a sweep is asked for: up to ``most`` pairs of each row that are worth more than the prices and ``slack``.

    Of pairs that share nothing and yet have a gain only the most undervalued need be among them, unless ``every`` pair
    is asked for. Pairs without a gain are never among them.
    """

    slack: float
    most: int
    progress: bool | None
    every: bool = False


class Pairs(Protocol):
    """All pairs of two sides, never stored: asked for by sweep. Gains are zero or more."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        ...

    def price(self, rows: Rows, price: Floats, other_price: Floats, asked: Asked) -> Priced:
        """Pairs of each of these rows with gain above price + other price + slack, the most undervalued."""
        ...

    @property
    def complete(self) -> bool:
        """Whether every row may go with every column; false where pairs are forbidden."""
        ...

    def exchanged(self) -> Pairs:
        """The same pairs with the sides exchanged."""
        ...

    def opening_prices(self) -> tuple[Floats, Floats]:
        """Prices of rows and columns to choose the first candidates by: what makes a row or column dear to all."""
        ...

    def spanning(self) -> tuple[Rows, Rows, Floats]:
        """Pairs with gains on which everyone can be matched; none where staying unmatched costs no more than a pair.

        Without them a first choice of candidates may leave people out, at a price far above that of any real pair.
        """
        ...

    def offsets(self, rows: Rows, columns: Rows) -> Floats:
        """The part of a pair's gain that was added to make all gains positive."""
        ...


def corner_pairs(row_order: Rows, supply: Rows, col_order: Rows, demand: Rows) -> tuple[Rows, Rows]:
    """Serve columns with rows, both in the given order, each until it is used up: pairs that can match everyone."""
    row_ends, col_ends = np.cumsum(supply[row_order]), np.cumsum(demand[col_order])
    ends = np.union1d(row_ends, col_ends)
    ends = ends[ends <= min(row_ends[-1], col_ends[-1])]
    return row_order[np.searchsorted(row_ends, ends)], col_order[np.searchsorted(col_ends, ends)]


NO_PAIRS = np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
