"""The parts of an audit's page that are lists of words: facts to file it by, contents, explanations, terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from singleout.assessment.about import AboutOptions
from singleout.assessment.attack_kinds import BY_SIMILARITY, AttackKind
from singleout.assessment.audit_context import (
    ALTERNATIVES,
    SKILLS,
    counts_apart,
    named_risks,
    not_examined,
    pairs_compared,
)
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import AttackResult, ProtectionResult, Size
from singleout.assessment.audit_result import Audit
from singleout.ground.notes import in_a_row
from singleout.ground.numbers import capitalise, plural
from singleout.report.pages.glossary import terms_for
from singleout.report.pages.people import group_people
from singleout.similarity.registry import IN_WORDS, similarity_in_words, similarity_name

FACTS = {
    "reference": "Reference",
    "organisation": "Organisation",
    "purpose": "Purpose of the release",
    "recipient": "Recipient",
    "release_model": "Release model",
    "assessed_on": "Date of assessment",
    "review_by": "Review by",
    "status": "Status",
    "decision": "Decision",
}
SIGNATURES = {"prepared_by": "Prepared by", "reviewed_by": "Reviewed by", "approved_by": "Approved by"}
TITLES = {
    "guarantee": "What the file itself guarantees",
    "intruder": "What the intruder is assumed to have",
    "records": "How many records share a combination of known values",
    "attacks": "How well each attack does",
    "curves": "How the risk changes",
    "estimate": "What an intruder could expect",
    "people": "Who is most at risk, and why",
    "protect": "What would protect them",
    "tests": "The tests that regulators use",
    "alternatives": "What else could be done",
    "unexamined": "Not examined",
    "assumptions": "What these results rest on",
    "made": "How this page was made",
    "glossary": "Terms",
}
"""The sections of a page by id, in their order."""


@dataclass(frozen=True)
class SimilarityWords:
    """A similarity: what options call it, what reports call it, and what it does."""

    name: str
    title: str
    words: str


def shared_parts(audit: Audit) -> dict[str, Any]:
    """What the pages of audits and verifications have in common."""
    return {
        "facts": _facts(audit),
        "signatures": [(label, audit.about.get(name)) for name, label in SIGNATURES.items()],
        "alternatives": [capitalise(each) for each in ALTERNATIVES],
        "unexamined": [capitalise(each) for each in not_examined(audit.kind, audit.notes)],
        "glossary": terms_for(audit.kind),
        "apart": counts_apart(audit.risk, audit.people_at_risk.found) if audit.kind == "events" else "",
        "skills": SKILLS,
        "by_kind": _by_kind(audit),
        "compared": partial(pairs_compared, released=audit.released, known=audit.known),
        "details": _details,
        "similarities": _similarities(audit),
        "meanings": {each.name: each.metadata["help"] for each in fields(AuditOptions)},
    }


def contents(there: Mapping[str, bool]) -> list[tuple[str, str]]:
    """Sections by id and title; ``there`` says of some whether the page has them."""
    return [(name, title) for name, title in TITLES.items() if there.get(name, True)]


def without_facts(about: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest without what the page says in its first section."""
    said = {each.name for each in fields(AboutOptions)}
    given = about.get("parameters")
    asked = {} if given is None else {"parameters": {name: given[name] for name in given if name not in said}}
    return {**about, **asked}


def page_parts(audit: Audit) -> dict[str, Any]:
    """What the page of an audit shows besides numbers and charts."""
    table = None if audit.worst_off is None else audit.worst_off.risk
    beyond = next((curve.extrapolated for curve in audit.curves if curve.extrapolated is not None), None)
    return shared_parts(audit) | {
        "contents": _contents(audit),
        "named_risks": named_risks(
            audit.risk.in_words(),
            table,
            beyond,
            most_likely(audit),
            average=audit.risk.value,
            linked=audit.known is not None,
        ),
        "people_by_reason": group_people(audit.people_at_risk.clearest, audit.people_word, reveal=audit.reveal),
        "protections": _distinct_protections(audit),
    }


def most_likely(audit: Audit) -> float | None:
    """The highest probability of a match that is listed; None where nobody is."""
    listed = [each.probability for each in audit.people_at_risk.clearest if each.probability is not None]
    return max(listed, default=None)


def _facts(audit: Audit) -> list[tuple[str, str | None]]:
    covered = [(label, audit.about.get(name)) for name, label in FACTS.items()]
    sizes = (
        [("released", audit.released)]
        if audit.known is None
        else [("released", audit.released), ("known", audit.known)]
    )
    # of a file that was verified the rows of what is known are not counted
    rows = [(side, "Rows", _rows(size, audit.kind)) for side, size in sizes if _rows(size, audit.kind)]
    periods = [(side, "Period", _period(size)) for side, size in sizes if _period(size)]
    # one log is divided in two: neither part is what will be released
    on_side = "{} on the {} side" if len(rows) > 1 else "{} {}"
    extent = [(on_side.format(what, side), value) for side, what, value in (*rows, *periods)]
    return [*covered, ("Data", audit.label), *extent, ("Residual risk", audit.residual_risk())]


def _rows(size: Size, kind: str) -> str | None:
    """A row of a table is a person."""
    number = size.people if kind == "table" else size.rows
    return f"{number:,}" if number else None


def _period(size: Size) -> str | None:
    return None if size.first_day is None else f"{size.first_day} to {size.last_day}"


def _contents(audit: Audit) -> list[tuple[str, str]]:
    return contents(
        {
            "guarantee": False,
            "records": audit.worst_off is not None,
            "curves": bool(audit.curves),
            "estimate": False,
            "protect": bool(audit.tried) and not audit.doubt,
            "tests": bool(audit.tests),
        }
    )


def _distinct_protections(audit: Audit) -> list[ProtectionResult]:
    """Without those that do the same as one before: of a table several ways may end in the same file."""
    best, shown = audit.recommended, {}
    for each in audit.protections:
        same = (each.does, each.strength, each.rate.value, each.loss)
        if same not in shown or each is best:
            shown[same] = each
    return list(shown.values())


def _by_kind(audit: Audit) -> dict[AttackKind, list[AttackResult]]:
    """The attacks of each kind, in the order of the page."""
    kinds: dict[AttackKind, list[AttackResult]] = {}
    for each in audit.attacks:
        kinds.setdefault(each.kind, []).append(each)
    return kinds


def _details(attacks: Sequence[AttackResult]) -> list[str]:
    """What is to be said of attacks of one kind, with those together of which the same is said."""
    said: dict[str, list[str]] = {}
    for each in attacks:
        if each.detail:
            said.setdefault(each.detail, []).append(each.kind.name_by(each.by))
    return [f"{in_a_row(names)}: {detail}" if all(names) else detail for detail, names in said.items()]


def _in_words(similarity: str, places: str) -> str:
    """What a similarity does; our own words for it have the user's noun for places."""
    words = similarity_in_words(similarity)
    return words.replace("places", places) if similarity in IN_WORDS else words


def _similarities(audit: Audit) -> list[SimilarityWords]:
    """The similarities that attacks went by, and what they do."""
    names = dict.fromkeys(each.by for each in audit.attacks if each.kind in BY_SIMILARITY)
    return [
        SimilarityWords(name, similarity_name(name), _in_words(name, plural(audit.place_name)))
        for name in names
        if similarity_in_words(name) != name or similarity_name(name) != name
    ]
