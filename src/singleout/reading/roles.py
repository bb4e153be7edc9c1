"""What the rows of a source most likely are: people, or events of people, by the names and the values of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from singleout.reading.database import quoted
from singleout.reading.sources import Source

PEOPLE = {
    "account", "buyer", "card", "cardholder", "client", "customer", "device", "driver", "employee", "guest", "imei",
    "imsi", "member", "msisdn", "participant", "passenger", "patient", "people", "person", "phone", "pid", "respondent",
    "rider", "shopper", "student", "subject", "subscriber", "uid", "user", "visitor",
}  # fmt: skip
SHARED = {"caller", "cookie", "email", "handle", "ip", "kunde", "kundennummer", "login", "plate", "username", "who"}
"""Words for people too, which a few of them may share: a family has one mailbox."""
IDS = {"code", "hash", "id", "ids", "key", "no", "nr", "num", "number", "pseudonym", "token", "uuid"}
TIMES = {"at", "date", "datetime", "hour", "time", "timestamp", "ts", "when"}
ATTRIBUTES = {
    "address", "age", "amount", "antenna", "area", "birth", "birthdate", "birthday", "branch", "category", "cell",
    "census", "city", "class", "cluster", "count", "country", "county", "degree", "department", "district", "dob",
    "earnings", "education", "ethnicity", "family", "first", "given", "height", "hours", "income", "industry",
    "interviewer", "item", "job", "language", "last", "lat", "latitude", "lng", "location", "lon", "long", "longitude",
    "marital", "municipality", "nationality", "occupation", "place", "plz", "poi", "postal", "postcode", "price",
    "product", "profession", "province", "race", "region", "religion", "rent", "salary", "school", "score", "sex",
    "shop", "site", "size", "state", "stop", "store", "street", "suburb", "surname", "town", "tract", "traj", "type",
    "url", "venue", "wage", "ward", "weight", "year", "zip", "zipcode",
}  # fmt: skip
"""Words for what many people share: a column of that name repeats in a table of people too."""
TIMED = re.compile(r"\s*\d{4}[-/]\d\d?[-/]\d\d?[ T]\s*(\d\d?:\d\d.*)")
"""A written time with a time of day: dates alone may be birthdays."""
DATED = re.compile(r"\s*(\d{4})[-/]\d\d?[-/]\d\d?([ T].*)?")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.\w+|\d{1,3}(\.\d{1,3}){3}|([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}")
"""The address of a mailbox, of a machine on the internet or of a network card."""
NUMBERED = re.compile(r"([^\W\d][\w-]*?[-_]?)\d+")
"""A pseudonym: a word and a number."""
SINCE_1970 = (946_684_800, 2_051_222_400)
"""Seconds from the year 2000 to 2035."""
REPEATED = 0.05
"""Share of records beyond one per id from which a table is taken for a log."""
MANY = 10
"""Values from which a column may hold ids: fewer are answers, such as mobile and landline."""
ROWS_EACH = 2
"""Rows of each value, on average, from which a column that no name calls an id is taken for one."""
SHORT_SPAN = 15
"""Years that the days of events span at most; birthdays span more."""
FEW_COLUMNS = 5
ANSWERS = 3
"""Columns of few values that differ among the rows of one id: so many are the answers of a survey."""
LOOKED_AT = 200
"""Columns that are looked at, the first ones; a log has fewer."""
SAMPLE = 1_000
GAPS = {None, "", "nan", "NaN"}


@dataclass(frozen=True)
class LikelyLog:
    """Signs that a source is an event log: a column of ids that repeat, and where there is one a column of times."""

    user: str
    values: int
    rows: int
    time: str | None
    sure: bool = True
    """Whether the signs are enough to refuse it as a table."""


def likely_event_log(source: Source, known: Iterable[str] = ()) -> LikelyLog | None:
    """The signs that rows are events, not people; None where there are none that are sure."""
    found = signs_of_events(source, known)
    return found if found is not None and found.sure else None


def signs_of_events(source: Source, known: Iterable[str] = ()) -> LikelyLog | None:
    """Signs that rows are events, not people, sure or not; None where there are none.

    A column that names people in so many words and repeats is enough, unless another such column never repeats; so is
    one of e-mail or network addresses. Any other column counts by its values: next to a column of times it is a sure
    sign, unless the intruder knows it, or the rows look like the answers of a survey.
    """
    return _Look(source, frozenset(known)).signs()


class _Look:
    """A look at the columns of a source: the first rows for what kind each is, all of them for how often it repeats."""

    def __init__(self, source: Source, known: frozenset[str]) -> None:
        self.source, self.known = source, known
        self.names = list(source.kinds)[:LOOKED_AT]
        chosen = ", ".join(f"({quoted(name)})::VARCHAR AS {quoted(name)}" for name in self.names)
        rows = source.query(
            f"SELECT {chosen} FROM {source.relation} LIMIT {SAMPLE}", function="audit", label="looking at columns"
        )
        self.sample = {name: [text for text in rows[name].to_pylist() if text not in GAPS] for name in self.names}
        self.repeats: dict[str, tuple[int, int]] = {}

    def signs(self) -> LikelyLog | None:
        """The column whose values repeat as ids of a log do; None where there is none."""
        timed = [
            name for name in self.names if len(_times_of_day(self.sample[name])) > 2
        ]  # a zone may show midnight as two
        time = next(iter(timed), None) or next((name for name in self.names if self._is_named_time(name)), None)
        named = [name for name in self.names if _is_person(name)]
        others = [name for name in self.names if time and name not in named and _words(name)[-1:] == ["id"]]
        self._count([*named, *others])
        own = [name for name in named if self.repeats[name][0] == self.repeats[name][1] > 0]
        if any(_words(name) != ["id"] for name in own):
            return None
        for name in [] if own else [*named, *others]:
            if self._repeats_like_ids(name):
                return self._log(name, time)
        return self._by_values(timed, sure=not own)

    def _by_values(self, timed: list[str], *, sure: bool) -> LikelyLog | None:
        """Judged by the values alone: what no name calls the id of a person, but what repeats as one."""
        likely = [name for name in self.names if name not in timed and self._may_be_an_id(name)]
        dated = [name for name in self.names if name not in timed and _is_day_of_an_event(self.sample[name])]
        likely = [name for name in likely if name not in dated]
        self._count([*likely, *timed, *dated])
        likely = [name for name in likely if self._repeats_often(name)]
        for name in likely:
            if all(map(ADDRESS.fullmatch, self.sample[name])):
                return self._log(name, next(iter(timed), None), sure=sure)
        times = [name for name in timed if self.repeats[name][0] >= MANY]
        unknown = [name for name in likely if name not in self.known]
        if times and likely:
            user = (unknown or likely)[0]
            return self._log(user, times[0], sure=sure and bool(unknown) and not self._has_answers(user))
        days = [name for name in dated if self.repeats[name][0] >= MANY]
        hinted = [name for name in likely if days or self._looks_like_an_id(name)]
        return self._log(hinted[0], next(iter(days), None), sure=False) if hinted else None

    def _may_be_an_id(self, name: str) -> bool:
        """Whether neither the name nor the values say that a column is something else."""
        words = set(_words(name))
        return (
            words.isdisjoint(ATTRIBUTES | TIMES) and bool(self.sample[name]) and not _has_fractions(self.sample[name])
        )

    def _looks_like_an_id(self, name: str) -> bool:
        """Whether a column that repeats deserves a word even where nothing says when."""
        words = _words(name)
        if len(self.names) <= FEW_COLUMNS or (words and words[-1] in IDS | {"name"}):
            return True
        found = [NUMBERED.fullmatch(value) for value in self.sample[name]]
        return len({each[1] if each else None for each in found} - {None}) == 1 and None not in found

    def _has_answers(self, user: str) -> bool:
        """Whether several columns of few values differ among the rows of an id, as the answers of people do."""
        rest = [name for name in self.names if name != user]
        self._count(rest)
        few = [name for name in rest if 2 <= self.repeats[name][0] < MANY]
        if len(few) < ANSWERS:
            return False
        pairs = ", ".join(f"count(DISTINCT ({quoted(user)}, {quoted(name)})) AS n_{k}" for k, name in enumerate(few))
        differ = [pair >= ROWS_EACH * self.repeats[user][0] * 0.75 for pair in self._row(pairs).values()]
        return differ.count(True) >= ANSWERS

    def _repeats_like_ids(self, name: str) -> bool:
        """For a column that a name calls an id of people: three users are few, but two values are none."""
        values, rows = self.repeats[name]
        words = set(_words(name))
        if words & SHARED:
            return self._repeats_often(name)
        least = 3 if words & (IDS | {"user", "uid", "pid"}) else MANY
        return values >= least and rows - values > REPEATED * rows

    def _repeats_often(self, name: str) -> bool:
        values, rows = self.repeats[name]
        return values >= MANY and rows >= ROWS_EACH * values

    def _is_named_time(self, name: str) -> bool:
        """Whether a column of numbers is called a time, whatever it counts from."""
        plain = self.source.kinds[name].split("(")[0]
        return bool(TIMES & set(_words(name))) and plain not in (
            "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE",
            "VARCHAR",
        )  # fmt: skip

    def _log(self, user: str, time: str | None, *, sure: bool = True) -> LikelyLog:
        return LikelyLog(user, *self.repeats[user], time, sure)

    def _count(self, names: list[str]) -> None:
        """Of each column how many values there are, and how many records have one."""
        new = [name for name in dict.fromkeys(names) if name not in self.repeats]
        counts = ", ".join(
            f"count(DISTINCT {quoted(name)}) AS values_{k}, count({quoted(name)}) AS rows_{k}"
            for k, name in enumerate(new)
        )
        row = self._row(counts) if new else {}
        self.repeats |= {name: (int(row[f"values_{k}"]), int(row[f"rows_{k}"])) for k, name in enumerate(new)}

    def _row(self, counts: str) -> dict[str, Any]:
        (row,) = self.source.query(
            f"SELECT {counts} FROM {self.source.relation}", function="audit", label="looking at columns"
        ).to_pylist()
        return dict(row)


def _words(name: str) -> list[str]:
    """The words of a name, however they are joined: cardId, CARD_ID, card id."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def _is_person(name: str) -> bool:
    words = _words(name)
    people = PEOPLE & set(words) or SHARED & set(words)
    return words == ["id"] or (bool(people) and (len(words) == 1 or words[-1] in IDS))


def _times_of_day(values: list[str]) -> set[str]:
    """The times of day there are, where all values are written times or counts since 1970; none for anything else."""
    written = [TIMED.fullmatch(value) for value in values]
    if all(written):
        return {found[1] for found in written if found}
    return {str(second % 86_400) for second in _seconds(values)}


def _seconds(values: list[str]) -> list[int]:
    """Whole seconds since 1970, where all values are such counts, in some unit, of this century's first decades."""
    if not all(map(NUMBER.fullmatch, values)):
        return []
    numbers = [float(value) for value in values]
    first, last = SINCE_1970
    for unit in (1, 1_000, 1_000_000, 1_000_000_000):
        if numbers and first * unit <= min(numbers) and max(numbers) <= last * unit:
            return [int(number // unit) for number in numbers]
    return []


def _is_day_of_an_event(values: list[str]) -> bool:
    """Whether all values are dates of a few years; those of birth span more."""
    found = [DATED.fullmatch(value) for value in values]
    years = [int(each[1]) for each in found if each]
    return bool(years) and len(years) == len(values) and max(years) - min(years) <= SHORT_SPAN


def _has_fractions(values: list[str]) -> bool:
    """Whether all values are numbers, and not all of them whole."""
    return all(map(NUMBER.fullmatch, values)) and not all(float(value).is_integer() for value in values)
