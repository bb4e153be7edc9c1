"""What each column of a file most likely is, with a reason in words: a proposal to be checked, never a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from singleout.ground.errors import SourceError
from singleout.reading.attribute_words import HIDDEN_WORDS, SEEN_WORDS
from singleout.reading.database import literal, quote
from singleout.reading.event_times import FORMAT_FLAG, count_no_times, count_others, swappable_formats
from singleout.reading.identifiers import find_identifiers
from singleout.reading.opening import person_of
from singleout.reading.roles import TIMES, ColumnLook, words_of_name
from singleout.reading.sources import Source
from singleout.reading.survey_weights import has_weight_in_name, is_survey_weight
from singleout.reading.tables import read_table
from singleout.reading.time_formats import are_most, either
from singleout.reading.written_values import CLOCK, has_fractions, time_unit_of

GRID = 1_000.0
"""Metres of a cell that is proposed for coordinates."""
FEW_VALUES, SHARED_BY = 50, 20
"""A column that no name speaks for is proposed as known if it has at most this many values, or this many records each,
on average."""
MOST_KNOWN = 4
FEWEST_FILES = 3
"""Files from which on each may be of one person."""
DAY = re.compile(r"(?<!\d)((19|20)\d\d[-_. ]?[01]\d([-_. ]?[0-3]\d)?|[0-3]\d[-_. ][01]\d[-_. ](19|20)\d\d)(?!\d)")
"""A month or a day: in the names of all files it says that they are divided by time, not by person."""
NAME = re.compile(r"(?!.*[:~] *\d\d)[^\d\s@+:/~-][^@]*")
"""What may be the name of a column; a colon before a number divides the fields of a record."""
FIRST_ROWS = 10_000
"""Rows among which a name would be met again, if it were a value."""
PLACES = {
    "antenna", "area", "arret", "artist", "bank", "branch", "building", "category", "cell", "channel", "city", "clinic",
    "dest", "destination", "district", "domain", "door", "filiale", "game", "gate", "gebaude", "halt", "haltestelle",
    "host", "item", "lieu", "location", "lugar", "magasin", "merchant", "ort", "page", "place", "poi", "product",
    "raum", "room", "route", "shop", "site", "sku", "song", "standort", "station", "stop", "store", "tienda", "tower",
    "town", "track", "tract", "tuer", "tur", "url", "venue", "website", "where", "zone",
}  # fmt: skip
LATITUDES = {"breite", "breitengrad", "lat", "latitud", "latitude"}
LONGITUDES = {"laenge", "lange", "langengrad", "lng", "lon", "long", "longitud", "longitude"}
SCALED = re.compile(r"(?<![a-z])e([5-7])$")
"""Coordinates in whole numbers say so in their names: lat_e6."""
HOURS = {"clock", "heure", "hora", "hour", "hours", "stunde", "uhrzeit"}
TIME_OF_DAY = re.compile(rf"\s*{CLOCK}\s*")
HOUR = re.compile(rf"\s*([01]?\d|2[0-4])\s*|{TIME_OF_DAY.pattern}")
COUNTS = {"count", "counts", "n", "qty", "quantity", "visits"}


class Role(StrEnum):
    """What a column is for; the names of options, and two that are none."""

    USER = "user"
    TIME = "time"
    DATE = "date"
    PLACE = "place"
    LAT = "lat"
    LNG = "lng"
    COUNT = "count"
    ON = "on"
    TRUTH = "truth"
    KNOWN = "known_columns"
    NOT_RELEASED = "drop"
    WEIGHT = "survey_weight"
    SENSITIVE = "sensitive"
    RELEASED = "released"
    UNUSED = "unused"

    @property
    def in_words(self) -> str:
        """What readers call it."""
        return IN_WORDS.get(self, str(self))


IN_WORDS = {
    Role.USER: "person", Role.LAT: "latitude", Role.LNG: "longitude", Role.ON: "links", Role.TRUTH: "who is who",
    Role.KNOWN: "known", Role.RELEASED: "released", Role.NOT_RELEASED: "not released", Role.WEIGHT: "survey weight",
    Role.UNUSED: "not used",
}  # fmt: skip
SINGLE = (Role.USER, Role.TIME, Role.DATE, Role.PLACE, Role.LAT, Role.LNG, Role.COUNT, Role.TRUTH, Role.WEIGHT)
SEVERAL = (Role.ON, Role.KNOWN, Role.NOT_RELEASED, Role.SENSITIVE)


@dataclass(frozen=True)
class ColumnRole:
    """What a column most likely is, and why."""

    column: str
    role: Role
    reason: str


@dataclass(frozen=True)
class Proposal:
    """Whether rows are events or people and why, what each column is, and the unit of numeric times.

    ``user_from_name``: each file is of one person, whom only its name identifies. ``known_names`` are the columns that
    a second table has too, with their names there; None without a second table. ``needs_format``: the times are in a
    format that only people who know the file can name; ``formats`` are both of them if day and month could be swapped.
    """

    is_log: bool
    reason: str
    roles: tuple[ColumnRole, ...]
    rows: int
    time_unit: str = "s"
    known_names: Mapping[str, str] | None = None
    user_from_name: bool = False
    needs_format: bool = False
    formats: tuple[str, ...] = ()

    def columns(self, role: Role) -> list[str]:
        """The columns with a role."""
        return [each.column for each in self.roles if each.role == role]

    def options(self) -> dict[str, Any]:
        """The options of an audit that follow from it."""
        found: dict[str, Any] = {"user_from_name": True} if self.user_from_name else {}
        for role in SINGLE:
            found |= {str(role): name for name in self.columns(role)[:1]}
        for role in SEVERAL:
            found |= {str(role): names for names in [self.columns(role)] if names}
        if Role.LAT in found:
            found |= {"grid": GRID}
            scale = SCALED.search(found[Role.LAT].lower())
            found |= {"coordinate_scale": 10.0 ** -int(scale[1])} if scale else {}
        found |= self.names_there(found)
        return found | ({"time_unit": self.time_unit} if Role.TIME in found and self.time_unit != "s" else {})

    def names_there(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The names of common columns in the second table, where they differ."""
        names = self.known_names or {}
        on, truth = options.get(Role.ON, []), options.get(Role.TRUTH)
        found: dict[str, Any] = {"known_on": [names[name] for name in on]}
        found |= {} if truth is None else {"known_truth": names[truth]}
        return {name: value for name, value in found.items() if value not in (on, truth)}


def propose_roles(source: Source, *, user: str | None = None) -> Proposal:
    """Propose what each column is; ``user`` is the column that identifies people, if that is known already."""
    refuse_data_in_header(source)
    proposer = _Proposer(source, user)
    if proposer.user is not None or proposer.is_one_file_each():
        return proposer.propose_log()
    return proposer.propose_table()


def refuse_data_in_header(source: Source) -> None:
    """The first line of a file may be its first record, whose values must not be shown as names.

    A file of one column was most likely divided by a separator that was not recognised: then a line is a whole record.
    """
    if source.header is None:
        return
    if len(source.header) == 1:
        problem = f"{source.display_name} has one column only as it was read, and its first line is not shown."
        raise SourceError(problem, hint=source.how_to_divide)
    named = all(NAME.fullmatch(name) for name in source.column_types)
    if not named or names_are_values(source):
        raise SourceError(
            f"the first line of {source.display_name} does not look like column names, and is not shown.",
            hint="If it is data, name the columns in their order with `columns_are`.",
        )


def names_are_values(source: Source) -> bool:
    """Whether a name occurs among the values of its own column: then the first line is most likely data too."""
    tests = [f"bool_or({quote(name)}::VARCHAR = {literal(name)})" for name in source.column_types]
    found = source.query(
        f"SELECT {' OR '.join(f'coalesce({test}, false)' for test in tests)} AS met FROM "
        f"(SELECT * FROM {source.relation} LIMIT {FIRST_ROWS})",
        function="init",
        label="examining columns",
    )
    return bool(found["met"][0].as_py())


class _Proposer:
    """Looks at every column once; each role is given in turn to the columns that are left."""

    def __init__(self, source: Source, user: str | None) -> None:
        self.source = source
        self.look = ColumnLook(source, frozenset())
        self.sign = self.look.signs()
        self.rows = max((rows for _, rows in self.look.repeats.values()), default=0)
        self.given: dict[str, ColumnRole] = {}
        self.needs_format = False
        self.formats: tuple[str, ...] = ()
        is_log = self.sign is not None and (self.sign.sure or (self._has_times() and not self.look.numbers_people))
        self.user = user or (self.sign.user if self.sign is not None and is_log else None)

    def _has_times(self) -> bool:
        """Whether any column says when something happened: ids that repeat are those of events then, most likely."""
        look = self.look
        found = look.timed or look.dated or look.maybe_timed or self._clock() or self._numbers_named_time()
        return bool(found)

    def _give(self, column: str | None, role: Role, reason: str) -> None:
        if column is not None and column not in self.given:
            self.given[column] = ColumnRole(column, role, reason)

    def _left(self) -> Iterator[str]:
        return (name for name in self.look.names if name not in self.given)

    def _finish(self, role: Role, reason: str) -> tuple[ColumnRole, ...]:
        """Every column in the order of the file, those that are left with a role for all of them."""
        return tuple(self.given.get(name, ColumnRole(name, role, reason)) for name in self.source.column_types)

    def _counted(self, name: str) -> str:
        values, rows = self.look.repeats[name]
        return f"{values:,} value{'s' * (values != 1)} in {rows:,} row{'s' * (rows != 1)}"

    # EVENT LOGS

    def is_one_file_each(self) -> bool:
        """Whether several files hold times, but no column distinguishes people, and their names are no days."""
        files, repeated = self.source.files, self.sign is not None and self.sign.user is not None
        if len(files) < FEWEST_FILES or repeated or not (self.look.timed or self.look.dated or self._clock()):
            return False
        return not all(DAY.search(person_of(file)) for file in files)

    def propose_log(self) -> Proposal:
        """One row per event."""
        if self.user is not None:
            self._give(self.user, Role.USER, f"its values repeat as ids do: {self._counted(self.user)}")
        time = self._give_times()
        self._give_places()
        counts = (name for name in self._left() if self._has_word(name, COUNTS) and self._is_whole(name))
        self._give(next(counts, None), Role.COUNT, "by its name, and all its values are whole numbers")
        if self.user is None:
            reason = f"{len(self.source.files):,} files with times, and no column of ids: one file for each person"
        else:
            reason = f"one row per event: column {self.user!r} has {self._counted(self.user)}"
            unsure = self.sign is not None and not self.sign.sure
            reason += "; if each row is a person, name what others know with --known-columns" if unsure else ""
        unit = "s" if time is None else time_unit_of(self.look.sample[time])
        roles = self._finish(Role.UNUSED, "an audit of events compares people, times and places only")
        found = Proposal(True, reason, roles, self.rows, unit, user_from_name=self.user is None)
        return replace(found, needs_format=self.needs_format, formats=self.formats)

    def _give_times(self) -> str | None:
        """A column of times, or of dates; or a column of dates and one of times of day."""
        clock, day = self._clock(), next(iter(self.look.dated), None)
        if clock is not None and day is not None:
            dates = self._count_read("dates", count_no_times(self.source, day))
            self._give(day, Role.DATE, f"{dates}, and {clock!r} holds times of day")
            other = count_others(self.source, clock, self._hours(clock).pattern)
            self._give(clock, Role.TIME, self._count_read("times of day, without a date", other))
            self._doubt_order(clock, day)
            return clock
        maybe = (name for name in self.look.maybe_timed if name not in self.given)
        found = (self.look.time, day, self._numbers_named_time(), next(maybe, None))
        time = next((name for name in found if name not in (None, clock)), None)  # hours without a date do not say when
        if time is not None:
            self._give(time, Role.TIME, self._why_time(time))
            self._doubt_order(time)
        return time

    def _doubt_order(self, time: str, date: str | None = None) -> None:
        """Say where day and month of all dates could be swapped."""
        self.formats = swappable_formats(self.source, time, date)
        if self.formats:
            self.needs_format, dated = True, self.given[date or time]
            why = f"{dated.reason}; day and month could be swapped: add --time-format {either(self.formats)}"
            self.given[dated.column] = replace(dated, reason=why)

    def _why_time(self, name: str) -> str:
        what = {**dict.fromkeys(self.look.dated, "dates"), **dict.fromkeys(self.look.timed, "times")}.get(name)
        if what is not None:
            bad = count_no_times(self.source, name, time_unit_of(self.look.sample[name]))
            if are_most(self.look.repeats[name][1] - bad, self.look.repeats[name][1]):
                return self._count_read(what, bad)
        if what is not None or name in self.look.maybe_timed:
            self.needs_format = True
            return f"seems to hold times in a format that is not recognised: add {FORMAT_FLAG}"
        return "by its name"

    @staticmethod
    def _count_read(what: str, others: int) -> str:
        """How many values are what a column is proposed for; never all if some are not."""
        if not others:
            return f"all its values are {what}"
        return f"all but {others:,} of its values are {what}; correct or empty {'that one' if others == 1 else 'those'}"

    def _numbers_named_time(self) -> str | None:
        """A column of numbers in a text file that is named for times, whatever they count from."""
        named = (name for name in self._left() if self._has_word(name, TIMES | {"t"}) and self._is_number(name))
        return next(named, None)

    def _clock(self) -> str | None:
        """A column of times of day such as 14:05, or of hours that is named so."""
        for name in self._left():
            values = self.look.sample[name]
            found = [value for value in values if self._hours(name).fullmatch(value)]
            if len(set(found)) > 2 and are_most(len(found), len(values)):
                return name
        return None

    def _hours(self, name: str) -> re.Pattern[str]:
        return HOUR if self._has_word(name, HOURS) else TIME_OF_DAY

    def _give_places(self) -> None:
        """A column named for places, else coordinates, else the column with the most values that still repeat."""
        left = [name for name in self._left() if not self._is_exact(name) and self._repeats(name)]
        named = [name for name in left if self._has_word(name, PLACES)]
        lat, lng = (self._coordinate(words) for words in (LATITUDES, LONGITUDES))
        if not named and lat is not None and lng is not None:
            self._give(lat, Role.LAT, "by its name, and all its values are numbers")
            self._give(lng, Role.LNG, "by its name, and all its values are numbers")
            return
        best = max(named or left, key=lambda name: self.look.repeats[name][0], default=None)
        if best is not None:
            why = "by its name" if named else "the most values that still repeat"
            self._give(best, Role.PLACE, f"{why}: {self._counted(best)}")

    def _coordinate(self, words: set[str]) -> str | None:
        return next((name for name in self._left() if self._has_word(name, words) and self._is_number(name)), None)

    # TABLES

    def propose_table(self) -> Proposal:
        """One row per person."""
        table = read_table(self.source)
        for each in find_identifiers(table, self.look.names):
            self._give(each.column, Role.NOT_RELEASED, f"identifies people directly: {each.reason}")
        for name in self.look.timed:
            self._give(name, Role.RELEASED, "holds times of day")
        names, sample = self.look.names, self.look.sample
        weights = {name for name in names if is_survey_weight(name, sample[name], names)}
        self._give(
            next((name for name in self._left() if name in weights), None),
            Role.WEIGHT,
            "by its name, and all its values are numbers above zero",
        )
        for role, words, reason in (
            (Role.SENSITIVE, HIDDEN_WORDS, "by its name: most people would not want it to be known"),
            (Role.KNOWN, SEEN_WORDS, "by its name: others can see or look this up"),
        ):
            for name in self._left():
                if self._has_word(name, words) and self.look.repeats[name][0] > 1:
                    self._give(name, role, f"{reason}; {self._counted(name)}")
        self._give_known_by_counts()
        for name in self._left():
            if name not in weights and has_weight_in_name(name) and self._is_number(name):
                why = "may be the weight of a body; if it is a survey weight, set survey_weight"
                self._give(name, Role.RELEASED, why)
        roles = self._finish(Role.RELEASED, "nothing says that others know it")
        return Proposal(False, self._why_table(), roles, self.rows)

    def _give_known_by_counts(self) -> None:
        """Where no name says what others know: the columns with the most values among those that people share."""
        if any(each.role == Role.KNOWN for each in self.given.values()):
            return
        most = max(FEW_VALUES, self.rows // SHARED_BY)
        shared = [name for name in self._left() if 1 < self.look.repeats[name][0] <= most]
        for name in sorted(shared, key=lambda name: -self.look.repeats[name][0])[:MOST_KNOWN]:
            self._give(name, Role.KNOWN, f"no name says what others know; {self._counted(name)}")

    def _why_table(self) -> str:
        if self.sign is None:
            return "one row per person: no column of ids repeats"
        events = "if rows are events, name the column of people with --user"
        if self.sign.user is None:
            return f"one row per person, though column {self.sign.time!r} holds times of day: {events}"
        return f"one row per person, though {self.sign.repeats}: {events}"

    # COLUMNS

    @cached_property
    def _words(self) -> dict[str, set[str]]:
        return {name: set(words_of_name(name)) for name in self.look.names}

    def _has_word(self, name: str, words: AbstractSet[str]) -> bool:
        return not words.isdisjoint(self._words[name])

    def _is_number(self, name: str) -> bool:
        values = self.look.sample[name]
        return bool(values) and all(re.fullmatch(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", value) for value in values)

    def _is_whole(self, name: str) -> bool:
        return self._is_number(name) and not self._is_exact(name)

    def _is_exact(self, name: str) -> bool:
        """Whether a column holds decimal numbers or times."""
        return has_fractions(self.look.sample[name]) or name in (*self.look.timed, *self.look.dated)

    def _repeats(self, name: str) -> bool:
        values, rows = self.look.repeats[name]
        return 1 < values <= rows / 2
