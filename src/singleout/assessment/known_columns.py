"""Which columns an intruder is said to know: too little of an attack, and everyone would look safe.

Columns that distinguish nobody are refused or named, and so are those that others are likely to know as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from singleout.ground.errors import DataError
from singleout.ground.notes import cut_middle, in_a_row
from singleout.reading.attribute_words import HIDDEN_WORDS, SEEN_WORDS
from singleout.reading.columns import Column
from singleout.reading.identifiers import LONGEST_NAME
from singleout.reading.roles import words_of_name

MOST_NAMED = 5
"""Columns that a sentence lists."""


def refuse_constant(columns: Sequence[Column], function: str, argument: str = "known_columns") -> None:
    """Refuse known columns none of which has two values; one record has nobody to be distinguished from."""
    idle = _constant(columns)
    if columns and len(idle) == len(columns) and columns[0].records > 1:
        raise DataError(
            f"`{argument}` distinguishes nobody: {_in_words(idle)}. Everyone would look safe, without any attack.",
            function=function,
            hint="Name columns in which people differ.",
        )


def constant_in_words(columns: Sequence[Column]) -> str:
    """Which of the known columns distinguish nobody, in a sentence; empty where each distinguishes someone."""
    idle = _constant(columns)
    if not idle:
        return ""
    they = "it distinguishes" if len(idle) == 1 else "they distinguish"
    return f"Of the known columns, {_in_words(idle)}: {they} nobody."


def likely_known_in_words(columns: Sequence[str], known: Sequence[str]) -> str:
    """Which released columns others may know, by their names, that the intruder is not said to know; empty if none."""
    words = {name: set(words_of_name(name)) for name in columns if name not in known}
    more = [name for name, each in words.items() if each & SEEN_WORDS and not each & HIDDEN_WORDS]
    if not more:
        return ""
    listed = [cut_middle(repr(name), LONGEST_NAME) for name in more[:MOST_NAMED]]
    listed += [f"{len(more) - MOST_NAMED} more"] if len(more) > MOST_NAMED else []
    them = "it" if len(more) == 1 else "them"
    return f"Others can often see or look up {in_a_row(listed)} as well; the intruder is assumed not to know {them}."


def _constant(columns: Sequence[Column]) -> list[Column]:
    return [column for column in columns if column.levels == 1]


def _in_words(columns: Sequence[Column]) -> str:
    return in_a_row([f"{cut_middle(repr(each.name), LONGEST_NAME)} has {_values(each)}" for each in columns])


def _values(column: Column) -> str:
    return "no values" if column.any_missing else "one value only"
