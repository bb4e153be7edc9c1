"""Charts of which columns of a table identify people (R12 Fig. 3), of classes and of special uniques."""

from __future__ import annotations

from typing import Any

import numpy as np

from singleout.assessment.table_frontier import TableFrontier
from singleout.ground.errors import bad_argument
from singleout.matching.candidates import Profiles
from singleout.measures.tables.isolation import KnownSets, Vulnerability
from singleout.measures.tables.suda import Suda
from singleout.measures.tables.uniqueness import Uniqueness
from singleout.report.charts.style import COLOURS, SHARE, TO_A_TICK, spec

CLASSES_SHOWN = 20


def isolating_columns(found: Vulnerability) -> dict[str, Any]:
    """One added column: a bar for each (R12 Fig. 3b), a tick for the column alone (3a). Several: a curve (3c)."""
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
    x = {"field": "with_known", "type": "quantitative", "title": "share of vulnerable records isolated", "axis": SHARE}
    tooltip = [{"field": "column"}, *({"field": name, "format": ".3~p"} for name in ("with_known", "alone"))]
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
    text = f"{heading} Ticks: the column alone. Dashed: a random column."
    return spec("Which column identifies people, added to what is known", text, rows, layers) | {"height": {"step": 14}}


def _combinations(found: Vulnerability, heading: str) -> dict[str, Any]:
    ordered = sorted(found.rows, key=lambda row: -row.isolated)
    rows = [{"place": k, "added": ", ".join(row.columns), "share": row.share} for k, row in enumerate(ordered, start=1)]
    x = {"field": "place", "type": "quantitative", "title": "combinations, strongest first"}
    y = {"field": "share", "type": "quantitative", "title": "share of vulnerable records isolated", "axis": SHARE}
    tooltip = [{"field": "added"}, {"field": "share", "format": ".3~p"}]
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
    title = f"What {found.asked.add} columns isolate, added to what is known"
    return spec(title, f"{heading} Dashed: random columns.", rows, layers)


def classes_by_size(found: Uniqueness) -> dict[str, Any]:
    """How many classes there are of each size; only small ones, since these are at risk."""
    rows = [row for row in found.to_arrow().to_pylist() if row["size"] <= CLASSES_SHOWN]
    x = {"field": "size", "type": "ordinal", "title": "records in the class"}
    y = {"field": "classes", "type": "quantitative", "title": "classes"}
    tooltip = [{"field": name, "format": ","} for name in ("size", "classes", "records")]
    bars = {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}}
    text = f"Columns: {', '.join(found.columns)}. {len(found.sizes):,} classes; sizes up to {CLASSES_SHOWN} are shown."
    return spec("How many records share their values", text, rows, [bars])


def known_sets(found: KnownSets) -> dict[str, Any]:
    """For each set of known columns: what it isolates alone, and with the strongest added columns."""
    whole = max(found.vulnerable, 1)
    rows = []
    for name, each in found.sets.items():
        best = max(each.rows, key=lambda row: row.isolated)
        shares = {"alone": each.by_known / whole, "best": best.share, "random": each.random}
        rows.append({"known": name, "added": ", ".join(best.columns)} | shares)
    y = {"field": "known", "type": "nominal", "sort": None, "title": "known"}
    x = {"field": "best", "type": "quantitative", "title": "share of vulnerable records isolated", "axis": SHARE}
    tooltip = [{"field": "known"}, {"field": "added"}]
    tooltip += [{"field": name, "format": ".3~p"} for name in ("alone", "best", "random")]
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
        *(
            {
                "mark": {"type": "tick", "color": colour, "thickness": 3},
                "encoding": {"x": x | {"field": name}, "y": y, "tooltip": tooltip},
            }
            for name, colour in (("alone", COLOURS[1]), ("random", COLOURS[6]))
        ),
    ]
    text = "Bars: with the strongest added columns. Orange: the known columns alone. Black: with random added columns."
    return spec("What intruders with different knowledge isolate", text, rows, layers) | {"height": {"step": 24}}


def special_columns(found: Suda) -> dict[str, Any]:
    """Which columns the special uniques come from."""
    shares = sorted(found.by_column.items(), key=lambda item: -item[1])
    rows = [{"column": name, "share": share} for name, share in shares]
    y = {"field": "column", "type": "nominal", "sort": None, "title": None}
    x = {
        "field": "share",
        "type": "quantitative",
        "title": "share of the scores due to this column",
        "axis": SHARE,
    }
    tooltip = [{"field": "column"}, {"field": "share", "format": ".3~p"}]
    bars = {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}}
    special = int(found.minimal.any(axis=1).sum())
    text = f"{special:,} of {len(found):,} records are singled out by {found.max_size} columns or fewer."
    return spec("Which columns single people out", text, rows, [bars]) | {"height": {"step": 14}}


def selectivity(found: Profiles | dict[str, Profiles]) -> dict[str, Any]:
    """Selectivity per person, lowest first (R12 Figure 2): only the points where it changes."""
    methods = {"": found} if isinstance(found, Profiles) else found
    if not methods or not all(isinstance(profiles, Profiles) for profiles in methods.values()):
        raise bad_argument("chart", "x", "a dict of Profiles by name of method, if it is a dict", "other values")
    rows = []
    for name, profiles in methods.items():
        values, number = np.unique(profiles.selectivity, return_counts=True)
        ends = np.cumsum(number) / number.sum()
        for value, start, end in zip(values, [0.0, *ends[:-1]], ends, strict=True):
            rows += [{"method": name, "people": float(at), "selectivity": float(value)} for at in (start, end)]
    x = {"field": "people", "type": "quantitative", "title": "people, least selective first", "axis": SHARE}
    y = {"field": "selectivity", "type": "quantitative", "title": "selectivity", "scale": {"domain": [0, 1]}}
    colour = {"field": "method", "type": "nominal", "scale": {"range": COLOURS}, "title": None}
    shared = {
        "x": x,
        "y": y,
        "color": colour,
        "tooltip": [{"field": "method"}, {"field": "selectivity", "format": ".3f"}],
    }
    text = "1 divided by the number of candidates that share the highest score; 0 if there are no candidates."
    return spec("How far each person can be narrowed down", text, rows, [{"mark": "line", "encoding": shared}])


def table_frontier(found: TableFrontier) -> dict[str, Any]:
    """Risk against information loss, one colour for each protection; hollow where another is better in both."""
    rows = [row.as_row() | {"risk": row.rate.value, "low": row.rate.low, "high": row.rate.high} for row in found.rows]
    names = list(dict.fromkeys(row["protection"] for row in rows))
    colour = {"field": "protection", "type": "nominal", "scale": {"domain": names, "range": COLOURS}, "title": None}
    among = found.before.population is not None
    where = "in the population" if among else "in the file"
    x = {"field": "loss", "type": "quantitative", "title": "information loss", "axis": SHARE, "scale": TO_A_TICK}
    y = {"field": "risk", "type": "quantitative", "title": f"average risk {where}", "axis": SHARE, "scale": TO_A_TICK}
    shared = {"x": x, "color": colour}
    tooltip = [{"field": name} for name in ("protection", "strength", "does", "k")]
    tooltip += [{"field": name, "format": ".2~%"} for name in ("average", "maximum", "loss")]
    marked = shared | {"y": y, "tooltip": tooltip}
    point = {"type": "point", "size": 70, "strokeWidth": 2}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "opacity": 0.5},
            "encoding": shared | {"y": y | {"field": "low"}, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line", "opacity": 0.6}, "encoding": shared | {"y": y}},
        {"mark": point, "encoding": marked},
        {
            "transform": [{"filter": "datum.on_frontier"}],
            "mark": point | {"filled": True, "opacity": 1},
            "encoding": marked,
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 8, "dy": -7, "fontSize": 10},
            "encoding": shared | {"y": y, "text": {"field": "k"}},
        },
    ]
    text = "Filled: no other protection has both less risk and less loss. Numbers: k of the file."
    return spec("Remaining risk and information loss of each protection", text, rows, layers)
