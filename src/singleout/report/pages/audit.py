"""The page of an audit: one file that a privacy officer can read in five minutes, print and keep."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from singleout.assessment.audit_parts import Size
from singleout.assessment.audit_result import Audit
from singleout.ground.numbers import plural
from singleout.measures.disclosure import FEWEST_PEOPLE, SHARE_STEPS
from singleout.measures.tables.table_risk import SHOWN_BELOW
from singleout.report.charts.audit import figures
from singleout.report.pages.render import page

TEMPLATE = "audit.html.j2"


def audit_page(audit: Audit, about: Mapping[str, Any]) -> str:
    """The whole page; ``about`` is the manifest: versions, parameters, digests of inputs, seed and run time."""
    who = _who(audit)
    tools = {"who": who, "sizes": partial(_sizes, who=who, audit=audit), "in_words": _in_words}
    tools |= {"smallest": FEWEST_PEOPLE, "share_steps": SHARE_STEPS, "shown_below": SHOWN_BELOW}
    return page(TEMPLATE, audit=audit, about=about, figures=figures(audit), **tools)


def _who(audit: Audit) -> dict[str, str]:
    """What those in the data are called, plural and singular."""
    if audit.kind == "events":
        return {"many": "people", "one": "person"}
    return {"many": "records", "one": "record"}


def _sizes(size: Size, who: Mapping[str, str], audit: Audit) -> str:
    counts = {who["many"]: size.people, plural(audit.place_name): size.places, "columns": size.columns}
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count is not None)


def _in_words(value: Any) -> str:
    """The value of an option in words: lists with commas, yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_in_words(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_in_words(each) for each in value)
    return "not set" if value is None else str(value)
