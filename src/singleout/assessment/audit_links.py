"""An audit of two tables: what is released, and what the intruder has about the same people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import AttackResult
from singleout.ground.errors import DataError
from singleout.ground.notes import Note, in_a_row, nonzero, number_of
from singleout.ground.numbers import percent
from singleout.ground.progress import stage
from singleout.matching.probable_links import FEWEST_COLUMNS, probable_links
from singleout.matching.ranked_links import ProbableLinks
from singleout.matching.records import Links, link_records
from singleout.measures.accuracy import accuracy
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.truth import pairs_by_column
from singleout.reading.tables import Table
from singleout.statistics.common_columns import NOTHING_SHARED, CommonColumn, common_columns

LIKELY = 0.5
"""An intruder who wants as many people as possible keeps every link that is more likely right than wrong."""
DISAGREEMENTS = 1


def link_attacks(
    released: Table, known: Table, options: AuditOptions, progress: bool | None
) -> tuple[AttackResult, ...]:
    """Each way to link the two tables; with the truth how often it is right, without it only what can be estimated."""
    columns = common_columns("audit", (released, known), options.on or (), progress=progress)
    _refuse_unshared(columns)
    return tuple(_attack(released, known, columns, options, progress))


def number_on_both_sides(released: Table, known: Table, options: AuditOptions) -> int:
    """Released records of people whom the intruder has, of whom rates are shares.

    Without the truth as many as there can be: of the others nobody can be found, and a share of all records would look
    safe wherever the second table is small.
    """
    if options.truth is None:
        return min(len(released), len(known))
    number = len(np.unique(pairs_by_column("audit", (released, known), options.truth)[0]))
    if not number:
        raise DataError(
            f"no value of {options.truth!r} is in both tables, so that nothing can be measured.",
            function="audit",
            hint="Name with `truth` the column that has the same value for the same person in both.",
        )
    return number


def note_known_only_in_part(released: Table, both: int, truth: str | None) -> tuple[Note, ...]:
    """Released records of people whom the intruder does not have."""
    why = "their people are not in the second table; the risk is a share of the others"
    if truth is None:
        why = (
            "at least as many have people who are not in the second table, which is smaller; the risk is a share of "
            "as many records as it has"
        )
    return nonzero(Note(len(released) - both, "released records", why))


def _refuse_unshared(columns: Sequence[CommonColumn]) -> None:
    """Refuse columns that have no value in both tables: nobody could be linked, so that all would look safe."""
    names = [each.name for each in columns if any(note.code == NOTHING_SHARED for note in each.notes)]
    if names:
        one = len(names) == 1
        raise DataError(
            f"the two tables have no value of {in_a_row(list(map(repr, names)))} in common, so that nobody could be "
            "linked and everyone would look safe.",
            function="audit",
            hint=f"If {'it means' if one else 'they mean'} the same in both, write the values in the same way; if not, "
            f"leave {'it' if one else 'them'} out of `on`.",
        )


def _attack(
    released: Table, known: Table, columns: Sequence[CommonColumn], options: AuditOptions, progress: bool | None
) -> Iterator[AttackResult]:
    random, by = 1 / len(known), ", ".join(options.on or ())
    both = number_on_both_sides(released, known, options)
    yield AttackResult(AttackKind.CHANCE, "", _rate(random * both, both, options), random)
    yield AttackResult(AttackKind.EQUAL_RECORDS, by, *_guess(released, known, columns, options, both))
    ways: dict[AttackKind, Any] = {
        AttackKind.COMPLETE_LINKS: partial(link_records, missing="any"),
        AttackKind.NEARLY_COMPLETE_LINKS: partial(link_records, missing="any", max_disagreements=DISAGREEMENTS),
        AttackKind.PROBABLE_LINKS: partial(probable_links, precision=LIKELY, seed=options.seed),
    }
    if len(options.on or ()) < FEWEST_COLUMNS:
        del ways[AttackKind.PROBABLE_LINKS]
    for kind, link in ways.items():
        with stage(f"linking the two tables: {kind.label}"):
            try:
                links = link(released, known, on=options.on, progress=progress)
            except DataError:  # the columns are too coarse to say whom to compare with whom
                continue
        result = _judge(kind, links, both, options)
        if result is not None:
            yield AttackResult(kind, by, *result)


def _guess(
    released: Table, known: Table, columns: Sequence[CommonColumn], options: AuditOptions, both: int
) -> tuple[Estimate, float, str]:
    """Among equal records one is guessed: right for one in as many as the known side has of them.

    Without the truth, as many as possible of the people with equal values are taken to be on both sides.
    """
    codes = [np.concatenate([each.released, each.known]) for each in columns]
    label = np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].ravel()
    mine, theirs = label[: len(released)], label[len(released) :]
    number = int(label.max()) + 1
    sizes = np.bincount(mine, minlength=number), np.bincount(theirs, minlength=number)
    if options.truth is None:
        there = np.minimum(*sizes)
        detail = "if as many people as possible are in both tables"
    else:
        rows, others = pairs_by_column("audit", (released, known), options.truth)
        equal = mine[rows] == theirs[others]
        there = np.bincount(mine[rows[equal]], minlength=number)
        detail = f"{number_of(int(equal.sum()), 'people')} have equal values in both tables"
    right = float((there[sizes[1] > 0] / sizes[1][sizes[1] > 0]).sum())
    return _rate(right, both, options), 1 / len(known), detail


def _judge(
    kind: AttackKind, links: Links | ProbableLinks, both: int, options: AuditOptions
) -> tuple[Estimate, float, str] | None:
    """The share of ``both`` linked correctly, chance, and what was linked; None where nobody can tell."""
    linked = f"{number_of(len(links), 'records')} linked"
    random = 1 / links.sizes[1]
    if options.truth is not None:
        found = accuracy(links, options.truth, confidence_level=options.confidence_level)
        right = (
            "none of them right" if found.precision is None else f"{found.precision.in_words()} of the links are right"
        )
        return _rate(round(found.rate.value * found.rate.n), both, options), random, f"{linked}; {right}"
    if not isinstance(links, ProbableLinks):
        return None
    share = links.estimated_precision
    right = (
        f"{percent(share)} of the links are right, as estimated without knowing who is who" if share else "none sure"
    )
    return _rate(float(links.probability.sum()), both, options), random, f"{linked}; {right}"


def _rate(count: float, both: int, options: AuditOptions) -> Estimate:
    return wilson(min(count, both), both, options.confidence_level)
