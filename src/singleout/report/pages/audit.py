"""The page of an audit: one file that a privacy officer can read in five minutes, print and keep."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from singleout.assessment.audit_parts import Size
from singleout.assessment.audit_result import Audit
from singleout.ground.numbers import plural
from singleout.measures.tables.table_risk import SHOWN_BELOW
from singleout.report.charts.audit import figures
from singleout.report.pages.audit_parts import page_parts, without_facts
from singleout.report.pages.glossary import mark_terms
from singleout.report.pages.render import page
from singleout.report.values import value_in_words

TEMPLATE = "audit.html.j2"


def audit_page(audit: Audit, about: Mapping[str, Any]) -> str:
    """The whole page; ``about`` is the manifest: versions, parameters, digests of inputs and seed."""
    who = _who(audit)
    tools: dict[str, Any] = {"who": who, "sizes": partial(_sizes, who=who, audit=audit), "in_words": value_in_words}
    tools |= {"shown_below": SHOWN_BELOW, **page_parts(audit)}
    made = page(TEMPLATE, audit=audit, about=without_facts(about), figures=figures(audit), **tools)
    return mark_terms(made, tools["glossary"])


def _who(audit: Audit) -> dict[str, str]:
    """What those in the data are called, plural and singular."""
    if audit.kind == "events":
        return {"many": "people", "one": "person"}
    return {"many": "records", "one": "record"}


def _sizes(size: Size, who: Mapping[str, str], audit: Audit) -> str:
    counts = {who["many"]: size.people, plural(audit.place_name): size.places, "columns": size.columns}
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count is not None)
