"""Names of columns as a first row gives them: gaps are filled, and no two are the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from singleout.ground.errors import SourceError

GAPS = {"", "missing", "na", "nan", "none", "null", "unknown"}
"""How gaps are written, in small letters."""
YEAR = r"(19|20)\d\d"


def has_same_names(names: Iterable[str]) -> bool:
    """Whether two columns have the same name."""
    listed = list(names)
    return len(set(listed)) < len(listed)


def same_name(which: str, names: Sequence[str]) -> SourceError:
    """Say that two columns have the same name, by their numbers: a first line may be a record, which is not shown."""
    first, second = next(
        (names.index(name), number) for number, name in enumerate(names) if name and name in names[:number]
    )
    return SourceError(f"columns {first + 1:,} and {second + 1:,} of {which} have the same name. Rename one of them.")


def look_like_names(names: Iterable[str]) -> bool:
    """Whether a first row looks like column names, of a few words and perhaps a unit in brackets, not like data."""
    return all(re.fullmatch(r"[^\W\d][\w.:-]*( [^\W\d][\w.:-]*){0,4}( ?\([\w%/€$.-]*\))?", name) for name in names)


def has_values(line: str) -> bool:
    """Whether a line holds a number, a date or a time, as a record does; a year may be the name of a column."""
    fields = [field.strip(" \t\"'") for field in re.split(r"[,;\t|]", line)]
    return any(re.fullmatch(r"[+-]?\d[\d.:/ TZ+-]*", field) and not re.fullmatch(YEAR, field) for field in fields)


def is_header(row: Sequence[str], names: Sequence[str], sample: Sequence[Sequence[str]]) -> bool:
    """Whether a first row, for which names were given, is a row of names itself: the same ones, or text over numbers.

    Text over numbers only where it looks like names, none of which is a gap or met again as a value.
    """
    fields = [field.strip() for field in row[: len(names)]]
    if [field.casefold() for field in fields] == [name.strip().casefold() for name in names]:
        return True
    columns = [
        [other[n].strip() for other in sample if n < len(other) and other[n].strip()] for n in range(len(fields))
    ]
    over_numbers = any(values and all(re.match(r"[+-]?\d", value) for value in values) for values in columns)
    is_value = any(field in values or field.casefold() in GAPS for field, values in zip(fields, columns, strict=True))
    return over_numbers and not is_value and look_like_names(fields)


def header_under_names(which: str) -> SourceError:
    """Say that a file has a header, though names were given in place of one."""
    hint = "Leave out `columns_are` and use the names in it; if it is a record after all, move it below the others."
    return SourceError(f"the first line of {which} looks like column names.", hint=hint)


def fill_names(fields: Sequence[str]) -> tuple[str, ...]:
    """The names, with a new name for each column without one."""
    names = list(fields)
    for number, name in enumerate(fields):
        new = f"column{number}"
        while not name and new in names:
            new += "_"
        names[number] = name or new
    return tuple(names)


def make_distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that differ only in capital letters get a number, as the database does, which ignores case."""
    apart: list[str] = []
    met: set[str] = set()
    for name in names:
        number, new = 0, name
        while new.casefold() in met:
            number += 1
            new = f"{name}_{number}"
        met.add(new.casefold())
        apart.append(new)
    return tuple(apart)
