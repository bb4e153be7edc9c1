"""What a report says besides its numbers: the effort of attacks, what was not examined, what else could be done.

The criteria are those of the Article 29 Working Party's opinion 05/2014 (WP 216), and of the ICO's guidance of 2025.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_parts import AttackResult, ProtectionResult, Size
from singleout.ground.notes import Note, nonzero, number_of
from singleout.ground.numbers import percent
from singleout.measures.extrapolation import Extrapolation
from singleout.measures.intervals import Estimate
from singleout.measures.tables.table_risk import TableRisk

WP29 = "Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP 216)"
ICO = "ICO, guidance on anonymisation (2025): the motivated intruder test"
SPREADSHEET, SCRIPT, PUBLISHED, EXPERT = (
    "a spreadsheet",
    "a short script",
    "published methods, such as this tool",
    "published methods, and people who are already identified",
)
SKILLS = {
    AttackKind.CHANCE: "nothing",
    AttackKind.ONE_BY_ONE: SCRIPT,
    AttackKind.JOINT: PUBLISHED,
    AttackKind.SELECTIVE: PUBLISHED,
    AttackKind.TAUGHT: EXPERT,
    AttackKind.SHAPE: PUBLISHED,
    AttackKind.FILE: PUBLISHED,
    AttackKind.IDENTICAL_ROWS: "nothing: it is a bound for any attack",
    AttackKind.UNIQUE: SPREADSHEET,
    AttackKind.KNOWN_COLUMNS: SPREADSHEET,
    AttackKind.POPULATION: SPREADSHEET,
    AttackKind.EQUAL_RECORDS: SPREADSHEET,
    AttackKind.COMPLETE_LINKS: SPREADSHEET,
    AttackKind.NEARLY_COMPLETE_LINKS: SCRIPT,
    AttackKind.PROBABLE_LINKS: PUBLISHED,
    AttackKind.ONE_MORE_COLUMN: SPREADSHEET,
    AttackKind.ALL_COLUMNS: SPREADSHEET,
}
"""What an intruder needs for each kind of attack besides the data; the data itself fits an ordinary computer."""
COUNTING = (
    AttackKind.CHANCE,
    AttackKind.IDENTICAL_ROWS,
    AttackKind.UNIQUE,
    AttackKind.KNOWN_COLUMNS,
    AttackKind.POPULATION,
    AttackKind.ONE_MORE_COLUMN,
    AttackKind.ALL_COLUMNS,
)
"""Attacks that compare nobody with anybody."""
NOT_EXAMINED = {
    "both": (
        "free text, images and sound: names and descriptions in them identify people directly",
        "other releases of the same people, earlier or later, that can be combined with this one",
        "members of the same household, who may identify each other",
        "whether someone is in the data at all, where that alone is sensitive (membership)",
        "harm: what happens to a person who is re-identified",
    ),
    "events": (
        "exact times as the intruder's knowledge, beyond the share of people whom a few places with their hour single "
        "out",
    ),
    "table": ("columns that the intruder learns from somewhere else later: only the known columns count",),
}
UNEXAMINED = "unexamined"
INDEX = r"__index_level_\d+__"
"""What the row labels of a pandas frame are called; they are not a column."""
MOST_COLUMNS = 20
"""Columns that are named one by one."""
ALTERNATIVES = (
    "release to fewer people, under a contract that forbids re-identification",
    "let researchers use the data in a secure environment, and check what leaves it",
    "answer questions with tables of totals, or with noise, instead of releasing rows",
    "release a sample, fewer people or a shorter period",
    "release synthetic data, after attacking it in the same way",
)
"""Changes of the surroundings instead of the data (ISO/IEC 27559:2022, 8.3.2)."""


def pairs_compared(attack: AttackResult, released: Size, known: Size | None) -> int | None:
    """How many pairs of people or records an attack compares; None where it only guesses or counts."""
    return None if attack.kind in COUNTING or known is None else released.people * known.people


def not_examined(kind: str, notes: Sequence[Note] = ()) -> tuple[str, ...]:
    """What an audit of this kind says nothing about; columns of the file come first."""
    return (*(str(note) for note in notes if note.code == UNEXAMINED), *NOT_EXAMINED[kind], *NOT_EXAMINED["both"])


def note_unexamined(
    kind: Literal["events", "table"], columns: Iterable[str], examined: Iterable[str | None]
) -> tuple[Note, ...]:
    """The columns of the file that no figure takes into account: they must not be released unseen."""
    seen = set(examined)
    left = [name for name in columns if name not in seen and not re.fullmatch(INDEX, name)]
    named = ", ".join(left[:MOST_COLUMNS]) + (", …" if len(left) > MOST_COLUMNS else "")
    why = {
        "events": "an audit of events compares people, times and places only; leave the rest out of the release, or "
        "audit it too",
        "table": "part of no figure; to be removed before the release",
    }[kind]
    return nonzero(Note(len(left), f"columns not examined ({named})", why, UNEXAMINED))


@dataclass(frozen=True)
class NamedRisk:
    """A risk by the name that statistical offices give it."""

    name: str
    question: str
    found: str


def named_risks(
    many: str,
    table: TableRisk | None,
    beyond: Extrapolation | None,
    clearest: float | None,
    k: int | None = None,
    *,
    average: float = 0.0,
    linked: bool = False,
) -> tuple[NamedRisk, ...]:
    """Prosecutor, journalist and marketer: one person known to be in the data, anyone, as many people as possible.

    ``many`` is the answer in words, and ``average`` its rate. For event logs ``clearest`` is the highest probability of
    a match, and ``k`` the least number of people with identical rows in a protected file. ``linked``: the intruder has
    a table of their own, and ``many`` was measured with it.
    """
    one = None if clearest is None else f"up to {percent(clearest)} for the person most at risk"
    if clearest is not None and clearest < average:
        # a model of pairs shrinks what it says of each; nobody's risk is the highest and below the mean of all
        said = f"; as estimated for single pairs, up to {percent(clearest)}"
        one = f"at least the average, {percent(average)}{said if percent(clearest) != percent(average) else ''}"
    if k is not None and k > 1:
        one = f"at most {percent(1 / k)} for anyone, whatever the attack"
    anyone = None if beyond is None else f"about {percent(beyond.value)}, extrapolated to {beyond.people:,} people"
    if table is not None:
        highest = max(table.maximum, average) if linked else table.maximum
        one = f"up to {percent(highest)} for the record most at risk"
        one += ", if the intruder knows its exact values" if linked else ""
        many = f"{many}, measured by linking the two tables" if linked else f"{percent(table.average)} on average"
        if table.population is not None:
            among = table.population
            anyone = f"{among.rate.in_words()} on average, in a population of about {among.population:,.0f} people"
    missing = "not estimated: give the size of the population (--population)"
    if k is not None:
        missing = "not estimated; no more than for someone known to be in the data"
    hidden = "not shown, since nobody is listed"
    return (
        NamedRisk("Prosecutor", "Looks for one person who is known to be in the data.", one or hidden),
        NamedRisk("Journalist", "Looks for anyone, not knowing who is in the data.", anyone or missing),
        NamedRisk("Marketer", "Looks for as many people as possible.", many),
    )


def counts_apart(risk: Estimate, found: int) -> str:
    """What the number of people most clearly identified counts, where it is not that of the answer."""
    answer = f"{risk.value * risk.n:,.0f}"
    if answer == f"{found:,}":
        return ""
    return (
        "This counts those whose pair in the best joint matching is right with a probability of at least one half "
        f"(where several pairs are equally good). The {answer} of the answer are what the strongest attack finds, on "
        "average over such draws."
    )


def records_above(risk: TableRisk, limit: float | None) -> int | None:
    """Records whose own risk is above a limit; None without one, or where the limit is for a population."""
    return None if limit is None or risk.population is not None else risk.above(limit)


def exposed_records(unique: int, above: int | None, limit: float | None, *, after: bool) -> str:
    """The records that an average hides: unique ones, and those whose own risk is above the limit, in sentences.

    ``after``: once the table is protected.
    """
    said = []
    if unique:
        be = "would still be" if after else "is" if unique == 1 else "are"
        none = "" if limit is None else "; --k 2 would leave none unique"
        said.append(f"{number_of(unique, 'records')} {be} unique{none}.")
    if above and limit is not None and above > unique:
        have, own = _have_own(above)
        these = f", including {'this one' if unique == 1 else 'these'}," if unique else ""
        said.append(
            f"{number_of(above, 'records')}{these} {'would have' if after else have} a risk of {own} above "
            f"{percent(limit)}."
        )
    return " ".join(said)


def _have_own(records: int) -> tuple[str, str]:
    return ("has", "its own") if records == 1 else ("have", "their own")


def risky_records(table: TableRisk, limit: float | None) -> str:
    """The records whose own risk is above the limit, in words; empty where there are none, or only the unique ones."""
    above = records_above(table, limit)
    if not above or limit is None or above <= table.unique:
        return ""
    have, own = _have_own(above)
    share = percent(above / table.records)
    return f"{number_of(above, 'records')} ({share}) {have} a risk of {own} above {percent(limit)}"


def residual_risk(
    said: Mapping[str, str | None],
    highest: float,
    best: ProtectionResult | None,
    people: str,
    limit: float | None = None,
    table: TableRisk | None = None,
) -> str:
    """The risk that remains, in the user's words or in sentences from the numbers.

    ``highest`` and ``table`` are as the data is. An average alone would hide records that are unique.
    """
    if said.get("residual_risk"):
        return str(said["residual_risk"])
    now = f"As the data is, up to {percent(highest)} of the {people} would be re-identified"
    if best is not None:
        exposed = exposed_records(best.singled_out or 0, best.above_limit, limit, after=True)
        return f"{now}; after {best.does}, up to {percent(best.upper)} on average. {exposed}".rstrip()
    exposed = "" if table is None else exposed_records(table.unique, records_above(table, limit), limit, after=False)
    return f"{now}. {exposed}".rstrip()
