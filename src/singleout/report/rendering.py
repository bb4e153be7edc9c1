"""Registers the functions that draw results and render their pages, for ``plot()`` and ``to_html()``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.assessment.audit_result import Audit
from singleout.ground.notebooks import Renderer, register_renderer
from singleout.report.charts.registry import plot
from singleout.report.pages.audit import audit_page


def _page(result: object, about: Mapping[str, Any]) -> str:
    assert isinstance(result, Audit)
    return audit_page(result, about)


register_renderer(Renderer(plot, _page))
