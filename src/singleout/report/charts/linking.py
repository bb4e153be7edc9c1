"""Charts of linked records: what to expect of more and fewer links."""

from __future__ import annotations

from typing import Any

from singleout.matching.ranked_links import ProbableLinks
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
