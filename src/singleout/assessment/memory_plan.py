"""How much memory an audit will need, and what to do where there is less: said before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_sample import enough_people
from singleout.assessment.file_attack import LARGE
from singleout.ground.errors import ResourceError
from singleout.ground.notes import number_of
from singleout.ground.numbers import plural
from singleout.ground.progress import add_detail
from singleout.ground.resources import free_memory, in_bytes
from singleout.reading.columns import Rows
from singleout.reading.events import Events
from singleout.similarity.comparison import MOST_PAIRS

BASE = 680e6
"""Libraries, compiled kernels and the reading of files."""
PER_PERSON = 9_000
"""Bytes for each person: candidates, prices and margins."""
PER_ENTRY = 90
"""Bytes for each person and place: counts of both sides, scaled, by person and by place."""
PER_PAIR = 130
"""Bytes for each pair of people, where tables of all pairs are made."""
PROTECTED = 1_100
"""Bytes for each person and place, of those on whom protections are tried."""
AVERAGED, MOST_PLACES, MOST_AVERAGED = 450, 1_500, 1.6e9
"""Bytes for each of these people and place that averages of large groups have; how many such places, and how many bytes
in all, were met at most."""

TABLE_BASE = 650e6
"""The same as ``BASE`` for tables."""
PER_RECORD, PER_RECORD_PROTECTED = 230, 400
"""Bytes for each record of a table: classes and scores; where protections are tried."""
PER_CELL = 12
"""Bytes for each value of a table: it is read, and kept as a code."""


ROUND_NUMBERS: list[int] = [step * 10 ** int(power) for power in range(8, 1, -1) for step in (5, 2, 1)]
"""From 500 million people down to a hundred."""


@dataclass(frozen=True)
class Sizes:
    """What the memory of an audit depends on; ``entries`` are people times the places each was at."""

    people: int
    places: int
    entries: int

    def expect_bytes(self, *, protect: bool) -> float:
        """The most memory an audit will have: measured ones stayed below (docs/how-to/sizing.md)."""
        tables = PER_PAIR * min(self.people**2, MOST_PAIRS)
        return BASE + PER_PERSON * self.people + PER_ENTRY * self.entries + max(tables, self._protected() * protect)

    def _protected(self) -> float:
        """What trying protections takes, when tables of all pairs are gone."""
        share = min(1.0, enough_people(0.95) / max(self.people, 1)) if self.people >= LARGE else 1.0
        averages = min(AVERAGED * share * self.people * min(self.places, MOST_PLACES), MOST_AVERAGED)
        return averages + PROTECTED * share * self.entries


def check_memory(logs: Sequence[Events], options: AuditOptions) -> None:
    """Say what the audit will need; refuse one that cannot fit, with what would."""
    free, most = free_memory(), _at_most(logs)
    fits = free is None or most.expect_bytes(protect=options.protect) <= free
    sizes = most if fits else _count(logs)
    needed = sizes.expect_bytes(protect=options.protect)
    add_detail(f"memory: at most {in_bytes(needed)} for {number_of(sizes.people, 'people')}")
    if free is None or needed <= free:
        return
    places = number_of(sizes.places, plural(options.place_name))
    raise ResourceError(
        f"an audit of {number_of(sizes.people, 'people')} at {places} ({sizes.entries:,} pairs of a person and a place)"
        f" needs about {in_bytes(needed)} of memory, and {in_bytes(free)} are free.",
        function="audit",
        hint=_ways_to_fit(sizes, options, free),
    )


def expect_table_bytes(records: int, columns: int, *, protect: bool) -> float:
    """The most memory the audit of a table will have."""
    return TABLE_BASE + records * ((PER_RECORD_PROTECTED if protect else PER_RECORD) + PER_CELL * columns)


def check_table_memory(rows: Rows, columns: int, options: AuditOptions) -> None:
    """The same for a table; where equal records are one row, these count."""
    records = rows.number
    what = "records" if rows.times is None else "distinct rows"
    free, needed = free_memory(), expect_table_bytes(records, columns, protect=options.protect)
    add_detail(f"memory: at most {in_bytes(needed)} for {number_of(records, what)}")
    if free is None or needed <= free:
        return
    ways = ["keep fewer columns (`drop`)", "audit a random sample and state of how many records it is (`population`)"]
    if options.protect and expect_table_bytes(records, columns, protect=False) <= free:
        ways.insert(0, "try no protections (`protect=False`)")
    raise ResourceError(
        f"an audit of {number_of(records, what)} with {number_of(columns, 'columns')} needs about "
        f"{in_bytes(needed)} of memory, and {in_bytes(free)} are free.",
        function="audit",
        hint=f"To fit, {', or '.join(ways)}; or use a larger machine.",
    )


def _ways_to_fit(sizes: Sizes, options: AuditOptions, free: float) -> str:
    ways = []
    fitting = _people_that_fit(sizes, options, free)
    if fitting:
        ways.append(f"audit a sample of the people (`sample={fitting}`)")
    if options.protect and sizes.expect_bytes(protect=False) <= free:
        ways.append("try no protections (`protect=False`)")
    ways.append("use coarser places" + (f" (`grid={2 * options.grid:g}`)" if options.grid else ""))
    return f"To fit, {', or '.join(ways)}; or use a larger machine."


def _people_that_fit(sizes: Sizes, options: AuditOptions, free: float) -> int:
    """The largest round number of people whose audit fits; 0 where none does."""
    for number in ROUND_NUMBERS:
        some = Sizes(number, sizes.places, round(sizes.entries * number / max(sizes.people, 1)))
        if number < sizes.people and some.expect_bytes(protect=options.protect) <= free:
            return number
    return 0


def _at_most(logs: Sequence[Events]) -> Sizes:
    """Sizes that cannot be exceeded, from what is known without another look at the rows."""
    rows = sum(log.log.row_counts["usable"] for log in logs)
    people = max(log.number_of_people for log in logs)
    return Sizes(people, rows, rows)


def _count(logs: Sequence[Events]) -> Sizes:
    """Sizes within a few per cent, from one pass over the rows of each log."""
    chosen = "approx_count_distinct(place) AS places, approx_count_distinct(hash(person, place)) AS entries"
    found = [log.log.query(f"SELECT {chosen} FROM {log.by_day().rows('person', 'place')}").to_pylist() for log in logs]
    # one log is split: a place that someone visits in both parts is an entry of each
    both = 2 if len(logs) == 1 else 1
    return Sizes(
        max(log.number_of_people for log in logs),
        max(int(row["places"]) for (row,) in found),
        both * sum(int(row["entries"]) for (row,) in found),
    )
