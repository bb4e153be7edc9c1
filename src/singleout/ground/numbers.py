"""Numbers as readers meet them."""

from __future__ import annotations

import math


def percent(value: float) -> str:
    """A share in percent, with two digits where one would hide it."""
    if 0 < value < 0.0001:
        return f"{100 * value:.{-math.floor(math.log10(100 * value))}f}%"
    return f"{value:.2%}" if value < 0.01 else f"{value:.1%}"


def capitalise(text: str) -> str:
    """With a capital first letter, as at the start of a sentence."""
    return text[:1].upper() + text[1:]


def plural(noun: str) -> str:
    """Several of what a noun names: places, categories, branches."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"
