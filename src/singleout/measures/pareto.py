"""The points that no other point beats."""

from __future__ import annotations

from collections.abc import Sequence


def undominated(points: Sequence[tuple[float, float]]) -> list[bool]:
    """For each point, whether no other is lower in one number and not higher in the other."""

    def is_beaten(here: tuple[float, float]) -> bool:
        return any(there[0] <= here[0] and there[1] <= here[1] and there != here for there in points)

    return [not is_beaten(point) for point in points]
