"""What there is to say about an event log at a glance, without a scan of files or a warehouse that nobody asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from singleout.ground.errors import SingleoutError
from singleout.ground.notes import number_of

if TYPE_CHECKING:
    from singleout.reading.events import EventLog, Events

UNREAD = "not read yet"
MOST_ROWS = 5_000_000
"""A frame with more rows is not counted for a glance."""


def event_facts(events: Events) -> dict[str, object]:
    """Sizes and period of events in memory; of files the number of events, once a statistic has counted them."""
    log = events.log
    facts: dict[str, object] = {}
    if _is_small(log):
        facts = _counted(events)
    elif "row_counts" in vars(log):
        facts = {"events in the source": log.row_counts["usable"]}
    if not facts:
        facts = {"events": UNREAD}
    if log.source.files:
        facts |= {"files": len(log.source.files)}
    if log.grid is not None:
        facts |= {"cells": str(log.grid)}
    if events.parts is not None:
        facts |= {"part": ("known, the earlier one", "released, the later one")[events.part]}
    return facts


def in_one_line(facts: dict[str, object]) -> str:
    """Facts as they stand between brackets."""
    counts = [number_of(value, name) for name, value in facts.items() if isinstance(value, int)]
    words = [str(value) for name, value in facts.items() if not isinstance(value, int) and name in ("part", "cells")]
    period = [f"{facts['from']} to {facts['to']}"] if "from" in facts else []
    unread = [UNREAD] if facts.get("events") == UNREAD else []
    return ", ".join([*counts, *period, *unread, *words])


def _is_small(log: EventLog) -> bool:
    if log.source.files or log.source.remote is not None:
        return False
    (row,) = log.query(f"SELECT count(*) AS n FROM {log.source.relation}", label="counting events").to_pylist()
    return int(row["n"]) <= MOST_ROWS


def _counted(events: Events) -> dict[str, object]:
    timed = "clock" in events.log.columns
    period = ", min(clock) AS first, max(clock) AS last" if timed else ""
    names = ("person", "place", *(["clock"] if timed else []))
    sizes = "count(*) AS events, count(DISTINCT person) AS people, count(DISTINCT place) AS places"
    try:
        (row,) = events.log.query(
            f"SELECT {sizes}{period} FROM {events.rows(*names)}", label="counting events"
        ).to_pylist()
    except SingleoutError:
        return {}  # a log with faults is described without its sizes; the first statistic says which
    facts: dict[str, object] = {name: row[name] for name in ("events", "people", "places")}
    if timed and row["events"]:
        facts |= {"from": _day(row["first"]), "to": _day(row["last"])}
    return facts


def _day(clock: int) -> str:
    """The day of a clock reading: microseconds since the year 1."""
    return str((datetime(1, 1, 1, tzinfo=UTC) + timedelta(microseconds=clock)).date())
