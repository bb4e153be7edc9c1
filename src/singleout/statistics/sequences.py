"""Sequences: the places each person visited, in order, numbered separately for each person.

M18 section 4.2. A visit is a maximal run of records at one place. Numbers say how often a person visits a place, not
which place it is: 0 is the most visited one. Nothing that remains can be compared between people.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from singleout._kernels import sequences as kernels
from singleout.ground.arrays import read_only
from singleout.ground.errors import DataError, bad_argument
from singleout.ground.notes import Note, nonzero
from singleout.ground.parallel import map_tiles
from singleout.reading.codes import encode
from singleout.reading.events import Events
from singleout.reading.times import SECOND
from singleout.statistics.graphs import starts_of
from singleout.statistics.ids import Ids

MOST_TIED = 0.5
"""If more neighbouring records than this share a time, their order is that of the file, not of the person."""
TIED = "tied"
"""The code of the note on records of one person with the same time."""


@dataclass(frozen=True, eq=False)
class Sequences:
    """Visits of all people, one after another.

    ``state`` numbers each person's places by visits (0 the most visited, ties by the first visit); ``fresh`` marks
    visits that start a path: no transition leads there. ``visits`` counts them for each place of each person.
    """

    people: Ids
    starts: NDArray[np.int64]
    state: NDArray[np.int64]
    fresh: NDArray[np.bool_]
    state_starts: NDArray[np.int64]
    visits: NDArray[np.int64]
    days: NDArray[np.float64]
    tied: float
    notes: tuple[Note, ...]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Visits of each person."""
        return np.diff(self.starts)

    @property
    def states(self) -> NDArray[np.int64]:
        """Places of each person."""
        return np.diff(self.state_starts)


def sequences(events: Events, min_dwell: int | None, max_gap: int | None, progress: bool | None) -> Sequences:
    """Read visits from events; lengths of time in microseconds."""
    if "moment" not in events.log.columns:
        hint = "Name it: `time='…'`."
        raise bad_argument("networks", "events", "read with a time column", None, hint)
    traces = events.query_part(_traces(events), label="reading traces", progress=progress)
    if not traces.num_rows:
        raise DataError("nobody has any events left. Use another split.", function="networks")
    found = events.query_part(_runs(events, max_gap), label="finding visits", progress=progress)
    copies = found.num_rows - int(pc.sum(found["begins"]).as_py() or 0)
    runs = found.filter(pc.field("begins")) if copies else found
    person, people = encode(traces["person"])
    order = np.argsort(person, kind="stable")
    records, first, last = (traces[name].to_numpy()[order] for name in ("records", "first", "last"))
    neighbours = int((records - 1).sum()) - copies
    tied = int(pc.sum(pc.equal(runs["moment"], runs["previous"])).as_py() or 0)
    _refuse_orderless(tied, neighbours)
    gap, dwell = (-1 if max_gap is None else max_gap), (0 if min_dwell is None else min_dwell)
    arguments = *_by_person(runs, people), last, dwell, gap
    parts = map_tiles(kernels.visits_of, len(people), *arguments, label="joining visits", progress=progress)
    lengths, states = (np.concatenate([np.diff(part[k]) for part in parts]) for k in (0, 3))
    state, fresh, visits = (np.concatenate([part[k] for part in parts]) for k in (1, 2, 4))
    repeats = ", not counting duplicates" if copies else ""
    notes = events.notes + nonzero(
        Note(
            copies,
            "duplicates among the events",
            "same person, time and place as the event before: they change nothing",
        ),
        Note(
            tied,
            "events at the same time as the person's previous one",
            f"they are taken in the order of the file ({neighbours:,} events have a previous one{repeats})",
            TIED,
        ),
        Note(runs.num_rows - len(state), "visits left out or joined", _short(min_dwell)),
        Note(int((lengths == 0).sum()), "people without a visit", "their networks are empty"),
        Note(int((lengths == 1).sum()), "people with one visit", "their networks have no edges"),
    )
    days, share = (last - first) / (86_400 * SECOND), tied / max(neighbours, 1)
    return Sequences(people, starts_of(lengths), state, fresh, starts_of(states), visits, days, share, notes)


def _rows(events: Events) -> str:
    rows = events.rows("person", "moment", "place", "placed", "line", both=True)
    return f"(SELECT part, person, moment, place, line FROM {rows} WHERE placed)"


def _traces(events: Events) -> str:
    """Records of each person: how many, from when to when."""
    return (
        f"SELECT part, person, count(*)::BIGINT AS records, min(moment) AS first, max(moment) AS last"
        f" FROM {_rows(events)} GROUP BY part, person"
    )


def _runs(events: Events, max_gap: int | None) -> str:
    """Records at which a run ``begins``: another place than before, or after a gap. And those that repeat the last."""
    before = "OVER (PARTITION BY part, person ORDER BY moment, line)"
    windowed = f"SELECT *, lag(moment) {before} AS previous, lag(place) {before} AS before FROM {_rows(events)}"
    gap = "" if max_gap is None else f" OR moment - previous > {max_gap}"
    return (
        # a first record has no neighbour: use one before all times, so that it shares its time with none
        f"SELECT part, person, moment, line, coalesce(previous, {-(2**62)}) AS previous, place,"
        f" previous IS NULL OR place <> before{gap} AS begins FROM ({windowed}) WHERE begins OR moment = previous"
    )


def _refuse_orderless(tied: int, neighbours: int) -> None:
    """If most neighbouring records share a time, their order has no meaning."""
    if tied > MOST_TIED * neighbours:
        hint = "Use finer times, or places whose order has a meaning (shops instead of products)."
        share = tied / neighbours
        raise DataError(
            f"{share:.0%} of neighbouring records of a person share a time: their order has no meaning. {hint}",
            function="networks",
        )


def _by_person(runs: pa.Table, people: Ids) -> tuple[Any, ...]:
    """Where each person's runs start among all in order of person and time; that order, and their places and times."""
    person = _row_of(runs["person"], people)
    moment, previous, line = (read_only(runs[name].to_numpy()) for name in ("moment", "previous", "line"))
    order = _in_order(person, moment, line)
    places = read_only(_number_places(runs["place"]))
    return starts_of(np.bincount(person, minlength=len(people))), order, places, moment, previous


def _in_order(person: NDArray[np.intp], moment: NDArray[np.int64], line: NDArray[np.int64]) -> NDArray[np.intp]:
    """Runs by person, time and line. Mostly those of a person are in order already, so that is looked at first."""
    order = np.argsort(person, kind="stable")
    same = np.diff(person[order]) == 0
    later = np.diff(moment[order])
    if (same & ((later < 0) | ((later == 0) & (np.diff(line[order]) < 0)))).any():
        order = np.lexsort((line, moment, person))
    return order


def _row_of(person: pa.ChunkedArray, people: Ids) -> NDArray[np.intp]:
    """The row of each person among all, in ascending order; numbers are looked up without a dictionary."""
    if pa.types.is_integer(person.type) and people.dtype == np.int64:
        return np.asarray(np.searchsorted(people, person.to_numpy()), dtype=np.intp)
    return np.asarray(encode(person)[0], dtype=np.intp)


def _number_places(place: pa.ChunkedArray) -> NDArray[np.int64]:
    """A number for each place, the same for the same place and no other."""
    if pa.types.is_integer(place.type):
        return np.asarray(place.to_numpy(), dtype=np.int64)
    return encode(place)[0].astype(np.int64)


def _short(min_dwell: int | None) -> str:
    return (
        "" if min_dwell is None else f"shorter than {min_dwell / SECOND:g} s, or at the same place as the visit before"
    )
