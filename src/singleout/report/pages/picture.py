"""A picture to look at in a notebook, or to keep as a file that needs no network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout.ground.earlier import in_json
from singleout.ground.errors import bad_argument
from singleout.ground.files import write_whole
from singleout.ground.notebooks import cell
from singleout.report.charts.style import Figure

MIME = "application/vnd.vegalite.v5+json"
ENDINGS = (".html", ".svg", ".png", ".json")


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A Vega-Lite specification that shows itself in notebooks; elsewhere it says what it shows."""

    spec: dict[str, Any]

    def save(self, path: str | Path) -> None:
        """Write it, by the ending of the name: a page (.html, offline), a drawing (.svg, .png) or the data (.json)."""
        path = Path(path)
        if path.suffix.lower() not in ENDINGS:
            raise bad_argument("save", "path", f"a file that ends in {', '.join(ENDINGS)}", path.suffix)
        write_whole(path, self._content(path.suffix.lower()))

    def _content(self, ending: str) -> str | bytes:
        import vl_convert  # these two take time to load, and most never save

        from singleout.report.pages.render import page

        if ending == ".html":
            return page("picture.html.j2", figure=self.figure())
        if ending == ".json":
            return in_json(self.spec)
        if ending == ".svg":
            return vl_convert.vegalite_to_svg(self.spec)
        return vl_convert.vegalite_to_png(self.spec, scale=2)

    def figure(self) -> Figure:
        """With its words and the numbers of its data as a table."""
        title, rows = self.spec["title"], self.spec["data"]["values"]
        heading = tuple(dict.fromkeys(name for row in rows for name in row))
        cells = tuple(tuple(cell(row.get(name)) for name in heading) for row in rows)
        return Figure("picture", title["text"], title["subtitle"], self.spec, heading, cells)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {MIME: self.spec, "text/plain": repr(self)}

    def __repr__(self) -> str:
        title = self.spec["title"]
        return f"Picture: {title['text']}. {title['subtitle']}"
