"""What the matching engine needs of two sides: the pairs that are worth more than their prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from singleout.ground.arrays import Floats, Indices


@dataclass(frozen=True, eq=False)
class Priced:
    """What a sweep over rows found.

    ``best``: each row's largest gain minus the price of the other side, at least zero or its own price. ``row``,
    ``other``, ``gain``: undervalued pairs, the most undervalued of each row.
    """

    best: Floats
    row: Indices
    other: Indices
    gain: Floats

    @classmethod
    def join(cls, rows: Indices, parts: list[tuple[Floats, Indices, Indices, Floats]]) -> Priced:
        """From the arrays of tiles: best, number found, and the pairs found in a padded table."""
        if not parts:
            return cls(np.empty(0), rows, rows, np.empty(0))
        best, found, others, gains = (np.concatenate(part) for part in zip(*parts, strict=True))
        used = np.arange(others.shape[1])[None, :] < found[:, None]
        return cls(best, np.repeat(rows, found), others[used], gains[used])


@dataclass(frozen=True)
class SweepRequest:
    """What a sweep returns: up to ``most`` pairs of each row that are worth more than the prices and ``slack``.

    Of pairs that share nothing and yet have a gain, only the most undervalued need be included, unless ``every`` pair
    is wanted. Pairs without a gain are never included.
    """

    slack: float
    most: int
    progress: bool | None
    every: bool = False


class Pairs(Protocol):
    """All pairs of two sides, never stored: computed by sweeps. Gains are zero or more."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        ...

    def price(self, rows: Indices, price: Floats, other_price: Floats, asked: SweepRequest) -> Priced:
        """Pairs of each of these rows with gain above price + other price + slack, the most undervalued."""
        ...

    @property
    def complete(self) -> bool:
        """Whether every row may be matched with every column; false if pairs are forbidden."""
        ...

    def swap_sides(self) -> Pairs:
        """The same pairs with the sides swapped."""
        ...

    def opening_prices(self) -> tuple[Floats, Floats]:
        """Prices for choosing the first candidates: what makes a row or column attractive to all."""
        ...

    def spanning(self) -> tuple[Indices, Indices, Floats]:
        """Pairs with gains by which everyone can be matched; none if staying unmatched costs no more than a pair.

        Without them a first choice of candidates may leave people out, at a price far above that of any real pair.
        """
        ...

    def offsets(self, rows: Indices, columns: Indices) -> Floats:
        """The part of a pair's gain that was added to make all gains positive."""
        ...


def corner_pairs(row_order: Indices, supply: Indices, col_order: Indices, demand: Indices) -> tuple[Indices, Indices]:
    """Fill columns with rows, both in the given order, each until it is used up: pairs that can match everyone."""
    row_ends, col_ends = np.cumsum(supply[row_order]), np.cumsum(demand[col_order])
    ends = np.union1d(row_ends, col_ends)
    ends = ends[ends <= min(row_ends[-1], col_ends[-1])]
    return row_order[np.searchsorted(row_ends, ends)], col_order[np.searchsorted(col_ends, ends)]


NO_PAIRS = np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
