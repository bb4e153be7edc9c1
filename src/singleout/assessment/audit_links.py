"""An audit of two tables: what is released, and what the intruder has about the same people."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import AttackResult
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent
from singleout.ground.progress import stage
from singleout.matching.probable_links import probable_links
from singleout.matching.ranked_links import ProbableLinks
from singleout.matching.records import Links, link_records
from singleout.measures.accuracy import accuracy
from singleout.measures.intervals import Estimate, wilson
from singleout.reading.tables import Table

LIKELY = 0.5
"""An intruder who wants as many people as possible keeps every link that is more likely right than wrong."""
DISAGREEMENTS = 1


def link_attacks(
    released: Table, known: Table, options: AuditOptions, progress: bool | None
) -> tuple[AttackResult, ...]:
    """Each way to link the two tables; with the truth how often it is right, without it only what can be estimated."""
    return tuple(_attack(released, known, options, progress))


def _attack(released: Table, known: Table, options: AuditOptions, progress: bool | None) -> Iterator[AttackResult]:
    random, by = 1 / len(known), ", ".join(options.on or ())
    yield AttackResult(AttackKind.CHANCE, "", _rate(random * len(released), released, options), random)
    ways: dict[AttackKind, Any] = {
        AttackKind.COMPLETE_LINKS: partial(link_records, missing="any"),
        AttackKind.NEARLY_COMPLETE_LINKS: partial(link_records, missing="any", max_disagreements=DISAGREEMENTS),
        AttackKind.PROBABLE_LINKS: partial(probable_links, precision=LIKELY, seed=options.seed),
    }
    for kind, link in ways.items():
        with stage(f"linking the two tables: {kind.label}"):
            links = link(released, known, on=options.on, progress=progress)
        result = _judge(kind, links, released, options)
        if result is not None:
            yield AttackResult(kind, by, *result)


def _judge(
    kind: AttackKind, links: Links | ProbableLinks, released: Table, options: AuditOptions
) -> tuple[Estimate, float, str] | None:
    """The share of released records linked correctly, chance, and what was linked; None where nobody can tell."""
    linked = f"{number_of(len(links), 'records')} linked"
    random = 1 / links.sizes[1]
    if options.truth is not None:
        found = accuracy(links, options.truth, confidence_level=options.confidence_level)
        right = (
            "none of them right" if found.precision is None else f"{found.precision.in_words()} of the links are right"
        )
        return found.rate, random, f"{linked}; {right}"
    if not isinstance(links, ProbableLinks):
        return None
    share = links.estimated_precision
    right = (
        f"{percent(share)} of the links are right, as estimated without knowing who is who" if share else "none sure"
    )
    return _rate(float(links.probability.sum()), released, options), random, f"{linked}; {right}"


def _rate(count: float, released: Table, options: AuditOptions) -> Estimate:
    return wilson(min(count, len(released)), len(released), options.confidence_level)
