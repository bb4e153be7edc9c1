"""One-by-one matching in both directions: an intruder may start from the released people or from those they know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.matching.result import Matching
from singleout.measures.accuracy import accuracy


def stronger_way(by_released: Matching, by_known: Matching, truth: Mapping[Any, Any] | None) -> Matching:
    """The direction that re-identifies more people; of equals the one that starts from the released people."""
    return max(by_released, by_known, key=lambda each: accuracy(each, truth).expected)
