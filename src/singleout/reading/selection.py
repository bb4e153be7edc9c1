"""Only some people of an event log: those with the most records."""

from __future__ import annotations

from dataclasses import replace

from singleout.ground.errors import bad_argument, is_whole
from singleout.ground.notes import Note, nonzero
from singleout.reading.events import Events

MOST = 2**31 - 1
"""More people than any log has; the database needs a finite number."""


def richest(events: Events, people: int, *, function: str) -> Events:
    """The events of this many people with the most records at a place (M18 4.1); of equals the smaller id.

    Selects before anything is split, so both parts of a person's trace belong to the same people.
    """
    if not is_whole(people) or not 2 <= people <= MOST:
        raise bad_argument(function, "richest", f"a whole number of people, at least 2 and at most {MOST:,}", people)
    if events.parts is not None:
        raise bad_argument(function, "events", "an event log that has not been split", events)
    log = events.log
    records = f"SELECT person, count(*) AS records FROM {events.rows('person', 'placed')} WHERE placed GROUP BY person"
    chosen = f"SELECT person FROM ({records}) ORDER BY records DESC, person LIMIT {int(people)}"
    line = log.line_name
    numbered = f"(SELECT *, row_number() OVER () AS {line} FROM {log.source.relation})"
    # stored in the order of the file, which orders records of the same moment
    kept = log.database.keep(
        f"SELECT * EXCLUDE ({line}) FROM {numbered} WHERE {log.columns['person']} IN ({chosen}) ORDER BY {line}",
        label="finding the people with the most records",
    )
    # counting people of the whole log checks that every record of a text file was read; those left are fewer
    fewer = replace(log, source=replace(log.source, remote=None, stored=kept, text=None))
    left_out = Note(
        log.people - fewer.people, "people left out", f"only the {fewer.people:,} people with the most records are kept"
    )
    return replace(events, log=fewer, step_notes=events.step_notes + nonzero(left_out))
