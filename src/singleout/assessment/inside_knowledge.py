"""What an intruder may know of a file from inside it: parts of the events that it contains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from singleout.ground.errors import DataError
from singleout.reading.events import Events
from singleout.reading.split import split
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids


def known_parts(events: Events) -> tuple[Events | None, ...]:
    """Parts of what a file contains, any of which an intruder may know.

    The first half of each person's active weeks, the second half, and (None) each event with probability one half;
    where time does not divide the log only the last.
    """
    if "clock" not in events.log.columns:
        return (None,)
    try:
        return (*split(events, by="halves", seed=0), None)
    except DataError:
        return (None,)


def inside_knowledge(logs: Sequence[Events], sides: Sequence[Events]) -> tuple[Events, tuple[Events | None, ...]]:
    """All that would be written, and parts of it of which the intruder knows any one; None: half of the events.

    One log was split into ``sides``; of two the first is written.
    """
    return logs[0], (*sides, None) if len(logs) == 1 else known_parts(logs[0])


def people_known(known: Histograms) -> Ids:
    """Those of whom anything is known: the half of someone's few events may be none of them."""
    people: Ids = known.people[np.diff(known.counts.indptr) > 0]
    return people


def known_half(counts: Histograms) -> Histograms:
    """Each event with probability one half, the other knowledge of what a file contains; of amounts, half the cells."""
    order = np.argsort(counts.people, kind="stable")
    kept = counts.counts[order].copy()
    rng = np.random.default_rng(0)
    kept.data = rng.binomial(kept.data, 0.5) if kept.dtype.kind == "i" else kept.data * rng.integers(0, 2, kept.nnz)
    back = np.argsort(order, kind="stable")
    return replace(counts, counts=kept[back])
