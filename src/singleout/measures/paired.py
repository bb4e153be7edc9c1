"""Two attacks on the same people: is the difference more than chance? McNemar's exact test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr


@dataclass(frozen=True)
class Paired:
    """People whom only the first of two attacks gets right, and only the second.

    ``p`` is the probability of a difference at least this large, in either direction, if both were equally good: only
    people on whom the two differ matter, and each of them is equally likely to be right with either.
    """

    only_first: int
    only_second: int

    @property
    def p(self) -> float:
        """McNemar's exact two-sided p-value; 1 if the two attacks differ on nobody."""
        differ = self.only_first + self.only_second
        return min(1.0, 2 * float(bdtr(min(self.only_first, self.only_second), differ, 0.5))) if differ else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"only_first": self.only_first, "only_second": self.only_second, "p": self.p}


def compare_pairs(first: NDArray[Any], second: NDArray[Any]) -> Paired:
    """Compare two attacks person by person: whether each was right, or the probability of it where ties are random.

    With probabilities, the numbers of people on whom the two differ are expected values, rounded.
    """
    only_first, only_second = (np.sort(a * (1.0 - b)).sum() for a, b in ((first, second), (second, first)))
    return Paired(round(float(only_first)), round(float(only_second)))
