"""Suppression: rare places, or all but the most popular, are left out; or all but a few days (N16 IV-B3, Fig. 7, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.errors import DataError, bad_argument, is_whole
from singleout.ground.notes import Note, counted, number_of
from singleout.reading.events import Events
from singleout.reading.times import DAY
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, as_ids, comparable

NOTHING_LEFT = "suppress: nothing is left of anybody. Keep more places, or ask for fewer visitors."


def suppress(
    x: Events | Histograms,
    *,
    keep: int | None = None,
    min_people: int | None = None,
    popularity: Sequence[Events | Histograms] | Events | Histograms | None = None,
) -> Any:
    """Leave out places: all but the ``keep`` most popular, or those with fewer than ``min_people`` visitors.

    Returns what was given: Events or Histograms. Popularity is the number of people who were there, counted over
    everything in ``popularity`` (give both sides, so that both keep the same places: N16 IV-B3), or over ``x`` alone.
    Of equally popular places the one of smaller id is kept. People left with nothing keep an empty row and are counted
    in the notes. Events are read once to count visitors.
    """
    if not isinstance(x, Events | Histograms):
        raise bad_argument("suppress", "x", "Events or Histograms", type(x).__name__)
    listed = [popularity] if isinstance(popularity, Events | Histograms) else popularity
    if listed is not None and not (isinstance(listed, Sequence) and _are_sides(listed)):
        raise bad_argument("suppress", "popularity", "a list of Events or Histograms", type(popularity).__name__)
    if (keep is None) == (min_people is None):
        raise bad_argument("suppress", "keep", "given, or min_people, and not both", (keep, min_people))
    for name, number in (("keep", keep), ("min_people", min_people)):
        if number is not None and (not is_whole(number) or number < 1):
            raise bad_argument("suppress", name, "a whole number above zero", number)
    kept = _popular(listed or [x], keep, min_people)
    return _kept_events(x, kept) if isinstance(x, Events) else _kept_histograms(x, kept)


def _are_sides(listed: Sequence[Any]) -> bool:
    return all(isinstance(side, Events | Histograms) for side in listed)


def _kept_histograms(x: Histograms, kept: Ids) -> Histograms:
    places, named = comparable(x.places, kept)
    left = np.isin(places, named)
    counts = x.counts[:, left]
    if not counts.nnz:
        raise DataError(NOTHING_LEFT)
    emptied = int(((np.diff(x.counts.indptr) > 0) & (np.diff(counts.indptr) == 0)).sum())
    notes = _notes(x.number_of_places - len(np.unique(places[left])), emptied)
    channels = None if x.channels is None else x.channels[left]
    return replace(x, counts=counts, places=x.places[left], channels=channels, notes=x.notes + notes)


def _kept_events(x: Events, kept: Ids) -> Events:
    """Other events lose their place, and so keep their people and end the stays before them."""
    there = list(_visitors(x))
    places, named = comparable(as_ids("suppress", "x", there), kept)
    left = np.isin(places, named)
    if not left.any():
        raise DataError(NOTHING_LEFT)
    stay = [place for place, stays in zip(there, left.tolist(), strict=True) if stays]
    chosen = x.log.database.view(pa.table({"kept": pa.array(stay)}))
    place = x.log.columns["place"]
    cut = x.with_columns({"place": f"(CASE WHEN {place} IN (SELECT kept FROM {chosen}) THEN {place} END)"})
    emptied = _people_somewhere(x) - _people_somewhere(cut)
    return replace(cut, split_notes=cut.split_notes + _notes(int((~left).sum()), emptied))


def _notes(left_out: int, emptied: int) -> tuple[Note, ...]:
    return counted(
        Note(left_out, "places left out", "suppressed as too rare"),
        Note(emptied, "people emptied", "all their places were suppressed"),
    )


def _popular(sides: Sequence[Events | Histograms], keep: int | None, min_people: int | None) -> Ids:
    """Places by the number of people who were there, most first."""
    visitors: dict[Any, int] = {}
    for side in sides:
        for place, number in _visitors(side).items():
            visitors[place] = visitors.get(place, 0) + number
    ranked = sorted(visitors, key=lambda name: (-visitors[name], str(type(name)), name))
    chosen = ranked[:keep] if keep is not None else [name for name in ranked if visitors[name] >= (min_people or 0)]
    if not chosen:
        raise DataError(NOTHING_LEFT)
    return np.array(chosen, dtype=object if isinstance(chosen[0], str) else None)


def _visitors(side: Events | Histograms) -> dict[Any, int]:
    """How many people were at each place."""
    if isinstance(side, Events):
        found = side.log.query(
            f"SELECT place, count(DISTINCT person) AS people FROM {_somewhere(side)} GROUP BY place ORDER BY place",
            label="counting visitors",
        )
        return dict(zip(found["place"].to_pylist(), found["people"].to_pylist(), strict=True))
    counts = side.counts.tocoo()
    names, place = np.unique(side.places, return_inverse=True)
    seen = np.unique(np.stack([counts.coords[0], place.ravel()[counts.coords[1]]]), axis=1)[1]
    return dict(zip(names.tolist(), np.bincount(seen, minlength=len(names)).tolist(), strict=True))


def _somewhere(events: Events) -> str:
    """A subquery of people and places, of events that count."""
    happened = ("amount",) if "amount" in events.log.columns else ()
    more = " AND amount > 0" if happened else ""
    return f"(SELECT person, place FROM {events.rows('person', 'place', *happened)} WHERE place IS NOT NULL{more})"


def _people_somewhere(events: Events) -> int:
    found = events.log.query(f"SELECT count(DISTINCT person) AS people FROM {_somewhere(events)}")
    return int(found["people"][0].as_py())


def shorten(events: Events, *, days: int) -> Events:
    """Keep each person's first ``days`` days with events of this part, and leave out the rest (N16 Fig. 7)."""
    if not isinstance(events, Events):
        hint = "Counts no longer know their days: shorten the events that so.read_events(…) gave, then count."
        raise bad_argument("shorten", "events", "Events", type(events).__name__, hint)
    if not is_whole(days) or days < 1:
        raise bad_argument("shorten", "days", "a whole number above zero", days)
    if "clock" not in events.log.columns:
        raise bad_argument("shorten", "events", "read with a time column", None, "Name it: read_events(…, time='…').")
    database = events.log.database
    active = f"SELECT DISTINCT person, part, clock // {DAY} AS day FROM {events.rows('person', 'clock', both=True)}"
    ranked = f"SELECT *, row_number() OVER (PARTITION BY person, part ORDER BY day) AS number FROM ({active})"
    kept = database.keep(
        f"SELECT person, part, max(day) FILTER (number <= {days}) AS last_day, count(*) > {days} AS cut"
        f" FROM ({ranked}) GROUP BY person, part",
        label="finding days",
    )
    cut = int(str(database.row(f"SELECT count_if(cut) AS people FROM {kept} WHERE part = {events.part}")["people"]))
    short = replace(events, last_days=kept)
    notes = counted(
        Note(cut, "people shortened", f"to their first {number_of(days, 'days')} with events"),
        Note(
            _people_somewhere(events) - _people_somewhere(short),
            "people emptied",
            "none of their first days' events has a place",
        ),
    )
    return replace(short, split_notes=events.split_notes + notes)
