"""Pictures of a table or figure run again: as Vega-Lite, and as plain SVG for a page that needs no network."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from singleout.papers.result import Reproduction, Row
from singleout.report.drawing import COLOURS, SHARE, spec

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 320, 60, 45, 15, 130
STEPS = 4


def drawable(result: Reproduction) -> list[Row]:
    """The rows that have a place on the axis."""
    return [] if result.axis is None else [row for row in result.rows if not isinstance(row.at, str)]


def vega_lite(result: Reproduction) -> dict[str, Any] | None:
    """Ours as lines with intervals, the paper's printed numbers as crosses; None for what is no curve."""
    rows = drawable(result)
    if not rows:
        return None
    values = [row.as_row() | {"at": row.at} for row in rows]
    names = list(dict.fromkeys(row.series for row in rows))
    x = {"field": "at", "type": "quantitative", "title": result.axis, "scale": {"type": _scale(result, "x")}}
    y: dict[str, Any] = {"field": "ours", "type": "quantitative", "title": None, "scale": {"type": _scale(result, "y")}}
    if "y" not in result.logarithmic:
        y["axis"] = SHARE
    colour = {"field": "series", "type": "nominal", "title": None, "scale": {"domain": names, "range": COLOURS}}
    shared = {"x": x, "color": colour}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "line", "point": True}, "encoding": shared | {"y": y}},
        {"mark": "rule", "encoding": shared | {"y": y | {"field": "low"}, "y2": {"field": "high"}}},
        {"mark": {"type": "point", "shape": "cross"}, "encoding": shared | {"y": y | {"field": "paper"}}},
    ]
    subtitle = f"{', '.join(result.labels)}. Crosses: printed in the paper."
    return spec(f"{result.id}: {result.title}", subtitle, values, layers)


def _scale(result: Reproduction, axis: str) -> str:
    return "log" if axis in result.logarithmic else "linear"


def svg(result: Reproduction) -> str:
    """The same picture as one SVG element; empty for what is no curve."""
    rows = drawable(result)
    if not rows:
        return ""
    highest = max(max(row.value, row.printed or 0.0) for row in rows)
    y_ends = (1.0, highest) if "y" in result.logarithmic else (0.0, highest)
    x_ends = min(_x(row) for row in rows), max(_x(row) for row in rows)
    x = _placing(x_ends, (LEFT, WIDTH - RIGHT), "x" in result.logarithmic)
    y = _placing(y_ends, (HEIGHT - BOTTOM, TOP), "y" in result.logarithmic)
    names = list(dict.fromkeys(row.series for row in rows))
    parts = [_axes(result, rows, (x, y), y_ends)]
    parts += [
        _curve([row for row in rows if row.series == name], name, number, x, y) for number, name in enumerate(names)
    ]
    title = escape(f"{result.id}: {result.title}")
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">{"".join(parts)}</svg>'


Place = Callable[[float], float]
"""From a value to a pixel."""


def _x(row: Row) -> float:
    assert not isinstance(row.at, str)
    return row.at


def _placing(ends: tuple[float, float], pixels: tuple[int, int], logarithmic: bool) -> Place:
    turned = math.log if logarithmic else float
    low, high = turned(ends[0]), turned(ends[1])
    wide = (high - low) or 1.0
    return lambda value: pixels[0] + (pixels[1] - pixels[0]) * (turned(value) - low) / wide


def _axes(result: Reproduction, rows: Sequence[Row], places: tuple[Place, Place], ends: tuple[float, float]) -> str:
    x, y = places
    marks = sorted({_x(row) for row in rows})
    lines = [_text(x(at), HEIGHT - BOTTOM + 16, f"{at:,.0f}", "middle") for at in marks]
    for step in range(STEPS + 1):
        share = step / STEPS
        value = ends[1] ** share if "y" in result.logarithmic else ends[0] + (ends[1] - ends[0]) * share
        told = f"{value:,.0f}" if "y" in result.logarithmic else f"{value:.0%}"
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>')
        lines.append(_text(LEFT - 6, y(value) + 4, told, "end"))
    lines.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, str(result.axis), "middle"))
    return "".join(lines)


def _curve(rows: Sequence[Row], name: str, number: int, x: Place, y: Place) -> str:
    colour = COLOURS[number % len(COLOURS)]
    points = " ".join(f"{x(_x(row)):.1f},{y(row.value):.1f}" for row in rows)
    parts = [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for row in rows:
        parts.append(f'<circle cx="{x(_x(row)):.1f}" cy="{y(row.value):.1f}" r="3" fill="{colour}"/>')
        if row.printed is not None:
            parts.append(_text(x(_x(row)), y(row.printed) + 4, "×", "middle", colour))
    parts.append(_text(WIDTH - RIGHT + 12, TOP + 16 * (number + 1), name, "start", colour))
    return "".join(parts)


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="11" fill="{colour}">{escape(text)}</text>'
