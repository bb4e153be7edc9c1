"""Charts as Vega-Lite specifications: plain data that any Vega-Lite viewer draws, offline."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from singleout.assessment.audit_result import Audit
from singleout.assessment.comparison import AuditComparison
from singleout.assessment.frontier import Frontier
from singleout.assessment.ladder import Ladder
from singleout.assessment.network_attacks import Attacks
from singleout.assessment.network_defences import DefenceCurve
from singleout.assessment.table_frontier import TableFrontier
from singleout.assessment.topology import Topology
from singleout.assessment.verification_result import Verification
from singleout.ground.errors import bad_argument
from singleout.matching.candidates import Profiles
from singleout.matching.ranked_links import ProbableLinks
from singleout.measures.networks.ranking import Ranking
from singleout.measures.networks.summary import NetworkSummary
from singleout.measures.precision import PrecisionByMargin
from singleout.measures.tables.exposure import Exposure
from singleout.measures.tables.isolation import KnownSets, Vulnerability
from singleout.measures.tables.suda import Suda
from singleout.measures.tables.uniqueness import Uniqueness
from singleout.report.charts import audit as audit_charts
from singleout.report.charts import comparison as comparison_charts
from singleout.report.charts import linking as link_charts
from singleout.report.charts import tables as table_charts
from singleout.report.charts import topology as topology_charts
from singleout.report.charts.style import COLOURS, SHARE, TO_A_TICK, spec
from singleout.report.pages.picture import Picture


def chart(x: Any) -> dict[str, Any]:
    """Draw a result as a Vega-Lite specification. It holds counts and shares, no ids.

    Results that can be drawn: an Audit or a Ladder (what each attack re-identifies), an
    AuditComparison, a Frontier, precision by margin;
    of networks a NetworkSummary (degrees), a Ranking or several Attacks (ranks of the true people), a Topology (people
    with a unique network), a DefenceCurve; of tables a Vulnerability, KnownSets, Uniqueness, Suda, Exposure, a
    TableFrontier; ProbableLinks; Profiles (several together as a dict by method, Ramachandran 2012 Figure 2).

    Parameters
    ----------
    x
        The result.

    Returns
    -------
    dict[str, Any]
        The specification, as plain data.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> chart = so.chart(so.ladder(released, known, similarities=["js"]))
    >>> chart["title"]["text"]
    'Share re-identified by each attack'
    """
    for kind, draw in _DRAW.items():
        if isinstance(x, kind):
            return draw(x)
    names = ", ".join(kind.__name__ for kind in _DRAW)
    raise bad_argument("chart", "x", f"one of {names}", type(x).__name__)


def plot(x: Any) -> Picture:
    """The same chart as an object that notebooks display and that can be saved; every result's ``plot()``."""
    return Picture(chart(x))


def _frontier(frontier: Frontier) -> dict[str, Any]:
    """Risk against information loss, one colour for each protection; hollow where another is better in both."""
    rows = [
        row.as_row()
        | {"strength": "" if row.strength is None else str(row.strength)}
        | {"risk": row.risk.value, "low": row.risk.low, "high": row.risk.high}
        for row in frontier.rows
    ]
    names = list(dict.fromkeys(row["protection"] for row in rows))
    colour = {"field": "protection", "scale": {"domain": names, "range": COLOURS}, "title": None}
    worse = "information loss (0%: unchanged, 100%: everyone the same, above: worse)"
    loss = {"field": "loss", "type": "quantitative", "title": worse, "axis": SHARE, "scale": TO_A_TICK}
    risk = {"field": "risk", "type": "quantitative", "title": "people re-identified", "axis": SHARE, "scale": TO_A_TICK}
    shared = {"x": loss, "color": colour | {"type": "nominal"}}
    tooltip = [{"field": name} for name in ("protection", "strength")]
    tooltip += [{"field": name, "format": ".1%"} for name in ("outside", "inside", "group_level", "loss")]
    tooltip += [{"field": "top_kept", "format": ".0%"}, {"field": "emptied"}]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "opacity": 0.5},
            "encoding": shared | {"y": risk | {"field": "low"}, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line", "opacity": 0.6}, "encoding": shared | {"y": risk}},
        {"mark": {"type": "point", "size": 70, "strokeWidth": 2}, "encoding": shared | {"y": risk, "tooltip": tooltip}},
        {
            "transform": [{"filter": "datum.on_frontier"}],
            "mark": {"type": "point", "size": 70, "strokeWidth": 2, "filled": True, "opacity": 1},
            "encoding": shared | {"y": risk, "tooltip": tooltip},
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 8, "dy": -7, "fontSize": 10},
            "encoding": shared | {"y": risk, "text": {"field": "strength"}},
        },
    ]
    level = frontier.rows[0].outside.confidence_level
    text = (
        f"Filled: no other protection has both less risk and less loss. Bars: {level:.0%} interval. Numbers: strength."
    )
    return spec("Remaining risk and information loss of each protection", text, rows, layers)


def _precision(curve: PrecisionByMargin) -> dict[str, Any]:
    """Precision of the most certain pairs, against how many of them there are."""
    # JSON has no infinity: a pair without any alternative is drawn, but without its margin
    rows = [
        row | {"margin": row["margin"] if math.isfinite(row["margin"]) else None}
        for row in curve.to_arrow().to_pylist()
    ]
    x = {"field": "coverage", "type": "quantitative", "title": "pairs acted on, most certain first", "axis": SHARE}
    y = {
        "field": "precision",
        "type": "quantitative",
        "title": "share of these that are right",
        "axis": SHARE,
        "scale": {"zero": True},
    }
    tooltip = [{"field": "margin", "format": ".3g"}, {"field": "pairs"}, {"field": "precision", "format": ".1%"}]
    band = {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}}
    line = {"type": "line", "color": COLOURS[0], "point": {"color": COLOURS[0]}}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "area", "opacity": 0.2, "color": COLOURS[0]}, "encoding": band},
        {"mark": line, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
    ]
    return spec("An intruder who acts on near-certain pairs only", "Band: interval of the precision.", rows, layers)


_DRAW: dict[type, Callable[[Any], dict[str, Any]]] = {
    Audit: audit_charts.attack_bars,
    Verification: audit_charts.attack_bars,
    Ladder: audit_charts.rung_bars,
    Frontier: _frontier,
    TableFrontier: table_charts.table_frontier,
    PrecisionByMargin: _precision,
    NetworkSummary: topology_charts.typical_degrees,
    Ranking: topology_charts.rank_curve,
    Attacks: topology_charts.rank_curves,
    Topology: topology_charts.unique_by_size,
    DefenceCurve: topology_charts.defences,
    Vulnerability: table_charts.isolating_columns,
    KnownSets: table_charts.known_sets,
    Uniqueness: table_charts.classes_by_size,
    Suda: table_charts.special_columns,
    Profiles: table_charts.selectivity,
    ProbableLinks: link_charts.precision_and_recall,
    Exposure: link_charts.exposure_by_coverage,
    AuditComparison: comparison_charts.old_and_new,
    dict: table_charts.selectivity,
}
