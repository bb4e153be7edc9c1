"""Events by day: a person's events at a place, in a channel, on a day as one row, where such rows are far fewer.

Splits at midnight and plain counts need no times of day. One pass then does the work of four: it checks the rows,
lists the people, and leaves a small table from which events are split and counted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb

from singleout.ground.errors import SingleoutError
from singleout.reading.pushed_down import add_up_there
from singleout.reading.times import DAY, YEAR_ONE
from singleout.reading.warehouse import EVENTS
from singleout.reading.zero_times import NUMBER_TIME, YEAR_1980

if TYPE_CHECKING:
    from singleout.reading.events import EventLog

SAMPLE = 2**17
"""Rows at the beginning of a log that show whether rows by day would be far fewer."""
FEWER = 8
"""Rows by day are stored where they stand for this many events each, so that their table stays small."""
FAULTY, USABLE, UNUSABLE = -1, 0, 64
"""States of events; the bits below ``UNUSABLE`` say what is missing."""


def add_up(log: EventLog) -> EventLog | None:
    """A log of events by day; None where they would not be far fewer, or where a row cannot be used.

    What is wrong with a row is left to the pass that only checks.
    """
    try:
        found = _few_rows(log)
        if found is None:
            return None
        relation, events = found
        amount = f"({log.columns['amount']})::BIGINT" if "amount" in log.columns else events
        rows = (
            f"SELECT {_keys(log)}, ({_state(log)})::TINYINT AS state, {events} AS n, {amount} AS amount FROM {relation}"
        )
        table = log.database.keep(
            f"SELECT * EXCLUDE (n, amount), sum(n)::BIGINT AS events, sum(amount)::BIGINT AS amounts FROM ({rows})"
            " GROUP BY ALL",
            label="checking events",
        )
    except (duckdb.Error, SingleoutError):
        return None
    if log.database.row(f"SELECT coalesce(bool_or(state = {FAULTY}), true) AS faulty FROM {table}")["faulty"]:
        return None
    columns = {"person": "person", "place": "place", "placed": f"(state = {USABLE})"}
    columns |= {"amount": "amounts", "events": "events"} | ({"channel": "channel"} if "channel" in log.columns else {})
    if "clock" in log.columns:
        columns |= {"moment": "day", "clock": f"(day * {DAY})"}
    kinds = log.database.column_types(table)
    source = replace(log.source, remote=None, stored=table, column_types=kinds, text=None)
    return replace(log, source=source, columns=columns, faults=(), missing={}, adds_up=False)


def _few_rows(log: EventLog) -> tuple[str, str] | None:
    """A relation that is worth adding up by day, and SQL for the events that a row of it stands for.

    A warehouse has added them up already, so that few rows come here; files only where that leaves far fewer.
    """
    if log.source.remote is None:
        if "amount" in log.columns:  # which need not be whole
            return None
        return (log.source.relation, "1") if _are_far_fewer(log) else None
    relation = add_up_there(log)
    return None if relation is None else (relation, EVENTS)


def counts_by_day(log: EventLog, daily: EventLog) -> dict[str, Any] | None:
    """The same counts as from a pass over all events, which have no faults; None where days do not determine them."""
    counts = {"rows": "sum(events)", "usable": f"sum(events) FILTER (state = {USABLE})"}
    for k, name in enumerate(log.missing):
        counts[f"missing_{name}"] = f"sum(events) FILTER (state > {UNUSABLE} AND state & {2**k} > 0)"
    chosen = ", ".join(f"coalesce({sql}, 0)::BIGINT AS {name}" for name, sql in counts.items())
    relation = daily.source.relation
    found = daily.database.row(f"SELECT {chosen}, min(day) AS first, max(day) AS last FROM {relation}")
    first, last = found.pop("first"), found.pop("last")
    if NUMBER_TIME in log.columns:
        if first is None or last is None or not _is_dated(int(str(first)), int(str(last))):
            return None
        found["from_zero"] = 0
    return found | {"whole_amounts": True} | {f"fault_{k}": 0 for k in range(len(log.faults))}


def _is_dated(first: int, last: int) -> bool:
    """Whether times go beyond 1970 to 1980 in any time zone: they do not seem to count from zero."""
    return first < YEAR_ONE // DAY - 1 or last > (YEAR_ONE + YEAR_1980) // DAY + 1


def _are_far_fewer(log: EventLog) -> bool:
    first = f"(SELECT * FROM {log.source.relation} LIMIT {SAMPLE})"
    by_day = f"SELECT {_keys(log)}, count(*) AS events FROM {first} GROUP BY ALL"
    found = log.database.row(f"SELECT count(*) * {FEWER} <= sum(events) AS fewer FROM ({by_day})")
    return bool(found["fewer"])


def _keys(log: EventLog) -> str:
    day = f"{log.columns['clock']} // {DAY}" if "clock" in log.columns else "NULL::BIGINT"
    channel = f", {log.columns['channel']} AS channel" if "channel" in log.columns else ""
    return f"{log.columns['person']} AS person, {day} AS day, {log.columns['place']} AS place{channel}"


def _state(log: EventLog) -> str:
    faulty = " OR ".join(f"({fault.condition})" for fault in log.faults) or "false"
    missing = [f"CASE WHEN {condition} THEN {2**k} ELSE 0 END" for k, condition in enumerate(log.missing.values())]
    return (
        f"CASE WHEN {faulty} THEN {FAULTY} WHEN {log.there} AND {log.columns['placed']} THEN {USABLE}"
        f" ELSE {' + '.join([str(UNUSABLE), *missing])} END"
    )
