"""The answer of an audit as plain data: who can be picked out, how sure that is, why, and what would protect them.

The same for event logs and tables. Names of people, places and values are only in it where ``reveal`` was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from singleout.ground.earlier import in_json
from singleout.ground.files import versions, write_whole
from singleout.ground.html import Pictured
from singleout.ground.notes import Note, number_of
from singleout.measures.extrapolation import Extrapolation
from singleout.measures.intervals import Estimate, wilson
from singleout.report.frontier import ALL_LOST, MOST_EMPTIED
from singleout.report.model import FEW, share

SCHEMA = "singleout/audit/1"
DEFAULT_LIMIT = 0.05
"""What risks are shown against where no limit was set."""
LITTLE_LEFT = 0.8
"""The loss above which advice warns of it."""
ON_FILE = "attack on the file"
HOW = {
    ON_FILE: "by the strongest attack on the file as it is ({by})",
    "at random": "by blind guessing",
    "one by one matching": "by comparing person by person ({attack}, {by})",
    "joint matching": "by comparing everybody with everybody at once ({attack}, {by})",
    "joint matching with rejection": "by comparing everybody with everybody and acting on sure pairs only ({by})",
    "shape of movements": "by the shape of their movements alone ({by})",
    "known columns": "by whoever knows {by} and guesses among those alike",
    "known columns, alone": "for sure, by whoever knows {by}",
}
BANDS = (5, 10, 20, 50, 100, 1_000, 10_000)
"""Counts of people are told as at least one of these: an exact count may name a place or a value."""


@dataclass(frozen=True)
class Attempt:
    """One attack: what it goes by, the share of people it picks out, and what blind guessing would.

    ``counts``: whether it is one the audit's intruder can make; others are shown beside for comparison.
    """

    attack: str
    by: str
    rate: Estimate
    random: float
    detail: str = ""
    counts: bool = True

    def in_words(self) -> str:
        """How people are picked out by it, for those who have not met its name."""
        return HOW.get(self.attack, "by {attack}, {by}").format(attack=self.attack, by=self.by)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        plain: dict[str, Any] = {"attack": self.attack, "by": self.by, "rate": self.rate.as_json()}
        return plain | {"random": self.random, "detail": self.detail, "counts": self.counts}


@dataclass(frozen=True)
class Step:
    """One point of a curve: the share picked out there."""

    at: float
    rate: Estimate


@dataclass(frozen=True)
class Curve:
    """How the risk changes with one thing: ``name`` is people, days, resolution or columns; ``axis`` what it counts."""

    name: str
    title: str
    axis: str
    steps: tuple[Step, ...]
    logarithmic: bool = False
    extrapolated: Extrapolation | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        steps = [{"at": step.at, "rate": step.rate.as_json()} for step in self.steps]
        beyond = None if self.extrapolated is None else self.extrapolated.as_json()
        return {"name": self.name, "title": self.title, "axis": self.axis, "steps": steps, "extrapolated": beyond}


@dataclass(frozen=True)
class Reason:
    """One thing that gives a person away: a place, a transition or a column.

    ``share`` is about its part of all that does; ``people``: at least so many have it, None where fewer than five;
    both exact if revealed. ``name`` only if revealed, or where it is the name of a column.
    """

    kind: str
    share: float
    people: int | None
    name: str | None = None


@dataclass(frozen=True)
class AtRisk:
    """One of the people surest to be found: row number in order of id, and how sure.

    ``margin`` is what it costs to take them for anyone else, in the unit of the weight (None: there is nobody else);
    for a table the SUDA score: the fewer columns are enough, the higher.
    """

    row: int
    margin: float | None
    reasons: tuple[Reason, ...]
    detail: str = ""
    id: str | None = None


@dataclass(frozen=True)
class Cause:
    """What gives people away over all: a group of places, or a column, and its share of the whole."""

    what: str
    share: float
    detail: str = ""


@dataclass(frozen=True)
class Remedy:
    """One protection at one strength: what is still found in the file it writes, what it destroys, how to apply it.

    ``rate`` is the larger of ``outside`` (knowledge from another period) and ``inside`` (knowledge that the file
    contains). ``guarantee``: no attack can be right for more than this share on average. ``emptied`` is the share of
    people left with nothing. For a table ``smallest`` and ``singled_out`` say how those worst off would be.
    """

    protection: str
    strength: str
    rate: Estimate
    loss: float
    on_frontier: bool
    how: str
    detail: str = ""
    outside: Estimate | None = None
    inside: Estimate | None = None
    guarantee: float | None = None
    emptied: float = 0.0
    smallest: int | None = None
    singled_out: int | None = None

    @property
    def upper(self) -> float:
        """What the risk is within: the upper ends of the intervals, or the guarantee where that is less."""
        measured = max(rate.high for rate in (self.rate, self.outside, self.inside) if rate is not None)
        return measured if self.guarantee is None else min(measured, self.guarantee)

    def is_guaranteed(self, limit: float) -> bool:
        """Whether the limit is met whatever the attack, on average."""
        return self.guarantee is not None and self.guarantee <= limit

    def is_enough(self, limit: float) -> bool:
        """Whether it may be recommended: within the limit, and enough of the data left."""
        return self.upper <= limit and self.loss < ALL_LOST and self.emptied <= MOST_EMPTIED

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        rates = {name: getattr(self, name) for name in ("rate", "outside", "inside")}
        return asdict(self) | {name: None if rate is None else rate.as_json() for name, rate in rates.items()}


@dataclass(frozen=True)
class WorstOff:
    """The records of a table that are worst off, and the limits set for them: a mean says nothing about these.

    ``smallest`` is the least number of records that share a combination of known values; ``singled_out`` are unique.
    """

    smallest: int
    singled_out: int
    k: int | None = None
    max_singled_out: int | None = None

    def allows(self, smallest: int | None, singled_out: int | None) -> bool:
        """Whether the limits are met by a table with these."""
        shared = self.k is None or (smallest is not None and smallest >= self.k)
        few = self.max_singled_out is None or (singled_out is not None and singled_out <= self.max_singled_out)
        return shared and few

    @property
    def is_met(self) -> bool:
        """Whether the limits are met."""
        return self.allows(self.smallest, self.singled_out)

    def faults(self) -> list[str]:
        """Limits that are not met, in sentences."""
        found = []
        if self.k is not None and self.smallest < self.k:
            shared = number_of(self.smallest, "records")
            found.append(f"Some combinations of known values are shared by only {shared}; k is {self.k:,}.")
        if self.max_singled_out is not None and self.singled_out > self.max_singled_out:
            found.append(f"{self.singled_out:,} records are singled out; at most {self.max_singled_out:,} may be.")
        return found


@dataclass(frozen=True)
class Section:
    """What one of the tests that regulators speak of comes to: statements with numbers in them."""

    name: str
    question: str
    statements: tuple[str, ...]


@dataclass(frozen=True)
class Size:
    """How large one side is."""

    people: int
    places: int | None = None
    columns: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Pictured):
    """All that an audit found out, with the numbers it rests on. It tells itself as JSON, as a page and as a table.

    ``kind`` is events or table. ``limit`` is what the risk is held against; ``gate`` says whether the user set it.
    ``at_risk`` are the surest few of ``found`` people. ``asked`` holds the options, without names of people or places.
    """

    kind: str
    label: str
    synthetic: bool
    released: Size
    known: Size | None
    attempts: tuple[Attempt, ...]
    curves: tuple[Curve, ...]
    at_risk: tuple[AtRisk, ...]
    found: int
    causes: tuple[Cause, ...]
    remedies: tuple[Remedy, ...]
    sections: tuple[Section, ...]
    assumptions: tuple[str, ...]
    notes: tuple[Note, ...]
    asked: Mapping[str, Any]
    limit: float
    gate: bool
    reveal: bool
    seed: int
    worst_off: WorstOff | None = None

    @property
    def strongest(self) -> Attempt:
        """The attack within the intruder's reach that picks out most people."""
        return max((each for each in self.attempts if each.counts), key=lambda each: each.rate.value)

    @property
    def risk(self) -> Estimate:
        """The share of people that the strongest attack picks out, with its interval."""
        return self.strongest.rate

    @property
    def within_limit(self) -> bool:
        """Whether even the upper end of the interval is within the limit, and those worst off are within theirs.

        An intruder who knows part of the released period counts as well, where that was measured.
        """
        return self._average_met and self._worst_off_met

    @property
    def from_inside(self) -> Estimate | None:
        """What an intruder finds in the file as it is who knows part of its own period; None where not measured."""
        return next((each.inside for each in self.remedies if each.protection == "none"), None)

    @property
    def _average_met(self) -> bool:
        rates = [self.risk, *([self.from_inside] if self.from_inside else [])]
        return max(rate.high for rate in rates) <= self.limit

    @property
    def _worst_off_met(self) -> bool:
        return self.worst_off is None or self.worst_off.is_met

    @property
    def passed(self) -> bool:
        """False only where a limit was set and is not met: by the upper end of the interval, or by those worst off."""
        return (self._average_met or not self.gate) and self._worst_off_met

    @property
    def remedy(self) -> Remedy | None:
        """The protection that destroys least of those that bring the risk within the limit; guaranteed ones first.

        None where none is needed, or only protections do that leave next to nothing, or too many people with nothing.
        """
        if self.within_limit:
            return None
        worst = self.worst_off
        enough = [
            each
            for each in self.remedies
            if each.is_enough(self.limit) and (worst is None or worst.allows(each.smallest, each.singled_out))
        ]
        sure = [each for each in enough if each.is_guaranteed(self.limit)]
        return min(sure or enough, key=lambda each: each.loss, default=None)

    def sentence(self) -> str:
        """The answer in one sentence."""
        risk, best = self.risk, self.strongest
        who = "people" if self.kind == "events" else "records"
        few = " These are too few to say much." if risk.n < FEW else ""
        return (
            f"About {risk.value * risk.n:,.0f} of {risk.n:,} {who} ({share(risk.value)}, {risk.level:.0%} interval "
            f"{share(risk.low)} to {share(risk.high)}) can be picked out {best.in_words()}. Blind guessing finds "
            f"{share(best.random)}.{few}"
        )

    def verdict(self) -> str:
        """The risk against the limit, in one sentence."""
        whose = "the limit" if self.gate else "the usual limit (none was set)"
        where = "within" if self.risk.high <= self.limit else "above"
        mean = f"The upper end of the interval, {share(self.risk.high)}, is {where} {whose} of {share(self.limit)}."
        inside = self.from_inside
        if inside is not None and self.risk.high <= self.limit < inside.high:
            mean += (
                f" Someone who knows part of the released period itself would re-identify {share(inside.value)} "
                f"(interval {share(inside.low)} to {share(inside.high)}), which is above it."
            )
        return " ".join([mean, *(self.worst_off.faults() if self.worst_off else ())])

    def advice(self) -> str:
        """Which protection would do, in one sentence."""
        if self.within_limit:
            what = "stand alone with what is known" if self.kind == "table" else "would most likely be re-identified"
            who = "people" if self.kind == "events" else "records"
            met = "The limit is met on average, against an intruder who knows no more than assumed"
            return f"{met}; {self.found:,} {who} {what} all the same." if self.found else f"{met}."
        if wilson(0, self.risk.n, self.risk.level).high > self.limit:
            return (
                "These are too few for any protection to be shown to be within the limit: even none found would not be."
            )
        if not self.remedies:
            return "No protection was tried."
        best = self.remedy
        if best is None:
            return (
                "No protection tried meets the limit, keeps people distinguishable and leaves at most "
                f"{MOST_EMPTIED:.0%} of them without data."
            )
        named = f"{best.protection} {best.strength}".strip()
        little = " Little is left of the data then." if best.loss > LITTLE_LEFT else ""
        left = f"{share(best.rate.value)} (interval {share(best.rate.low)} to {share(best.rate.high)})"
        if best.is_guaranteed(self.limit) and best.guarantee is not None:
            left += f", and whatever the attack at most {share(best.guarantee)} on average,"
        if self.kind == "events":  # of a table it starts with the name of a column
            named = named[:1].upper() + named[1:]
            sure = best.is_guaranteed(self.limit)
            least = "destroys least of those that guarantee it" if sure else "destroys least of all that meet the limit"
            return f"{named} would leave {left} and {least}: {best.detail}.{little}"
        searched = "Combinations of columns were tried one step at a time, so another one may cost less."
        return f"{named} would leave {left}: {best.detail}.{little} {searched}"

    def intruder(self) -> str:
        """What the intruder is taken to have, in one sentence."""
        released, known = self.released, self.known
        if self.kind == "events":
            where = "" if known is None or known.places is None else f" at {known.places:,} places"
            who = "people" if known is None else f"{known.people:,} people"
            return (
                f"Someone who has a record of what {who} did{where}, with their names, and looks for them among the "
                f"{released.people:,} people of the release, whose names are taken away."
            )
        across = "" if released.columns is None else f" with {released.columns:,} columns each"
        also = "" if known is None else f" They hold {known.people:,} records with names."
        return (
            f"Someone who knows a few facts about a person and looks for them among {released.people:,} released "
            f"records{across}, without names.{also}"
        )

    def to_json(self, path: str | Path) -> None:
        """Write the evidence to a file, whole or not at all."""
        write_whole(Path(path), in_json(self.as_json()))

    def to_html(self, path: str | Path, *, about: Mapping[str, Any] | None = None) -> None:
        """Write the page to a file, whole or not at all; ``about`` is the manifest, where there is one."""
        from singleout.report.html import audit_page  # it stands on this module

        write_whole(Path(path), audit_page(self, about or versions()))

    def as_json(self) -> dict[str, Any]:
        """The evidence: schema singleout/audit/1, described in docs/reference/audit-json.md."""
        return {
            "schema": SCHEMA,
            "kind": self.kind,
            "data": {
                "label": self.label,
                "synthetic": self.synthetic,
                "released": _known_only(asdict(self.released)),
                "known": None if self.known is None else _known_only(asdict(self.known)),
            },
            "risk": {"attack": self.strongest.attack, "by": self.strongest.by, **self.risk.as_json()},
            "random": self.strongest.random,
            "limit": {
                "value": self.limit,
                "set": self.gate,
                "within": self.risk.high <= self.limit,
                "passed": self.passed,
            },
            "worst_off": None if self.worst_off is None else asdict(self.worst_off) | {"met": self.worst_off.is_met},
            "sentence": self.sentence(),
            "attacks": [attempt.as_json() for attempt in self.attempts],
            "curves": [curve.as_json() for curve in self.curves],
            "people_at_risk": {"found": self.found, "surest": [asdict(person) for person in self.at_risk]},
            "causes": [asdict(cause) for cause in self.causes],
            "protections": [remedy.as_json() for remedy in self.remedies],
            "recommended": None if self.remedy is None else self.remedy.as_json(),
            "tests": [asdict(section) for section in self.sections],
            "assumptions": list(self.assumptions),
            "notes": [note.as_json() for note in self.notes],
            "options": dict(self.asked),
            "reveal": self.reveal,
            "seed": self.seed,
        }

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        rows = [
            {"attack": each.attack, "by": each.by, "rate": each.rate.value, "low": each.rate.low}
            | {"high": each.rate.high, "random": each.random, "counts": each.counts}
            for each in self.attempts
        ]
        return pa.Table.from_pylist(rows)

    def __repr__(self) -> str:
        return f"Audit({self.label}): {self.sentence()} {self.verdict()}"


def _known_only(plain: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if value is not None}


def guessed(random: float, people: int, level: float) -> Attempt:
    """The first rung of any ladder: what somebody finds who knows nothing."""
    return Attempt("at random", "chance", wilson(random * people, people, level), random)


def at_least(people: int, reveal: bool) -> int | None:
    """How many people are told to be at a place or to have a value; None where fewer than five."""
    if reveal:
        return people
    return max((band for band in BANDS if band <= people), default=None)


def about(part: float, reveal: bool) -> float:
    """A reason's part of the whole, to the nearest twentieth: exact parts would tell the counts behind them."""
    return part if reveal else round(part * 20) / 20
