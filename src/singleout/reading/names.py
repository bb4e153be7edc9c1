"""Names of columns as a first row gives them: gaps are filled, and no two are the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from singleout.ground.errors import SourceError


def has_same_names(names: Iterable[str]) -> bool:
    """Whether two columns have the same name."""
    listed = list(names)
    return len(set(listed)) < len(listed)


def same_name(which: str) -> SourceError:
    """Say that two columns have the same name."""
    return SourceError(f"{which} has two columns with the same name. Rename one of them.")


def look_like_names(names: Iterable[str]) -> bool:
    """Whether a first row looks like column names, which may end with a unit in brackets, not like data."""
    return all(re.fullmatch(r"[^\W\d][\w.:-]*( ?\([\w%/€$.-]*\))?", name) for name in names)


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
