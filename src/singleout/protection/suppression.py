"""Suppression: rare places, or all but the most popular, are left out; or all but a few days (N16 IV-B3, Fig. 7, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from singleout.ground.errors import DataError, bad_argument, is_whole
from singleout.ground.notes import Note, counted
from singleout.reading.events import Events
from singleout.reading.times import DAY
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, comparable


def suppress(
    histograms: Histograms,
    *,
    keep: int | None = None,
    min_people: int | None = None,
    popularity: Sequence[Histograms] | None = None,
) -> Histograms:
    """Leave out places: all but the ``keep`` most popular, or those with fewer than ``min_people`` visitors.

    Popularity is the number of people who were there, counted over all histograms in ``popularity`` (give both sides,
    so that both keep the same places), or over these alone. Of equally popular places the one of smaller id is kept.
    People left with nothing keep an empty row and are counted in the notes.
    """
    if (keep is None) == (min_people is None):
        raise bad_argument("suppress", "keep", "given, or min_people, and not both", (keep, min_people))
    for name, number in (("keep", keep), ("min_people", min_people)):
        if number is not None and (not is_whole(number) or number < 1):
            raise bad_argument("suppress", name, "a whole number above zero", number)
    kept = _popular(popularity or [histograms], keep, min_people)
    places, named = comparable(histograms.places, kept)
    left = np.isin(places, named)
    counts = histograms.counts[:, left]
    if not counts.nnz:
        raise DataError("suppress: nothing is left of anybody. Keep more places, or ask for fewer visitors.")
    emptied = int(((np.diff(histograms.counts.indptr) > 0) & (np.diff(counts.indptr) == 0)).sum())
    notes = counted(
        Note(histograms.number_of_places - len(np.unique(places[left])), "places left out", "suppressed as too rare"),
        Note(emptied, "people emptied", "all their places were suppressed; they keep a row and overlap nobody"),
    )
    channels = None if histograms.channels is None else histograms.channels[left]
    return Histograms(
        counts,
        histograms.people,
        histograms.places[left],
        channels=channels,
        grid=histograms.grid,
        notes=histograms.notes + notes,
    )


def _popular(sides: Sequence[Histograms], keep: int | None, min_people: int | None) -> Ids:
    """Places by the number of people who were there, most first."""
    visitors: dict[object, int] = {}
    for side in sides:
        counts = side.counts.tocoo()
        _, place = np.unique(side.places, return_inverse=True)
        seen = np.unique(np.stack([counts.coords[0], place.ravel()[counts.coords[1]]]), axis=1)[1]
        for name, number in zip(
            np.unique(side.places).tolist(), np.bincount(seen, minlength=place.max() + 1), strict=True
        ):
            visitors[name] = visitors.get(name, 0) + int(number)
    ranked = sorted(visitors, key=lambda name: (-visitors[name], str(type(name)), name))
    chosen = ranked[:keep] if keep is not None else [name for name in ranked if visitors[name] >= (min_people or 0)]
    if not chosen:
        raise DataError("suppress: nothing is left of anybody. Keep more places, or ask for fewer visitors.")
    return np.array(chosen, dtype=object if isinstance(chosen[0], str) else None)


def shorten(events: Events, *, days: int) -> Events:
    """Keep each person's first ``days`` days with events of this part, and leave out the rest (N16 Fig. 7)."""
    if not isinstance(events, Events):
        raise bad_argument("shorten", "events", "Events", type(events).__name__, "Make them with so.read_events(…).")
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
    notes = counted(Note(cut, "people shortened", f"only their first {days} days with events are kept"))
    return replace(events, last_days=kept, split_notes=events.split_notes + notes)
