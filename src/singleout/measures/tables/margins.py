"""What a protected table still says: margins of one and two columns, means and correlations.

A reader of the protected file spreads each coarser value evenly over the values it stands for, and leaves out missing
ones. How far the margins they get are from the true ones is the total variation: the share of records that would have
to change their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from singleout.ground.arrays import Floats, Indices, Integers
from singleout.ground.notebooks import Summary
from singleout.ground.numbers import percent
from singleout.reading.columns import Rows

DECIMALS = 12


class Protected(NamedTuple):
    """A column before and after: codes of records, and the coarser value that each code belongs to.

    ``after`` is the coarser value of each row, -1 where it is missing or the row is left out. ``numbers`` are the
    values of the codes, if they are numbers, and ``read`` those of coarser values, where these are numbers too.
    ``times`` is how many records each row stands for; None for one.
    """

    name: str
    before: Indices
    after: Indices
    coarser: Indices
    numbers: Floats | None
    read: Floats | None = None
    times: Integers | None = None

    @property
    def rows(self) -> Rows:
        """Its rows, and the records of each."""
        return Rows(len(self.before), self.times)


@dataclass(frozen=True)
class MarginChange(Summary):
    """How far margins of one and of two columns are off, on average and at most (total variation).

    ``mean_shift`` is the largest change of a mean, in standard deviations, and ``correlation_shift`` the largest change
    of a correlation; None without columns of numbers.
    """

    one_way: float
    one_way_most: float
    two_way: float | None
    two_way_most: float | None
    mean_shift: float | None
    correlation_shift: float | None

    def __str__(self) -> str:
        most = percent(self.one_way_most)
        text = (
            f"How often the values of a column occur is off by {percent(self.one_way)} of the records on average over "
            f"the columns (at most {most})."
        )
        if self.two_way is not None and self.two_way_most is not None:
            text += (
                " How often the combinations of values of two columns occur is off by "
                f"{percent(self.two_way)} (at most {percent(self.two_way_most)})."
            )
        if self.mean_shift is not None:
            text += f" Means are off by at most {self.mean_shift:.2f} standard deviations"
            if self.correlation_shift is not None:
                text += f", correlations by at most {self.correlation_shift:.2f}"
            text += "."
        return text

    __repr__ = __str__


def margin_change(columns: Sequence[Protected]) -> MarginChange:
    """Compare the margins that a reader gets with the true ones."""
    one = [_one_way(column) for column in columns]
    two = [_two_way(first, second) for first, second in combinations(columns, 2)]
    numeric = [column for column in columns if column.numbers is not None]
    means = [_mean_shift(column) for column in numeric]
    between = [_correlation_shift(first, second) for first, second in combinations(numeric, 2)]
    return MarginChange(
        float(np.mean(one)),
        max(one),
        float(np.mean(two)) if two else None,
        max(two, default=None),
        max(means, default=None),
        max(between, default=None),
    )


def _spread(column: Protected) -> Floats:
    """How many values each coarser one stands for."""
    size = max(int(column.after.max(initial=0)), int(column.coarser.max(initial=0))) + 1
    return np.maximum(np.bincount(column.coarser, minlength=size), 1).astype(np.float64)


def _one_way(column: Protected) -> float:
    true = column.rows.count(column.before, len(column.coarser)) / max(column.rows.records, 1)
    there = np.flatnonzero(column.after >= 0)
    if not len(there):
        return 1.0
    spread, left = _spread(column), column.rows.take(there)
    found = left.count(column.after[there], len(spread)) / left.records / spread
    return _total_variation(true, found[column.coarser])


def _total_variation(true: Floats, read: Floats) -> float:
    """Half the sum of differences; what is read for values that nobody has is off as well."""
    return round(float((np.abs(true - read).sum() + max(0.0, 1 - read.sum())) / 2), DECIMALS)


def _two_way(first: Protected, second: Protected) -> float:
    width = len(second.coarser)
    pairs, counts = first.rows.by_value(first.before.astype(np.int64) * width + second.before)
    true = counts / max(first.rows.records, 1)
    both = np.flatnonzero((first.after >= 0) & (second.after >= 0))
    if not len(both):
        return 1.0
    left = first.rows.take(both)
    groups, spread = len(_spread(second)), (_spread(first), _spread(second))
    found, times = left.by_value(first.after[both].astype(np.int64) * groups + second.after[both])
    one, other = first.coarser[pairs // width], second.coarser[pairs % width]
    place = np.minimum(np.searchsorted(found, one * groups + other), len(found) - 1)
    there = np.where(found[place] == one * groups + other, times[place], 0) / left.records
    return _total_variation(true, there / (spread[0][one] * spread[1][other]))


def _read_numbers(column: Protected) -> Floats:
    """The number that a reader takes for each coarser value: the mean of what it stands for; missing last."""
    assert column.numbers is not None
    if column.read is not None:
        return np.append(column.read, np.nan)
    known = column.coarser[: len(column.numbers)]
    size = len(_spread(column))
    total = np.bincount(known, column.numbers, size)
    return np.append(total / np.maximum(np.bincount(known, minlength=size), 1), np.nan)


def _values(column: Protected) -> tuple[Floats, Floats]:
    """Numbers of every row, before and as read from the protected file; NaN where missing."""
    assert column.numbers is not None
    before = np.append(column.numbers, np.nan)[np.minimum(column.before, len(column.numbers))]
    after = _read_numbers(column)[column.after]
    return before, np.where(np.isnan(before), np.nan, after)


def _mean_shift(column: Protected) -> float:
    before, after = _values(column)
    mean = _mean(before, column.times)
    deviation = float(np.sqrt(_mean((before - mean) ** 2, column.times)))
    if not deviation:
        return 0.0
    if np.isnan(after).all():
        return 1.0
    return round(abs(_mean(after, column.times) - mean) / deviation, DECIMALS)


def _mean(values: Floats, times: Integers | None) -> float:
    """Over all records with a number."""
    there = ~np.isnan(values)
    if times is None:
        return float(values[there].mean()) if there.any() else 0.0
    return float(values[there] @ times[there]) / max(int(times[there].sum()), 1)


def _correlation_shift(first: Protected, second: Protected) -> float:
    one, other = _values(first), _values(second)
    before, after = (_correlation(*pair, first.times) for pair in zip(one, other, strict=True))
    return round(abs(before - after), DECIMALS)


def _correlation(first: Floats, second: Floats, times: Integers | None) -> float:
    """0 where one of them does not vary."""
    both = ~(np.isnan(first) | np.isnan(second))
    weights = None if times is None else times[both]
    x, y = (each[both] - _mean(each[both], weights) for each in (first, second))
    if not len(x):
        return 0.0
    own = x if weights is None else x * weights
    scale = float(np.sqrt((own @ x) * (y @ y if weights is None else (y * weights) @ y)))
    return float(own @ y) / scale if scale else 0.0
