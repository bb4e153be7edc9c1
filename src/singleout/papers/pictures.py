"""Pictures of a table or figure run again: as Vega-Lite, and as plain SVG for a page that needs no network."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from singleout.measures.intervals import Estimate
from singleout.papers.result import Reproduction, Row
from singleout.report.drawing import COLOURS, SHARE, spec

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 320, 60, 45, 15, 130


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
    highest = max(max(_ends(row)[1], row.printed or 0.0) for row in rows)
    marks = _powers(highest) if "y" in result.logarithmic else _shares(highest)
    x_ends = min(_x(row) for row in rows), max(_x(row) for row in rows)
    x = _placing(x_ends, (LEFT, WIDTH - RIGHT), "x" in result.logarithmic)
    y = _placing((marks[0], marks[-1]), (HEIGHT - BOTTOM, TOP), "y" in result.logarithmic)
    names = list(dict.fromkeys(row.series for row in rows))
    parts = [_axes(result, rows, (x, y), marks)]
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


def _shares(highest: float) -> list[float]:
    """Marks from zero to above the highest share, in steps of a fifth or a twentieth."""
    step = 0.2 if highest > 0.3 else 0.05
    return [step * number for number in range(math.ceil(highest / step - 1e-9) + 1)]


def _powers(highest: float) -> list[float]:
    """Powers of ten from one to above the highest count."""
    return [10.0**power for power in range(math.ceil(math.log10(highest)) + 1)]


def _axes(result: Reproduction, rows: Sequence[Row], places: tuple[Place, Place], marks: Sequence[float]) -> str:
    x, y = places
    lines = [_text(x(at), HEIGHT - BOTTOM + 16, f"{at:,.0f}", "middle") for at in sorted({_x(row) for row in rows})]
    for mark in marks:
        told = f"{mark:,.0f}" if "y" in result.logarithmic else f"{mark:.0%}"
        lines.append(_line((LEFT, WIDTH - RIGHT), (y(mark), y(mark)), "#ddd"))
        lines.append(_text(LEFT - 6, y(mark) + 4, told, "end"))
    lines.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, str(result.axis), "middle"))
    if any(row.printed is not None for row in rows):
        lines.append(_text(WIDTH - RIGHT + 12, HEIGHT - BOTTOM, "× printed", "start"))
    return "".join(lines)


def _ends(row: Row) -> tuple[float, float]:
    """Of its interval, where it has one."""
    return (row.ours.low, row.ours.high) if isinstance(row.ours, Estimate) else (row.ours, row.ours)


def _curve(rows: Sequence[Row], name: str, number: int, x: Place, y: Place) -> str:
    colour = COLOURS[number % len(COLOURS)]
    points = " ".join(f"{x(_x(row)):.1f},{y(row.value):.1f}" for row in rows)
    parts = [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for row in rows:
        parts.append(f'<circle cx="{x(_x(row)):.1f}" cy="{y(row.value):.1f}" r="3" fill="{colour}"/>')
        low, high = _ends(row)
        parts.append(_line((x(_x(row)), x(_x(row))), (y(low), y(high)), colour))
        if row.printed is not None:
            parts.append(_text(x(_x(row)), y(row.printed) + 4, "×", "middle", colour))
    parts.append(_text(WIDTH - RIGHT + 12, TOP + 16 * (number + 1), name, "start", colour))
    return "".join(parts)


def _line(x: tuple[float, float], y: tuple[float, float], colour: str) -> str:
    return f'<line x1="{x[0]:.1f}" x2="{x[1]:.1f}" y1="{y[0]:.1f}" y2="{y[1]:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="11" fill="{colour}">{escape(text)}</text>'
