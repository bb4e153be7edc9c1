"""Charts of a reproduced table or figure, as Vega-Lite: our numbers alongside the paper's, and on which data."""

from __future__ import annotations

from typing import Any

from singleout.papers.result import LABELS, Reproduction, Row
from singleout.report.charts.style import COLOURS, SHARE, spec

Encoding = dict[str, Any]
GREY = "#767676"
# the dashes of a line show what it was measured on, also without colours
DASHES = ([1, 0], [8, 3], [2, 3])


def drawable(result: Reproduction) -> list[Row]:
    """The rows that have a position on the axis."""
    return [] if result.axis is None else [row for row in result.rows if not isinstance(row.at, str)]


def vega_lite(result: Reproduction) -> Encoding | None:
    """Our numbers as lines with intervals, the paper's as crosses; None if there is no curve."""
    rows = drawable(result)
    if not rows:
        return None
    several = len({row.data.name for row in rows}) > 1
    values = [row.as_row() | {"at": row.at, "line": _line(row, several)} for row in rows]
    names = list(dict.fromkeys(row["line"] for row in values))
    title = " ".join(str(result.axis).split())
    x: Encoding = {"field": "at", "type": "quantitative", "title": title, "scale": {"type": _scale(result, "x")}}
    x["axis"] = {"grid": False, "format": "~s", "labelOverlap": True, "values": sorted({row["at"] for row in values})}
    shares = "y" not in result.logarithmic and all(row.value <= 1 for row in rows)
    y: Encoding = {"field": "ours", "type": "quantitative", "title": None, "scale": {"type": _scale(result, "y")}}
    y["axis"] = SHARE if shares else {"grid": True, "tickCount": 6}
    colour: Encoding = {"field": "line", "type": "nominal", "title": None, "scale": {"domain": names, "range": COLOURS}}
    colour["legend"] = {"columns": 2, "labelLimit": 150}
    shared: Encoding = {"x": x, "color": colour, "tooltip": _tooltip(".3~p" if shares else ",.4~g")}
    layers: list[Encoding] = [
        {"mark": {"type": "line"}, "encoding": shared | {"y": y, "strokeDash": _dashes(result)}},
        {"mark": {"type": "point", "filled": True, "size": 50, "opacity": 1}, "encoding": shared | {"y": y}},
        _where("low", "rule", shared | {"y": y | {"field": "low"}, "y2": {"field": "high"}}),
        _where(
            "random",
            {"type": "tick", "color": GREY, "thickness": 2},
            _without_colour(shared) | {"y": y | {"field": "random"}},
        ),
        _where("paper", {"type": "point", "shape": "cross", "size": 70}, shared | {"y": y | {"field": "paper"}}),
    ]
    return spec(f"{result.id}: {result.title}", caption(result), values, layers)


def caption(result: Reproduction) -> str:
    """What it was measured on; then what the marks mean."""
    rows = drawable(result)
    printed = " Crosses: as printed in the paper." if any(row.printed is not None for row in rows) else ""
    chance = " Grey: guessing at random." if any(row.random is not None for row in rows) else ""
    return f"Measured on: {', '.join(result.labels)}.{printed}{chance}"


def _line(row: Row, several: bool) -> str:
    return f"{row.series}, {row.data.name}" if several else row.series


def _dashes(result: Reproduction) -> Encoding:
    scale = {"domain": list(result.labels), "range": [DASHES[LABELS.index(label)] for label in result.labels]}
    legend = {"symbolType": "stroke", "symbolSize": 400}
    return {"field": "label", "type": "nominal", "title": "data", "scale": scale, "legend": legend}


def _tooltip(number: str) -> list[Encoding]:
    fields = [{"field": name} for name in ("data", "label", "series")] + [{"field": "at", "format": ",~r"}]
    return fields + [{"field": name, "format": number} for name in ("ours", "low", "high", "paper", "random")]


def _where(field: str, mark: Any, encoding: Encoding) -> Encoding:
    return {"transform": [{"filter": f"datum.{field} !== null"}], "mark": mark, "encoding": encoding}


def _without_colour(shared: Encoding) -> Encoding:
    return {name: value for name, value in shared.items() if name != "color"}


def _scale(result: Reproduction, axis: str) -> str:
    return "log" if axis in result.logarithmic else "linear"
