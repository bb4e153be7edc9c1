"""Arguments that every matching checks."""

from __future__ import annotations

from typing import get_args

from singleout.ground.errors import DataError, bad_argument, check_seed, is_number, is_whole
from singleout.ground.names import Side
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import People

SIDES: tuple[Side, ...] = get_args(Side)


def check_sides(function: str, sides: tuple[Histograms | People, Histograms | People]) -> None:
    """Refuse a side without people."""
    for argument, side in zip(SIDES, sides, strict=True):
        if not len(side):
            raise DataError(f"`{argument}` contains no people.", function=function)


def check_numbers(function: str, largest: int, method: str, size: int | None, tolerance: float, seed: int) -> None:
    """Refuse numbers of pairs, tolerances and seeds that make no sense."""
    if method != "joint" and (size is not None or tolerance != 0):
        raise bad_argument(function, "method", "joint if size or tolerance is given", method)
    if size is not None and not (is_whole(size) and 1 <= size <= largest):
        raise bad_argument(function, "size", f"a whole number from 1 to {largest} (the smaller side)", size)
    if not is_number(tolerance) or not 0 <= tolerance < 1:
        raise bad_argument(function, "tolerance", "from 0 (exact) to below 1", tolerance)
    check_seed(function, seed)
