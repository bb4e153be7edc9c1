"""What all pictures share: colours, axes, and the frame of a Vega-Lite specification."""

from __future__ import annotations

from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# colours that people who see few of them can tell apart (Okabe and Ito)
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
SHARE: dict[str, Any] = {"format": ".0%", "grid": True, "tickCount": 6}


def spec(title: str, subtitle: str, rows: list[dict[str, Any]], layers: list[dict[str, Any]]) -> dict[str, Any]:
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
