"""Splitting an event log by time: what is released, and what an intruder is assumed to know.

Every rule produces the same: a stored table with three clock readings per person (begins, turns, ends). The first
part of a person's events lies in [begins, turns), the second in [turns, ends).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import NamedTuple, get_args

import numpy as np
import pyarrow as pa

from singleout.ground.errors import DataError, InputError, bad_argument, unknown_name
from singleout.ground.names import SplitRule, TraceShare, Weekday
from singleout.ground.notes import Note, nonzero, of_two_sides
from singleout.reading.events import Events, Parts
from singleout.reading.time_formats import EXAMPLE
from singleout.reading.times import DAY, WEEK, YEAR_ONE, weekday_number

RULES: tuple[SplitRule, ...] = get_args(SplitRule)
NEEDS_LESS: dict[str, tuple[SplitRule, ...]] = {
    "halves": ("point",),
    "weeks": ("halves", "point"),
    "dates": ("halves", "point"),
}
"""Of each rule those that split times which span too little for it."""
SHARES: tuple[TraceShare, ...] = get_args(TraceShare)
ALWAYS = 2**62


class Sides(NamedTuple):
    """The two sides of an attack: what is released without identities, and what the intruder knows with them.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> sides = so.split(log.events, by="weeks")
    >>> released, known = sides
    >>> sides.known is known
    True
    """

    released: Events
    known: Events

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was left out of either side. Reads the source once."""
        return of_two_sides(self.released.notes, self.known.notes)

    def _repr_html_(self) -> str:
        return f"<p>Released</p>{self.released._repr_html_()}<p>Known</p>{self.known._repr_html_()}"


def split(
    events: Events,
    *,
    by: SplitRule = "halves",
    week_start: Weekday = "monday",
    longer_first: bool = False,
    dates: Sequence[str | date] | None = None,
    between: tuple[float, float] = (0.3, 0.7),
    of: TraceShare = "events",
    seed: int = 0,
) -> Sides:
    """Split an event log by time: the earlier part is known to the intruder, the later one released.

    Parameters
    ----------
    events
        Events with times.
    by
        ``"halves"``: each person's active calendar weeks, second half against first; an odd week belongs to the
        second half unless ``longer_first``; people with one active week are left out (Naini 2016 IV-C).
        ``"weeks"``: the 14 days in which most people are active in both weeks, week against week; of equal periods,
        the one with most activity in its less active week; people not active in both are left out (Naini 2016 IV-B).
        ``"dates"``: three ``dates``, [second, third) against [first, second).
        ``"point"``: one point per person, drawn uniformly ``between`` two shares of their trace (Manousakas 2018 5.1).
    week_start
        The day on which calendar weeks start, by the clock of the log's time zone.
    longer_first
        For ``"halves"``: an odd week belongs to the first half.
    dates
        For ``"dates"``: the three dates.
    between
        For ``"point"``: the two shares.
    of
        For ``"point"``: a share of a person's ``"events"``, or of the ``"time"`` between their first and last event.
    seed
        Seed of the random points of ``"point"``.

    Returns
    -------
    Sides
        The released part and the known one.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = so.split(log.events, by="weeks")
    >>> released
    Events(2,451 events, 50 people, 193 places, 2012-04-16 to 2012-04-22, released, the later one)
    >>> known
    Events(1,972 events, 50 people, 180 places, 2012-04-09 to 2012-04-15, known, the earlier one)
    """
    if not isinstance(events, Events):
        raise bad_argument("split", "events", "Events", type(events).__name__, "Make them with so.read_events(…).")
    if by not in RULES:
        raise unknown_name("split", "by", str(by), RULES)
    if of not in SHARES:
        raise unknown_name("split", "of", str(of), SHARES)
    if dates is not None and by != "dates":
        raise bad_argument("split", "dates", "omitted unless by='dates'", dates)
    if "moment" not in events.log.columns:
        hint = f"Name it: `time='…'`. If its format is not recognised, add it, such as `time_format={EXAMPLE!r}`."
        raise bad_argument("split", "events", "read with a time column", None, hint)
    if events.parts is not None:
        raise bad_argument("split", "events", "an event log that has not been split", events)
    if events.last_days is not None:
        hint = "Split first, then shorten the parts."
        raise bad_argument("split", "events", "an event log with all its days", events, hint)
    whole_days = by != "point"
    if by == "halves":
        table, notes = _halves(events, weekday_number("split", "week_start", week_start), longer_first)
    elif by == "weeks":
        table, notes = _best_weeks(events)
    elif by == "dates":
        borders = _borders(dates)
        whole_days = not any(border % DAY for border in borders)
        table, notes = _given_dates(events.by_day() if whole_days else events, borders)
    else:
        table, notes = _random_points(events, between, of, seed)
    _refuse_nobody(events, table, by)
    parts = Parts(table, whole_days)
    return _parts_of(events, parts, notes)


def split_again(events: Events) -> Sides:
    """One part of a split in two, each person at the middle of the days on which they were active.

    People who were active on one day only are left out.
    """
    if events.parts is None:
        raise bad_argument("split_again", "events", "one part of a split", events)
    begins, ends = ("begins", "turns") if events.part == 0 else ("turns", "ends")
    active = f"SELECT DISTINCT person, clock // {DAY} AS day FROM {_placed_events(events.by_day())}"
    listed = f"SELECT person, list(day ORDER BY day) AS days FROM ({active}) GROUP BY person"
    table = events.log.database.keep(
        f"SELECT person, {begins} AS begins, days[len(days) // 2 + 1] * {DAY} AS turns, {ends} AS ends,"
        f" len(days) AS days FROM ({listed}) JOIN {events.parts.table} old USING (person)",
        label="finding active days",
    )
    table, notes = _keep_where(events, table, "days >= 2", "active on one day only")
    _refuse_nobody(events, table, "the middle of active days")
    parts = Parts(table, events.parts.whole_days)
    return _parts_of(replace(events, step_notes=()), parts, notes)


def _halves(events: Events, week_start: int, longer_first: bool) -> tuple[str, tuple[Note, ...]]:
    offset = week_start * DAY
    active = f"SELECT DISTINCT person, (clock - {offset}) // {WEEK} AS week FROM {_placed_events(events.by_day())}"
    turn = "len(weeks) // 2 + len(weeks) % 2" if longer_first else "len(weeks) // 2"
    listed = f"SELECT person, list(week ORDER BY week) AS weeks FROM ({active}) GROUP BY person"
    table = events.log.database.keep(
        f"SELECT person, {-ALWAYS} AS begins, weeks[{turn} + 1] * {WEEK} + {offset} AS turns, {ALWAYS} AS ends,"
        f" len(weeks) AS weeks FROM ({listed})",
        label="finding active weeks",
    )
    return _keep_where(events, table, "weeks >= 2", "active in one week only")


def _best_weeks(events: Events) -> tuple[str, tuple[Note, ...]]:
    """The 14-day period with most people active in both of its weeks.

    Of equal periods, the one whose less active week has most days of activity of these people; then the earliest.
    """
    database = events.log.database
    active = f"SELECT DISTINCT person, clock // {DAY} AS day FROM {_placed_events(events.by_day())}"
    # a person active on day d is active in each of the 7-day weeks that start on d - 6 … d
    started = f"SELECT person, unnest(range(day - 6, day + 1)) AS start FROM ({active})"
    weeks = database.keep(
        f"SELECT person, start, count(*) AS days FROM ({started}) GROUP BY person, start", label="finding weeks"
    )
    both = (
        f"SELECT a.start, a.days AS first_days, b.days AS second_days FROM {weeks} a"
        f" JOIN {weeks} b ON a.person = b.person AND b.start = a.start + 7"
    )
    found = database.table(
        f"SELECT start FROM ({both}) GROUP BY start"
        " ORDER BY count(*) DESC, least(sum(first_days), sum(second_days)) DESC, start LIMIT 1"
    )
    start = found["start"][0].as_py() if len(found) else 0
    table = database.keep(
        f"SELECT person, {start * DAY} AS begins, {(start + 7) * DAY} AS turns, {(start + 14) * DAY} AS ends,"
        f" bool_or(start = {start}) AND bool_or(start = {start + 7}) AS active FROM {weeks} GROUP BY person"
    )
    return _keep_where(events, table, "active", "not active in both weeks")


def _borders(dates: Sequence[str | date] | None) -> tuple[int, int, int]:
    """Three dates as clock readings."""
    if dates is None:
        problem = "`by='dates'` requires `dates=START,MIDDLE,END`, in ascending order."
        raise InputError(problem, function="split")
    must = "three dates in ascending order: the start, the date that divides the two parts, and the end"
    if isinstance(dates, str) or len(dates) != 3:
        raise bad_argument("split", "dates", must, dates)
    begins, turns, ends = (_clock_reading(given) for given in dates)
    if not begins < turns < ends:
        raise bad_argument("split", "dates", must, tuple(str(given) for given in dates))
    return begins, turns, ends


def _given_dates(events: Events, borders: tuple[int, int, int]) -> tuple[str, tuple[Note, ...]]:
    begins, turns, ends = borders
    table = events.log.database.keep(
        f"SELECT person, {begins} AS begins, {turns} AS turns, {ends} AS ends,"
        f" bool_or(clock >= {begins} AND clock < {ends}) AS active FROM {_placed_events(events)} GROUP BY person"
    )
    return _keep_where(events, table, "active", "without events between the dates")


def _random_points(events: Events, between: tuple[float, float], of: str, seed: int) -> tuple[str, tuple[Note, ...]]:
    low, high = between
    if not 0 < low <= high < 1:
        raise bad_argument("split", "between", f"two shares of a person's {of}, 0 < low <= high < 1", between)
    database, placed = events.log.database, _placed_events(events)
    people = database.table(f"SELECT DISTINCT person FROM {placed} ORDER BY person")
    shares = np.random.default_rng(seed).uniform(low, high, len(people))
    drawn = database.view(people.append_column("share", pa.array(shares)))
    point = _point_in_time if of == "time" else _point_among_events
    table = database.keep(
        f"SELECT person, {-ALWAYS} AS begins, turns, {ALWAYS} AS ends, turns > opening AS parted"
        f" FROM ({point(placed, drawn)})",
        label="drawing random points in time",
    )
    return _keep_where(events, table, "parted", "without events before their point in time")


def _point_among_events(placed: str, drawn: str) -> str:
    """SQL: the clock reading of the event that comes after a share of a person's events."""
    numbered = (
        f"SELECT person, clock, row_number() OVER (PARTITION BY person ORDER BY clock) AS number,"
        f" count(*) OVER (PARTITION BY person) AS total, min(clock) OVER (PARTITION BY person) AS opening FROM {placed}"
    )
    return (
        f"SELECT person, clock AS turns, opening FROM ({numbered}) JOIN {drawn} USING (person)"
        " WHERE number = floor(share * total)::BIGINT + 1"
    )


def _point_in_time(placed: str, drawn: str) -> str:
    """SQL: the clock reading after a share of the time between a person's first and last event."""
    spans = f"SELECT person, min(clock) AS opening, max(clock) - min(clock) AS span FROM {placed} GROUP BY person"
    return (
        f"SELECT person, opening + floor(share * span)::BIGINT AS turns, opening FROM ({spans})"
        f" JOIN {drawn} USING (person)"
    )


def _parts_of(events: Events, parts: Parts, notes: tuple[Note, ...]) -> Sides:
    """Both parts of a log, with what was done to it before."""
    whole = replace(events, parts=parts, step_notes=events.step_notes + notes, last_days=None)
    return Sides(released=replace(whole, part=1), known=replace(whole, part=0))


def _placed_events(events: Events) -> str:
    """SQL for events that count as activity: those with a place."""
    return f"(SELECT person, clock FROM {events.rows('person', 'clock', 'placed')} WHERE placed)"


def _keep_where(events: Events, table: str, condition: str, why: str) -> tuple[str, tuple[Note, ...]]:
    """Only the people who meet the condition; the others are counted."""
    counts = events.log.database.row(f"SELECT count(*) AS people, count_if(NOT {condition}) AS left_out FROM {table}")
    kept = events.log.database.keep(f"SELECT person, begins, turns, ends FROM {table} WHERE {condition}")
    never = events.number_of_people - int(str(counts["people"]))
    return kept, nonzero(
        Note(int(str(counts["left_out"])), "people left out", why),
        Note(never, "people left out", "none of their events has both a time and a place"),
    )


def _refuse_nobody(events: Events, table: str, by: str) -> None:
    if not events.log.database.row(f"SELECT count(*) AS people FROM {table}")["people"]:
        raise DataError(
            f"`by={by!r}` leaves nobody with events in both parts. {_what_else(events, by)}", function="split"
        )


def _what_else(events: Events, by: str) -> str:
    """What to try where a rule leaves nobody: only rules that could leave somebody."""
    placed = _placed_events(events)
    latest = events.log.database.row(f"SELECT max(clock) AS clock FROM {placed}")["clock"]
    if int(str(latest)) < YEAR_ONE + 400 * DAY:
        return f"All times are in 1970 or earlier: is `time_unit={events.log.clock.unit!r}` right?"
    several = f"SELECT person FROM {placed} GROUP BY person HAVING min(clock) < max(clock)"
    if not events.log.database.row(f"SELECT count(*) AS people FROM ({several})")["people"]:
        return "Nobody has events at two different times: use a log that covers more time."
    others = " or ".join(f"`by={rule!r}`" for rule in NEEDS_LESS.get(by, ()))
    longer = "a log that covers more time"
    if by == "dates":
        return f"Choose other `dates`, or try {others}."
    return f"The times may span too little for it: try {others}, or {longer}." if others else f"Use {longer}."


def _clock_reading(given: str | date) -> int:
    try:
        when = datetime.fromisoformat(given) if isinstance(given, str) else given
    except ValueError as error:
        raise bad_argument("split", "dates", "dates such as '2012-04-09'", given) from error
    if not isinstance(when, datetime):
        when = datetime(when.year, when.month, when.day)
    return (when.replace(tzinfo=None) - datetime.min) // timedelta(microseconds=1)
