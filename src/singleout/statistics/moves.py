"""Active days, and moves from one place to the next by name."""

from __future__ import annotations

from typing import Any

from singleout.reading.events import Events
from singleout.reading.times import DAY


def typical_days(events: Events, *, progress: bool | None = None) -> int:
    """The median number of days with events per person."""
    days = (
        f"SELECT person, count(DISTINCT clock // {DAY}) AS days FROM {events.rows('person', 'clock')} GROUP BY person"
    )
    middle = f"SELECT quantile_disc(days, 0.5) AS days FROM ({days})"
    return int(events.log.query(middle, label="counting days", progress=progress)["days"][0].as_py())


def own_moves(events: Events, *, progress: bool | None = None) -> dict[Any, tuple[int, int]]:
    """For each person: how many different moves between two places they make, and how many nobody else makes."""
    rows = events.rows("person", "place", "moment", "placed")
    ordered = (
        "SELECT person, place, lag(place) OVER (PARTITION BY person ORDER BY moment, place) AS before"
        f" FROM {rows} WHERE placed"
    )
    moves = f"SELECT DISTINCT person, before, place FROM ({ordered}) WHERE before IS NOT NULL AND before <> place"
    shared = f"SELECT person, count(*) OVER (PARTITION BY before, place) AS people FROM ({moves})"
    counts = f"SELECT person, count(*) AS moves, count(*) FILTER (people = 1) AS own FROM ({shared}) GROUP BY person"
    found = events.log.query(counts, label="comparing moves", progress=progress)
    columns = [found[name].to_pylist() for name in ("person", "moves", "own")]
    return {person: (moves, own) for person, moves, own in zip(*columns, strict=True)}
