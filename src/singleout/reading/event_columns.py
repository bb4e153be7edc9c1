"""The columns of an event log: SQL under our names, their faults, and what counts as missing."""

from __future__ import annotations

from typing import Any

from singleout.ground.errors import InputError, bad_argument
from singleout.ground.notes import in_a_row
from singleout.reading.database import quote
from singleout.reading.fields import Fault, Part, column_sql, id_of, number_of
from singleout.reading.grid import Grid
from singleout.reading.sources import Source

EXACT = 2**53
"""Whole numbers below this are exact as floating-point numbers."""


def choose_grid(
    user: str, place: str | None, lat: str | None, lng: str | None, grid: float | None, box: Any
) -> Grid | None:
    """The grid of cells for coordinates; None where places are given. Refuses both, and half of either."""
    if place is not None:
        if place == user:
            raise bad_argument("read_events", "place", "a different column from user", place)
        given = [n for n, v in {"lat": lat, "lng": lng, "grid": grid, "box": box}.items() if v is not None]
        if given:
            listed = in_a_row([f"`{name}`" for name in given])
            raise InputError(f"give either `place` or {listed}, not both.", function="read_events")
        return None
    missing = [f"`{name}`" for name, value in {"lat": lat, "lng": lng, "grid": grid}.items() if value is None]
    if missing and (lat is not None or lng is not None):
        are = "is" if len(missing) == 1 else "are"
        hint = "Coordinates need `lat`, `lng` and `grid` (in metres)."
        raise InputError(f"{in_a_row(missing)} {are} missing.", function="read_events", hint=hint)
    if grid is None or missing:
        hint = "Give a column of place ids with `place`, or coordinates with `lat`, `lng` and `grid` (in metres)."
        raise InputError("`place` is missing.", function="read_events", hint=hint)
    try:
        return Grid(float(grid), None if box is None else tuple(float(number) for number in box))  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        must = "a number of metres, and box (latitude, longitude, side in metres)"
        raise bad_argument("read_events", "grid", must, (grid, box)) from error


def read_person(source: Source, name: str) -> Part:
    """The column that says who it was."""
    person, faults = id_of(source, "user", name)
    return {"person": person}, faults, {"person": f"{person} IS NULL"}


def read_place(source: Source, name: str) -> Part:
    """The column of given places."""
    place, faults = id_of(source, "place", name)
    return {"place": place, "placed": f"{place} IS NOT NULL"}, faults, {"place": f"{place} IS NULL"}


def read_cell(source: Source, lat: str, lng: str, scale: float, grid: Grid) -> tuple[Part, tuple[str, ...]]:
    """The column of places that are cells of a grid, and SQL for latitude and longitude."""
    degrees, faults = [], []
    for argument, name, word, limit in (("lat", lat, "latitude", 90), ("lng", lng, "longitude", 180)):
        number, unread = number_of(source, argument, name)
        degree = f"({number} * {float(scale)!r})"
        message = f"the {word} is outside -{limit} to {limit} degrees. Is `coordinate_scale` right? Is the row intact?"
        faults += [*unread, Fault(f"abs({degree}) > {limit}", message)]
        degrees.append(degree)
    missing = {"place": " OR ".join(f"{degree} IS NULL" for degree in degrees)}
    if grid.box is not None:
        missing["outside"] = f"NOT ({grid.inside(*degrees)})"
    # `inside` needs no cell, and is NULL where a coordinate is
    placed = grid.inside(*degrees) if grid.box is not None else f"NOT ({missing['place']})"
    return ({"place": f"({grid.cell(*degrees)})", "placed": placed}, tuple(faults), missing), tuple(degrees)


def read_amount(source: Source, name: str) -> Part:
    """The column that says how many times an event happened."""
    column, (number, unread) = column_sql(source, "count", name), number_of(source, "count", name)
    raw = f"TRY_CAST({quote(name)} AS DOUBLE)"
    faults = (
        *unread,
        Fault(f"{number} < 0", f"the value of column {name!r} is negative; counts must be 0 or more."),
        Fault(
            f"isfinite({raw}) AND {raw} >= {EXACT}",
            f"the value of column {name!r} is 2**53 or more; such counts lose digits.",
        ),
        Fault(
            f"isinf({raw}) OR isnan({raw})",
            f"the value of column {name!r} is not finite; counts must be finite numbers.",
        ),
    )
    return {"amount": number}, faults, {"amount": f"{column} IS NULL"}
