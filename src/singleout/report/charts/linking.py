"""Charts of linked records: what to expect of more and fewer links, and of a better or worse public list."""

from __future__ import annotations

from typing import Any

from singleout.matching.ranked_links import ProbableLinks
from singleout.measures.tables.exposure import Exposure
from singleout.report.charts.style import COLOURS, SHARE, spec


def precision_and_recall(found: ProbableLinks) -> dict[str, Any]:
    """Estimated precision against estimated recall, one point for each threshold; the dashed line is what is kept."""
    rows = [row for row in found.curve().to_pylist() if row["links"]]
    x = {"field": "recall", "type": "quantitative", "title": "matches found (estimated)", "axis": SHARE}
    y = {
        "field": "precision",
        "type": "quantitative",
        "title": "links that are right (estimated)",
        "axis": SHARE,
        "scale": {"zero": False},
    }
    tooltip = [{"field": "threshold"}, {"field": "links", "format": ","}]
    tooltip += [{"field": name, "format": ".1%"} for name in ("precision", "recall")]
    line = {"type": "line", "color": COLOURS[0], "point": {"color": COLOURS[0]}}
    layers: list[dict[str, Any]] = [
        {"mark": line, "encoding": {"x": x, "y": y, "tooltip": tooltip, "order": {"field": "threshold"}}},
        {
            "mark": {"type": "rule", "color": COLOURS[6], "strokeDash": [4, 4]},
            "encoding": {"x": {"datum": found.estimated_recall}},
        },
    ]
    text = f"Points: probability from which pairs are linked. Dashed: the {len(found):,} links kept."
    return spec("How many links to expect to be right", text, rows, layers)


def exposure_by_coverage(found: Exposure) -> dict[str, Any]:
    """What the strongest columns lead to few entries of a list, by how many people are on it."""
    rows = [row for row in found.curve().to_pylist() if row["rate"] == "coverage"]
    rows = [row | {"columns": ", ".join((*found.known, *row["columns"]))} for row in rows]
    x = {"field": "value", "type": "quantitative", "title": "entries that are on the intruder's list", "axis": SHARE}
    y = {"field": "led", "type": "quantitative", "title": "released records led to few entries", "axis": SHARE}
    colour = {"field": "columns", "type": "nominal", "scale": {"range": COLOURS}, "title": None, "sort": None}
    tooltip = [{"field": "columns"}, *({"field": name, "format": ".1%"} for name in ("value", "led", "right"))]
    line = {"mark": {"type": "line", "point": True}, "encoding": {"x": x, "y": y, "color": colour, "tooltip": tooltip}}
    rates = f"error rate {found.public.error_rate:.0%}, missing rate {found.public.missing_rate:.0%}"
    text = f"Few: at least one entry and at most {found.max_known} have the values. List: {rates}."
    return spec("Which columns lead to few entries of a public list", text, rows, [line])
