"""Charts drawn when a page is made: what paper, mail and readers without scripts show.

The drawing is parsed again and only shapes and text are kept, so that no text of the data can become anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

from singleout.report.charts.style import COLOURS, INK, PAPER

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = ("svg", "g", "path", "line", "rect", "circle", "text", "tspan")
LOOKS = (
    "class", "d", "display", "dx", "dy", "fill", "fill-opacity", "font-family", "font-size", "font-style",
    "font-weight", "opacity", "pointer-events", "r", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor", "transform", "x", "x1", "x2", "y", "y1", "y2",
    "cx", "cy", "width", "height", "viewBox",
)  # fmt: skip
MARGIN = 14
"""Pixels for words at the right edge: a reader's font may be wider than the one they were measured in."""
WIDE, NARROW = 800, 400
"""Pixels: over the whole page, and two side by side."""
PHONE = 340
"""Pixels across a phone, axes and all."""
# where a reader knows no style sheet, the colours of paper
PLAIN = {f"var(--colour-{number})": colour for number, colour in enumerate(COLOURS)}
PLAIN |= {"var(--ink)": INK, "var(--paper)": PAPER, "var(--soft)": "#565e68", "var(--rule)": "#dde1e6"}
ADDRESSES = 128 * 2**30
"""Bytes of addresses that the drawing engine reserves; it uses few of them, and ends the process without them."""
NOT_DRAWN = Markup(
    "<noscript>Not drawn: a limit on memory addresses (ulimit -v) was in force. The numbers follow.</noscript>"
)


def can_draw() -> bool:
    """Whether no limit on addresses (``ulimit -v``) is in the way."""
    try:
        import resource
    except ImportError:  # not on Windows
        return True
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return allowed == resource.RLIM_INFINITY or allowed >= ADDRESSES


def draw(spec: Mapping[str, Any], width: int) -> Markup:
    """The chart as SVG elements that grow and shrink with the page: a wide one, and one for phones.

    ``spec`` is in the colours of the page. Where it cannot be drawn, scripts of the page draw it when it is opened.
    """
    if not can_draw():
        return NOT_DRAWN
    on_phones = _draw({**spec, "width": PHONE, "autosize": {"type": "fit-x", "contains": "padding"}})
    on_phones.set("class", "on-phones")
    on_phones.set("display", "none")  # where a reader knows no style sheet, one is enough
    both = (_draw({**spec, "width": width}), on_phones)
    return Markup("".join(ElementTree.tostring(each, encoding="unicode") for each in both))  # noqa: S704 - only shapes


def _draw(spec: dict[str, Any]) -> ElementTree.Element:
    """A chart as one SVG element."""
    import vl_convert  # it takes time to load

    drawn = vl_convert.vegalite_to_svg(spec)
    root = ElementTree.fromstring(drawn)  # noqa: S314 - our own drawing
    _keep_shapes(root)
    for size in ("width", "height"):  # the page says how large it is
        root.attrib.pop(size, None)
    left, top, across, down = map(float, root.attrib["viewBox"].split())
    root.set("viewBox", f"{left:g} {top:g} {across + MARGIN:g} {down:g}")
    root.set("aria-hidden", "true")
    return root


def _keep_shapes(element: ElementTree.Element) -> None:
    """Only shapes and text, and only what they look like; a page needs no namespace for them."""
    element.tag = element.tag.removeprefix(SVG)
    for name, value in list(element.attrib.items()):
        if name not in LOOKS:
            del element.attrib[name]
        elif value in PLAIN:
            element.attrib[name] = value.replace(")", f", {PLAIN[value]})")
    for child in list(element):
        if child.tag.removeprefix(SVG) in SHAPES:
            _keep_shapes(child)
        else:
            element.remove(child)
