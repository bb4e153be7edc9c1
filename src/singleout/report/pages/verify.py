"""The page of a verification: what an intruder finds in the very file that goes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.assessment.audit_context import NamedRisk, named_risks
from singleout.assessment.audit_result import Audit
from singleout.assessment.verification_result import Verification
from singleout.ground.numbers import percent
from singleout.report.charts.audit import figures
from singleout.report.pages.audit import audit_page
from singleout.report.pages.audit_parts import contents, most_likely, shared_parts, without_facts
from singleout.report.pages.glossary import mark_terms
from singleout.report.pages.render import page

TEMPLATE = "verify.html.j2"


def verify_page(found: Audit, about: Mapping[str, Any]) -> str:
    """The whole page; ``about`` is the manifest. A table has the page of an audit."""
    if not isinstance(found, Verification):
        return audit_page(found, about)
    parts = shared_parts(found) | {"contents": _contents(found), "named_risks": _named_risks(found)}
    made = page(TEMPLATE, found=found, about=without_facts(about), figures=figures(found), **parts)
    return mark_terms(made, parts["glossary"])


def _contents(found: Verification) -> list[tuple[str, str]]:
    away = dict.fromkeys(("records", "curves", "protect"), False)
    return contents(away | {"attacks": found.file.identities, "people": found.file.identities})


def _named_risks(found: Verification) -> tuple[NamedRisk, ...]:
    many = found.risk.in_words() if found.file.identities else f"at most {percent(found.file.guarantee)} on average"
    return named_risks(many, None, None, most_likely(found), found.file.smallest, average=found.risk.value)
