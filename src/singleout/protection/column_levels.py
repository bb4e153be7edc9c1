"""The levels of a column, from its values as they are to a column that is left out; each merges values of the last.

Numbers become ranges of about equally many records, dates become months, quarters and years, codes of digits lose
their last digits, and rare categories are combined. A missing value stays missing until the column is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices
from singleout.reading.columns import EXACT_INTEGERS, Column

FINEST = 64
"""The most ranges that numbers are grouped into by default; each further level has half as many."""
RARE = (0.001, 0.01, 0.05)
"""Shares of the records below which a category counts as rare, level by level."""
DATE = re.compile(r"(\d{4})-(\d{2})(-\d{2})?([ T].*)?")
DIGITS = re.compile(r"\d{3,12}")
DECIMALS = 12
"""Rounded numbers keep this many decimals, so that 3 times 0.1 is 0.3."""
KEPT, LEFT_OUT = "keep", "drop"


@dataclass(frozen=True, eq=False)
class Level:
    """One way to write a column: ``codes`` is the new code of each of its codes, ``labels`` what is written for each.

    ``how`` says it in a few words and ``does`` as the subject of a sentence: grouping the values of age into 8 ranges.
    ``cuts`` are the lower ends of ranges, ``merged`` the number of values that are combined into one. Where ``labels``
    is None the values are written as they are.
    """

    how: str
    does: str
    codes: NDArray[np.int64]
    labels: tuple[Any, ...] | None
    cuts: tuple[float, ...] = ()
    merged: int = 0

    @property
    def is_left_out(self) -> bool:
        """Whether the column is not in the file at all."""
        return self.how == LEFT_OUT

    @property
    def classes(self) -> int:
        """How many different values are left."""
        return int(self.codes.max(initial=0)) + 1

    def is_coarser(self, finer: Level) -> bool:
        """Whether it merges values of another, and never divides one."""
        pairs = np.unique(np.column_stack([finer.codes, self.codes]), axis=0)
        return len(pairs) == len(np.unique(finer.codes))


def as_it_is(column: Column) -> Level:
    """Nothing is changed."""
    return Level(KEPT, f"releasing {column.name} as it is", np.arange(column.levels, dtype=np.int64), None)


def left_out(column: Column) -> Level:
    """The column is not released."""
    return Level(LEFT_OUT, f"leaving out {column.name}", np.zeros(column.levels, dtype=np.int64), None)


def default_levels(column: Column, finest: int = FINEST) -> list[Level]:
    """All levels of a column, by what its values look like; each has fewer classes than the one before."""
    numbers = column.numbers
    if numbers is not None:
        middle = _halving_ranges(column, numbers, finest)
    elif _all_match(column, DATE):
        middle = _calendar(column)
    elif _all_match(column, DIGITS) and len({len(value) for value in column.values}) == 1:
        middle = _prefixes(column)
    else:
        middle = (combine_rare(column, share) for share in RARE)
    found = [as_it_is(column)]
    for level in (*middle, left_out(column)):
        if level.classes < found[-1].classes:
            found.append(level)
    return found


# NUMBERS


def ranges_of(column: Column, numbers: Floats, cuts: Sequence[float]) -> Level:
    """Numbers grouped into ranges: ``cuts`` are the lower ends of all but the lowest range."""
    place = np.searchsorted(np.asarray(cuts, dtype=np.float64), numbers, side="right")
    used, codes = np.unique(place, return_inverse=True)
    whole = bool((numbers == np.round(numbers)).all() and all(cut == round(cut) for cut in cuts))
    labels = [_range_label(cuts, int(number), whole) for number in used]
    does = f"grouping the values of {column.name} into {len(labels)} ranges"
    return _level(column, f"{len(labels)} ranges", does, codes, labels, cuts=tuple(map(float, cuts)))


def rounded(column: Column, numbers: Floats, to: float) -> Level:
    """Numbers rounded to the nearest multiple."""
    found, codes = np.unique(np.floor(numbers / to + 0.5), return_inverse=True)
    labels = [_plain(round(float(each) * to, DECIMALS)) for each in found]
    how = f"rounded to {to:g}"
    return _level(column, how, f"rounding {column.name} to multiples of {to:g}", codes, labels)


def with_ends(column: Column, numbers: Floats, low: float | None, high: float | None) -> Level:
    """Bottom and top coding: numbers below ``low`` are combined, and those from ``high`` on."""
    clipped = numbers.copy()
    under = np.zeros(len(numbers), dtype=bool) if low is None else numbers < low
    over = np.zeros(len(numbers), dtype=bool) if high is None else numbers >= high
    clipped[under], clipped[over] = -np.inf, np.inf
    found, codes = np.unique(clipped, return_inverse=True)
    names = {-np.inf: f"under {_plain(low or 0)}", np.inf: f"{_plain(high or 0)} or more"}
    labels = [names[each] if each in names else str(_plain(each)) for each in found.tolist()]
    ends = [] if low is None else [f"below {low:g}"]
    ends += [] if high is None else [f"from {high:g} on"]
    does = f"combining the values of {column.name} {' and those '.join(ends)}"
    cuts = tuple(float(each) for each in (low, high) if each is not None)
    return _level(column, "top and bottom coded", does, codes, labels, cuts=cuts)


def _halving_ranges(column: Column, numbers: Floats, finest: int) -> Iterator[Level]:
    """Ranges of about equally many records, half as many at each level, each of two ranges of the one before."""
    order = np.argsort(numbers, kind="stable")
    counts = column.counts[: len(numbers)][order]
    middle = np.cumsum(counts) - counts / 2
    finest_number = np.minimum((middle * finest / max(int(counts.sum()), 1)).astype(np.int64), finest - 1)
    ranges = finest
    while ranges >= 2:
        number = finest_number * ranges // finest
        starts = np.flatnonzero(np.diff(number)) + 1
        if len(starts):
            ascending = numbers[order]
            cuts = [_shortest_between(float(ascending[start - 1]), float(ascending[start])) for start in starts]
            yield ranges_of(column, numbers, cuts)
        ranges //= 2


def _shortest_between(below: float, upper: float) -> float:
    """The number above one value and up to the next that has the fewest digits: a cut need not be anyone's value."""
    largest = max(abs(below), abs(upper), 1e-9)
    for power in range(int(np.ceil(np.log10(largest))), -DECIMALS, -1):
        step = 10.0**power
        cut = round(float(np.floor(upper / step)) * step, DECIMALS)
        if below < cut <= upper:
            return cut
    return upper


def _range_label(cuts: Sequence[float], number: int, whole: bool) -> str:
    if number == 0:
        return f"under {_plain(cuts[0])}"
    low = _plain(cuts[number - 1])
    if number == len(cuts):
        return f"{low} or more"
    if not whole:
        return f"{low} to under {_plain(cuts[number])}"
    high = int(cuts[number]) - 1
    return str(low) if high == low else f"{low} to {high}"


def _plain(number: float) -> int | float:
    """Whole numbers without a decimal point."""
    return int(number) if abs(number) < EXACT_INTEGERS and number == int(number) else number


# DATES, CODES and CATEGORIES


def _calendar(column: Column) -> Iterator[Level]:
    """Dates as days, months, quarters, years and decades."""
    parts: dict[str, Callable[[str], str]] = {
        "days": lambda date: date[:10],
        "months": lambda date: date[:7],
        "quarters": lambda date: f"{date[:4]}-Q{(int(date[5:7]) + 2) // 3}",
        "years": lambda date: date[:4],
        "decades": lambda date: f"{date[:3]}0s",
    }
    for unit, part in parts.items():
        yield _relabelled(column, unit, f"releasing only {unit} of {column.name}", part)


def _prefixes(column: Column) -> Iterator[Level]:
    """Codes of digits, such as postcodes, without their last digits."""
    length = len(column.values[0])
    for kept in range(length - 1, 0, -1):
        does = f"releasing only the first {f'{kept} digits' if kept > 1 else 'digit'} of {column.name}"

        def cut(code: str, kept: int = kept) -> str:
            return code[:kept] + "*" * (length - kept)

        yield _relabelled(column, f"first {kept} digits", does, cut)


def combine_rare(column: Column, share: float) -> Level:
    """Categories that fewer than a share of the records have, as one."""
    counts = column.counts[: len(column.values)]
    rare = counts < share * column.records
    does = f"combining the values of {column.name} that fewer than {share:.1%} of records have".replace(".0%", "%")
    other = "other"
    while other in set(map(str, column.values[~rare])):
        other += " values"
    labels = [other] * bool(rare.any()) + [str(value) for value in column.values[~rare]]
    codes = np.where(rare, 0, np.cumsum(~rare) - 1 + bool(rare.any()))
    how = f"values below {share:.1%} combined".replace(".0%", "%")
    return _level(column, how, does, codes, labels, merged=int(rare.sum()))


def _relabelled(column: Column, how: str, does: str, label: Callable[[str], str]) -> Level:
    labels, codes = np.unique([label(value) for value in column.values.tolist()], return_inverse=True)
    return _level(column, how, does, codes, labels.tolist())


def from_steps(column: Column, name: str, coarse: Sequence[str]) -> Level:
    """A level of a hierarchy: ``coarse`` is the coarser value of each value."""
    labels, codes = np.unique(np.array(coarse, dtype=object), return_inverse=True)
    how = f"hierarchy level {name}"
    return _level(
        column, how, f"replacing the values of {column.name} with level {name} of its hierarchy", codes, labels.tolist()
    )


def check_nested(levels: Sequence[Level]) -> int | None:
    """The first level that divides values which the one before has merged; None if there is none."""
    return next((number for number, (a, b) in enumerate(pairwise(levels), 1) if not b.is_coarser(a)), None)


def _all_match(column: Column, pattern: re.Pattern[str]) -> bool:
    if column.values.dtype.kind != "O" or not len(column.values):
        return False
    return all(isinstance(value, str) and pattern.fullmatch(value) for value in column.values)


def _level(
    column: Column,
    how: str,
    does: str,
    codes: Indices,
    labels: Sequence[Any],
    *,
    cuts: tuple[float, ...] = (),
    merged: int = 0,
) -> Level:
    """With a code of its own for missing values, if there are any."""
    if column.any_missing:
        codes, labels = np.append(codes, len(labels)), [*labels, None]
    return Level(how, does, codes.astype(np.int64), tuple(labels), cuts, merged)
