"""The page of two results: what changed from the old one to the new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.assessment.comparison import AuditComparison, Verdict
from singleout.report.charts.comparison import comparison_figure
from singleout.report.comparison_text import rate_row, setting_row, summary_rows
from singleout.report.pages.glossary import mark_terms, terms_for
from singleout.report.pages.render import page

TEMPLATE = "compare.html.j2"
LOOKS = {Verdict.BETTER: ("good", "✓"), Verdict.WORSE: ("bad", "▲"), Verdict.UNCLEAR: ("", "=")}
"""The class of the verdict, and its sign."""


def compare_page(found: AuditComparison, about: Mapping[str, Any]) -> str:
    """The whole page; ``about`` is the manifest."""
    look, sign = LOOKS[found.verdict]
    terms = terms_for(found.new.kind)
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
        settings=[setting_row(each) for each in found.settings],
    )
    return mark_terms(made, terms)
