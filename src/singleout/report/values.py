"""Values of options in words, as pages and summaries show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def value_in_words(value: Any) -> str:
    """The value of an option in words: lists with commas, yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {value_in_words(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(value_in_words(each) for each in value)
    return "not set" if value is None else str(value)
