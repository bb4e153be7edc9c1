"""Whether the rows of a table are people: an event log is refused, and doubts are put into words."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from singleout.assessment.first_audit import advised_command, missing_roles
from singleout.ground.errors import DataError
from singleout.reading.attribute_words import OWN_WORDS
from singleout.reading.database import quote
from singleout.reading.proposals import propose_roles
from singleout.reading.roles import LikelyLog, signs_of_events, words_of_name
from singleout.reading.sources import Source
from singleout.reading.tables import Table

FEWEST_COPIED = 50
"""Different rows from which on it is no chance that all occur in multiples of one number."""
MOST_WAVES = 12
"""Values of a column that may number the waves of a survey."""
PARTS = 64
"""Of as many parts of the different rows one is looked at first."""
ONE_ROW = "If every row is a different person, say so with --one-row-per-person."


def doubt_rows(table: Table, known: Sequence[str], function: str, flags: Sequence[str] = ()) -> str:
    """Why rows may be events; nothing where they are people. A log is refused: its rows would look far too safe.

    ``flags`` say how the file is written, for the command that is advised.
    """
    weight = [] if table.survey_weight is None else [table.survey_weight]
    log = signs_of_events(table.source, [*known, *weight])
    if log is None:
        return _doubt_copies(table, function)
    advice = _advise(table, log, known, flags)
    if log.user is not None and log.sure:
        problem = f"this looks like an event log: {log.repeats}, and a table has one row per person."
        raise DataError(problem, function=function, hint=advice)
    sign = log.repeats if log.user is not None else f"column {log.time!r} holds times of day"
    return f"Rows may be events rather than people: {sign}. {advice}"


def _doubt_copies(table: Table, function: str) -> str:
    """Why rows may be copies: all occur in multiples of one number, one column that has few values left aside or not.

    Copies hide how many people are unique, and so do the waves of a survey.
    """
    names = list(table.source.column_types)
    if found := _count_copies(table.source, names, function):
        copies, rows = found
        return (
            f"Rows may be copies: each of the {rows:,} different rows occurs {copies}. Remove the copies.\n  {ONE_ROW}"
        )
    for name in _waves(table.source, names, function):
        others = [each for each in names if each != name]
        if len(others) and (found := _count_copies(table.source, others, function)):
            copies, rows = found
            return (
                f"Rows may be the same people several times: apart from {name!r}, each of the {rows:,} different rows "
                f"occurs {copies}. Keep one row of each person.\n  {ONE_ROW}"
            )
    return ""


def _waves(source: Source, names: Sequence[str], function: str) -> Iterator[str]:
    """Columns of a few values that all occur equally often, as the numbers of a survey's waves do."""
    asked: dict[str, Any] = {"function": function, "label": "looking for copies"}
    chosen = ", ".join(f"approx_count_distinct({quote(name)})" for name in names)
    (row,) = source.query(f"SELECT {chosen} FROM {source.relation}", **asked).to_pylist()
    for name, number in zip(names, row.values(), strict=True):
        if 2 <= number <= MOST_WAVES:
            counted = f"SELECT {source.count_sql()} AS n FROM {source.relation} GROUP BY {quote(name)}"
            (found,) = source.query(f"SELECT min(n) = max(n) AND count(*) > 1 FROM ({counted})", **asked).to_pylist()
            if next(iter(found.values())):
                yield name


def _count_copies(source: Source, names: Sequence[str], function: str) -> tuple[str, int] | None:
    """How often rows occur, in words, and how many differ; None where that is no multiple of one number."""
    columns = ", ".join(map(quote, names))
    for some in (f"WHERE hash({columns}) % {PARTS} = 0", ""):  # a part of the rows mostly settles it
        counted = f"SELECT {source.count_sql()} AS n FROM {source.relation} {some} GROUP BY {columns}"
        found = source.query(
            f"SELECT n, count(*) AS rows FROM ({counted}) GROUP BY n", function=function, label="looking for copies"
        ).to_pylist()
        copies, rows = math.gcd(*(each["n"] for each in found)), sum(each["rows"] for each in found)
        if copies == 1:
            return None
    if copies < 2 or rows < FEWEST_COPIED:
        return None
    return f"{copies:,} times{'' if len(found) == 1 else ', or a multiple of that'}", rows


def _advise(table: Table, log: LikelyLog, known: Sequence[str], flags: Sequence[str]) -> str:
    """What to do with what may be an event log: the command that is proposed for it, if that is complete."""
    again = ONE_ROW
    if log.user is not None:
        proposal = propose_roles(table.source, user=log.user)
        if not missing_roles(proposal):
            command = advised_command([table.source.argument or "SOURCE"], proposal.options())
            return f"Run:\n  {shlex.join([*shlex.split(command), *flags])}\n  {again}"
    own = (name for name in known if name not in (log.user, log.time) and not OWN_WORDS & set(words_of_name(name)))
    time = ["--time", log.time] if log.time else []
    columns = ["--user", log.user or "COLUMN", *time, "--place", next(own, "COLUMN")]
    if log.time:
        command = shlex.join(["singleout", "audit", table.source.argument or "SOURCE", *columns, *flags])
        return f"Run:\n  {command}\n  {again}"
    return (
        f"If they are, audit them as an event log ({shlex.join(columns)}), with the column of times or a second log. "
        f"If they describe the same people several times, keep one row of each.\n  {again}"
    )
