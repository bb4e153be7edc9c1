"""The audit from end to end: how many people could be re-identified, who, why, and what would protect them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from singleout.assessment import audit_attacks, audit_events, audit_sides
from singleout.assessment.audit_context import note_unexamined
from singleout.assessment.audit_notes import collect_notes, doubt_ids
from singleout.assessment.audit_options import NAMES, OF_PLACES, AuditOptions, names_of, open_sources
from singleout.assessment.audit_parts import AttackResult
from singleout.assessment.audit_plan import (
    ATTACKS,
    FEWER_PEOPLE,
    KNOWN_PEOPLE,
    PEOPLE,
    PROTECTIONS,
    READING,
    SHAPES,
    STEPS,
    AuditPlan,
    plan_audit,
)
from singleout.assessment.audit_probability import measure_probabilities
from singleout.assessment.audit_result import Audit
from singleout.assessment.audit_sample import Measured, draw_logs, draw_sample, sample_notes
from singleout.assessment.audit_table import audit_table
from singleout.assessment.audit_words import assumptions_of_events, strongest_within_reach, tests_of_events
from singleout.assessment.command_lines import Command, command_line, flags_of, name_all_files
from singleout.assessment.file_names import NO_FILE, FileNames, Namer
from singleout.assessment.frontier import Frontier
from singleout.assessment.memory_plan import check_memory
from singleout.assessment.options import SPLIT_CHOICES
from singleout.ground.errors import InputError, bad_argument, near
from singleout.ground.notes import number_of
from singleout.ground.numbers import capitalise, plural
from singleout.ground.other_processes import workers_kept
from singleout.ground.parallel import meanwhile
from singleout.ground.progress import Steps, add_detail, announce
from singleout.reading.events import Events
from singleout.reading.forms import FILE_NAME
from singleout.reading.identifiers import refuse_distinct
from singleout.reading.sources import Source


@workers_kept()
def audit(
    source: Any,
    known: Any = None,
    *,
    options: AuditOptions | None = None,
    synthetic: bool = False,
    progress: bool | None = None,
    **options_by_name: Any,
) -> Audit:
    """Measure how many people in the data could be re-identified, who, why, and what would protect them.

    ``source`` is an event log (``user=…``), which is split in two parts unless ``known`` is what the intruder has, or a
    table of records (``known_columns=…``), or two tables with common columns (``on=…``). Options go by name, or as
    ``so.AuditOptions(…)``. People are the same on both sides where their ids are. ``synthetic``: the data is generated,
    and the report says so.

    Parameters
    ----------
    source
        What would be released: a path or glob, a frame, an Arrow table or a DuckDB relation.
    known
        What the intruder knows, if it is a source of its own; None: one log is split by time.
    options
        All options at once, in place of ``options_by_name``.
    synthetic
        Whether the data is generated, which the report then says.
    progress
        Whether to show progress; None: if it goes to a terminal.
    **options_by_name
        Options by name: see ``AuditOptions``.

    Returns
    -------
    Audit
        Everything that was found.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> columns = {"user": "user", "time": "time", "place": "place"}
    >>> audit = so.audit(log.table, **columns, split="weeks", protect=False, progress=False)
    >>> audit.risk
    Estimate(98.0% [88.6%, 99.7%] of 50)
    >>> audit.verdict()
    'You set no risk limit, so there is no verdict.'
    """
    asked = _check_options(options, options_by_name)
    if asked.is_table and known is not None and asked.on is None:
        raise InputError("two tables require `on`: columns that both have.", function="audit")
    if asked.on is not None and known is None:
        raise InputError("`on` requires a second table: the one that the intruder has.", function="audit")
    if asked.on is not None:
        asked = replace(asked, known_columns=asked.known_columns or asked.on)
    if known is not None and asked.split is not None:
        raise InputError(f"give either a second source or `split` ({SPLIT_CHOICES}), not both.", function="audit")
    given = [each for each in (source, known) if each is not None]
    sources, label, files = open_sources(given, asked), asked.label or names_of(*given), name_all_files(asked, *given)
    said: dict[str, Any] = {"synthetic": synthetic, "about": asked.about(), "command_folder": files.folder}
    if NO_FILE not in map(files.name, given):
        said["command"] = Command.build(lambda name: _in_full(given, asked, name), files)
    if asked.is_table:
        known_table = sources[1] if len(sources) > 1 else None
        return replace(audit_table((sources[0], known_table), asked, label, (source, files), progress), **said)
    return replace(_audit_events(sources, asked, label, (source, files), progress), **said)


def _in_full(given: Sequence[Any], options: AuditOptions, name: Namer) -> str:
    return command_line("audit", [name(each) for each in given], *flags_of(options, name_file=name))


def _check_options(options: AuditOptions | None, by_name: dict[str, Any]) -> AuditOptions:
    wrong = [name for name in by_name if name not in NAMES]
    if wrong:
        raise InputError(f"there is no option `{wrong[0]}`. {near(wrong[0], NAMES)}".rstrip(), function="audit")
    if options is None:
        return AuditOptions(**by_name)
    if not isinstance(options, AuditOptions):
        raise bad_argument("audit", "options", "so.AuditOptions(…)", type(options).__name__)
    return replace(options, **by_name) if by_name else options


def _expect(plan: AuditPlan, steps: Steps, options: AuditOptions, progress: bool | None) -> None:
    """Which steps are taken, how long they may take, and that this is longer than the time limit."""
    if plan.too_short:
        announce(f"{capitalise(plan.too_short)}.", progress)
    steps.expect(plan.seconds, plan.left_out if options.protect else (*plan.left_out, PROTECTIONS))


def _audit_events(
    sources: Sequence[Source], options: AuditOptions, label: str, named: tuple[Any, FileNames], progress: bool | None
) -> Audit:
    """Read, split, count, match, measure, explain, protect; each stage is a function of what came before."""
    steps, started = Steps(STEPS, progress), time.monotonic()
    with steps.shown():
        with steps.step(READING):
            logs = _read_logs(sources, options)
            sides = audit_sides.split_sides(logs, options)
            counts = audit_sides.count_sides(sides, progress)
        _add_sizes(counts, options.place_name)
        plan = plan_audit(counts, options, started)
        _expect(plan, steps, options, progress)
        with steps.step(ATTACKS):
            ladder = audit_attacks.run_ladder(counts, options, progress)
            headline = audit_attacks.measure_headline(ladder, options, progress)
        announce(f"{headline.sentence()} The audit goes on.", progress)
        with steps.step(PEOPLE):
            likely = measure_probabilities(headline, logs, sides, options, progress)
            found = audit_events.find_people(headline, progress)
        networks, people_curve = None, None
        shapes: tuple[AttackResult, ...] = ()
        if plan.takes(SHAPES):
            with steps.step(SHAPES):
                networks = audit_sides.build_networks(sides, counts, options, progress)
                shapes = tuple(audit_attacks.attack_shapes(networks, options, progress))
        attacks = audit_attacks.list_attacks(ladder, headline, likely.of_the_intruder, shapes, options)
        if plan.takes(KNOWN_PEOPLE):
            with steps.step(KNOWN_PEOPLE):
                ladder = audit_attacks.teach(ladder, counts, options, progress)
        if plan.takes(FEWER_PEOPLE):
            with steps.step(FEWER_PEOPLE):
                people_curve = audit_events.draw_curve_of_people(counts, headline, options, progress)
        days = audit_sides.count_days(sides, options, progress)
        similarities, everyone = audit_attacks.strongest_similarities(ladder, options), Measured(logs, sides, counts)
        asked: dict[str, Any] = {"similarities": similarities, "independent": headline.rate.effective_share}
        asked |= {"days": days, "progress": progress}
        explain = partial(audit_events.explain, found, likely.fitted, sides, counts, networks, options)
        with meanwhile(explain) as explanation:
            some, protections = _try_protections(everyone, options, plan, steps, asked)
            explained = explanation()
    attacks += () if some is not None else audit_events.attack_on_file(protections, attacks)
    attacks += audit_attacks.list_taught(ladder, headline, options)
    curves = audit_events.list_curves(people_curve, protections, days, options)
    inside = None if protections is None else protections.rows[0].inside
    notes = collect_notes(headline, counts, networks, protections, curves, options, plan=plan, logs=logs)
    unexamined = note_unexamined("events", sources[0].all_columns, _examined(options))
    recommends = protections is not None and any(each.recommended for each in protections.rows)
    return Audit(
        kind="events",
        label=label,
        synthetic=False,
        released=audit_sides.measure_side(sides.released, counts.released),
        known=audit_sides.measure_side(sides.known, counts.known),
        attacks=attacks,
        curves=curves,
        people_at_risk=explained.people,
        causes=explained.causes,
        protections=audit_events.list_protections(protections, counts, options, named),
        tests=tests_of_events(attacks, explained.unique, explained.gain, options.place_name, inside),
        assumptions=assumptions_of_events(
            None if len(logs) == 2 else audit_sides.split_rule(options),
            [each.name for each in similarities],
            headline.rate,
            options.place_name,
            recommends=recommends,
            protects=protections is not None and len(protections.rows) > 1,
        ),
        notes=ladder.left_out + notes + sample_notes(some, recommends=recommends) + unexamined,
        options=options.non_defaults(),
        risk_limit=options.max_risk,
        reveal=options.reveal,
        seed=options.seed,
        place_name=options.place_name,
        probability=likely.to_dict(),
        taught=None if ladder.taught is None else ladder.taught.to_dict(),
        doubt=doubt_ids(headline, logs, strongest_within_reach(attacks)),
    )


def _try_protections(
    everyone: Measured, options: AuditOptions, plan: AuditPlan, steps: Steps, asked: Mapping[str, Any]
) -> tuple[Measured | None, Frontier | None]:
    """What protections would leave, of some people where there are many; without them the data as it is."""
    if not (options.protect and plan.takes(PROTECTIONS)):
        return None, audit_events.try_protections(everyone, None, replace(options, protect=False), **asked)
    with steps.step(PROTECTIONS):
        some = draw_sample(everyone, options.confidence_level, options.seed)
        protections = audit_events.try_protections(everyone, some, options, **asked)
        add_detail(f"{number_of(len(protections.rows) if protections else 0, 'protections')} tried")
    return some, protections


def _examined(options: AuditOptions) -> list[str | None]:
    """Columns that were looked at, and the name of each file where that is the person."""
    return [FILE_NAME if options.user_from_name else None, *(getattr(options, name) for name in OF_PLACES)]


def _read_logs(sources: Sequence[Source], options: AuditOptions) -> list[Events]:
    """The logs, of the people asked for; what could not be audited with the memory there is ends here."""
    refuse_distinct(sources[0], {"place": options.place}, options.allow, "audit")
    logs = draw_logs(options.read_logs(sources, options), options.sample, options.seed)
    check_memory(logs, options)
    return logs


def _add_sizes(counts: audit_sides.CountsOf, place_name: str) -> None:
    """How many people and places there are, for those who want details."""
    for side, each in zip(("released", "known"), counts, strict=True):
        places = number_of(each.number_of_places, plural(place_name))
        add_detail(f"{side}: {number_of(len(each), 'people')}, {places}")
