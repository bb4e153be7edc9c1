"""Events that are added up in the warehouse where they are: by person, place, channel, and a time that suffices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from singleout.reading.database import quote
from singleout.reading.event_columns import EXACT
from singleout.reading.grid import METRES_PER_DEGREE, Grid
from singleout.reading.times import INTEGERS, UNITS
from singleout.reading.warehouse import RemoteTable, bucket_seconds

if TYPE_CHECKING:
    from singleout.reading.events import EventLog

ODD = "singleout_odd"
"""Rows whose coordinates are beyond the poles, infinite or no numbers, or whose counts are negative or large."""
NO_COUNT = "singleout_no_count"
LARGEST = 2**31
"""Counts up to this are added up there: sums of any number of them fit."""
LIMITS = {"lat": 90.0, "lng": 180.0}


@dataclass
class Groups:
    """What rows are grouped by there, what is kept of each group, and SQL for how many rows of it are odd."""

    keys: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    odd: list[Any] = field(default_factory=list)


def add_up_there(log: EventLog) -> str | None:
    """A relation with the columns of the log, in which a row stands for many events of a person at a place and time.

    None where the warehouse cannot add them up exactly: counts that are not whole, a column in two roles, dates in two
    columns, written times. Days of any time zone are made of whole buckets of time, so that splits and counts by day
    are the same.
    """
    remote, names = log.source.remote, dict(log.names)
    if log.channel_name is not None:
        names["channel"] = log.channel_name
    if remote is None or "date" in names or log.clock.format is not None or len(set(names.values())) < len(names):
        return None
    groups = Groups(
        {names[each]: remote.expression[names[each]] for each in ("user", "place", "channel") if each in names}
    )
    if "count" in names and not _add_counts(groups, remote.expression[names["count"]]):
        return None
    if log.grid is not None:
        _add_cells(groups, remote, log)
    if groups.odd:
        groups.kept[ODD] = sum(groups.odd).sum()
    bucket = bucket_seconds(log.clock.zone)
    if "time" in names and log.source.column_types[names["time"]] in INTEGERS:
        # whole hours or days that are longer than a bucket each have one of their own
        bucket = max(1, int(bucket * UNITS[log.clock.unit]))
    relation = remote.add_up(log.database, groups.keys, groups.kept, names.get("time"), bucket)
    if relation is None or not _holds(log, relation, has_odd=bool(groups.odd)):
        return None
    if "count" not in names:
        return relation
    # of a group without counts some systems say that their sum is zero
    count = quote(names["count"])
    sums = f"CASE WHEN NOT {NO_COUNT} THEN {count} END"
    if not log.database.row(f"SELECT coalesce(max({sums}), 0) < {EXACT} AS holds FROM {relation}")["holds"]:
        return None
    return log.database.define(f"(SELECT * REPLACE ({sums} AS {count}) FROM {relation})")


def _holds(log: EventLog, relation: str, *, has_odd: bool) -> bool:
    """Whether the buckets lie within days: before 1970 clocks were set to odd seconds. Odd values are reported."""
    tests = [f"coalesce(sum({ODD}), 0) = 0"] if has_odd else []
    if "moment" in log.columns and log.clock.zone != "UTC":
        tests.append(f"coalesce(min({log.columns['moment']}) >= 0, true)")
    if not tests:
        return True
    return bool(log.database.row(f"SELECT {' AND '.join(tests)} AS holds FROM {relation}")["holds"])


def _add_counts(groups: Groups, column: Any) -> bool:
    """Add up counts, apart from events that have none; False where counts may not be whole."""
    kind = column.type()
    if not (kind.is_integer() or (kind.is_decimal() and kind.scale == 0)):
        return False
    fits = column.between(0, LARGEST).fill_null(False)
    groups.odd.append((~fits & column.notnull()).ifelse(1, 0))
    groups.keys[NO_COUNT] = column.isnull()
    # whole numbers are exact in it, and its sums have the same type in every system
    groups.kept[column.get_name()] = column.cast("float64").sum(where=fits).cast("int64")
    return True


def _add_cells(groups: Groups, remote: RemoteTable, log: EventLog) -> None:
    """Group by cells, and keep of each group what its cell is found by here.

    A group is a rectangle of latitudes and longitudes: the smallest of each lie in it.
    """
    assert log.grid is not None
    table = remote.expression
    degrees = {}
    for argument, limit in LIMITS.items():
        column = table[log.names[argument]]
        degree = column.cast("float64") * log.scale
        fits = degree.between(-limit, limit).fill_null(False)
        groups.odd.append((~fits & column.notnull()).ifelse(1, 0))
        degrees[argument] = fits.ifelse(degree, 0.0)
        groups.keys[f"singleout_no_{argument}"] = column.isnull()
        groups.kept[log.names[argument]] = column.min()
    groups.keys |= _rectangles(log.grid, degrees["lat"], degrees["lng"])


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
