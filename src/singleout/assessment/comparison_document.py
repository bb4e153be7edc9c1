"""What compare.json holds. Its schema is generated from here and from the types of its parts."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from singleout.ground.notes import NoteDict
from singleout.ground.plain_data import Limits, Share, ShareOrNone
from singleout.measures.intervals import EstimateDict

ComparisonSchema = Literal["singleout/comparison/1"]
SCHEMA: ComparisonSchema = "singleout/comparison/1"
Change = Annotated[float, Limits(-1, 1)]


class DifferenceDict(TypedDict):
    """New minus old share, with its interval."""

    value: Change
    low: Change
    high: Change


class StrongestDict(EstimateDict):
    """The strongest attack of a result: its kind, and what it compares people by."""

    kind: str
    by: str


class ComparedSideDict(TypedDict):
    """One of the two results."""

    label: str
    risk: StrongestDict
    random: Annotated[Share, "What guessing at random would achieve."]
    risk_limit: ShareOrNone
    meets_limit: Annotated[bool | None, "Null without limits."]


class RateChangeDict(TypedDict):
    """One rate in both results; null where a result does not have it."""

    name: str
    old: EstimateDict | None
    new: EstimateDict | None
    change: DifferenceDict | None


class ValueChangeDict(TypedDict):
    """A count or a setting in both results; null where a result does not have it."""

    name: str
    old: Any
    new: Any


class RecommendedDict(TypedDict):
    """The protection that each result recommends, in words; null for none."""

    old: str | None
    new: str | None


class NotesChangeDict(TypedDict):
    """Notes that only one of the results has."""

    new: list[NoteDict]
    gone: list[NoteDict]


class ComparisonDocument(TypedDict):
    """The comparison of two results of audit or verify: compare.json."""

    schema: ComparisonSchema
    kind: Annotated[str, "Of both results: events or table."]
    verdict: Literal["better", "worse", "no clear change"]
    passed: Annotated[bool, "False if the new result is worse, or cannot be compared."]
    faults: Annotated[list[str], "Why the new result is worse."]
    doubts: Annotated[list[str], "Why the two cannot be compared."]
    sentence: Annotated[str, "The result in one sentence."]
    same_inputs: Annotated[bool | None, "Null if a result has no manifest."]
    old: ComparedSideDict
    new: ComparedSideDict
    change: DifferenceDict
    rates: Annotated[list[RateChangeDict], "The headline first."]
    attacks: list[RateChangeDict]
    protections: list[RateChangeDict]
    recommended: RecommendedDict
    counts: list[ValueChangeDict]
    settings: list[ValueChangeDict]
    notes: NotesChangeDict
