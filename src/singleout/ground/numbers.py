"""Numbers as readers meet them."""

from __future__ import annotations

import math
import re
from typing import Any

from singleout.ground.errors import is_number

MOST_DIGITS = 9
"""After the point of a share in percent."""
ROUNDING = 1e-9
"""A share that differs from 1 by less was rounded."""


def percent(value: float) -> str:
    """A share in percent, with as many digits as it takes to differ from nothing and from all."""
    if value == 0:
        return "0%"
    if 0.9995 <= value < 1 - ROUNDING:
        return f"{100 * value:.{-math.floor(math.log10(100 * (1 - value)))}f}%"
    if 0 < value < 0.0001:
        return f"{100 * value:.{-math.floor(math.log10(100 * value))}f}%"
    return f"{value:.2%}" if value < 0.01 else f"{value:.1%}"


def percent_above(value: float, limit: float) -> str:
    """A share that is above a limit, with as many digits as it takes to see it.

    >>> percent_above(0.0502, 0.05), percent_above(0.3, 0.05)
    ('5.02%', '30.0%')
    """
    shown, digits = percent(value), 1
    while value > limit and shown == percent(limit) and digits < MOST_DIGITS:
        digits += 1
        shown = f"{value:.{digits}%}"
    return shown


def points(difference: float) -> str:
    """A difference of two shares in percentage points, with its sign, and two digits where one would hide it.

    >>> points(-0.218), points(0.0042), points(0.0)
    ('−21.8', '+0.42', '0.0')
    """
    size = 100 * abs(difference)
    shown = f"{size:.2f}" if 0 < size < 1 else f"{size:.1f}"
    sign = "" if not float(shown) else "−" if difference < 0 else "+"
    return f"{sign}{shown}"


def capitalise(text: str) -> str:
    """With a capital first letter, as at the start of a sentence."""
    return text[:1].upper() + text[1:]


def plural(noun: str) -> str:
    """Several of what a noun names: places, categories, branches."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"


SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600}


def seconds_of(text: str) -> float | None:
    """A length of time such as 90s, 5m or 1.5h, in seconds; None if it is none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min|h)", text.strip())
    return (float(found[1]) * SECONDS[found[2]] or None) if found else None


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    if seconds < 1.5 * SECONDS["m"]:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / SECONDS['m'])} min" if seconds < 1.5 * SECONDS["h"] else f"{seconds / SECONDS['h']:.1f} h"


def as_share(value: Any) -> float:
    """A share as a number: 0.05, or the texts 0.05, 0,05 and 5%."""
    number, parts = value, 1
    if isinstance(value, str):
        plain = value.strip().replace(",", ".")  # a decimal comma is no other number here
        parts = 100 if plain.endswith("%") else 1
        try:
            number = float(plain.removesuffix("%"))
        except ValueError:
            number = None
    if not is_number(number):
        raise ValueError("a number or a percentage, such as 0.05 or 5%")
    return float(number) if parts == 1 else round(number / parts, 12)
