"""What audit.json holds. Its schema is generated from here and from the types of its parts."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from singleout.assessment.about import AboutOptions
from singleout.assessment.attack_kinds import HeadlineName
from singleout.assessment.audit_parts import (
    AttackDict,
    Cause,
    CurveDict,
    PeopleAtRisk,
    ProtectionResult,
    RegulatorTest,
    SizeDict,
    WorstOffDict,
)
from singleout.assessment.audit_probability import ProbabilityDict
from singleout.assessment.file_figures import FileFigures
from singleout.ground.notes import NoteDict
from singleout.ground.plain_data import Count, FieldsOf, Share, ShareOrNone
from singleout.measures.intervals import EstimateDict
from singleout.measures.tables.table_risk import LimitedTableRiskDict
from singleout.measures.taught import TaughtDict

ProtectionDict = Annotated[dict[str, Any], FieldsOf(ProtectionResult)]


class DataDict(TypedDict):
    """What was looked at; people are records for a table."""

    label: str
    synthetic: bool
    released: SizeDict
    known: SizeDict | None


class RiskDict(EstimateDict):
    """The strongest attack within the intruder's reach."""

    kind: HeadlineName
    by: str


AuditSchema = Literal["singleout/audit/3"]
SCHEMA: AuditSchema = "singleout/audit/3"


class AuditDocument(TypedDict):
    """The result of an audit or a verification: audit.json, verify.json."""

    schema: AuditSchema
    kind: Literal["events", "table"]
    data: DataDict
    risk: RiskDict
    random: Annotated[Share, "What guessing at random would achieve."]
    risk_limit: Annotated[ShareOrNone, "The largest acceptable upper end of the interval; null where none was set."]
    meets_limit: Annotated[
        bool | None,
        "Whether the upper end of the interval, and those worst off, are within their limits; null without limits.",
    ]
    passed: Annotated[bool, "False only where a limit was set and is not met."]
    doubt: Annotated[str | None, "Why the figures may be far too low, so that no limit counts as met."]
    worst_off: Annotated[WorstOffDict | None, "Null for an event log."]
    table: Annotated[LimitedTableRiskDict | None, "Null for an event log."]
    sentence: Annotated[str, "The result in one sentence."]
    attacks: list[AttackDict]
    curves: list[CurveDict]
    people_at_risk: Annotated[dict[str, Any], FieldsOf(PeopleAtRisk)]
    probability: Annotated[ProbabilityDict | None, "Null for a table."]
    taught: Annotated[TaughtDict | None, "Null for a table, and where too few people are on both sides."]
    causes: list[Annotated[dict[str, Any], FieldsOf(Cause)]]
    protections: list[ProtectionDict]
    recommended: Annotated[ProtectionDict | None, "The least destructive protection within the limits."]
    tests: list[Annotated[dict[str, Any], FieldsOf(RegulatorTest)]]
    assumptions: list[str]
    notes: list[NoteDict]
    file: NotRequired[Annotated[dict[str, Any], FieldsOf(FileFigures)]]
    about: Annotated[dict[str, Any], FieldsOf(AboutOptions)]
    command: Annotated[str, "The command that repeats the audit; empty where the data came from no file."]
    command_folder: Annotated[str, "The folder in which its commands can be run, in words; empty without files."]
    options: Annotated[dict[str, Any], "Options that differ from their defaults."]
    reveal: bool
    seed: Count
