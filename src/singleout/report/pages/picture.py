"""A chart to show in a notebook, or to save as a file that needs no network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout.ground.earlier_results import in_json
from singleout.ground.errors import ResourceError, bad_argument
from singleout.ground.files import write_whole
from singleout.ground.notebooks import cell
from singleout.report.charts.style import Figure
from singleout.report.pages.drawing import can_draw

MIME = "application/vnd.vegalite.v5+json"
SVG = "image/svg+xml"
"""What shows the chart where no program for Vega-Lite runs: on exported pages, on code hosts, in mail."""
FILE_TYPES = (".html", ".svg", ".png", ".json")


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A chart: a Vega-Lite specification that notebooks display; elsewhere its title and subtitle are printed."""

    spec: dict[str, Any]

    def save(self, path: str | Path) -> None:
        """Write the file type that the path ends in: an offline page (.html), an image (.svg, .png) or data (.json)."""
        path = Path(path)
        if path.suffix.lower() not in FILE_TYPES:
            raise bad_argument("save", "path", f"a path that ends in {', '.join(FILE_TYPES)}", path.suffix)
        write_whole(path, self._content(path.suffix.lower()))

    def _content(self, file_type: str) -> str | bytes:
        import vl_convert  # both take time to load, and most charts are never saved

        from singleout.report.pages.render import page

        if file_type == ".html":
            return page("picture.html.j2", figure=self.figure())
        if file_type == ".json":
            return in_json(self.spec)
        if not can_draw():
            raise ResourceError(
                "images cannot be drawn under a limit on memory addresses (ulimit -v). Save as .html or .json."
            )
        if file_type == ".svg":
            return vl_convert.vegalite_to_svg(self.spec)
        return vl_convert.vegalite_to_png(self.spec, scale=2)

    def figure(self) -> Figure:
        """The chart with its title, its caption, and its data as a table."""
        title, rows = self.spec["title"], self.spec["data"]["values"]
        heading = tuple(dict.fromkeys(name for row in rows for name in row))
        cells = tuple(tuple(cell(row.get(name)) for name in heading) for row in rows)
        return Figure("picture", title["text"], title["subtitle"], self.spec, heading, cells)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        drawn = {SVG: self._content(".svg")} if can_draw() else {}
        return {MIME: self.spec, **drawn, "text/plain": repr(self)}

    def __repr__(self) -> str:
        title = self.spec["title"]
        return f"Picture: {title['text']}. {title['subtitle']}"
