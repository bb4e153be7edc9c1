"""Charts of an audit: the risk against the limit, the ladder of attacks, curves, causes and protections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.assessment.audit_parts import Cause, Curve, PersonAtRisk, ProtectionResult
from singleout.assessment.audit_result import Audit
from singleout.assessment.ladder import Ladder
from singleout.assessment.protection_words import protection_name
from singleout.ground.numbers import percent, plural
from singleout.measures.intervals import Estimate
from singleout.report.charts.style import (
    BAR_STEP,
    COLOURS,
    INK,
    PAPER,
    SHARE,
    TO_A_TICK,
    Figure,
    interval_words,
    labelled_bars,
    limit_line,
    limit_ticks,
    spec,
)

INTERVAL_TIPS = [{"field": name, "title": title, "format": ".2~%"} for name, title in (("low", "from"), ("high", "to"))]
EXTRAPOLATED = "no, extrapolated"
"""Of what was not measured, in a column that says whether it was."""
PERSON_STEP = 16
"""Pixels from one person to the next."""
NAME_IN_TWO_COLUMNS = 19
"""Characters of the longest name with which a legend of two columns fits a narrow screen."""
MANY_TIMES = 10
"""Smaller factors are shown with a decimal."""

CAUSES = {
    "events": (
        "share of what identifies people",
        "Each bar: how much these {places} contribute to identifying people, as a share of the total.",
    ),
    "table": (
        "share of those re-identified",
        "Each bar: the share who would not be re-identified if this column were not known.",
    ),
}


def risk_bar(audit: Audit) -> dict[str, Any]:
    """The headline: a bar, its interval and the risk limit."""
    risk = audit.risk
    rows = [_ends(risk) | {"name": audit.strongest.kind.label}]
    x = _share("value", "re-identified") | {"scale": _reach(1.2 * max(risk.high, audit.risk_limit or 0.0))}
    y = {"value": 22}
    tooltip = [{"field": "value", "title": "re-identified", "format": ".2~%"}, *INTERVAL_TIPS]
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "bar", "size": 20, "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
        *_whisker(x, y, tooltip),
        *limit_line(audit.risk_limit, "x"),
    ]
    dashed = "" if audit.risk_limit is None else " Dashed: the risk limit."
    measured = f"the estimate. Line: {risk.confidence_level:.0%} interval."
    text = f"Bar: {'counted exactly.' if risk.is_exact else measured}{dashed}"
    return spec("The risk", text, rows, layers) | {"height": 44}


def attack_bars(audit: Audit) -> dict[str, Any]:
    """The ladder: one bar for each attack, the strongest darkest; ticks for chance, a line for the limit."""
    best = audit.strongest
    rows = [
        _ends(each.rate) | {"name": each.kind.label_with(each.by), "random": each.random, "strength": _strength(level)}
        for each in audit.attacks
        for level in [2 if each is best else int(each.within_reach)]
    ]
    return bars_with_chance(rows, audit.risk.confidence_level, audit.risk_limit)


def rung_bars(ladder: Ladder) -> dict[str, Any]:
    """The same for a ladder on its own: every attack counts and there is no limit."""
    best = ladder.strongest
    rows = [
        _ends(rung.rate)
        | {"name": rung.kind.label_with(rung.similarity), "random": rung.accuracy.random}
        | {"strength": _strength(2 if rung is best else int(rung.within_reach))}
        for rung in ladder.rows
        if rung.rate is not None and rung.accuracy is not None
    ]
    random = ladder.random
    return bars_with_chance(rows, 0.95 if random is None else random.confidence_level, None)


def bars_with_chance(rows: list[dict[str, Any]], level: float, limit: float | None) -> dict[str, Any]:
    """One bar for each row, with its interval, and marks for chance and the limit."""
    tooltip = [{"field": "name", "title": "attack"}, {"field": "value", "title": "re-identified", "format": ".2~%"}]
    tooltip += [*INTERVAL_TIPS, {"field": "random", "title": "chance", "format": ".2~%"}]
    most = max([limit or 0.0, *(row["high"] for row in rows)])
    x = _share("value", "re-identified") | {"scale": _reach(most)}
    opacity = {"field": "strength", "type": "quantitative", "scale": None}
    y, bars = labelled_bars("name", x, tooltip, {"opacity": opacity})
    tick = {"type": "tick", "color": COLOURS[4], "thickness": 3, "size": 14, "yOffset": 3}
    layers = [
        *bars,
        *limit_ticks(limit, y),
        *_whisker(x, y, tooltip, {"yOffset": 3}),
        {"mark": tick, "encoding": {"x": x | {"field": "random"}, "y": y, "tooltip": tooltip}},
    ]
    pale = " Pale: beyond the intruder's reach, for comparison." if any(r["strength"] < 0.5 for r in rows) else ""
    text = f"Strongest colour: the strongest attack. {interval_words('Lines', rows, level)} Yellow marks: chance.{pale}"
    return spec("Share re-identified by each attack", text, rows, layers) | {"height": BAR_STEP * len(rows)}


def people_bars(audit: Audit) -> dict[str, Any]:
    """Those most at risk: one thin bar each, how likely the match is to be right or how easily they are singled out."""
    clearest, likely = audit.people_at_risk.clearest, audit.kind == "events"
    rows = [
        {"row": f"row {each.row:,}", "value": each.probability if likely else each.margin or 0.0} for each in clearest
    ]
    title = "probability that the match is right" if likely else "SUDA score"
    x: dict[str, Any] = {"field": "value", "type": "quantitative", "title": title}
    x |= {"axis": SHARE, "scale": {"domain": [0, 1]}} if likely else {}
    y = {"field": "row", "type": "nominal", "sort": None, "title": None, "scale": {"paddingInner": 0.25}}
    tooltip = [{"field": "row"}, {"field": "value", "title": title, "format": ".1%" if likely else ".3~r"}]
    layers = [{"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}}]
    counted = ", by the share of equally clear matches that are right" if likely else ""
    text = f"Each bar: one row, clearest first. Length: {title}{counted}."
    return spec("Those most at risk", text, rows, layers) | {"height": PERSON_STEP * len(rows)}


def curve_line(curve: Curve, limit: float | None) -> dict[str, Any]:
    """How the risk changes with one thing: a line with its band, dashed beyond what was measured."""
    rows = [_ends(step.rate) | {"at": step.at} for step in curve.points]
    far = curve.logarithmic or curve.extrapolated is not None
    logarithmic = far and all(step.at > 0 for step in curve.points)
    scale: dict[str, Any] = {"type": "log" if logarithmic else "linear", "nice": False}
    scale |= {} if logarithmic else {"zero": False}
    x = {"field": "at", "type": "quantitative", "title": " ".join(curve.axis.split()), "scale": scale}
    measured = [step.at for step in curve.points]
    places = measured if curve.extrapolated is None else [*measured, float(curve.extrapolated.people)]
    overlap = "greedy" if logarithmic else True
    x |= {"axis": {"format": ".3~s", "grid": False, "labelOverlap": overlap, "values": places}}
    beyond = 0.0 if curve.extrapolated is None else curve.extrapolated.high
    y = _share("value", "re-identified") | {"scale": _reach(max(limit or 0.0, beyond, *(row["high"] for row in rows)))}
    # a title in a tooltip becomes part of an expression as it is, so it is never a text from outside
    tooltip: list[dict[str, Any]] = [{"field": "at", "format": ",~r"}]
    tooltip += [{"field": "value", "title": "re-identified", "format": ".2~%"}, *INTERVAL_TIPS]
    band = {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}}
    point = {"type": "point", "filled": True, "size": 60, "opacity": 1, "color": COLOURS[0]}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "area", "opacity": 0.2, "color": COLOURS[0]}, "encoding": band},
        {"mark": {"type": "line", "color": COLOURS[0]}, "encoding": {"x": x, "y": y}},
        {"mark": point, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
        *_beyond(curve, x, y, tooltip),
        *limit_line(limit, "y"),
    ]
    return spec(curve.title, curve_words(curve), rows, layers) | {"height": 220}


def curve_words(curve: Curve) -> str:
    """What the chart shows, and how far to trust what was not measured."""
    level = curve.points[0].rate.confidence_level
    beyond = curve.extrapolated
    words = f"Attack: {curve.attack}. {interval_words('Band', [_ends(step.rate) for step in curve.points], level)}"
    if beyond is None:
        return words
    times = f"{beyond.times:,.0f}" if beyond.times >= MANY_TIMES else f"{beyond.times:.1f}"
    return (
        f"{words} Dashed: estimate for {beyond.people:,} people, {times} times as many as in the data (range "
        f"{percent(beyond.low)} to {percent(beyond.high)}). {beyond.warning}"
    )


def _beyond(curve: Curve, x: dict[str, Any], y: dict[str, Any], tooltip: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """From the last point measured to the population asked for, with the range of the estimate."""
    guess = curve.extrapolated
    if guess is None:
        return []
    last = max(curve.points, key=lambda step: step.at)
    there = {"at": guess.people, "value": guess.value, "low": guess.low, "high": guess.high}
    way = {"data": {"values": [{"at": last.at, "value": last.rate.value}, there]}}
    end = {"data": {"values": [there | {"what": "extrapolated, not measured"}]}}
    tips = [{"field": "what", "title": " "}, *tooltip]
    colour = {"color": COLOURS[3]}
    hollow = {"type": "point", "filled": False, "size": 80, "strokeWidth": 2, "opacity": 1, **colour}
    span = {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}, "tooltip": tips}
    return [
        way | {"mark": {"type": "line", "strokeDash": [5, 4], **colour}, "encoding": {"x": x, "y": y}},
        end | {"mark": {"type": "rule", "strokeDash": [2, 2], "strokeWidth": 2, **colour}, "encoding": span},
        end | {"mark": hollow, "encoding": {"x": x, "y": y, "tooltip": tips}},
    ]


def cause_bars(causes: Sequence[Cause], kind: str = "events", place: str = "place") -> dict[str, Any]:
    """What identifies people overall: places by their share of the whole, columns by how many need them."""
    rows = [{"name": each.what, "share": each.share, "detail": each.detail} for each in causes]
    tooltip = [{"field": "name", "title": "cause"}, {"field": "share", "format": ".2~%"}, {"field": "detail"}]
    title, text = CAUSES[kind]
    share = _share("share", title) | {"scale": _reach(max((each.share for each in causes), default=1.0))}
    _, bars = labelled_bars("name", share, tooltip, {})
    text = text.format(places=plural(place))
    return spec("What identifies people", text, rows, bars) | {"height": BAR_STEP * len(rows)}


def protection_points(
    protections: Sequence[ProtectionResult],
    limit: float | None,
    best: ProtectionResult | None,
    place: str = "place",
) -> dict[str, Any]:
    """The risk that each protection leaves against what it destroys; filled where no other is better in both."""
    rows = [
        _ends(each.rate)
        | {"protection": protection_name(each.protection, plural(place)), "does": each.does, "loss": each.loss}
        | {"on_frontier": each.on_frontier, "best": each is best}
        for each in protections
    ]
    names = list(dict.fromkeys(row["protection"] for row in rows))
    columns = 2 if max(map(len, names), default=0) <= NAME_IN_TWO_COLUMNS else 1
    legend = {"columns": columns, "labelLimit": 280 / columns}
    kind = {"field": "protection", "type": "nominal", "title": None, "legend": legend}
    x = {
        "field": "loss",
        "type": "quantitative",
        "title": "information loss",
        "axis": SHARE,
        "scale": TO_A_TICK,
    }
    shared = {"x": x, "color": kind | {"scale": {"domain": names, "range": COLOURS}}}
    y = _share("value", "still re-identified") | {"scale": _reach(max([limit or 0.0, *(row["high"] for row in rows)]))}
    tooltip: list[dict[str, Any]] = [{"field": "does", "title": "protection"}]
    tooltip += [{"field": "value", "title": "still re-identified", "format": ".2~%"}, *INTERVAL_TIPS]
    tooltip += [{"field": "loss", "title": "information loss", "format": ".2~%"}]
    marked = shared | {"y": y, "tooltip": tooltip, "shape": kind | {"scale": {"domain": names}}}
    marks = {"type": "point", "size": 90, "strokeWidth": 2, "opacity": 1}
    ring = {"type": "point", "shape": "circle", "size": 420, "strokeWidth": 2, "opacity": 1, "color": INK}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "rule"}, "encoding": shared | {"y": y | {"field": "low"}, "y2": {"field": "high"}}},
        {"mark": marks, "encoding": marked},
        {"transform": [{"filter": "datum.on_frontier"}], "mark": marks | {"filled": True}, "encoding": marked},
        {"transform": [{"filter": "datum.best"}], "mark": ring, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
        *limit_line(limit, "y"),
    ]
    text = (
        "Lower and further left is better. Filled: no other protection has both less risk and less loss. "
        f"{interval_words('Lines', rows, protections[0].rate.confidence_level)} Loss: 0% leaves the data unchanged, "
        "100% makes everyone the same, more is worse."
    )
    # a word beside the mark would hide others
    text += " Ringed: recommended." if any(row["best"] for row in rows) else ""
    return spec("Remaining risk and information loss of each protection", text, rows, layers)


def figures(audit: Audit) -> dict[str, Figure]:
    """Every chart of the page by name, with its numbers as a table."""
    risk = audit.risk
    limit = "not set" if audit.risk_limit is None else percent(audit.risk_limit)
    risk_row = (percent(risk.value), *interval_cells(risk), limit)
    attacks = tuple(
        (
            each.kind.label,
            each.kind.name_by(each.by),
            percent(each.rate.value),
            *interval_cells(each.rate),
            percent(each.random),
            _reach_in_words(each.within_reach),
        )
        for each in audit.attacks
    )
    causes = tuple((each.what, percent(each.share), each.detail) for each in audit.causes)
    shown = [
        _figure("risk", risk_bar(audit), ("re-identified", "interval from", "to", "risk limit"), (risk_row,)),
        _figure("ladder", attack_bars(audit), ATTACK_HEADING, attacks),
        *(_curve_figure(number, curve, audit.risk_limit) for number, curve in enumerate(audit.curves, 1)),
    ]
    if audit.people_at_risk.clearest:
        listed = tuple((f"{each.row:,}", clarity(each)) for each in audit.people_at_risk.clearest)
        shown.append(_figure("clearest", people_bars(audit), ("row", "probability or score"), listed))
    if audit.causes:
        bars = cause_bars(audit.causes, audit.kind, audit.place_name)
        shown.append(_figure("causes", bars, ("cause", "share", "detail"), causes))
    if audit.tried:
        shown.append(_protection_figure(audit))
    return {each.name: each for each in shown}


def clarity(each: PersonAtRisk) -> str:
    """How clearly a person or record is identified: a probability, or a score."""
    if each.probability is not None:
        return percent(each.probability)
    return "only match" if each.margin is None else f"{each.margin:,.3g}"


ATTACK_HEADING = ("attack", "by", "re-identified", "interval from", "to", "chance", "within reach")


def _curve_figure(number: int, curve: Curve, limit: float | None) -> Figure:
    rows: list[tuple[str, ...]] = [
        (f"{step.at:,.6g}", percent(step.rate.value), *interval_cells(step.rate)) for step in curve.points
    ]
    heading: tuple[str, ...] = (curve.axis, "re-identified", "interval from", "to")
    guess = curve.extrapolated
    if guess is not None:
        last = (f"{guess.people:,}", percent(guess.value), percent(guess.low), percent(guess.high), EXTRAPOLATED)
        rows, heading = [*((*row, "yes") for row in rows), last], (*heading, "measured")
    return _figure(f"curve-{number}", curve_line(curve, limit), heading, tuple(rows))


def _protection_figure(audit: Audit) -> Figure:
    rows = tuple(
        (
            each.does,
            percent(each.rate.value),
            *interval_cells(each.rate),
            *_further_rates(each),
            percent(each.loss),
        )
        for each in audit.protections
    )
    heading = (
        "protection",
        "still re-identified",
        "interval from",
        "to",
        *FURTHER,
        "information loss",
    )
    points = protection_points(audit.protections, audit.risk_limit, audit.recommended, audit.place_name)
    return _figure("protections", points, heading, rows)


FURTHER = (
    "intruder has data from another period",
    "intruder has data from this period",
    "at most, whatever the attack",
)


def _further_rates(result: ProtectionResult) -> tuple[str, str, str]:
    outside, inside = ("" if rate is None else percent(rate.value) for rate in (result.outside, result.inside))
    return outside, inside, "" if result.guarantee is None else percent(result.guarantee)


def _figure(name: str, chart: dict[str, Any], heading: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Figure:
    return Figure(name, chart["title"]["text"], chart["title"]["subtitle"], chart, heading, rows)


def _whisker(x: dict[str, Any], y: dict[str, Any], tooltip: Any, mark: dict[str, Any] | None = None) -> Any:
    """An interval that is visible on a bar and next to it: ink with an edge of paper."""
    encoding = {"x": x | {"field": "low"}, "x2": {"field": "high"}, "y": y, "tooltip": tooltip}
    strokes = ({"color": PAPER, "strokeWidth": 4, "opacity": 1}, {"color": INK, "strokeWidth": 1.5, "opacity": 1})
    return [{"mark": {"type": "rule"} | stroke | (mark or {}), "encoding": encoding} for stroke in strokes]


def _reach(most: float) -> dict[str, Any]:
    """A scale from zero to the first tick that nothing exceeds."""
    return {"domain": [0, min(1.0, most) or 1.0], **TO_A_TICK}


def _share(field: str, title: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "title": title, "axis": SHARE}


def _ends(rate: Estimate | None) -> dict[str, Any]:
    return {} if rate is None else {"value": rate.value, "low": rate.low, "high": rate.high}


def interval_cells(rate: Estimate) -> tuple[str, str]:
    """Both ends for a table; of a share that was counted, that it is exact."""
    return ("exact", "") if rate.is_exact else (percent(rate.low), percent(rate.high))


def _strength(level: int) -> float:
    """How dark a bar is: beyond reach, within reach, the strongest."""
    return (0.25, 0.6, 1.0)[level]


def _reach_in_words(counts: bool) -> str:
    return "yes" if counts else "no, for comparison"
