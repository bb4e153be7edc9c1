"""Self-contained pages: one HTML file with its style, scripts and charts inside, and every text escaped.

The page makes the browser load nothing and run only the two scripts whose digests it names; Vega's expressions
are interpreted, not compiled, so that not even ``eval`` is allowed.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from singleout.ground.notes import number_of
from singleout.ground.numbers import capitalise, percent, plural
from singleout.ground.progress import show_progress
from singleout.ground.terminal_filter import on_a_page
from singleout.report.charts.audit import clarity
from singleout.report.charts.style import COLOURS, INK, ON_DARK, ON_LIGHT, PAPER
from singleout.report.pages.drawing import NARROW, WIDE, draw
from singleout.report.values import value_in_words

TEMPLATES = "templates"
# what the style defines for light and dark screens and for paper
_VARIABLES = {colour: f"var(--colour-{number})" for number, colour in enumerate(COLOURS)}
_VARIABLES |= {INK: "var(--ink)", PAPER: "var(--paper)"}
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
_CONFIG: dict[str, Any] = {
    "background": None,
    "font": _FONT,
    # the page gives each chart one label and a table; thousands of marks read aloud would drown them out
    "aria": False,
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "gridColor": "var(--rule)",
        "labelColor": "var(--soft)",
        "titleColor": "var(--soft)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelPadding": 6,
    },
    "legend": {
        "orient": "top",
        "labelColor": "var(--ink)",
        "titleColor": "var(--ink)",
        "labelFontSize": 12,
        "symbolStrokeWidth": 2,
        "rowPadding": 4,
        # a reader's font may be wider than the one that labels were measured in
        "columnPadding": 30,
    },
    "text": {"color": "var(--ink)", "fontSize": 12},
}


def page(template: str, **values: Any) -> str:
    """Fill a template; ``values`` are plain data and Figures."""
    style, script, drawing = _style(), _part("page.js"), drawing_script()
    policy = (
        f"default-src 'none'; script-src {_digest(drawing)} {_digest(script)}; style-src {_digest(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    values |= {"WIDE": WIDE, "NARROW": NARROW}
    inside = {"policy": policy, "style": Markup(style), "script": Markup(script), "drawing": Markup(drawing)}  # noqa: S704 - ours
    return _environment().get_template(template).render(**inside, **values)


@cache
def _style() -> str:
    """The style sheet, after the colours of charts on light and dark screens."""
    light, dark = (
        f":root {{ {' '.join(f'--colour-{number}: {colour};' for number, colour in enumerate(shades))} }}\n"
        for shades in (ON_LIGHT, ON_DARK)
    )
    return f"{light}@media screen and (prefers-color-scheme: dark) {{ {dark}}}\n{_part('page.css')}"


@cache
def drawing_script() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script; it takes seconds to build, so it is cached."""
    import vl_convert

    with show_progress("preparing the scripts of the page", None):
        text: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed")
    assert "</script" not in text.lower()
    assert "<!--" not in text, "it would end the element that contains it"
    return text


def embed(spec: Mapping[str, Any]) -> Markup:
    """A chart as JSON inside a script element: no text in it can end the element."""
    text = json.dumps(_to_printable(on_page(spec)), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - nothing in it is markup now


def drawn(spec: Mapping[str, Any], width: int) -> Markup:
    """A chart drawn now, for readers without scripts."""
    return draw(_to_printable(on_page(spec)), width)


def unbroken(command: str) -> Markup:
    """A command whose options stay whole at the end of a line: one dash of two there would be read as a hyphen."""
    words = on_a_page(command).split(" ")
    option = Markup('<span class="option">{}</span>')
    return Markup(" ").join(option.format(word) if word.startswith("--") else word for word in words)


def on_page(spec: Mapping[str, Any]) -> dict[str, Any]:
    """As wide as its container, in the colours of the page, its title left to the page."""
    parts = {name: value for name, value in spec.items() if name not in ("$schema", "title", "config")}
    fits = {"width": "container", "config": _CONFIG}
    recoloured: dict[str, Any] = _recolour(parts)
    return recoloured | fits


def _to_printable(part: Any) -> Any:
    """Plain data without control codes, which names in the data may contain."""
    if isinstance(part, dict):
        return {_to_printable(name): _to_printable(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_to_printable(value) for value in part]
    return on_a_page(part) if isinstance(part, str) else part


def _to_shown_text(value: Any) -> Any:
    """A value as a template shows it: text without control codes. Markup is ours, and its scripts have digests."""
    return on_a_page(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _recolour(part: Any) -> Any:
    """Colours become the style sheet's, so that dark screens and paper need no redrawing. Data is unchanged."""
    if isinstance(part, dict):
        return {name: value if name == "data" else _recolour(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_recolour(value) for value in part]
    return _VARIABLES.get(part, part) if isinstance(part, str) else part


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("singleout.report.pages", TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_to_shown_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "embed": embed, "capitalise": capitalise, "plural": plural}
    environment.filters |= {"in_words": value_in_words, "drawn": drawn, "clarity": clarity, "unbroken": unbroken}
    environment.filters |= {"number_of": number_of}
    return environment


@cache
def _part(name: str) -> str:
    return (resources.files("singleout.report.pages") / TEMPLATES / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
