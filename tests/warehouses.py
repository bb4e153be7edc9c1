"""An event log as it may lie in a warehouse, and comparisons of what is counted there with what is counted here."""

import numpy as np
import pyarrow as pa

import singleout as so

EVENTS = 4_000
READINGS = {
    "numbers": {"time": "t", "place": "spot"},
    "numbers, another zone": {"time": "t", "place": "spot", "timezone": "Asia/Kolkata"},
    "milliseconds": {"time": "ms", "place": "spot", "time_unit": "ms"},
    "local times": {"time": "ts", "place": "spot"},
    "local times, another zone": {"time": "ts", "place": "spot", "timezone": "Europe/Zurich"},
    "cells": {"time": "t", "lat": "lat", "lng": "lng", "grid": 5_000},
    "cells in a box": {"time": "ts", "lat": "lat", "lng": "lng", "grid": 7_000, "box": (47.5, 8.5, 60_000)},
    "no times": {"place": "spot"},
    "counts": {"time": "t", "place": "spot", "count": "n"},
    "counts, cells, no times": {"lat": "lat", "lng": "lng", "grid": 5_000, "count": "n"},
    "a channel": {"time": "ts", "place": "spot", "channel": "sort", "timezone": "Europe/Zurich"},
    "a channel and counts": {"time": "ms", "time_unit": "ms", "place": "spot", "channel": "sort", "count": "n"},
}
MOMENTS = {"time": "tz", "place": "spot", "timezone": "Asia/Kolkata"}


def log_table():
    """Events of 60 people in five weeks, some without a person, a place or coordinates."""
    rng = np.random.default_rng(0)
    t = np.sort(rng.integers(1_700_000_000, 1_700_000_000 + 35 * 86_400, EVENTS))
    stamps = pa.array(t * 1_000_000 + rng.integers(0, 10**6, EVENTS), pa.timestamp("us"))

    def with_gaps(values):
        return pa.array(values, mask=rng.random(EVENTS) < 0.02)

    return pa.table(
        {
            "who": with_gaps([f"u{k}" for k in rng.integers(0, 60, EVENTS)]),
            "t": t,
            "ms": t * 1_000 + rng.integers(0, 1_000, EVENTS),
            "ts": stamps,
            "tz": stamps.cast(pa.timestamp("us", "UTC")),
            "spot": with_gaps([f"p{k}" if k else "" for k in rng.zipf(1.5, EVENTS) % 40]),
            "lat": with_gaps(47 + rng.random(EVENTS)),
            "lng": with_gaps(8 + rng.random(EVENTS)),
            "n": with_gaps(rng.integers(0, 50, EVENTS)),
            "sort": with_gaps([("call", "text", "")[k] for k in rng.integers(0, 3, EVENTS)]),
        }
    )


def assert_same_counts(source, table, reading):
    """Splits, histograms and notes of a source are those of the table; nothing but sums came from it."""
    there, here = (so.read_events(each, user="who", **reading) for each in (source, table))
    pairs = [(there, here)]
    if "time" in reading:
        for by in ("halves", "weeks"):
            pairs += zip(so.split(there, by=by), so.split(here, by=by), strict=True)
    for one, other in pairs:
        assert_same_histograms(so.histograms(one), so.histograms(other))
        if "channel" in reading:
            assert_same_histograms(*(so.histograms(each, channel=reading["channel"]) for each in (one, other)))
        assert [str(note) for note in one.notes] == [str(note) for note in other.notes]
    assert not is_fetched(there)


def assert_same_histograms(first, second):
    """Two histograms are the same, entry for entry."""
    assert first.people.tolist() == second.people.tolist()
    assert first.places.tolist() == second.places.tolist()
    assert (first.channels is None) == (second.channels is None)
    assert first.channels is None or first.channels.tolist() == second.channels.tolist()
    assert (first.counts != second.counts).nnz == 0
    assert first.unit == second.unit


def is_fetched(events):
    """Whether single rows came from the warehouse."""
    return events.log.source.remote.is_fetched


def without_fetching(notes):
    """Notes as text, and whether one of them said that events were fetched from a warehouse."""
    texts = [str(note) for note in notes]
    others = [text for text in texts if "events fetched from the warehouse" not in text]
    return others, len(texts) == len(others) + 1


def assert_same_audit(source, table, **options):
    """The audit of a source says what that of the table says, word for word; how each was named may differ.

    Single events are fetched for the shape of movements, and a note says so.
    """
    asked = {"user": "who", "time": "t", "place": "spot", "progress": False, "label": "log", **options}
    audits = [so.audit(each, **asked) for each in (source, table)]
    assert [without_fetching(audit.notes)[1] for audit in audits] == [True, False]
    first, second = (audit.to_dict() | {"notes": without_fetching(audit.notes)[0]} for audit in audits)
    assert {name for name in first if first[name] != second[name]} <= {"command", "command_folder"}
