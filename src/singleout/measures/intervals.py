"""A number is never alone: value, interval, level, and how many people it rests on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from singleout.ground.errors import bad_argument, check_level


@dataclass(frozen=True)
class Estimate:
    """A share with an interval."""

    value: float
    low: float
    high: float
    level: float
    n: int

    def __str__(self) -> str:
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]"

    def as_json(self) -> dict[str, float | int]:
        """Plain data for a result file."""
        return {"value": self.value, "low": self.low, "high": self.high, "level": self.level, "n": self.n}


def wilson(count: float, n: int, level: float = 0.95) -> Estimate:
    """Wilson's interval for ``count`` out of ``n``; the count may be an expected one, and so broken.

    It treats people as independent, which people matched jointly are not quite: read it as a guide.
    """
    check_level("wilson", level)
    if n < 1 or not 0 <= count <= n * (1 + 1e-12):
        raise bad_argument("wilson", "count", "from 0 to n, with n at least 1", (count, n))
    z, share = float(ndtri(0.5 + level / 2)), min(count / n, 1.0)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    # at the ends rounding may put the bound a hair inside the value
    return Estimate(share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)), level, n)
