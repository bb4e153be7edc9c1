"""Events that are added up in the warehouse they lie in: by person, by place or cell, and by a time that suffices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from singleout.reading.grid import METRES_PER_DEGREE, Grid
from singleout.reading.times import INTEGERS, UNITS
from singleout.reading.warehouse import RemoteTable, bucket_seconds

if TYPE_CHECKING:
    from singleout.reading.events import EventLog

ODD = "singleout_odd"
"""Rows whose coordinates are beyond the poles, infinite or no numbers."""
LIMITS = {"lat": 90.0, "lng": 180.0}


def add_up_there(log: EventLog) -> str | None:
    """A relation with the columns of the log, in which a row stands for many events of a person at a place and time.

    None where the warehouse cannot add them up exactly: counts of their own, dates in two columns, written times.
    Days of any time zone are made of whole buckets of time, so that splits and counts by day are the same.
    """
    remote, names = log.source.remote, log.names
    if remote is None or not set(names) <= {"user", "time", "place", "lat", "lng"} or log.clock.format is not None:
        return None
    keys = [names[each] for each in ("user", "place") if each in names]
    cells = None if log.grid is None else _cells(remote, log)
    bucket = bucket_seconds(log.clock.zone)
    if "time" in names and log.source.column_types[names["time"]] in INTEGERS:
        # whole hours or days that are longer than a bucket each have one of their own
        bucket = max(1, int(bucket * UNITS[log.clock.unit]))
    relation = remote.add_up(log.database, keys, names.get("time"), bucket, cells)
    if relation is None or not _holds(log, relation, has_cells=cells is not None):
        return None
    return relation


def _holds(log: EventLog, relation: str, *, has_cells: bool) -> bool:
    """Whether the buckets lie within days: before 1970 clocks were set to odd seconds. Odd coordinates are reported."""
    tests = [f"sum({ODD}) = 0"] if has_cells else []
    if "moment" in log.columns and log.clock.zone != "UTC":
        tests.append(f"coalesce(min({log.columns['moment']}) >= 0, true)")
    if not tests:
        return True
    return bool(log.database.row(f"SELECT {' AND '.join(tests)} AS holds FROM {relation}")["holds"])


def _cells(remote: RemoteTable, log: EventLog) -> dict[str, Any]:
    """What rows are grouped by, and what is kept of each group, so that the cell of a group is found again here.

    A group is a rectangle of latitudes and longitudes: the smallest of each lie in it.
    """
    assert log.grid is not None
    table = remote.expression
    keys: dict[str, Any] = {}
    kept: dict[str, Any] = {}
    odd: Any = 0
    degrees = {}
    for argument, limit in LIMITS.items():
        column = table[log.names[argument]]
        degree = column.cast("float64") * log.scale
        fits = degree.between(-limit, limit).fill_null(False)
        odd = odd + (~fits & column.notnull()).ifelse(1, 0)
        degrees[argument] = fits.ifelse(degree, 0.0)
        keys[f"singleout_no_{argument}"] = column.isnull()
        kept[log.names[argument]] = column.min()
    keys |= _rectangles(log.grid, degrees["lat"], degrees["lng"])
    kept[ODD] = odd.sum()
    return {"keys": keys, "kept": kept}


def _rectangles(grid: Grid, lat: Any, lng: Any) -> dict[str, Any]:
    """Row and column of a point's cell; with a box also on which sides of its borders the point lies."""
    if grid.box is None:
        row = (lat * (METRES_PER_DEGREE / grid.side)).floor()
        cosine = ((row + 0.5) * (grid.side / METRES_PER_DEGREE)).radians().cos()
        return {
            "singleout_row": row.cast("int64"),
            "singleout_column": (lng * (METRES_PER_DEGREE / grid.side) * cosine).floor().cast("int64"),
        }
    keys = {}
    for name, metres in zip(("row", "column"), grid.metres_of(lat, lng), strict=True):
        keys[f"singleout_{name}"] = (metres / grid.side).floor().cast("int64")
        keys[f"singleout_{name}_inside"] = (metres >= 0) & (metres < grid.box[2])
    return keys
