"""The parts that the answer of an audit is made of: attacks, curves, people at risk, causes, protections, limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.file_attack import ALL_LOST, MOST_EMPTIED
from singleout.assessment.table_limits import TableLimits
from singleout.ground.notes import number_of
from singleout.measures.extrapolation import Extrapolation
from singleout.measures.intervals import Estimate, counted, wilson
from singleout.measures.tables.table_risk import TableRisk


@dataclass(frozen=True)
class AttackResult:
    """One attack: what it compares people by, the share of them it re-identifies, and what chance would.

    ``within_reach`` False: shown for comparison; an intruder would need to know more than assumed.
    """

    kind: AttackKind
    by: str
    rate: Estimate
    random: float
    detail: str = ""
    within_reach: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain: dict[str, Any] = {"kind": str(self.kind), "by": self.by, "rate": self.rate.to_dict()}
        return plain | {"random": self.random, "detail": self.detail, "within_reach": self.within_reach}


@dataclass(frozen=True)
class CurvePoint:
    """One point of a curve: the share re-identified there."""

    at: float
    rate: Estimate


@dataclass(frozen=True)
class Curve:
    """How the risk changes with one thing: ``name`` is people, days, resolution or columns; ``axis`` what it counts.

    ``attack`` says how people are re-identified.
    """

    name: str
    title: str
    axis: str
    attack: str
    points: tuple[CurvePoint, ...]
    logarithmic: bool = False
    extrapolated: Extrapolation | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        points = [{"at": point.at, "rate": point.rate.to_dict()} for point in self.points]
        beyond = None if self.extrapolated is None else self.extrapolated.to_dict()
        named = {"name": self.name, "title": self.title, "axis": self.axis, "attack": self.attack}
        return named | {"points": points, "extrapolated": beyond}


@dataclass(frozen=True)
class Reason:
    """One thing that identifies a person: a place or a column.

    ``share`` is about its part of all that does; ``people``: at least this many have it, None where fewer than five;
    both exact if revealed. ``name`` only if revealed, or where it is the name of a column.
    """

    kind: str
    share: float
    people: int | None
    name: str | None = None


@dataclass(frozen=True)
class PersonAtRisk:
    """One of the people most clearly identified: row number in order of id, and how likely the match is to be right.

    ``probability`` is fitted on other people (None for a table). ``margin`` is what it costs to take them for anyone
    else, in the unit of the similarity (None: nobody else); for a table the SUDA score: the fewer columns are enough,
    the higher.
    """

    row: int
    margin: float | None
    reasons: tuple[Reason, ...]
    detail: str = ""
    id: str | None = None
    probability: float | None = None


@dataclass(frozen=True)
class PeopleAtRisk:
    """How many people the strongest attack re-identifies for certain or most likely, and the clearest cases."""

    found: int
    clearest: tuple[PersonAtRisk, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"found": self.found, "clearest": [asdict(person) for person in self.clearest]}


@dataclass(frozen=True)
class Cause:
    """What identifies people overall: a group of places, or a column, and its share of the whole."""

    what: str
    share: float
    detail: str = ""


@dataclass(frozen=True)
class ProtectionResult:
    """One protection at one strength: what is still re-identified in its file, what it destroys, how to apply it.

    ``does`` says in words what is done. ``rate`` is the larger of ``outside`` (data from another period) and ``inside``
    (data from this period). ``guarantee``: no attack can re-identify more than this share on average. ``emptied`` is
    the share of people left without data. For a table ``smallest`` and ``singled_out`` say how those worst off would
    be, and ``faults`` which limits for them would not be met.
    """

    protection: str
    strength: str
    does: str
    rate: Estimate
    loss: float
    on_frontier: bool
    command: str
    detail: str = ""
    outside: Estimate | None = None
    inside: Estimate | None = None
    guarantee: float | None = None
    emptied: float = 0.0
    smallest: int | None = None
    singled_out: int | None = None
    faults: tuple[str, ...] = ()

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
        enough = self.loss < ALL_LOST and self.emptied <= MOST_EMPTIED
        return self.upper <= limit and enough and not self.faults

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        rates = {name: getattr(self, name) for name in ("rate", "outside", "inside")}
        return asdict(self) | {name: None if rate is None else rate.to_dict() for name, rate in rates.items()}


@dataclass(frozen=True, eq=False)
class WorstOff:
    """The records of a table that are worst off, and the limits set for them: a mean says nothing about these.

    ``limits`` are those for single records and classes: k, l, t and a maximum risk.
    """

    risk: TableRisk
    limits: TableLimits
    max_singled_out: int | None = None

    @property
    def is_met(self) -> bool:
        """Whether the limits are met."""
        return not self.faults()

    @property
    def is_set(self) -> bool:
        """Whether there are limits."""
        return self.limits.is_set or self.max_singled_out is not None

    def faults(self, after: TableRisk | None = None) -> list[str]:
        """Limits that are not met, in sentences; ``after`` is the table once it is protected."""
        found = self.limits.faults(after or self.risk)
        unique = (after or self.risk).unique
        if self.max_singled_out is not None and unique > self.max_singled_out:
            records = number_of(unique, "records") + (" is" if unique == 1 else " are")
            found.append(f"{records} singled out; your limit is at most {self.max_singled_out:,}.")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        limits = {name: getattr(self.limits, name) for name in ("k", "l", "t")}
        counts = {"smallest": self.risk.k, "singled_out": self.risk.unique}
        return counts | limits | {"max_singled_out": self.max_singled_out, "met": self.is_met}


@dataclass(frozen=True)
class RegulatorTest:
    """What one of the tests that regulators use comes to: statements with numbers in them."""

    name: str
    question: str
    statements: tuple[str, ...]


@dataclass(frozen=True)
class Size:
    """How large one side is."""

    people: int
    places: int | None = None
    columns: int | None = None


def chance_result(random: float, people: int, confidence_level: float, *, exact: bool = False) -> AttackResult:
    """The first rung of any ladder: what someone achieves who knows nothing; ``exact`` for a table."""
    rate = (counted if exact else wilson)(random * people, people, confidence_level)
    return AttackResult(AttackKind.CHANCE, "", rate, random)
