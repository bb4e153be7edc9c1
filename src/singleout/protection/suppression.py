"""Suppression: leaving out rare places, all but the most popular, or all but a few days (N16 IV-B3, Fig. 7, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, get_args

import numpy as np
import pyarrow as pa

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError, bad_argument, is_whole, unknown_name
from singleout.ground.names import PopularityMeasure
from singleout.ground.notes import Note, nonzero
from singleout.reading.events import Events
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, as_ids, comparable

Data = TypeVar("Data", Events, Histograms)
MEASURES: tuple[PopularityMeasure, ...] = get_args(PopularityMeasure)
NOTHING_LEFT = "nobody has any data left. Keep more places, or require fewer visitors."


def suppress(
    x: Data,
    *,
    keep: int | None = None,
    min_people: int | None = None,
    popularity: Sequence[Events | Histograms] | Events | Histograms | None = None,
    by: PopularityMeasure = "people",
) -> Data:
    """Leave out places: all but the ``keep`` most popular, or those with fewer than ``min_people`` visitors.

    Popularity is the number of people who were there, each
    counted once even if on both sides, or with ``by="visits"`` the number of events (Naini 2016 IV-B3), over everything
    in ``popularity`` (give both sides, so that both keep the same places), or over ``x`` alone. Of equally popular
    places the one with the smaller id is kept. People left without data keep an empty row and are counted in the notes.
    Events are read once to count visitors.

    Parameters
    ----------
    x
        Events or histograms.
    keep
        How many of the most popular places are kept.
    min_people
        The least number of visitors of a place that is kept.
    popularity
        What popularity is counted over; None: ``x`` alone.
    by
        Whether a place's people are counted, or its visits.

    Returns
    -------
    Events or Histograms
        The type that was given, with fewer places.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> so.suppress(released, keep=20, popularity=[released, known]).number_of_places
    19
    """
    if not isinstance(x, Events | Histograms):
        raise bad_argument("suppress", "x", "Events or Histograms", type(x).__name__)
    if isinstance(x, Histograms) and x.has_levels:
        raise bad_argument("suppress", "x", "counted without levels", x)
    listed = [popularity] if isinstance(popularity, Events | Histograms) else popularity
    if listed is not None and not (isinstance(listed, Sequence) and _are_sides(listed)):
        raise bad_argument("suppress", "popularity", "a list of Events or Histograms", type(popularity).__name__)
    if (keep is None) == (min_people is None):
        raise bad_argument("suppress", "keep", "given, or `min_people`, but not both", (keep, min_people))
    for name, number in (("keep", keep), ("min_people", min_people)):
        if number is not None and (not is_whole(number) or number < 1):
            raise bad_argument("suppress", name, "a whole number above zero", number)
    if by not in MEASURES:
        raise unknown_name("suppress", "by", str(by), MEASURES)
    if min_people is not None and by != "people":
        raise bad_argument("suppress", "by", "people if `min_people` is given", by)
    kept = _popular(listed or [x], keep, min_people, by)
    return _suppress_events(x, kept) if isinstance(x, Events) else _suppress_histograms(x, kept)


def _are_sides(listed: Sequence[Any]) -> bool:
    return all(isinstance(side, Events | Histograms) for side in listed)


def _suppress_histograms(x: Histograms, kept: Ids) -> Histograms:
    places, named = comparable(x.places, kept)
    left = np.isin(places, named)
    counts = x.counts[:, left]
    if not counts.nnz:
        raise DataError(NOTHING_LEFT, function="suppress")
    emptied = int(((np.diff(x.counts.indptr) > 0) & (np.diff(counts.indptr) == 0)).sum())
    notes = _notes(x.number_of_places - len(np.unique(places[left])), emptied)
    channels = None if x.channels is None else x.channels[left]
    return replace(x, counts=counts, places=x.places[left], channels=channels, notes=x.notes + notes)


def _suppress_events(x: Events, kept: Ids) -> Events:
    """Other events lose their place but remain: they keep their people and end the stays before them."""
    found = x.log.query(f"SELECT DISTINCT place FROM {_placed_rows(x)} ORDER BY place", label="listing places")
    there = found["place"].to_pylist()
    places, named = comparable(as_ids("suppress", "x", there), kept)
    left = np.isin(places, named)
    if not left.any():
        raise DataError(NOTHING_LEFT, function="suppress")
    stay = [place for place, stays in zip(there, left.tolist(), strict=True) if stays]
    chosen = x.log.database.view(pa.table({"kept": pa.array(stay)}))
    place = x.log.columns["place"]
    cut = x.with_columns({"place": f"(CASE WHEN {place} IN (SELECT kept FROM {chosen}) THEN {place} END)"})
    emptied = _count_people(x) - _count_people(cut)
    return replace(cut, step_notes=cut.step_notes + _notes(int((~left).sum()), emptied))


def _notes(left_out: int, emptied: int) -> tuple[Note, ...]:
    return nonzero(
        Note(left_out, "places left out", "suppressed because they are too rare"),
        Note(emptied, "people left without data", "all their places were suppressed"),
    )


def _popular(sides: Sequence[Events | Histograms], keep: int | None, min_people: int | None, by: str) -> Ids:
    """Places by popularity, most first; of equally popular ones the smaller id first."""
    names, popularity = _count_popularity([_visits(side) for side in sides], by)
    ranked = np.argsort(-popularity, kind="stable")
    chosen = ranked[:keep] if keep is not None else ranked[popularity[ranked] >= (min_people or 0)]
    if not len(chosen):
        raise DataError(NOTHING_LEFT, function="suppress")
    return names[chosen]


@dataclass(frozen=True, eq=False)
class Visits:
    """Who was where on one side: one entry for each person at each place, by number, and how often."""

    people: Ids
    places: Ids
    person: Indices
    place: Indices
    times: Any


def _visits(side: Events | Histograms) -> Visits:
    if isinstance(side, Histograms):
        counts = side.counts.tocoo()
        row, column = counts.coords
        return Visits(side.people, side.places, row, column, counts.data)
    times = "sum(amount)" if "amount" in side.log.columns else "count(*)"
    found = side.log.query(
        f"SELECT person, place, {times} AS times FROM {_placed_rows(side)} GROUP BY ALL", label="counting visitors"
    )
    people, places = (as_ids("suppress", "x", found[name].to_pylist()) for name in ("person", "place"))
    each = np.arange(len(people))
    return Visits(people, places, each, each, found["times"].to_numpy().astype(np.float64))


def _count_popularity(sides: list[Visits], by: str) -> tuple[Ids, Any]:
    """The places in order of id, and the popularity of each: people, each once over all sides, or visits."""
    names, place = _number_ids([side.places for side in sides], [side.place for side in sides])
    there = np.bincount(place, minlength=len(names)) > 0
    if by == "visits":
        popularity = np.bincount(place, np.concatenate([side.times for side in sides]), len(names))
        return names[there], popularity[there]
    people, person = _number_ids([side.people for side in sides], [side.person for side in sides])
    if len(sides) > 1 or len(names) < len(sides[0].places):
        # somebody may be there more than once: on both sides, or in several channels
        place = np.unique(place * len(people) + person) // len(people)
    return names[there], np.bincount(place, minlength=len(names))[there]


def _number_ids(ids: list[Ids], entries: list[Indices]) -> tuple[Ids, Indices]:
    """The ids of all sides in ascending order, and of each entry the number of its id among them."""
    names, number = np.unique(_join(ids), return_inverse=True)
    starts = np.cumsum([0, *map(len, ids)])
    return names, np.concatenate([number[start + each] for start, each in zip(starts, entries, strict=False)])


def _join(ids: list[Ids]) -> Ids:
    """Ids of several sides concatenated, in one type."""
    joined = ids[0]
    for more in ids[1:]:
        joined = np.concatenate(comparable(joined, more))
    return joined


def _placed_rows(events: Events) -> str:
    """A subquery of people and places, of events that count."""
    happened = ("amount",) if "amount" in events.log.columns else ()
    more = " AND amount > 0" if happened else ""
    columns = ", ".join(("person", "place", *happened))
    return f"(SELECT {columns} FROM {events.rows('person', 'place', *happened)} WHERE place IS NOT NULL{more})"


def _count_people(events: Events) -> int:
    found = events.log.query(f"SELECT count(DISTINCT person) AS people FROM {_placed_rows(events)}")
    return int(found["people"][0].as_py())


def _days_kept(days: int) -> str:
    kept = "day with events is kept" if days == 1 else f"{days:,} days with events are kept"
    return f"only their first {kept}"


def shorten(events: Events, *, days: int) -> Events:
    """Keep the first ``days`` days with events of each person in this part, and leave out the rest (Naini 2016 Fig. 7).

    Parameters
    ----------
    events
        Events with times.
    days
        How many days of each person are kept.

    Returns
    -------
    Events
        The events that are left.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> so.shorten(log.events, days=2)
    Events(555 events, 50 people, 124 places, 2012-04-09 to 2012-04-18)
    """
    if not isinstance(events, Events):
        hint = "Counts have no days: shorten the events from so.read_events(…), then count."
        raise bad_argument("shorten", "events", "Events", type(events).__name__, hint)
    if not is_whole(days) or days < 1:
        raise bad_argument("shorten", "days", "a whole number above zero", days)
    if "clock" not in events.log.columns:
        raise bad_argument("shorten", "events", "read with a time column", None, "Name it: `time='…'`.")
    database = events.log.database
    kept = database.keep(
        f"SELECT person, part, max(day) FILTER (number <= {days}) AS last_day, count(*) > {days} AS cut"
        f" FROM {events.active_days} GROUP BY person, part",
        label="finding days",
    )
    cut = int(str(database.row(f"SELECT count_if(cut) AS people FROM {kept} WHERE part = {events.part}")["people"]))
    short = replace(events, last_days=kept)
    notes = nonzero(
        Note(cut, "people with days left out", _days_kept(days)),
        Note(
            _count_people(events) - _count_people(short),
            "people left without data",
            "none of the events on their first days has a place",
        ),
    )
    return replace(short, step_notes=events.step_notes + notes)
