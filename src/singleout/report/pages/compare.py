"""The page of two results: what changed from the old one to the new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.assessment.comparison import AuditComparison, Verdict
from singleout.report.charts.comparison import comparison_figure
from singleout.report.comparison_text import rate_row, setting_row, summary_rows
from singleout.report.pages.audit_parts import FACTS, SIGNATURES
from singleout.report.pages.glossary import mark_terms, terms_for
from singleout.report.pages.render import page

TEMPLATE = "compare.html.j2"
FILED = FACTS | {"prepared_by": SIGNATURES["prepared_by"], "approved_by": SIGNATURES["approved_by"]}
"""What is shown of each of the two assessments."""
LOOKS = {Verdict.BETTER: ("good", "✓"), Verdict.WORSE: ("bad", "▲"), Verdict.UNCLEAR: ("", "=")}
"""The class of the verdict, and its sign."""


def compare_page(found: AuditComparison, about: Mapping[str, Any]) -> str:
    """The whole page; ``about`` is the manifest."""
    look, sign = LOOKS[found.verdict]
    terms = terms_for(found.new.kind)
    said = [(label, found.old.about.get(name), found.new.about.get(name)) for name, label in FILED.items()]
    made = page(
        TEMPLATE,
        found=found,
        about=about,
        glossary=terms,
        look=look,
        sign=sign,
        figure=comparison_figure(found),
        summary=summary_rows(found),
        attacks=[rate_row(each) for each in found.attacks],
        protections=[rate_row(each) for each in found.protections],
        assessments=[(label, old or "", new or "") for label, old, new in said if old or new],
        signatures=[(label, None) for label in SIGNATURES.values()],
        settings=[setting_row(each) for each in found.settings],
    )
    return mark_terms(made, terms)
