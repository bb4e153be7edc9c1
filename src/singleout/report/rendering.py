"""Registers the functions that draw results and render their pages, for ``plot()`` and ``to_html()``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.assessment.audit_result import Audit
from singleout.assessment.comparison import AuditComparison
from singleout.ground.notebooks import Renderer, register_renderer
from singleout.report.charts.registry import plot
from singleout.report.pages.compare import compare_page
from singleout.report.pages.verify import verify_page


def _page(result: object, about: Mapping[str, Any]) -> str:
    if isinstance(result, AuditComparison):
        return compare_page(result, about)
    assert isinstance(result, Audit)
    return verify_page(result, about)


register_renderer(Renderer(plot, _page))
