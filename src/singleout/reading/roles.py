"""Whether the rows of a source are most likely people or events, judged by the names and values of columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from singleout.reading.attribute_words import OWN_WORDS, TRANSLATED
from singleout.reading.database import quote
from singleout.reading.sources import Source
from singleout.reading.time_formats import are_most
from singleout.reading.written_values import NUMBER, has_fractions, is_day_of_an_event, times_of_day

PEOPLE = {
    "abonne", "account", "ausweis", "badge", "benutzer", "besucher", "buyer", "card", "cardholder", "carte",
    "client", "customer", "device", "driver", "employee", "fahrgast", "guest", "imei", "imsi", "karte",
    "matrikelnummer", "member", "mitarbeiter", "mitarbeiternummer", "mitglied", "mitgliedsnummer", "msisdn",
    "nutzer", "paciente", "participant", "passenger", "patient", "patientennummer", "people", "person",
    "personalnummer", "pid", "proband", "resp", "respondent", "rider", "schuler", "shopper", "student",
    "studierende", "subject", "subscriber", "tarjeta", "teilnehmer", "uid", "user", "usuario", "utente",
    "utilisateur", "versicherte", "visitor",
}  # fmt: skip
"""Words for people, and for what each of them has one of, in a few languages and without accents."""
SHARED = {
    "caller",
    "cookie",
    "email",
    "handle",
    "ip",
    "kunde",
    "kundennummer",
    "login",
    "phone",
    "plate",
    "username",
    "who",
}
"""Words for people too, which a few of them may share: a family has one mailbox."""
HOUSEHOLDS = {"family", "foyer", "haushalt", "hh", "hid", "hogar", "household", "menage", "serialno"}
"""Words for groups that people live in."""
HAPPENINGS = {
    "booking", "call", "claim", "entry", "event", "invoice", "line", "message", "order", "payment", "purchase",
    "receipt", "record", "request", "row", "session", "ticket", "transaction", "trip", "visit",
}  # fmt: skip
"""Words for what happens: an id of one of them is no id of a person, though it may name one."""
IDS = {
    "code", "hash", "id", "ids", "kennung", "key", "no", "nr", "num", "number", "numero", "nummer", "pseudonym",
    "token", "uuid",
}  # fmt: skip
TIMES = {"at", "date", "datetime", "datum", "fecha", "heure", "hour", "time", "timestamp", "ts", "when", "zeit"}
ATTRIBUTES = OWN_WORDS | TRANSLATED | {
    "address", "amount", "antenna", "area", "arret", "branch", "building", "cabin", "canton", "category", "cell",
    "census", "city", "class", "clinic", "cluster", "count", "country", "county", "degree", "department", "diagnosis",
    "district", "doctor", "door", "earnings", "education", "employer", "ethnicity", "filiale", "first", "flight",
    "gate", "gebaude", "given", "halt", "haltestelle", "height", "hours", "icd", "income", "industry", "interviewer",
    "item", "job", "kanton", "language", "last", "lat", "latitude", "lieu", "lng", "location", "lon", "long",
    "longitude", "lugar", "magasin", "manager", "marital", "mother", "municipality", "nationality", "occupation", "ort",
    "physician", "place", "plz", "poi", "postal", "postcode", "precinct", "price", "product", "profession", "province",
    "psu", "race", "raum", "referrer", "region", "religion", "rent", "room", "salary", "school", "score", "seat",
    "shop", "site", "size", "standort", "state", "station", "stop", "store", "street", "suburb", "surname", "tienda",
    "town", "tract", "traj", "tuer", "tur", "type", "url", "venue", "wage", "ward", "weight", "year", "zip", "zipcode",
}  # fmt: skip
"""Words for what many people share: a column of that name repeats in a table of people too."""
MAYBE_DATED = re.compile(
    r"(\w{2,10}[.,]* +)?(\d{1,4}[-/. ]+(\d\d?|[^\W\d]{3,9})|[^\W\d]{3,9}\.? +\d\d?(st|nd|rd|th)?)[-/., ]+\d{2,4}\b.*"
)
"""What may be a date in a format that we do not know: three parts, the second of them a number or a word."""
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.\w+|\d{1,3}(\.\d{1,3}){3}|([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}")
"""The address of a mailbox, of a machine on the internet or of a network card."""
PSEUDONYM = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?=.*\d)(?=.*[a-fA-F])[0-9a-fA-F]{12,}")
"""A UUID, or the digits of a digest."""
DIALLED = re.compile(r"\+\d[\d ()-]{7,}|\d{9,15}(\.0)?")
"""A phone number, or another whole number that is too long to be anything but an id."""
NUMBERED = re.compile(r"([^\W\d][\w-]*?[-_]?)\d+")
"""A pseudonym: a word and a number."""
REPEATED = 0.05
"""Share of records beyond one per id from which a table is considered a log."""
MANY = 10
"""Values from which a column may hold ids: fewer are answers, such as mobile and landline."""
MANY_NUMBERS = 150
"""Values from which small whole numbers may be ids: fewer are answers, ages or scores."""
ROWS_EACH = 2
"""Rows of each value, on average, from which a column that no name calls an id is taken for one."""
LARGE_HOUSEHOLD = 6
"""Rows of each household, on average, above which they are not the people who live there."""
MANY_PEOPLE = 50
"""Values from which it is no chance that all occur equally often, or that each comes with one sex only."""
FEW_ANSWERS = 5
"""The most values of what a person has once and hardly anything else determines, such as a sex."""
FEW_COLUMNS = 5
ANSWERS = 3
"""Number of columns with few values that differ among the rows of one id: with this many, it is a survey."""
LOOKED_AT = 200
"""Only the first columns are examined; a log has fewer."""
SAMPLE = 1_000
GAPS = {None, "", "nan", "NaN"}


@dataclass(frozen=True)
class LikelyLog:
    """Signs that a source is an event log: a column of ids that repeat, a column of times, or both."""

    user: str | None
    values: int
    rows: int
    time: str | None
    sure: bool = True
    """Whether the evidence is strong enough to refuse it as a table."""

    @property
    def repeats(self) -> str:
        """How its ids repeat, in words."""
        return f"column {self.user!r} has {self.values:,} values in {self.rows:,} rows"


def signs_of_events(source: Source, known: Iterable[str] = ()) -> LikelyLog | None:
    """Evidence that rows are events, not people, strong or weak; None if there is none.

    A column whose name says that it identifies people is strong evidence if it repeats; one that several may share, or
    whose values can only be ids, is strong alongside a column of times. Any other column that repeats is weak evidence
    alongside times, alongside what a person has once (if that never changes with it), if all its values occur equally
    often, as in the waves of a panel, or if it looks like an id and what a person has once does not speak against it;
    so is a column of times by itself. Evidence is weak if another
    column numbers people, if the intruder knows the column, or if the rows look like survey answers.
    """
    return ColumnLook(source, frozenset(known)).signs()


class ColumnLook:
    """Examines the columns of a source: the first rows for the kind of each, all rows for how often values repeat."""

    def __init__(self, source: Source, known: frozenset[str]) -> None:
        self.source, self.known = source, known
        self.names = list(source.column_types)[:LOOKED_AT]
        chosen = ", ".join(f"({quote(name)})::VARCHAR AS {quote(name)}" for name in self.names)
        rows = source.query(
            f"SELECT {chosen} FROM {source.first_records(SAMPLE)}", function="audit", label="examining columns"
        )
        self.sample = {name: [text for text in rows[name].to_pylist() if text not in GAPS] for name in self.names}
        self.repeats: dict[str, tuple[int, int]] = {}
        self._count(self.names)

    def signs(self) -> LikelyLog | None:
        """The column whose values repeat as ids of a log do, a sure one first; None where there is none."""
        found = [self._sign(name) for name in self.names if name not in self.timed and name not in self.dated]
        signs = [sign for sign in found if sign is not None]
        if not signs and not self.numbers_people:
            signs = [LikelyLog(None, 0, self.repeats[name][1], name, False) for name in self.timed[:1]]
        return max(signs, key=self._weigh, default=None)

    def _weigh(self, sign: LikelyLog) -> tuple[bool, bool, bool]:
        """What the evidence for a column is worth against that for others: its name says more than what is known."""
        named = sign.user is not None and is_named_for_people(sign.user)
        return sign.sure, named, sign.user not in self.known

    @cached_property
    def timed(self) -> list[str]:
        """Columns of times with many times of day; a zone may show midnight as two."""
        return [name for name in self.names if len(times_of_day(self.sample[name])) > 2 and self.repeats[name][0] > 2]

    @cached_property
    def dated(self) -> list[str]:
        """Columns of days that lie close together, so that they are not those of birth."""
        return [
            name
            for name in self.names
            if name not in self.timed and self.repeats[name][0] >= MANY and is_day_of_an_event(self.sample[name])
        ]

    @cached_property
    def time(self) -> str | None:
        """The column of times, by its values or else by its name."""
        named = (name for name in self.names if self._is_named_time(name))
        return next(iter(self.timed), None) or next(named, None)

    @cached_property
    def maybe_timed(self) -> list[str]:
        """Columns of text that may hold times in a format that is not recognised, by their values or their names."""
        return [
            name
            for name in self.names
            if self.source.column_types[name] == "VARCHAR" and self.repeats[name][0] >= MANY and self._may_be_time(name)
        ]

    def _may_be_time(self, name: str) -> bool:
        values, words = self.sample[name], set(words_of_name(name))
        with_digits = sum(bool(re.search(r"\d\D+\d", value)) for value in values)
        if TIMES & words and are_most(with_digits, len(values)):
            return True
        dated = sum(bool(MAYBE_DATED.fullmatch(value.strip())) and not ADDRESS.fullmatch(value) for value in values)
        return not words & (ATTRIBUTES | PEOPLE) and are_most(dated, len(values))

    @cached_property
    def numbers_people(self) -> bool:
        """Whether a column that is named for people never repeats."""
        own = [
            name
            for name in self.names
            if is_named_for_people(name) and self.repeats[name][0] == self.repeats[name][1] > 0
        ]
        return any(words_of_name(name) != ["id"] for name in own)

    def _sign(self, name: str) -> LikelyLog | None:
        """What a column says, if anything."""
        words = set(words_of_name(name))
        if is_named_for_people(name):
            if not self._repeats_like_ids(name):
                return None
            return self._log(name, sure=self.time is not None or not words & SHARED)
        if not self._may_be_an_id(name):
            return None
        if words & HOUSEHOLDS:
            return self._household(name)
        if self._can_only_be_an_id(name):
            return self._log(name, sure=bool(self.timed)) if self._repeats_often(name, least=2) else None
        if self.numbers_people or not self._repeats_often(name):
            return None
        numbered = bool(self.time) and words_of_name(name)[-1:] == ["id"]
        if numbered or self.timed or self.dated:
            return self._log(name, sure=(numbered or bool(self.timed)) and self._is_no_answer(name))
        if name in self.known:  # what an intruder knows repeats in every table
            return None
        if self._repeats_evenly(name):
            return self._log(name, sure=False)
        one_body = self._has_one_body(name)
        looks_like_one = self._looks_like_an_id(name) and one_body is not False
        return self._log(name, sure=False) if looks_like_one or one_body else None

    def _household(self, name: str) -> LikelyLog | None:
        """People share a household; more rows than people could live there are what they did."""
        values, rows = self.repeats[name]
        large = rows > LARGE_HOUSEHOLD * values
        if values < MANY or self.numbers_people or not (self.timed or large):
            return None
        return self._log(name, sure=large and bool(self.timed))

    def _log(self, user: str, *, sure: bool) -> LikelyLog:
        doubts = self.numbers_people or (user in self.known and not is_named_for_people(user))
        doubts = doubts or (not is_named_for_people(user) and self._has_answers(user))
        time = self.time or next(iter(self.dated), None)
        return LikelyLog(user, *self.repeats[user], time, sure and not doubts)

    def _may_be_an_id(self, name: str) -> bool:
        """Whether neither the name nor the values say that a column is something else."""
        values = self.sample[name]
        if not values or not set(words_of_name(name)).isdisjoint(ATTRIBUTES | TIMES):
            return False
        # decimal numbers are amounts, unless there is hardly anything else that could be the id
        return len(self.names) <= FEW_COLUMNS or not has_fractions(values)

    def _can_only_be_an_id(self, name: str) -> bool:
        values = self.sample[name]
        return any(all(map(kind.fullmatch, values)) for kind in (ADDRESS, PSEUDONYM, DIALLED))

    def _is_no_answer(self, name: str) -> bool:
        """Whether values are neither decimal nor small numbers, or too many for answers, ages or scores."""
        small = all(NUMBER.fullmatch(value) and abs(float(value)) < 10_000 for value in self.sample[name])
        many = not small or self.repeats[name][0] >= MANY_NUMBERS
        return many and not has_fractions(self.sample[name])

    def _looks_like_an_id(self, name: str) -> bool:
        """Whether a column that repeats deserves a hint even without a column of times."""
        words = words_of_name(name)
        if len(self.names) <= FEW_COLUMNS or (words and words[-1] in IDS | {"name"}):
            return True
        found = [NUMBERED.fullmatch(value) for value in self.sample[name]]
        return len({each[1] if each else None for each in found} - {None}) == 1 and None not in found

    def _has_one_body(self, name: str) -> bool | None:
        """Whether rows that share a value share what a person has once, such as a sex, too; None: no such column."""
        own = [each for each in self.names if set(words_of_name(each)) & OWN_WORDS and self.repeats[each][0] > 1]
        if not own:
            return None
        values, pairs = self.repeats[name][0], self._count_pairs(name, own)
        few = [number for each, number in zip(own, pairs, strict=True) if self.repeats[each][0] <= FEW_ANSWERS]
        return max(pairs) == values or (values >= MANY_PEOPLE and values in few)  # ages change

    def _has_answers(self, user: str) -> bool:
        """Whether several columns with few values differ among the rows of an id, as answers to a survey do."""
        few = [name for name in self.names if name != user and 2 <= self.repeats[name][0] < MANY]
        if len(few) < ANSWERS:
            return False
        differ = [pairs >= ROWS_EACH * self.repeats[user][0] * 0.75 for pairs in self._count_pairs(user, few)]
        return differ.count(True) >= ANSWERS

    def _repeats_like_ids(self, name: str) -> bool:
        """For a column whose name says that it identifies people: three users are enough, two values are not."""
        values, rows = self.repeats[name]
        words = set(words_of_name(name))
        if words & SHARED:
            return self._repeats_often(name)
        least = 3 if words & (IDS | {"user", "uid", "pid"}) else MANY
        return values >= least and rows - values > REPEATED * rows

    def _repeats_often(self, name: str, least: int = MANY) -> bool:
        values, rows = self.repeats[name]
        return values >= least and rows >= ROWS_EACH * values

    def _repeats_evenly(self, name: str) -> bool:
        """Whether all of many values occur equally often."""
        values, rows = self.repeats[name]
        if values < MANY_PEOPLE or rows % values:
            return False
        if self.source.elsewhere is not None:
            return self.source.elsewhere.most_rows(name) * values == rows
        column = quote(name)
        each = f"SELECT {self.source.count_sql(name)} AS n FROM {self.source.relation} GROUP BY {column}"
        (row,) = self.source.query(
            f"SELECT max(n) AS n FROM ({each})", function="audit", label="examining columns"
        ).to_pylist()
        return int(row["n"]) * values == rows

    def _is_named_time(self, name: str) -> bool:
        """Whether the name of a column of numbers says that it is a time, whatever it counts from."""
        plain = self.source.column_types[name].split("(")[0]
        return bool(TIMES & set(words_of_name(name))) and plain not in (
            "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE",
            "VARCHAR",
        )  # fmt: skip

    def _count(self, names: list[str]) -> None:
        """Count the distinct values of each column, and the records that have a value."""
        new = [name for name in dict.fromkeys(names) if name not in self.repeats]
        if self.source.elsewhere is not None:
            self.repeats |= self.source.elsewhere.counts(new, blanks=True) if new else {}
            return
        counts = ", ".join(
            f"count(DISTINCT {quote(name)}) AS values_{k}, {self.source.count_sql(name)} AS rows_{k}"
            for k, name in enumerate(new)
        )
        row = self._row(counts) if new else {}
        self.repeats |= {name: (int(row[f"values_{k}"]), int(row[f"rows_{k}"])) for k, name in enumerate(new)}

    def _count_pairs(self, name: str, others: list[str]) -> list[int]:
        """How many distinct pairs of values a column has with each of the others."""
        there = self.source.elsewhere
        if there is not None:
            return [there.count_pairs(name, each) for each in others]
        pairs = ", ".join(f"count(DISTINCT ({quote(name)}, {quote(each)})) AS n_{k}" for k, each in enumerate(others))
        return [int(number) for number in self._row(pairs).values()]

    def _row(self, counts: str) -> dict[str, Any]:
        (row,) = self.source.query(
            f"SELECT {counts} FROM {self.source.relation}", function="audit", label="examining columns"
        ).to_pylist()
        return dict(row)


def words_of_name(name: str) -> list[str]:
    """The words of a name without accents, however they are joined: cardId, CARD_ID, card id."""
    plain = "".join(
        sign for sign in unicodedata.normalize("NFKD", name.replace("ß", "ss")) if not unicodedata.combining(sign)
    )
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", plain)]


def is_named_for_people(name: str) -> bool:
    """Whether the name of a column says that it identifies people."""
    words = words_of_name(name)
    people = (PEOPLE | SHARED) & set(words) and not HAPPENINGS & set(words)
    return words == ["id"] or (bool(people) and (len(words) == 1 or words[-1] in IDS))
