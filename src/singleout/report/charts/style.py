"""What all pictures share: colours, axes, the frame of a Vega-Lite specification, and its place on a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# colours that colour-blind people can tell apart (Okabe and Ito)
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
# shades of the first six with enough contrast to a light page and to a dark one
ON_LIGHT = ["#0072b2", "#c04d00", "#00805d", "#b0568a", "#c98a00", "#2f8fc4"]
ON_DARK = ["#4aa8e0", "#ff9250", "#35c79c", "#e39cc6", "#edb640", "#8fd0f5"]
INK = COLOURS[6]
PAPER = "#ffffff"
LIMIT = COLOURS[1]
TICKS = 6
SHARE: dict[str, Any] = {"format": "~%", "grid": True, "tickCount": TICKS, "labelOverlap": "greedy"}
TO_A_TICK: dict[str, Any] = {"nice": TICKS}
"""A scale that ends at a labelled tick, beyond which there is nothing."""
BAR_STEP = 38
"""Pixels from one labelled bar to the next."""


@dataclass(frozen=True)
class Figure:
    """A picture on a page, with its caption, and its numbers as a table for anyone who cannot see it.

    ``name`` is its id on the page: letters, digits and hyphens. ``spec`` is None where a table is all there is.
    """

    name: str
    title: str
    caption: str
    spec: dict[str, Any] | None
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def spec(title: str, subtitle: str, rows: Sequence[Mapping[str, Any]], layers: list[dict[str, Any]]) -> dict[str, Any]:
    """Layers over the same rows, under a title."""
    return {
        "$schema": SCHEMA,
        "title": {"text": title, "subtitle": subtitle, "anchor": "start"},
        "width": 520,
        "height": 320,
        "data": {"values": rows},
        "layer": layers,
        "config": {"view": {"stroke": None}, "axis": {"domain": False, "gridColor": "#ddd"}},
    }


def interval_words(mark: str, rows: Iterable[Mapping[str, Any]], level: float) -> str:
    """What lines or bands show: the interval of those rows that have one."""
    exact = [row["low"] == row["value"] == row["high"] for row in rows]
    if all(exact):
        return "All figures are exact."
    return f"{mark}: {level:.0%} interval{'; none where exact' if any(exact) else ''}."


def labelled_bars(label: str, share: dict[str, Any], tooltip: list[dict[str, Any]], bar: dict[str, Any]) -> Any:
    """Bars with their names above them, so that long names fit a narrow screen. Returns the y axis and two layers."""
    y = {"field": label, "type": "nominal", "sort": None, "axis": None, "scale": {"paddingOuter": 0.2}}
    name = {"type": "text", "align": "left", "baseline": "bottom", "dy": -4, "limit": {"expr": "width"}, "color": INK}
    mark = {"type": "bar", "size": 12, "yOffset": 3, "color": COLOURS[0]}
    layers = [
        {"mark": mark, "encoding": {"x": share, "y": y, "tooltip": tooltip, **bar}},
        {"mark": name, "encoding": {"x": {"value": 0}, "y": y, "text": {"field": label}, "tooltip": tooltip}},
    ]
    return y, layers


def limit_line(limit: float | None, axis: str) -> list[dict[str, Any]]:
    """A dashed line at the limit, where there is one, across ``axis``, x or y, labelled outside the marks."""
    if limit is None:
        return []
    rule = {"mark": {"type": "rule", "color": LIMIT, "strokeDash": [6, 4], "strokeWidth": 1.5}}
    at, place = _at_limit(limit)
    tooltip = [{"field": "limit", "title": "risk limit", "format": ".2~%"}]
    return [at | rule | {"encoding": {axis: place, "tooltip": tooltip}}, _limit_label(limit, axis)]


def limit_ticks(limit: float | None, y: dict[str, Any]) -> list[dict[str, Any]]:
    """A mark at the limit, where there is one, on each of several labelled bars: no line crosses their names."""
    if limit is None:
        return []
    tick = {"type": "tick", "color": LIMIT, "thickness": 2, "size": 14, "yOffset": 3}
    return [{"mark": tick, "encoding": {"x": {"datum": limit}, "y": y}}, _limit_label(limit, "x")]


def _limit_label(limit: float, axis: str) -> dict[str, Any]:
    words: dict[str, Any] = {"type": "text", "color": LIMIT, "align": "left", "baseline": "bottom"}
    words |= {"fontWeight": "bold"} | ({"dx": -2} if axis == "x" else {"dx": 4, "baseline": "middle"})
    start = {"y": {"value": -4}} if axis == "x" else {"x": {"value": "width"}}
    at, place = _at_limit(limit)
    return at | {"mark": words, "encoding": {axis: place, **start, "text": {"value": "risk limit"}}}


def _at_limit(limit: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Data of its own, without which a mark would be drawn once for every row, and the field."""
    return {"data": {"values": [{"limit": limit}]}}, {"field": "limit", "type": "quantitative"}
