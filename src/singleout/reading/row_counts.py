"""One pass over an event log: counts of rows, missing values and faults. A fault is an error that names its row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from singleout.ground.errors import DataError
from singleout.reading.fields import Fault
from singleout.reading.zero_times import from_zero_count

if TYPE_CHECKING:
    from singleout.reading.events import EventLog

WHY = {
    "person": "without a user",
    "moment": "without a time",
    "place": "without a place",
    "amount": "without a count",
    "outside": "outside the box",
}


def count_rows(log: EventLog) -> dict[str, Any]:
    """Counts of rows, missing values and faults."""
    counts = {
        "rows": "count(*)",
        "usable": f"count_if({log.there} AND {log.columns['placed']})",
        "whole_amounts": "true",
    }
    if "amount" in log.columns:
        amount = log.columns["amount"]
        counts["whole_amounts"] = f"coalesce(bool_and({amount} IS NULL OR {amount} = floor({amount})), true)"
    counts |= from_zero_count(log.columns)
    counts |= {f"missing_{name}": f"count_if({condition})" for name, condition in log.missing.items()}
    counts |= {f"fault_{k}": f"count_if({fault.condition})" for k, fault in enumerate(log.faults)}
    chosen = ", ".join(f"{sql} AS {name}" for name, sql in counts.items())
    (found,) = log.query(f"SELECT {chosen} FROM {log.source.relation}", label="checking events").to_pylist()
    return dict(found)


def check_counts(log: EventLog, found: Mapping[str, Any]) -> dict[str, int]:
    """The counts, if events can be used. Raises for the first fault."""
    if not found["rows"]:
        raise DataError(f"{log.source.display_name} contains no events.", function="read_events")
    log.source.check_rows("read_events", int(found["rows"]))
    for k, fault in enumerate(log.faults):
        if found[f"fault_{k}"]:
            raise _locate_error(log, fault, found[f"fault_{k}"])
    if not found["usable"]:
        reasons = [f"{found[f'missing_{name}']:,} {WHY[name]}" for name in log.missing if found[f"missing_{name}"]]
        raise DataError(
            f"none of the {found['rows']:,} events can be used: {', '.join(reasons)}.", function="read_events"
        )
    return {name: int(value) for name, value in found.items()}


def _locate_error(log: EventLog, fault: Fault, count: int) -> DataError:
    numbered = f"SELECT row_number() OVER () AS row, {fault.condition} AS bad FROM {log.source.relation}"
    (first,) = log.query(f"SELECT min(row) AS row FROM ({numbered}) WHERE bad").to_pylist()
    more = f" ({count:,} rows have this problem)" if count > 1 else ""
    return DataError(f"{log.source.row_in_words(first['row'])}: {fault.message}{more}", function="read_events")
