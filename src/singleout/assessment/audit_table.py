"""The audit of a table, from end to end: records that agree on the known columns are indistinguishable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_context import note_unexamined
from singleout.assessment.audit_curves import curve_of_records
from singleout.assessment.audit_links import link_attacks, note_known_only_in_part, number_on_both_sides
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import (
    AttackResult,
    Cause,
    Curve,
    CurvePoint,
    PeopleAtRisk,
    PersonAtRisk,
    ProtectionResult,
    Reason,
    Size,
    WorstOff,
    chance_result,
)
from singleout.assessment.audit_result import Audit
from singleout.assessment.audit_table_protections import limits_of_records, try_protections
from singleout.assessment.audit_table_words import assumptions_of_tables, tests_of_tables
from singleout.assessment.file_names import FileNames
from singleout.assessment.known_columns import constant_in_words, likely_known_in_words, refuse_constant
from singleout.assessment.memory_plan import check_table_memory
from singleout.ground.errors import DataError, InputError, SourceError
from singleout.ground.notes import Note, number_of
from singleout.ground.numbers import percent
from singleout.ground.progress import Steps, add_detail
from singleout.measures.disclosure import people_band, rounded_share
from singleout.measures.intervals import Estimate, counted
from singleout.measures.tables.agreement import agreements
from singleout.measures.tables.isolation import Vulnerability
from singleout.measures.tables.population import weights_of
from singleout.measures.tables.suda import suda
from singleout.measures.tables.table_risk import TableRisk, risk_of_columns
from singleout.measures.tables.vulnerability import vulnerability
from singleout.reading.columns import Column
from singleout.reading.tables import Table, read_table
from singleout.statistics.partitions import partition_by

READING, MORE_COLUMNS, LINKS, PROTECTIONS, RECORDS = STEPS = (
    "reading and grouping", "one more column", "linking the two tables", "protections", "who is at risk, and why",
)  # fmt: skip
DISTINCT = "distinct-rows"
"""The code of the note that says so."""
EQUAL_VALUES = "matching records of the file with equal values in the known columns"
REASONS = 3
LARGEST_UNIQUE = 3
"""Columns of a special unique that are looked at."""


@dataclass(frozen=True, eq=False)
class Known:
    """What the intruder knows of a table: columns, as codes, and the risk of records that agree on them."""

    table: Table
    names: tuple[str, ...]
    columns: list[Column]
    risk: TableRisk
    confidence_level: float

    def rate(self, count: float) -> Estimate:
        """A number of records as a share of all; the file is counted, so it is exact."""
        return counted(count, len(self.table), self.confidence_level)

    def count_classes(self, columns: Sequence[Column]) -> int:
        """Classes by some columns: guessing among indistinguishable records is right for one of each, on average."""
        return len(partition_by(list(columns), self.table.rows).ends)


def audit_table(
    tables: tuple[Any, Any], options: AuditOptions, label: str, named: tuple[Any, FileNames], progress: bool | None
) -> Audit:
    """Measure how many records can be re-identified by someone who knows some of their columns.

    ``tables`` are the released one and that of the intruder, or None; ``named`` is the released one as it was given,
    and what commands call files.
    """
    source, second = tables
    steps = Steps([each for each in STEPS if _takes(each, second, options)], progress)
    with steps.shown():
        with steps.step(READING):
            table = _read(source, options)
            doubt = options.doubt_rows(table, options.known_columns or (), "audit")
            options.refuse_identifiers(table, table.columns, "audit")
            known = _group(table, options, progress)
        add_detail(f"{number_of(len(table), 'records')} with {number_of(len(table.columns), 'columns')}")
        with steps.step(MORE_COLUMNS):
            added = _add_a_column(known, options, progress)
        other: Table | None = None
        links: tuple[AttackResult, ...] = ()
        if second is not None:
            with steps.step(LINKS):
                other = read_table(second, **options.writing())
                links = link_attacks(table, other, options, progress)
        worst = WorstOff(known.risk, limits_of_records(options), options.max_singled_out)
        protections: tuple[ProtectionResult, ...] = ()
        if options.protect:
            with steps.step(PROTECTIONS):
                protections = try_protections(table, worst, options, named, progress)
            add_detail(f"{number_of(len(protections), 'protections')} tried")
        with steps.step(RECORDS):
            curves = [curve_of_records(known.columns, options, EQUAL_VALUES), _curve_of_columns(known)]
            people = PeopleAtRisk(known.risk.unique, tuple(_describe_records(known, options, progress)))
    attacks = (*links, *_list_attacks(known, added, bool(links)))
    both = len(table) if other is None else number_on_both_sides(table, other, options)
    return Audit(
        kind="table",
        label=label,
        synthetic=False,
        released=Size(len(table), columns=len(table.columns), column_names=table.source.all_columns),
        known=None if other is None else Size(len(other), columns=len(other.columns)),
        attacks=attacks,
        curves=tuple(curve for curve in curves if len(curve.points) > 1),
        people_at_risk=people,
        causes=_explain_causes(known),
        protections=protections,
        tests=tests_of_tables(attacks, known.risk, added, agreements(table, known.names)),
        assumptions=assumptions_of_tables(known.names, len(table.columns), known.risk, linked=bool(links)),
        notes=(
            *table.notes_on(table.columns),
            *_note_rows(table),
            *known.risk.notes,
            *note_known_only_in_part(table, both, options.truth),
            *note_unexamined("table", table.source.all_columns, (*table.columns, table.survey_weight, options.truth)),
        ),
        options=options.non_defaults(),
        risk_limit=options.max_risk,
        reveal=options.reveal,
        seed=options.seed,
        doubt=doubt,
        caveat=_caveat(known, options, second is not None, is_limited=options.max_risk is not None or worst.is_set),
        worst_off=worst,
    )


def _caveat(known: Known, options: AuditOptions, linked: bool, *, is_limited: bool) -> str:
    """What the verdict must not be read without; a table of the intruder's own says what they know."""
    said = [constant_in_words(known.columns)]
    if is_limited and not linked:
        said.append(likely_known_in_words(list(known.table.columns), [*known.names, *(options.sensitive or ())]))
    return " ".join(filter(None, said))


def _takes(step: str, second: Any, options: AuditOptions) -> bool:
    return (step != LINKS or second is not None) and (step != PROTECTIONS or options.protect)


# READ and GROUP


def _read(source: Any, options: AuditOptions) -> Table:
    names = options.known_columns
    if not names:
        raise InputError("`known_columns` must name at least one column that the intruder knows.", function="audit")
    table = options.read_table(source)
    if options.truth is not None:  # it only says who is who
        table = replace(table, columns=tuple(name for name in table.columns if name != options.truth))
    away = [name for name in names if name not in table.columns]
    if away:
        raise SourceError(f"`known_columns` names columns that are not released: {', '.join(away)}.", function="audit")
    if not len(table):
        raise DataError("the table contains no records.", function="audit")
    check_table_memory(table.rows, len(table.columns), options)
    return table


def _group(table: Table, options: AuditOptions, progress: bool | None) -> Known:
    names = options.known_columns or ()
    columns = table.encode_rows(names, progress=progress)
    refuse_constant(columns, "audit", "known_columns" if options.on is None else "on")
    hidden = table.encode_rows(options.sensitive or (), progress=progress)
    weighted = table.survey_weight is not None or options.population is not None
    weights = weights_of(table, options.population) if weighted else None
    risk = risk_of_columns(columns, hidden, table.rows, weights, confidence_level=options.confidence_level)
    return Known(table, names, columns, risk, options.confidence_level)


def _note_rows(table: Table) -> tuple[Note, ...]:
    """Where records came as distinct rows: that is what row numbers count."""
    why = f"they stand for all {len(table):,} records; row numbers count them, in the order of their values, from 0"
    return () if table.rows.times is None else (Note(table.rows.number, "distinct rows", why, DISTINCT),)


# MEASURE


def _add_a_column(known: Known, options: AuditOptions, progress: bool | None) -> Vulnerability | None:
    """What one more column adds; None where all are known."""
    if set(known.names) == set(known.table.columns):
        return None
    asked: dict[str, Any] = {"strategy": "all", "add": 1, "seed": options.seed, "progress": progress}
    found = vulnerability(known.table, known_columns=list(known.names), **asked)
    assert isinstance(found, Vulnerability)
    return found


def _list_attacks(known: Known, added: Vulnerability | None, linked: bool) -> Iterator[AttackResult]:
    """What is known, for certain and by guessing; for comparison one column more, and all of them.

    In a sample the intruder does not know who is in it: then what they would find if they did is for comparison. With
    a table of their own (``linked``) so is everything that assumes they know the columns of everyone.
    """
    table, among, by = known.table, known.risk.population, ", ".join(known.names)
    random = 1 / len(table) if among is None else 1 / max(among.population, len(table))
    if not linked:
        yield chance_result(random, len(table), known.confidence_level, exact=True)
    if among is not None:
        detail = "others in the population may have the same values, and nobody knows who is in the file (journalist)"
        yield AttackResult(AttackKind.POPULATION, by, among.rate, random, detail, not linked)
    inside = among is None and not linked
    certain = known.rate(known.risk.unique)
    yield AttackResult(AttackKind.UNIQUE, by, certain, random, "re-identified for certain (prosecutor)", inside)
    guess = "of each group of indistinguishable records one is guessed correctly (marketer)"
    average = known.rate(known.risk.average * len(table))
    yield AttackResult(AttackKind.KNOWN_COLUMNS, by, average, random, guess, inside)
    if added is None:
        return
    best = max(added.rows, key=lambda row: row.isolated).columns
    every = tuple(table.columns)
    for kind, more, which, detail in (
        (AttackKind.ONE_MORE_COLUMN, best, ", ".join(best), "if it were known too"),
        (AttackKind.ALL_COLUMNS, every, f"{len(every)} columns", "if everything were known"),
    ):
        columns = table.encode_rows(dict.fromkeys([*known.names, *more]))
        rate = known.rate(known.count_classes(columns))
        yield AttackResult(kind, which, rate, random, detail, within_reach=False)


# HOW IT CHANGES


def _curve_of_columns(known: Known) -> Curve:
    """The known columns one after another, each time the one that identifies most."""
    chosen: list[Column] = []
    left = list(known.columns)
    points = []
    while left:
        counts = [known.count_classes([*chosen, column]) for column in left]
        best = int(np.argmax(counts))
        chosen.append(left.pop(best))
        points.append(CurvePoint(len(chosen), known.rate(counts[best])))
    order = ", ".join(column.name for column in chosen)
    return Curve("columns", "Columns known", "columns known", f"{EQUAL_VALUES}. In this order: {order}", tuple(points))


# WHO and WHY


def _describe_records(known: Known, options: AuditOptions, progress: bool | None) -> Iterator[PersonAtRisk]:
    """The records that fewest columns single out, and the rarest of their values."""
    if len(known.names) < 2 or not options.people_listed:
        return
    scores = suda(known.table, columns=known.names, max_size=LARGEST_UNIQUE, progress=progress)
    for row in np.argsort(-scores.scores, kind="stable")[: options.people_listed].tolist():
        if scores.scores[row] > 0:
            reasons = _reasons(known, row, options.reveal)
            yield PersonAtRisk(row, float(scores.scores[row]), reasons, _fewest(scores.minimal[row]))


def _reasons(known: Known, row: int, reveal: bool) -> tuple[Reason, ...]:
    """Each column's part: the bits of information in its value, the most first."""
    with_value = [int(column.counts[column.codes[row]]) for column in known.columns]
    bits = -np.log2(np.array(with_value) / len(known.table))
    whole = float(bits.sum()) or 1.0
    return tuple(
        Reason(
            "column", rounded_share(float(bits[k]) / whole, reveal), people_band(with_value[k], reveal), known.names[k]
        )
        for k in np.argsort(-bits, kind="stable")[:REASONS]
    )


def _explain_causes(known: Known) -> tuple[Cause, ...]:
    """Each known column: the share of those re-identified who would not be without it."""
    whole = known.count_classes(known.columns)
    found = []
    for number, column in enumerate(known.columns):
        without = known.count_classes([*known.columns[:number], *known.columns[number + 1 :]])
        rates = [percent(number / len(known.table)) for number in (without, whole)]
        left = f"without it {rates[0]} of the records in the file would be re-identified, instead of {rates[1]}"
        found.append(Cause(column.name, (whole - without) / whole, left))
    return tuple(sorted(found, key=lambda cause: -cause.share))


def _fewest(minimal: Any) -> str:
    """How few columns are enough."""
    size = int(np.flatnonzero(minimal)[0]) + 1
    return "one column is enough" if size == 1 else f"{size} columns are enough"
