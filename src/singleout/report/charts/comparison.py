"""The chart of two results: the re-identification rate of the old one and of the new one, with their intervals."""

from __future__ import annotations

from typing import Any

from singleout.assessment.comparison import AuditComparison
from singleout.ground.numbers import percent
from singleout.report.charts.audit import bars_with_chance, interval_cells
from singleout.report.charts.style import Figure, interval_words

PALE, FULL = 0.45, 1.0
HEIGHT = 96


def old_and_new(found: AuditComparison) -> dict[str, Any]:
    """One bar for each result, the old one pale; a mark for the risk limit where both have the same."""
    sides = (("old", found.old, PALE), ("new", found.new, FULL))
    rows = [
        {"value": side.risk.value, "low": side.risk.low, "high": side.risk.high}
        | {"name": f"{which}: {side.label}", "random": side.random, "strength": strength}
        for which, side, strength in sides
    ]
    limits = {side.risk_limit for _, side, _ in sides if side.risk_limit is not None}
    level = found.new.risk.confidence_level
    drawn = bars_with_chance(rows, level, limits.pop() if len(limits) == 1 else None)
    text = f"Pale: old. Full colour: new. {interval_words('Lines', rows, level)} Yellow marks: chance."
    title = drawn["title"] | {"text": "Re-identification rate, old and new", "subtitle": text}
    return drawn | {"title": title, "height": HEIGHT}


def comparison_figure(found: AuditComparison) -> Figure:
    """The chart with its numbers as a table."""
    drawn = old_and_new(found)
    rows = tuple(
        (which, percent(side.risk.value), *interval_cells(side.risk), percent(side.random))
        for which, side in (("old", found.old), ("new", found.new))
    )
    heading = ("result", "re-identified", "interval from", "to", "chance")
    return Figure("change", drawn["title"]["text"], drawn["title"]["subtitle"], drawn, heading, rows)
