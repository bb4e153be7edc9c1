"""Charts of an audit: the risk against the limit, the ladder of attacks, curves, causes and protections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_parts import Cause, Curve, ProtectionResult
from singleout.assessment.audit_result import Audit
from singleout.assessment.ladder import Ladder
from singleout.ground.numbers import percent, plural
from singleout.measures.intervals import Estimate
from singleout.report.charts.style import (
    BAR_STEP,
    COLOURS,
    INK,
    PAPER,
    SHARE,
    Figure,
    labelled_bars,
    limit_line,
    limit_ticks,
    spec,
)
from singleout.similarity.registry import similarity_in_words

INTERVAL_TIPS = [{"field": name, "title": title, "format": ".2~%"} for name, title in (("low", "from"), ("high", "to"))]
EXTRAPOLATED = "no, extrapolated"
"""Of what was not measured, in a column that says whether it was."""
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
    reach = min(1.0, 1.2 * max(risk.high, audit.risk_limit))
    x = _share("value", "re-identified") | {"scale": {"domain": [0, reach], "nice": False}}
    y = {"value": 22}
    tooltip = [{"field": "value", "title": "re-identified", "format": ".2~%"}, *INTERVAL_TIPS]
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "bar", "size": 20, "color": COLOURS[0]}, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
        *_whisker(x, y, tooltip),
        *limit_line(audit.risk_limit, "x"),
    ]
    text = f"Bar: the estimate. Line: {risk.confidence_level:.0%} interval. Dashed: the risk limit."
    return spec("The risk and the risk limit", text, rows, layers) | {"height": 44}


def attack_bars(audit: Audit) -> dict[str, Any]:
    """The ladder: one bar for each attack, the strongest darkest; ticks for chance, a line for the limit."""
    best = audit.strongest
    rows = [
        _ends(each.rate)
        | {"name": _attack_name(each.kind, each.by), "random": each.random, "strength": _strength(level)}
        for each in audit.attacks
        for level in [2 if each is best else int(each.within_reach)]
    ]
    return _ladder(rows, audit.risk.confidence_level, audit.risk_limit)


def rung_bars(ladder: Ladder) -> dict[str, Any]:
    """The same for a ladder on its own: every attack counts and there is no limit."""
    best = ladder.strongest
    rows = [
        _ends(rung.rate)
        | {"name": _attack_name(rung.kind, rung.similarity), "random": rung.accuracy.random}
        | {"strength": _strength(2 if rung is best else int(rung.within_reach))}
        for rung in ladder.rows
        if rung.rate is not None and rung.accuracy is not None
    ]
    random = ladder.random
    return _ladder(rows, 0.95 if random is None else random.confidence_level, None)


def _ladder(rows: list[dict[str, Any]], level: float, limit: float | None) -> dict[str, Any]:
    tooltip = [{"field": "name", "title": "attack"}, {"field": "value", "title": "re-identified", "format": ".2~%"}]
    tooltip += [*INTERVAL_TIPS, {"field": "random", "title": "chance", "format": ".2~%"}]
    x = _share("value", "re-identified")
    opacity = {"field": "strength", "type": "quantitative", "scale": None}
    y, bars = labelled_bars("name", x, tooltip, {"opacity": opacity})
    tick = {"type": "tick", "color": COLOURS[4], "thickness": 3, "size": 18, "yOffset": 3}
    layers = [
        *bars,
        *([] if limit is None else limit_ticks(limit, y)),
        *_whisker(x, y, tooltip, {"yOffset": 3}),
        {"mark": tick, "encoding": {"x": x | {"field": "random"}, "y": y, "tooltip": tooltip}},
    ]
    pale = " Pale: beyond the intruder's reach, for comparison." if any(r["strength"] < 0.5 for r in rows) else ""
    text = f"Darkest: the strongest attack. Lines: {level:.0%} interval. Yellow marks: chance.{pale}"
    return spec("Share re-identified by each attack", text, rows, layers) | {"height": BAR_STEP * len(rows)}


def curve_line(curve: Curve, limit: float) -> dict[str, Any]:
    """How the risk changes with one thing: a line with its band, dashed beyond what was measured."""
    rows = [_ends(step.rate) | {"at": step.at} for step in curve.points]
    far = curve.logarithmic or curve.extrapolated is not None
    logarithmic = far and all(step.at > 0 for step in curve.points)
    scale: dict[str, Any] = {"type": "log" if logarithmic else "linear", "nice": False}
    scale |= {} if logarithmic else {"zero": False}
    x = {"field": "at", "type": "quantitative", "title": " ".join(curve.axis.split()), "scale": scale}
    marks: dict[str, Any] = {"tickCount": 5} if logarithmic else {"values": [step.at for step in curve.points]}
    x |= {"axis": {"format": "~s", "grid": False, "labelOverlap": True} | marks}
    y = _share("value", "re-identified") | {"scale": {"domainMin": 0}}
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
    words = f"Attack: {curve.attack}. Band: {level:.0%} interval."
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
    _, bars = labelled_bars("name", _share("share", title), tooltip, {})
    text = text.format(places=plural(place))
    return spec("What identifies people", text, rows, bars) | {"height": BAR_STEP * len(rows)}


def protection_points(
    protections: Sequence[ProtectionResult], limit: float, best: ProtectionResult | None
) -> dict[str, Any]:
    """The risk that each protection leaves against what it destroys; filled where no other is better in both."""
    rows = [
        _ends(each.rate)
        | {"protection": each.protection, "strength": each.strength, "loss": each.loss}
        | {"on_frontier": each.on_frontier, "best": each is best}
        for each in protections
    ]
    names = list(dict.fromkeys(each.protection for each in protections))
    kind = {"field": "protection", "type": "nominal", "title": None, "legend": {"columns": 2, "labelLimit": 140}}
    x = {
        "field": "loss",
        "type": "quantitative",
        "title": "information loss (0%: unchanged, 100%: everyone the same)",
        "axis": SHARE,
    }
    shared = {"x": x, "color": kind | {"scale": {"domain": names, "range": COLOURS}}}
    y = _share("value", "still re-identified") | {"scale": {"domainMin": 0}}
    tooltip = [{"field": "protection"}, {"field": "strength"}]
    tooltip += [{"field": "value", "title": "still re-identified", "format": ".2~%"}, *INTERVAL_TIPS]
    tooltip += [{"field": "loss", "title": "information loss", "format": ".2~%"}]
    marked = shared | {"y": y, "tooltip": tooltip, "shape": kind | {"scale": {"domain": names}}}
    marks = {"type": "point", "size": 90, "strokeWidth": 2, "opacity": 1}
    ring = {"type": "point", "shape": "circle", "size": 420, "strokeWidth": 2, "opacity": 1, "color": INK}
    word = {"type": "text", "dy": -18, "fontWeight": "bold", "color": INK}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "rule"}, "encoding": shared | {"y": y | {"field": "low"}, "y2": {"field": "high"}}},
        {"mark": marks, "encoding": marked},
        {"transform": [{"filter": "datum.on_frontier"}], "mark": marks | {"filled": True}, "encoding": marked},
        {"transform": [{"filter": "datum.best"}], "mark": ring, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
        {
            "transform": [{"filter": "datum.best"}],
            "mark": word,
            "encoding": {"x": x, "y": y, "text": {"value": "recommended"}},
        },
        *limit_line(limit, "y"),
    ]
    text = (
        "Filled: no other protection has both less risk and less loss. Lines: interval. "
        "Lower and further left is better."
    )
    return spec("Remaining risk and information loss of each protection", text, rows, layers)


def figures(audit: Audit) -> dict[str, Figure]:
    """Every chart of the page by name, with its numbers as a table."""
    risk = audit.risk
    risk_row = (percent(risk.value), *_interval(risk), percent(audit.risk_limit))
    attacks = tuple(
        (
            each.kind.label,
            each.by,
            percent(each.rate.value),
            *_interval(each.rate),
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
    if audit.causes:
        bars = cause_bars(audit.causes, audit.kind, audit.place_name)
        shown.append(_figure("causes", bars, ("cause", "share", "detail"), causes))
    if audit.protections:
        shown.append(_protection_figure(audit))
    return {each.name: each for each in shown}


ATTACK_HEADING = ("attack", "by", "re-identified", "interval from", "to", "chance", "within reach")


def _curve_figure(number: int, curve: Curve, limit: float) -> Figure:
    rows = [(f"{step.at:,.6g}", percent(step.rate.value), *_interval(step.rate), "") for step in curve.points]
    guess = curve.extrapolated
    if guess is not None:
        rows.append((f"{guess.people:,}", percent(guess.value), percent(guess.low), percent(guess.high), EXTRAPOLATED))
    heading = (curve.axis, "re-identified", "interval from", "to", "measured")
    rows = [(*row[:-1], row[-1] or "yes") for row in rows]
    return _figure(f"curve-{number}", curve_line(curve, limit), heading, tuple(rows))


def _protection_figure(audit: Audit) -> Figure:
    rows = tuple(
        (
            each.protection,
            each.strength,
            percent(each.rate.value),
            *_interval(each.rate),
            *_further_rates(each),
            percent(each.loss),
        )
        for each in audit.protections
    )
    heading = (
        "protection",
        "strength",
        "still re-identified",
        "interval from",
        "to",
        *FURTHER,
        "information loss",
    )
    return _figure(
        "protections", protection_points(audit.protections, audit.risk_limit, audit.recommended), heading, rows
    )


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


def _share(field: str, title: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "title": title, "axis": SHARE}


def _ends(rate: Estimate | None) -> dict[str, Any]:
    return {} if rate is None else {"value": rate.value, "low": rate.low, "high": rate.high}


def _interval(rate: Estimate) -> tuple[str, str]:
    return percent(rate.low), percent(rate.high)


def _attack_name(kind: AttackKind, by: str) -> str:
    if kind is AttackKind.TAUGHT:
        return f"if the intruder already knows {by} of the people"
    attack = kind.label
    words = similarity_in_words(by)
    return (f"{attack}, by {by}" if words == by else f"{attack}, by {by}: {words}") if by else attack


def _strength(level: int) -> float:
    """How dark a bar is: beyond reach, within reach, the strongest."""
    return (0.25, 0.6, 1.0)[level]


def _reach_in_words(counts: bool) -> str:
    return "yes" if counts else "no, for comparison"
