"""Charts of how far the shape of movements identifies people (M18 Fig. 5, 7, and privacy against utility)."""

from __future__ import annotations

from typing import Any

from singleout.assessment.network_attacks import Attack, Attacks
from singleout.assessment.network_defences import DefenceCurve
from singleout.assessment.topology import Topology
from singleout.measures.networks.ranking import Ranking
from singleout.measures.networks.summary import NetworkSummary
from singleout.report.charts.style import COLOURS, SHARE, spec


def unique_by_size(found: Topology) -> dict[str, Any]:
    """Share of people with a unique network against its size, with the largest share possible."""
    rows = [
        {
            "top": each.top,
            "network": "directed" if each.directed else "undirected",
            "unique": each.identifiability.value,
            "low": each.identifiability.low,
            "high": each.identifiability.high,
            "bound": each.bound,
        }
        for each in found.anonymity_by_size
        if each.top is not None and each.top <= LARGEST
    ]
    x = {"field": "top", "type": "quantitative", "title": "places (the most visited)", "axis": {"grid": False}}
    y = {"field": "unique", "type": "quantitative", "title": "people with a unique network", "axis": SHARE}
    shared = {"x": x, "color": _colour("network", ["directed", "undirected"])}
    tooltip = [{"field": "top"}, {"field": "network"}, {"field": "unique", "format": ".1%"}]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "area", "opacity": 0.15},
            "encoding": shared | {"y": y | {"field": "low"}, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line", "point": True}, "encoding": shared | {"y": y, "tooltip": tooltip}},
        {
            "mark": {"type": "line", "strokeDash": [4, 4], "opacity": 0.6},
            "encoding": shared | {"y": y | {"field": "bound"}},
        },
    ]
    text = "Dashed: if every possible graph of that size occurred. Bands: 95% interval."
    return spec("How many places make a network unique", text, rows, layers)


LARGEST = 20


def rank_curve(ranking: Ranking) -> dict[str, Any]:
    """One curve."""
    return _curves([("attack", ranking)])


def rank_curves(attacks: Attacks) -> dict[str, Any]:
    """One curve for each attack."""
    return _curves([(_name(row), row.ranking) for row in attacks.rows])


def _name(row: Attack) -> str:
    size = "all places" if row.top is None else f"top {row.top}"
    return row.choices or f"{row.kernel}, {size}"


def _curves(named: list[tuple[str, Ranking]]) -> dict[str, Any]:
    rows = [step | {"attack": name} for name, ranking in named for step in ranking.cdf().to_pylist()]
    x = {
        "field": "rank",
        "type": "quantitative",
        "title": "rank of the true person on the intruder's list",
        "scale": {"type": "log", "nice": False},
        "axis": {"grid": False, "tickCount": 4},
    }
    y = {"field": "share", "type": "quantitative", "title": "people within that rank", "axis": SHARE}
    shared = {"x": x, "color": _colour("attack", [name for name, _ in named])}
    tooltip = [{"field": "attack"}, {"field": "rank"}, {"field": "share", "format": ".1%"}]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "line", "strokeDash": [4, 4], "color": "#666"},
            "encoding": {"x": x, "y": y | {"field": "random", "aggregate": "mean"}},
        },
        {
            "mark": {"type": "area", "opacity": 0.12},
            "encoding": shared | {"y": y | {"field": "low"}, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line"}, "encoding": shared | {"y": y, "tooltip": tooltip}},
    ]
    text = "Dashed: random order. Bands: 95% interval. Ties are broken at random."
    return spec("How close to the top of the list the true person is", text, rows, layers)


def typical_degrees(found: NetworkSummary) -> dict[str, Any]:
    """Share of a typical person's places with at least each degree, on logarithmic axes (M18 Fig. 4c)."""
    rows = [row for row in found.degree_ccdf().to_pylist() if row["degree"] > 0]
    logarithmic = {"scale": {"type": "log", "nice": False}, "axis": {"grid": True, "tickCount": 4}}
    x = {"field": "degree", "type": "quantitative", "title": "edges in and out"} | logarithmic
    y = {"field": "at_least", "type": "quantitative", "title": "places with at least this many"} | logarithmic
    y = y | {"axis": SHARE}
    tooltip = [{"field": "degree"}, {"field": "at_least", "format": ".1%"}]
    mark = {"type": "line", "point": True, "color": COLOURS[0]}
    layers = [{"mark": mark, "encoding": {"x": x, "y": y, "tooltip": tooltip}}]
    text = f"The network of median size among those of {len(found.recurrence):,} people."
    return spec("A few places have most of the connections", text, rows, layers)


def defences(curve: DefenceCurve) -> dict[str, Any]:
    """What the strongest intruder re-identifies against what is lost, one line for each defence."""
    rows = [row.as_row() for row in curve.rows if row.defence != "none"]
    as_it_was = curve.rows[0].as_row()
    names = list(dict.fromkeys(row["defence"] for row in rows))
    rows = [as_it_was | {"defence": name} for name in names] + rows
    loss = {"field": "loss", "type": "quantitative", "title": "information loss (0: unchanged)", "axis": SHARE}
    rate = {"field": "rate", "type": "quantitative", "title": "people re-identified", "axis": SHARE}
    shared = {"x": loss, "y": rate, "color": _colour("defence", names)}
    shares = [{"field": name, "format": ".1%"} for name in ("rate", "low", "high", "size")]
    tooltip = [{"field": "defence"}, {"field": "strength"}, *shares, {"field": "mean_rank", "format": ".1f"}]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "strokeDash": [4, 4], "color": "#666"},
            "encoding": {"y": {"datum": curve.random}},
        },
        {
            "mark": {"type": "rule", "opacity": 0.4},
            "encoding": shared | {"y": rate | {"field": "low"}, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line", "opacity": 0.7}, "encoding": shared},
        {"mark": {"type": "point", "filled": True, "size": 50}, "encoding": shared | {"tooltip": tooltip}},
    ]
    text = "Strongest attack; lower is safer. Bars: 95% interval. Dashed: guessing at random."
    return spec("Noise on networks: risk against utility", text, rows, layers)


def _colour(field: str, names: list[str]) -> dict[str, Any]:
    scale = {"domain": names, "range": COLOURS}
    # areas are pale; their legend is not
    return {"field": field, "type": "nominal", "scale": scale, "title": None, "legend": {"symbolOpacity": 1}}
