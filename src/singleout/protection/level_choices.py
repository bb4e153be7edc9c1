"""Which levels of each column a search may use: as asked for, from a hierarchy, or as its values suggest.

Words for a column: numbers are the lower ends of ranges (0,18,30); round:5; bottom:18 and top:85; rare:0.01 combines
categories; keep and drop.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from singleout.ground.errors import DataError, InputError, is_number
from singleout.protection.column_levels import (
    KEPT,
    LEFT_OUT,
    Level,
    as_it_is,
    check_nested,
    combine_rare,
    default_levels,
    from_steps,
    left_out,
    ranges_of,
    rounded,
    with_ends,
)
from singleout.protection.lattice import number_of_nodes
from singleout.reading.columns import Column
from singleout.reading.locations import input_files
from singleout.reading.text_guesses import SEPARATOR_ROWS, guess_separator

MOST_NODES = 100_000
"""Combinations of levels that are searched; with more columns each has fewer levels by default."""
FEWEST_LEVELS = 2
"""As it is, and left out."""
WORDS = "numbers that divide it into ranges, round:5, top:85, bottom:18, rare:0.01, keep or drop"
Recode = Mapping[str, str | Sequence[float]]
Hierarchies = Mapping[str, Any]


def choose_levels(columns: Sequence[Column], recode: Recode, hierarchies: Hierarchies) -> list[list[Level]]:
    """The levels of each column; where there are too many to search all of them, those with most have fewer."""
    found = [_levels_of(column, recode, hierarchies) for column in columns]
    while number_of_nodes([len(each) for each in found]) > MOST_NODES:
        most = max((len(each), -number) for number, each in enumerate(found) if columns[number].name not in recode)
        longest = found[-most[1]]
        if len(longest) <= FEWEST_LEVELS:
            raise InputError(
                f"{len(columns)} known columns have too many combinations of levels to search.",
                function="protect_table",
                hint="Say for some of them what to do: recode them to keep or drop, or use fewer.",
            )
        # as it is, every second level between, and left out
        found[-most[1]] = [longest[0], *longest[1:-1][1::2], longest[-1]]
    return found


def _levels_of(column: Column, recode: Recode, hierarchies: Hierarchies) -> list[Level]:
    if column.name in recode:
        return recoded_levels(column, recode[column.name])
    if column.name in hierarchies:
        return hierarchy_levels(column, hierarchies[column.name])
    return default_levels(column)


# ASKED FOR


def recoded_levels(column: Column, asked: str | Sequence[float]) -> list[Level]:
    """The level asked for in words or by cut points; the search may only leave the column out beyond it."""
    if isinstance(asked, str):
        words = [word.strip() for word in asked.split(",") if word.strip()]
        if words == [KEPT]:
            return [as_it_is(column)]
        if words == [LEFT_OUT]:
            return [left_out(column)]
        named = dict(word.split(":", 1) for word in words if ":" in word)
        if named:
            return [_named_level(column, named, asked), left_out(column)]
        cuts = [_number(word) for word in words]
    else:
        cuts = [float(each) if is_number(each) else None for each in asked]
    if not cuts or None in cuts or sorted(set(cuts)) != cuts:  # type: ignore[type-var]
        raise _wrong(column, asked)
    return [ranges_of(column, _numbers(column), [cut for cut in cuts if cut is not None]), left_out(column)]


def _named_level(column: Column, named: Mapping[str, str], asked: str) -> Level:
    values = {name: _number(text) for name, text in named.items()}
    if None in values.values():
        raise _wrong(column, asked)
    match values:
        case {"round": float(to)} if len(values) == 1 and to > 0:
            return rounded(column, _numbers(column), to)
        case {"rare": float(share)} if len(values) == 1 and 0 < share < 1:
            return combine_rare(column, share)
    low, high = values.get("bottom"), values.get("top")
    if not values.keys() <= {"bottom", "top"} or (low is not None and high is not None and low >= high):
        raise _wrong(column, asked)
    return with_ends(column, _numbers(column), low, high)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if is_number(number) else None


def _numbers(column: Column) -> Any:
    numbers = column.numbers
    if numbers is None:
        raise DataError(f"`recode`: {column.name!r} is not a column of numbers.", function="protect_table")
    return numbers


def _wrong(column: Column, asked: Any) -> InputError:
    shown = asked if isinstance(asked, str) else ",".join(map(str, asked))
    problem = f"`recode` for {column.name!r} must be {WORDS} (got {shown[:60]!r})."
    return InputError(problem, function="protect_table")


# HIERARCHIES


def hierarchy_levels(column: Column, hierarchy: Any) -> list[Level]:
    """The levels of a hierarchy: a file with one column per level, the values first; or a mapping to coarser values.

    A file may have a line of names or none: a first line with a value of the column, or with a coarser value that
    occurs again, is a row.
    """
    rows, names = _rows_of(column, hierarchy)
    steps = {row[0]: row[1:] for row in rows}
    written = [str(value) for value in column.values.tolist()]
    away = sum(value not in steps for value in written)
    if away:
        values = "1 value of the column is" if away == 1 else f"{away:,} values of the column are"
        raise _bad_hierarchy(column, f"{values} not in it. Add a row for each.")
    found = [as_it_is(column)]
    for number, name in enumerate(names):
        level = from_steps(column, name, [steps[value][number] for value in written])
        if level.classes == 1:
            break
        if level.classes < found[-1].classes or check_nested([found[-1], level]):
            found.append(level)
    divided = check_nested(found)
    if divided is not None:
        raise _bad_hierarchy(column, f"level {names[divided - 1]} divides values that the level before combines.")
    return [*found, left_out(column)]


def _rows_of(column: Column, hierarchy: Any) -> tuple[list[list[str]], list[str]]:
    """The rows of a hierarchy, value first, and the names of its levels."""
    if isinstance(hierarchy, Mapping):
        return [[str(fine), str(coarse)] for fine, coarse in hierarchy.items()], ["1"]
    files = input_files(hierarchy, "protect_table")
    try:
        text = Path(files[0]).read_text(encoding="utf-8-sig")
        first, *sample = text.splitlines()[: SEPARATOR_ROWS + 1]
        separator = guess_separator(first, sample)
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if row]
    except (UnicodeDecodeError, OSError, ValueError, csv.Error) as error:
        raise _bad_hierarchy(column, f"{files[0].name} is not a readable text file.") from error
    width = len(rows[0])
    if width < 2 or any(len(row) != width for row in rows):
        raise _bad_hierarchy(column, "each row needs a value and the same number of levels.")
    elsewhere = {(number, word) for row in rows[1:] for number, word in enumerate(row[1:])}
    values = set(map(str, column.values.tolist()))
    if rows[0][0] in values or any((number, word) in elsewhere for number, word in enumerate(rows[0][1:])):
        return rows, [str(number) for number in range(1, width)]
    return rows[1:], rows[0][1:]


def _bad_hierarchy(column: Column, problem: str) -> DataError:
    return DataError(f"the hierarchy of {column.name!r}: {problem}", function="protect_table")
