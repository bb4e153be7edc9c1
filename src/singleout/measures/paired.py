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

    ``p`` is the chance of a difference at least this large, either way, if both were equally good: only people on whom
    the two differ say anything, and each of them is as likely to fall to one as to the other.
    """

    only_first: int
    only_second: int

    @property
    def p(self) -> float:
        """McNemar's exact two-sided p-value; 1 where the two attacks differ on nobody."""
        differ = self.only_first + self.only_second
        return min(1.0, 2 * float(bdtr(min(self.only_first, self.only_second), differ, 0.5))) if differ else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"only_first": self.only_first, "only_second": self.only_second, "p": self.p}


def paired(first: NDArray[Any], second: NDArray[Any]) -> Paired:
    """Compare two attacks person by person: whether each got them right, or how likely that is where ties are drawn.

    With chances the people on whom the two differ are those to be expected, rounded.
    """
    only_first, only_second = (np.sort(a * (1.0 - b)).sum() for a, b in ((first, second), (second, first)))
    return Paired(round(float(only_first)), round(float(only_second)))
