"""The parts that the answer of an audit is made of: attacks, curves, people at risk, causes, protections, limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from singleout.assessment.attack_kinds import AttackKind, AttackName
from singleout.assessment.file_attack import ALL_LOST, MOST_EMPTIED
from singleout.assessment.table_limits import TableLimits
from singleout.ground.notes import in_a_row, number_of
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, CountOrNone, Limits, NotNegative, Positive, Share, ShareOrNone
from singleout.measures.extrapolation import Extrapolation, ExtrapolationDict
from singleout.measures.intervals import Estimate, EstimateDict, counted, wilson
from singleout.measures.tables.table_risk import TableRisk


class AttackDict(TypedDict):
    """One attack: what it compares people by, and the share of them it re-identifies."""

    kind: AttackName
    by: Annotated[str, "A similarity, a kernel, or columns."]
    rate: EstimateDict
    random: Annotated[Share, "What guessing at random would achieve."]
    detail: str
    within_reach: Annotated[bool, "False: shown for comparison only; the intruder would need to know more."]


class CurvePointDict(TypedDict):
    """The share re-identified at one point."""

    at: float
    rate: EstimateDict


class CurveDict(TypedDict):
    """How the risk changes with one thing."""

    name: Literal["people", "days", "resolution", "columns"]
    title: str
    axis: str
    attack: Annotated[str, "How people are re-identified."]
    points: list[CurvePointDict]
    extrapolated: ExtrapolationDict | None


class WorstOffDict(TypedDict):
    """The records of a table that are worst off, and the limits set for them."""

    smallest: Annotated[Positive, "The least number of records that share a combination of known values."]
    singled_out: Count
    k: CountOrNone
    l: Annotated[int | None, Limits(2)]  # noqa: E741 - the name of the measure
    t: ShareOrNone
    max_singled_out: CountOrNone
    met: bool


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

    def to_dict(self) -> AttackDict:
        """Plain data."""
        return {
            "kind": str(self.kind),
            "by": self.by,
            "rate": self.rate.to_dict(),
            "random": self.random,
            "detail": self.detail,
            "within_reach": self.within_reach,
        }


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

    name: Literal["people", "days", "resolution", "columns"]
    title: str
    axis: str
    attack: str
    points: tuple[CurvePoint, ...]
    logarithmic: bool = False
    extrapolated: Extrapolation | None = None

    def to_dict(self) -> CurveDict:
        """Plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "axis": self.axis,
            "attack": self.attack,
            "points": [{"at": point.at, "rate": point.rate.to_dict()} for point in self.points],
            "extrapolated": None if self.extrapolated is None else self.extrapolated.to_dict(),
        }


@dataclass(frozen=True)
class Reason:
    """One thing that identifies a person: a place or a column.

    ``share`` is about its part of all that does; ``people``: at least this many have it, None where fewer than five;
    both exact if revealed. ``name`` only if revealed, or where it is the name of a column.
    """

    kind: Literal["place", "column"]
    share: Share
    people: Annotated[int | None, Limits(1)]
    name: str | None = None


@dataclass(frozen=True)
class PersonAtRisk:
    """One of the people most clearly identified: row number in order of id, and how likely the match is to be right.

    ``probability`` is fitted on other people (None for a table). ``margin`` is what it costs to take them for anyone
    else, in the unit of the similarity (None: nobody else); for a table the SUDA score: the fewer columns are enough,
    the higher.
    """

    row: Count
    margin: Annotated[float | None, "What it costs to take them for anyone else; for a table the SUDA score."]
    reasons: tuple[Reason, ...]
    detail: str = ""
    id: Annotated[str | None, "Only with reveal."] = None
    probability: Annotated[ShareOrNone, "How likely the match is to be right; null for a table."] = None


@dataclass(frozen=True)
class PeopleAtRisk:
    """How many people the strongest attack re-identifies for certain or most likely, and the clearest cases."""

    found: Count
    clearest: tuple[PersonAtRisk, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"found": self.found, "clearest": [asdict(person) for person in self.clearest]}


@dataclass(frozen=True)
class Cause:
    """What identifies people overall: a group of places, or a column, and its share of the whole."""

    what: str
    share: NotNegative
    detail: str = ""


@dataclass(frozen=True)
class ProtectionResult:
    """One protection at one strength: what is still re-identified in its file, what it destroys, how to apply it.

    ``does`` says in words what is done. ``rate`` is the larger of ``outside`` (data from another period) and ``inside``
    (data from this period). ``guarantee``: no attack can re-identify more than this share on average. ``emptied`` is
    the share of people left without data. For a table ``smallest`` and ``singled_out`` say how those worst off would
    be, ``above_limit`` how many records would have a risk of their own above the limit (None in a population), and
    ``faults`` which limits for them would not be met.
    """

    protection: str
    strength: str
    does: Annotated[str, "What is done, in words."]
    rate: Estimate
    loss: NotNegative
    on_frontier: bool
    command: str
    detail: str = ""
    outside: Estimate | None = None
    inside: Estimate | None = None
    guarantee: ShareOrNone = None
    emptied: Share = 0.0
    smallest: Annotated[int | None, Limits(1)] = None
    singled_out: CountOrNone = None
    above_limit: Annotated[CountOrNone, "Table: records whose own risk would be above the risk limit."] = None
    faults: Annotated[tuple[str, ...], "Table: limits for those worst off that are not met."] = ()

    @property
    def upper(self) -> float:
        """What the risk is within: the upper ends of the intervals, or the guarantee where that is less."""
        measured = max(rate.high for rate in (self.rate, self.outside, self.inside) if rate is not None)
        return measured if self.guarantee is None else min(measured, self.guarantee)

    def is_guaranteed(self, limit: float | None) -> bool:
        """Whether the limit is met whatever the attack, on average."""
        return self.guarantee is not None and limit is not None and self.guarantee <= limit

    def is_enough(self, limit: float | None) -> bool:
        """Whether it may be recommended: within the limit, where there is one, and enough of the data left."""
        enough = self.loss < ALL_LOST and self.emptied <= MOST_EMPTIED
        return (limit is None or self.upper <= limit) and enough and not self.faults

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

    def in_words(self) -> str:
        """The limits for single records, in a few words; empty where there is none."""
        several = [] if self.max_singled_out is None else [f"at most {self.max_singled_out:,} singled out"]
        return in_a_row([*([self.limits.in_words()] if self.limits.is_set else []), *several])

    def to_dict(self) -> WorstOffDict:
        """Plain data."""
        return {
            "smallest": self.risk.k,
            "singled_out": self.risk.unique,
            "k": self.limits.k,
            "l": self.limits.l,
            "t": self.limits.t,
            "max_singled_out": self.max_singled_out,
            "met": self.is_met,
        }


TestName = Literal["singling out", "linkability", "inference", "motivated intruder"]


@dataclass(frozen=True)
class RegulatorTest:
    """What one of the tests that regulators use comes to: statements with numbers in them.

    ``share`` is what is held against the risk limit: of the people who fail the test, at most this many. ``source`` is
    the document that names the test.
    """

    name: TestName
    question: str
    statements: tuple[str, ...]
    share: float | None = None
    about: str = ""
    """Whose share it is."""
    source: str = ""

    def verdict(self, limit: float | None, whose: str = "your") -> str:
        """Whether the test is met at this limit, and why; empty where there is no limit, or nothing was measured."""
        if limit is None or self.share is None:
            return ""
        holds = "Met" if self.share <= limit else "Not met"
        return f"{holds} at {whose} risk limit of {percent(limit)}: {self.about} {percent(self.share)}."


class SizeDict(TypedDict):
    """How large one side is: places of an event log, columns of a table."""

    people: Count
    places: NotRequired[Count]
    columns: NotRequired[Count]
    column_names: NotRequired[Annotated[list[str], "All columns of the file, also those not released, where known."]]
    rows: Annotated[CountOrNone, "Events, or rows of a protected file, that were read and count; null for a table."]
    first_day: str | None
    last_day: str | None


@dataclass(frozen=True)
class Size:
    """How large one side is."""

    people: Count
    places: int | None = None
    columns: int | None = None
    column_names: tuple[str, ...] | None = None
    """All columns of the file of a table, also those that are not released; None where not all were looked at."""
    rows: int | None = None
    """Events that were read and can be used."""
    first_day: str | None = None
    last_day: str | None = None

    def to_dict(self) -> SizeDict:
        """Plain data: what is counted."""
        days = self.first_day, self.last_day
        size: SizeDict = {"people": self.people, "rows": self.rows, "first_day": days[0], "last_day": days[1]}
        if self.places is not None:
            size["places"] = self.places
        if self.columns is not None:
            size["columns"] = self.columns
        if self.column_names is not None:
            size["column_names"] = list(self.column_names)
        return size


def chance_result(random: float, people: int, confidence_level: float, *, exact: bool = False) -> AttackResult:
    """The first rung of any ladder: what someone achieves who knows nothing; ``exact`` for a table."""
    rate = (counted if exact else wilson)(random * people, people, confidence_level)
    return AttackResult(AttackKind.CHANCE, "", rate, random)
