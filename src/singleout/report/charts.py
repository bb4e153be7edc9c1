"""Pictures as Vega-Lite specifications: plain data that any Vega-Lite viewer draws, offline."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from singleout.ground.errors import bad_argument
from singleout.measures.isolation import Vulnerability
from singleout.measures.selection import PrecisionByMargin
from singleout.measures.selectivity import Profiles
from singleout.measures.uniqueness import Uniqueness
from singleout.report.frontier import Frontier

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# colours that people who see few of them can tell apart (Okabe and Ito)
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
CLASSES_SHOWN = 20
SHARE: dict[str, Any] = {"format": ".0%", "grid": True, "tickCount": 6}


def chart(x: Any) -> dict[str, Any]:
    """The picture of a result with a shape: frontier, precision by margin, vulnerable variables, classes, profiles.

    Holds counts and shares, no ids and no values. Several profiles go together as a dict by method (R12 Figure 2).
    """
    for kind, drawn in _PICTURES.items():
        if isinstance(x, kind):
            return drawn(x)
    names = ", ".join(kind.__name__ for kind in _PICTURES)
    raise bad_argument("chart", "x", f"one of {names}", type(x).__name__)


def _spec(title: str, subtitle: str, rows: list[dict[str, Any]], layers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "$schema": SCHEMA,
        "title": {"text": title, "subtitle": subtitle, "anchor": "start"},
        "width": 520,
        "height": 320,
        "data": {"values": rows},
        "layer": layers,
        "config": {"view": {"stroke": None}, "axis": {"domain": False, "gridColor": "#ddd"}},
    }


def _frontier(frontier: Frontier) -> dict[str, Any]:
    """Risk against loss, one colour a protection; hollow where another protection is better in both."""
    rows = [row.as_row() | {"strength": "" if row.strength is None else str(row.strength)} for row in frontier.rows]
    names = list(dict.fromkeys(row["protection"] for row in rows))
    colour = {"field": "protection", "scale": {"domain": names, "range": COLOURS}, "title": None}
    loss = {"field": "loss", "type": "quantitative", "title": "information lost (0 as it was, 1 everyone alike)"}
    risk = {"field": "user_level", "type": "quantitative", "title": "people identified", "axis": SHARE}
    shared = {"x": loss, "color": colour | {"type": "nominal"}}
    tooltip = [{"field": name} for name in ("protection", "strength")]
    tooltip += [{"field": name, "format": ".1%"} for name in ("user_level", "cluster_level", "loss")]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "opacity": 0.5},
            "encoding": shared | {"y": risk | {"field": "user_low"}, "y2": {"field": "user_high"}},
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
    level = frontier.rows[0].user_level.level
    text = f"Filled: no other has less risk at no more loss. Bars: {level:.0%} interval. Numbers: strength."
    return _spec("What each protection leaves, and what it costs", text, rows, layers)


def _precision(curve: PrecisionByMargin) -> dict[str, Any]:
    """How often the surest pairs are right, against how many of them there are."""
    # JSON has no infinity: a pair without any alternative is drawn, but its margin is left out
    rows = [
        row | {"margin": row["margin"] if math.isfinite(row["margin"]) else None}
        for row in curve.to_arrow().to_pylist()
    ]
    x = {"field": "coverage", "type": "quantitative", "title": "pairs kept, the surest first", "axis": SHARE}
    y = {
        "field": "precision",
        "type": "quantitative",
        "title": "of these right",
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
    return _spec("An intruder who acts only on sure pairs", "Band: interval of the precision.", rows, layers)


def _selectivity(found: Profiles | dict[str, Profiles]) -> dict[str, Any]:
    """Selectivity of everyone, the least selective first (R12 Figure 2): only the points where it changes."""
    methods = {"": found} if isinstance(found, Profiles) else found
    if not methods or not all(isinstance(profiles, Profiles) for profiles in methods.values()):
        raise bad_argument("chart", "x", "Profiles by the name of their method, where it is a dict", "others")
    rows = []
    for name, profiles in methods.items():
        values, number = np.unique(profiles.selectivity, return_counts=True)
        ends = np.cumsum(number) / number.sum()
        for value, start, end in zip(values, [0.0, *ends[:-1]], ends, strict=True):
            rows += [{"method": name, "people": float(at), "selectivity": float(value)} for at in (start, end)]
    x = {"field": "people", "type": "quantitative", "title": "people, the least selective first", "axis": SHARE}
    y = {"field": "selectivity", "type": "quantitative", "title": "selectivity", "scale": {"domain": [0, 1]}}
    colour = {"field": "method", "type": "nominal", "scale": {"range": COLOURS}, "title": None}
    shared = {
        "x": x,
        "y": y,
        "color": colour,
        "tooltip": [{"field": "method"}, {"field": "selectivity", "format": ".3f"}],
    }
    text = "One over the number of candidates that share the highest score; 0 without candidates."
    return _spec("How far each person is narrowed down", text, rows, [{"mark": "line", "encoding": shared}])


def _vulnerability(found: Vulnerability) -> dict[str, Any]:
    """One added column: a bar for each (R12 Fig. 3b), a tick where it stands alone (3a). More: a curve (3c)."""
    knows = ", ".join(found.known) or "nothing"
    heading = f"Known: {knows}. {found.vulnerable:,} of {found.records:,} records are vulnerable."
    if found.asked.add > 1:
        return _combinations(found, heading)
    whole = max(found.vulnerable, 1)
    rows = [
        {"column": risk.column, "with_known": risk.with_known / whole, "alone": risk.alone / whole}
        for risk in found.by_column
        if not risk.is_known
    ]
    y = {"field": "column", "type": "nominal", "sort": None, "title": None}
    x = {"field": "with_known", "type": "quantitative", "title": "of the vulnerable isolated", "axis": SHARE}
    tooltip = [{"field": "column"}, *({"field": name, "format": ".2%"} for name in ("with_known", "alone"))]
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
        {
            "mark": {"type": "tick", "color": COLOURS[1], "thickness": 3},
            "encoding": {"x": x | {"field": "alone"}, "y": y, "tooltip": tooltip},
        },
        {
            "mark": {"type": "rule", "color": COLOURS[6], "strokeDash": [4, 4]},
            "encoding": {"x": {"datum": found.random}},
        },
    ]
    text = f"{heading} Ticks: the column alone. Dashes: a column at random."
    return _spec("Which column gives people away beside what is known", text, rows, layers) | {"height": {"step": 14}}


def _combinations(found: Vulnerability, heading: str) -> dict[str, Any]:
    ordered = sorted(found.rows, key=lambda row: -row.isolated)
    rows = [{"place": k, "added": ", ".join(row.columns), "share": row.share} for k, row in enumerate(ordered, start=1)]
    x = {"field": "place", "type": "quantitative", "title": "combinations, the strongest first"}
    y = {"field": "share", "type": "quantitative", "title": "of the vulnerable isolated", "axis": SHARE}
    tooltip = [{"field": "added"}, {"field": "share", "format": ".2%"}]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "line", "color": COLOURS[0], "point": True},
            "encoding": {"x": x, "y": y, "tooltip": tooltip},
        },
        {
            "mark": {"type": "rule", "color": COLOURS[6], "strokeDash": [4, 4]},
            "encoding": {"y": {"datum": found.random}},
        },
    ]
    title = f"What {found.asked.add} added columns isolate beside what is known"
    return _spec(title, f"{heading} Dashes: columns at random.", rows, layers)


def _classes(found: Uniqueness) -> dict[str, Any]:
    """How many classes there are of each size, small ones only: they are the risk."""
    rows = [row for row in found.to_arrow().to_pylist() if row["size"] <= CLASSES_SHOWN]
    x = {"field": "size", "type": "ordinal", "title": "records in the class"}
    y = {"field": "classes", "type": "quantitative", "title": "classes"}
    tooltip = [{"field": name, "format": ","} for name in ("size", "classes", "records")]
    bars = {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}}
    text = f"By {', '.join(found.columns)}; sizes up to {CLASSES_SHOWN} of {len(found.sizes):,} classes."
    return _spec("How many records share their values", text, rows, [bars])


_PICTURES: dict[type, Callable[[Any], dict[str, Any]]] = {
    Frontier: _frontier,
    PrecisionByMargin: _precision,
    Vulnerability: _vulnerability,
    Uniqueness: _classes,
    Profiles: _selectivity,
    dict: _selectivity,
}
