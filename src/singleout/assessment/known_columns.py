"""Known columns that distinguish nobody: where all of them do not, there is no attack, and everyone would look safe."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.ground.errors import DataError
from singleout.ground.notes import cut_middle, in_a_row
from singleout.reading.columns import Column
from singleout.reading.identifiers import LONGEST_NAME


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


def _constant(columns: Sequence[Column]) -> list[Column]:
    return [column for column in columns if column.levels == 1]


def _in_words(columns: Sequence[Column]) -> str:
    return in_a_row([f"{cut_middle(repr(each.name), LONGEST_NAME)} has {_values(each)}" for each in columns])


def _values(column: Column) -> str:
    return "no values" if column.any_missing else "one value only"
