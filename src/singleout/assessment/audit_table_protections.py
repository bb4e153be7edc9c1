"""What would protect the people in a table: each protection with the command that carries it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from singleout.assessment.audit_context import records_above
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import ProtectionResult, WorstOff
from singleout.assessment.command_lines import Command, command_line, files_of
from singleout.assessment.file_names import FileNames, Namer
from singleout.assessment.table_frontier import SOME_LEFT_OUT, TablePoint, trace_frontier
from singleout.assessment.table_limits import MAXIMUM, TableLimits
from singleout.assessment.table_protector import TableProtector
from singleout.ground.notes import in_a_row, number_of
from singleout.ground.numbers import percent
from singleout.ground.progress import stage
from singleout.reading.tables import Table

ALONGSIDE = (2, 5, 20)
"""Values of k that are shown for comparison."""


def limits_of_records(options: AuditOptions) -> TableLimits:
    """The limits for single records and classes; a limit for the average is that of the audit."""
    worst = options.max_risk if options.risk == MAXIMUM else None
    return TableLimits(options.k, worst, options.risk, options.l, options.t, options.sensitive or (), "audit")


def try_protections(
    table: Table,
    worst: WorstOff,
    options: AuditOptions,
    named: tuple[Any, FileNames],
    progress: bool | None,
) -> tuple[ProtectionResult, ...]:
    """Every way that meets the limits, and the same for a few values of k; the best is written and measured there.

    ``named`` is the table as it was given, and what commands call files.
    """
    protector = TableProtector(
        table,
        options.known_columns or (),
        options.sensitive or (),
        options.column_hierarchies,
        dict(options.recodings),
        population=options.population,
        progress=progress,
    )
    wanted = replace(worst.limits, max_risk=options.max_risk, function="protect_table")
    if options.max_singled_out == 0 and wanted.k is None:
        wanted = replace(wanted, k=2)
    limits = [TableLimits(k, sensitive=wanted.sensitive) for k in ALONGSIDE]
    if wanted.is_set:
        limits.insert(0, wanted)
    with stage("protections"):
        points = _without_repeats(trace_frontier(protector, limits, options.max_suppressed or SOME_LEFT_OUT).rows)
    results = [_describe(point, worst, options, protector) for point in points]
    source, files = named
    return tuple(
        replace(each, command=Command.build(partial(_command, point, options, source), files))
        for each, point in zip(_confirm_best(results, points, worst, options, protector), points, strict=True)
    )


def _without_repeats(points: Sequence[TablePoint]) -> list[TablePoint]:
    """The first of those that come to the same: one limit may follow from another."""
    by_what = {(each.way.name, each.loss, each.risk.k, *each.change.in_words()): each for each in reversed(points)}
    return [each for each in points if each in by_what.values()]


def _confirm_best(
    results: list[ProtectionResult],
    points: Sequence[TablePoint],
    worst: WorstOff,
    options: AuditOptions,
    protector: TableProtector,
) -> list[ProtectionResult]:
    """The least destructive that meets the limits is written to a file, read again and measured."""
    has_limit = options.max_risk is not None or worst.is_set
    enough = [number for number, each in enumerate(results) if has_limit and each.is_enough(options.max_risk)]
    best = min(enough, key=lambda number: results[number].loss, default=None)
    if best is not None:
        with stage("measuring the recommended file"):
            risk = protector.confirm(points[best].change)
        results[best] = _describe(replace(points[best], risk=risk), worst, options, protector)
    return results


def _describe(point: TablePoint, worst: WorstOff, options: AuditOptions, protector: TableProtector) -> ProtectionResult:
    done = point.change.in_words()
    detail = [f"{percent(point.loss)} of the information in the known columns is lost"]
    if point.way.method == "recode":
        detail.append(f"all {number_of(protector.lattice.size, 'combinations')} of levels were searched")
    return ProtectionResult(
        protection=point.way.name,
        strength=point.way.limits.in_words(),
        does=in_a_row(done) if done else "releasing the table as it is",
        rate=point.rate,
        loss=point.loss,
        on_frontier=point.on_frontier,
        command="",
        detail="; ".join(detail),
        emptied=point.change.left_out / max(point.change.rows.records, 1),
        smallest=point.risk.k,
        singled_out=point.risk.unique,
        above_limit=records_above(point.risk, options.max_risk),
        faults=tuple(worst.faults(point.risk)),
    )


def _command(point: TablePoint, options: AuditOptions, source: Any, name: Namer) -> str:
    """The command that carries a protection out."""
    words = ["--known-columns", ",".join(options.known_columns or ())]
    dropped = [*(options.drop or ()), *([] if options.truth is None else [options.truth])]
    words += ["--columns", ",".join(options.columns)] if options.columns else []
    words += ["--drop", ",".join(dropped)] if dropped else []
    words += ["--allow", ",".join(options.allow)] if options.allow else []
    words += ["--survey-weight", options.survey_weight] if options.survey_weight else []
    words += options.as_flags()
    words += ["--population", str(options.population)] if options.population else []
    for each in files_of(options, name).get("hierarchy", ()):
        words += ["--hierarchy", each]
    for each in options.recode or ():
        words += ["--recode", each]
    return command_line("protect", [name(source)], *words, *point.way.as_flags())
