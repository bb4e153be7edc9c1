"""What an audit of event logs left out on the way, and what it did not try."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from singleout.assessment.audit_attacks import Headline
from singleout.assessment.audit_curves import extrapolation_notes
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import AttackResult, Curve
from singleout.assessment.audit_plan import PROTECTIONS, SHAPES, AuditPlan
from singleout.assessment.audit_protections import is_much_noise
from singleout.assessment.audit_sides import SLOW, CountsOf, NetworksOf
from singleout.assessment.frontier import Frontier
from singleout.ground.notes import Note, of_two_sides
from singleout.ground.numbers import percent
from singleout.reading.events import Events
from singleout.statistics.sequences import TIED


def doubt_ids(headline: Headline, logs: Sequence[Events], strongest: AttackResult) -> str:
    """Why ids may not always mean the same people: nobody is found then. Empty where there is no doubt.

    In one log they may change in the course of time, as pseudonyms that are drawn anew every day do. Nobody is found
    either where most people's data is the same.
    """
    if headline.rate.low > 1 / headline.rate.n:
        return ""
    if len(logs) > 1:
        return (
            "The attacks do no better than guessing: unless ids mean the same people in both files, nothing was "
            "measured."
        )
    size = headline.matching.chances.known.size
    if strongest.rate.low > strongest.random or 2 * np.count_nonzero(size == 1) <= size.sum():
        return ""
    return (
        "No attack is clearly better than guessing, although most people's data is like nobody else's: unless an id "
        "means the same person throughout the log, nothing was measured."
    )


def collect_notes(
    headline: Headline,
    counts: CountsOf,
    shapes: NetworksOf | None,
    protections: Frontier | None,
    curves: Sequence[Curve],
    options: AuditOptions,
    *,
    plan: AuditPlan,
    logs: Sequence[Events],
) -> tuple[Note, ...]:
    """What was left out on the way or to save time, and what was not tried."""
    notes = [*plan.notes(), *headline.matching.notes, *extrapolation_notes(curves, options)]
    notes += () if protections is None else protections.left_out
    # who moved where first depends on the file then, and the shape of movements with it
    if shapes is not None:
        released, known = (tuple(note for note in side.notes if note.code == TIED) for side in shapes)
        notes += of_two_sides(released, known)
    notes += [note for log in logs for note in log.log.notes_on_fetching]
    if options.similarities is None and len(counts.released) > SLOW:
        notes.append(
            Note(1, "similarities left out", f"glrt is slow above {SLOW:,} people; request it with --similarities")
        )
    if options.tolerance:
        why = f"joint matchings are proven to be within {percent(options.tolerance)} of the best, not the best"
        notes.append(Note(1, "tolerances asked for", why))
    if not headline.matching.explainable:
        why = f"{headline.matching.similarity} gives scores, which say nothing about places"
        notes.append(Note(1, "reasons left out", why))
    tried = options.protect and PROTECTIONS not in plan.skipped
    if tried and not options.names_protections and is_much_noise(counts.released):
        notes.append(
            Note(
                1,
                "protections left out",
                "noise is added to every count and takes a long time; request it with --noise",
            )
        )
    if options.topology == "auto" and shapes is None and SHAPES not in plan.skipped:
        why = "no time is given" if options.time is None else "the order of events has no meaning"
        if options.time is not None and len(counts.released) > SLOW:
            why = f"it takes a long time above {SLOW:,} people; request it with --topology yes"
        notes.append(Note(1, "attacks left out", f"the shape of movements: {why}"))
    return tuple(dict.fromkeys(notes))
