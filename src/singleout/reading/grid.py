"""Places: a square grid in metres over coordinates, as SQL."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.errors import bad_argument

EARTH_RADIUS = 6_371_008.8
METRES_PER_DEGREE = math.radians(1) * EARTH_RADIUS
ROW_STEP = 2**32
"""A cell's id is row * 2**32 + column: one 64-bit number, the same in every file with the same grid."""


SMALLEST_SIDE = 0.1
"""Smaller cells would overflow their ids, and no device measures a position that precisely."""


@dataclass(frozen=True)
class Grid:
    """Square cells of ``side`` metres.

    With a ``box`` (latitude, longitude, side in metres: centre and side) cells are counted from its south-west
    corner in a local equirectangular projection with the cosine at its centre (N16 IV-C), and points outside have
    no place. Without one, rows are counted from the equator and columns from the meridian of Greenwich, with the
    cosine at the middle of each row: a fixed origin, so that two files align, and cells stay square everywhere.
    """

    side: float
    box: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.side) and self.side >= SMALLEST_SIDE):
            raise bad_argument(
                "read_events", "grid", f"the side of a cell in metres, at least {SMALLEST_SIDE}", self.side
            )
        if self.box is not None:
            _check_box(self.box)

    def cell(self, lat: str, lng: str) -> str:
        """SQL for the cell of a point in degrees; NULL outside the box or where a coordinate is NULL."""
        if self.box is None:
            row = f"floor({lat} * {METRES_PER_DEGREE / self.side!r})"
            cosine = f"cos(radians(({row} + 0.5) * {self.side / METRES_PER_DEGREE!r}))"
            return _cell_id(row, f"floor({lng} * {METRES_PER_DEGREE / self.side!r} * {cosine})")
        north, east = self._metres(lat, lng)
        cell = _cell_id(f"floor({north} / {self.side!r})", f"floor({east} / {self.side!r})")
        return f"CASE WHEN {self.inside(lat, lng)} THEN {cell} END"

    def inside(self, lat: str, lng: str) -> str:
        """SQL for whether a point lies in the box."""
        if self.box is None:
            return "true"
        return " AND ".join(f"{metres} >= 0 AND {metres} < {self.box[2]!r}" for metres in self._metres(lat, lng))

    def _metres(self, lat: str, lng: str) -> tuple[str, str]:
        """SQL for a point's distance north and east of the box's south-west corner."""
        (north, south), (east, west) = self._box_factors
        return f"({lat} * {north!r} - {south!r})", f"({lng} * {east!r} - {west!r})"

    def metres_of(self, lat: Any, lng: Any) -> tuple[Any, Any]:
        """The same for anything that can be multiplied and subtracted."""
        (north, south), (east, west) = self._box_factors
        return lat * north - south, lng * east - west

    @property
    def _box_factors(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Metres for each degree, and what is subtracted then: of latitude and of longitude."""
        assert self.box is not None
        centre_lat, centre_lng, side = self.box
        per_degree = METRES_PER_DEGREE * math.cos(math.radians(centre_lat))
        return (
            (METRES_PER_DEGREE, centre_lat * METRES_PER_DEGREE - side / 2),
            (per_degree, centre_lng * per_degree - side / 2),
        )

    def containing(self, cells: NDArray[np.int64], finer: Grid) -> NDArray[np.int64]:
        """The cell that contains the middle of each cell of a finer grid, whose side divides ours.

        In a box, cells lie inside larger cells. Without one they may span two: the columns of a row follow the cosine
        at its middle, and the middle of a larger row is elsewhere.
        """
        times = round(self.side / finer.side)
        row = (cells + ROW_STEP // 2) // ROW_STEP
        column, larger = cells - row * ROW_STEP, row // times
        if self.box is not None:
            return np.asarray(larger * ROW_STEP + column // times)
        stretch = self._cosine(larger) / finer._cosine(row)
        return np.asarray(larger * ROW_STEP + np.floor((column + 0.5) / times * stretch).astype(np.int64))

    def middles(self, cells: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Latitude and longitude of the middle of each cell, in degrees."""
        row = (cells + ROW_STEP // 2) // ROW_STEP
        north, east = (row + 0.5) * self.side, (cells - row * ROW_STEP + 0.5) * self.side
        if self.box is None:
            return north / METRES_PER_DEGREE, east / (METRES_PER_DEGREE * self._cosine(row))
        lat, lng, side = self.box
        per_degree = METRES_PER_DEGREE * math.cos(math.radians(lat))
        return lat + (north - side / 2) / METRES_PER_DEGREE, lng + (east - side / 2) / per_degree

    def _cosine(self, row: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(np.cos(np.radians((row + 0.5) * self.side / METRES_PER_DEGREE)))

    def __str__(self) -> str:
        where = "" if self.box is None else f" in a box of {self.box[2]:g} m"
        return f"cells of {self.side:g} m{where}"


def _cell_id(row: str, column: str) -> str:
    return f"(({row})::BIGINT * {ROW_STEP} + ({column})::BIGINT)"


def _check_box(box: tuple[float, float, float]) -> None:
    must = "(latitude, longitude, side in metres): the centre and the side of a square"
    if len(box) != 3 or not all(math.isfinite(number) for number in box):
        raise bad_argument("read_events", "box", must, box)
    lat, lng, side = box
    if not (abs(lat) < 90 and abs(lng) <= 180 and side > 0):
        raise bad_argument("read_events", "box", must, box, "Is latitude first?")
