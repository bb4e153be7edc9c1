"""What a column most likely is, by its name and values: the id of a person, or a time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from singleout.reading.database import quoted
from singleout.reading.sources import Source

PEOPLE = {
    "account", "buyer", "card", "cardholder", "client", "customer", "device", "driver", "employee", "guest", "imei",
    "imsi", "member", "msisdn", "participant", "passenger", "patient", "people", "person", "phone", "pid", "respondent",
    "rider", "shopper", "student", "subject", "subscriber", "uid", "user", "visitor",
}  # fmt: skip
IDS = {"code", "hash", "id", "ids", "key", "no", "nr", "num", "number", "pseudonym", "token", "uuid"}
TIMES = {"at", "date", "datetime", "hour", "time", "timestamp", "ts", "when"}
TIMED = r"\s*\d{4}[-/]\d\d?[-/]\d\d?[ T]\s*\d\d?:\d\d.*"
"""A written time with a time of day: dates alone may be birthdays."""
REPEATED = 0.05
"""Share of records beyond one per id from which a table is taken for a log."""


@dataclass(frozen=True)
class LikelyLog:
    """Signs that a source is an event log: a column of ids that repeat, and where there is one a column of times."""

    user: str
    values: int
    rows: int
    time: str | None


def likely_event_log(source: Source) -> LikelyLog | None:
    """The signs that rows are events, not people; None where there are none.

    A column that names people in so many words and repeats is enough, unless another such column never repeats. Any
    other column of ids counts only next to a column of times.
    """
    time = next((name for name in source.kinds if _is_time(source, name)), None)
    named = [name for name in source.kinds if _is_person(name)]
    others = [name for name in source.kinds if time is not None and name not in named and _words(name)[-1:] == ["id"]]
    repeats = _repeats(source, [*named, *others])
    if any(values == rows > 0 for name, (values, rows) in repeats.items() if name in named):
        return None
    for name, (values, rows) in repeats.items():
        if rows - values > REPEATED * rows:
            return LikelyLog(name, values, rows, time)
    return None


def _words(name: str) -> list[str]:
    """The words of a name, however they are joined: cardId, CARD_ID, card id."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def _is_person(name: str) -> bool:
    words = _words(name)
    people = [word for word in words if word in PEOPLE]
    return words == ["id"] or (bool(people) and (len(words) == 1 or words[-1] in IDS))


def _is_time(source: Source, name: str) -> bool:
    kind = source.kinds[name]
    if kind.startswith("TIMESTAMP"):
        return True
    if not TIMES & set(_words(name)):
        return False
    if kind != "VARCHAR":
        return kind not in ("DATE", "BOOLEAN")
    column = quoted(name)
    some = f"SELECT {column} AS value FROM {source.relation} WHERE {column} IS NOT NULL LIMIT 100"
    written = f"SELECT count(*) AS n, count_if(regexp_full_match(value, '{TIMED}')) AS timed FROM ({some})"
    (row,) = source.query(written, function="audit", label="looking at columns").to_pylist()
    return bool(row["n"]) and row["timed"] == row["n"]


def _repeats(source: Source, names: list[str]) -> dict[str, tuple[int, int]]:
    """Of each column how many values there are, and how many records have one."""
    if not names:
        return {}
    counts = ", ".join(
        f"count(DISTINCT {quoted(name)}) AS values_{k}, count({quoted(name)}) AS rows_{k}"
        for k, name in enumerate(names)
    )
    (row,) = source.query(
        f"SELECT {counts} FROM {source.relation}", function="audit", label="looking at columns"
    ).to_pylist()
    return {name: (int(row[f"values_{k}"]), int(row[f"rows_{k}"])) for k, name in enumerate(names)}
