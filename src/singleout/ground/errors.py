"""The tree of errors and the one template for bad input.

A message says which argument of which function, what it must be, what it got, and what to do instead. It never
carries a value out of the data: rows are named by number.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from numbers import Integral, Real

from singleout.ground.notes import shortened

LONGEST = 200
"""Signs of a value that a message repeats."""


class SingleoutError(Exception):
    """Any error that singleout raises on purpose."""


class InputError(SingleoutError, ValueError):
    """An argument that cannot be used as given."""


class SourceError(InputError):
    """A file or frame that cannot be read, or lacks a column."""


class DataError(InputError):
    """A source that can be read but holds values that cannot be used."""


class ResourceError(SingleoutError):
    """Too little memory or disk; it says how much was needed."""


class OutputError(SingleoutError, OSError):
    """A result that could not be written; nothing half-written is left."""


def bad_argument(function: str, argument: str, must: str, got: object, instead: str = "") -> InputError:
    """Fill the template: which argument of which function, must be what, got what, what to do instead."""
    return InputError(
        _sentence(f"{function}: {argument} must be {must}, got {shortened(repr(got), LONGEST)}.", instead)
    )


def is_number(value: object) -> bool:
    """Whether a value is a finite number (true and false are none)."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of more than 300 digits
        return False


def is_whole(value: object) -> bool:
    """Whether a value is a whole number of Python's or NumPy's."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_seed(function: str, seed: object) -> None:
    """Refuse what would not give the same numbers again."""
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise bad_argument(function, "seed", "a whole number of zero or more", seed)


def check_level(function: str, level: object) -> None:
    """Refuse what cannot be the level of an interval."""
    if not isinstance(level, Real) or isinstance(level, bool) or not 0 < float(level) < 1:
        raise bad_argument(function, "level", "between 0 and 1", level)


def unknown_name(function: str, argument: str, got: str, names: Iterable[str]) -> InputError:
    """Say which names there are, and which of them is near to the one given."""
    choices = sorted(names)
    return bad_argument(function, argument, f"one of {', '.join(choices)}", got, near(got, choices))


def near(got: str, names: Iterable[str], likeness: float = 0.5) -> str:
    """'Did you mean …?' for a name that nearly exists, else nothing."""
    by_lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(str(got).lower(), list(by_lower), n=1, cutoff=likeness)
    return f"Did you mean {by_lower[close[0]]!r}?" if close else ""


def _sentence(text: str, more: str) -> str:
    return f"{text} {more}" if more else text
