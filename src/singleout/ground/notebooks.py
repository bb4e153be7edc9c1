"""Results in a notebook: what their table says, as HTML with every text escaped, and their picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from singleout.ground.errors import InputError

MOST_ROWS = 20


class Tabular:
    """For results that are a table: Arrow, pandas, polars and DuckDB take them; notebooks show their first rows."""

    def to_arrow(self) -> pa.Table:
        """The result as a table."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        notes = [note.to_dict() for note in getattr(self, "notes", ())]
        return {"rows": self.to_arrow().to_pylist()} | ({"notes": notes} if notes else {})

    def to_pandas(self) -> Any:
        """The result as a pandas frame."""
        if find_spec("pandas") is None:
            raise InputError("pandas is not installed. Install it: pip install pandas", function="to_pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """The result as a polars frame."""
        if find_spec("polars") is None:
            raise InputError("polars is not installed. Install it: pip install polars", function="to_polars")
        return import_module("polars").DataFrame(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The result for any library that takes Arrow data: ``pl.DataFrame(result)``."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        table = self.to_arrow()
        heading = "".join(f"<th>{escape(name)}</th>" for name in table.column_names)
        rows = "".join(_row(row) for row in table.slice(0, MOST_ROWS).to_pylist())
        more = f"<p>{table.num_rows - MOST_ROWS:,} more rows</p>" if table.num_rows > MOST_ROWS else ""
        first = repr(self).splitlines()[0]
        return f"<p>{escape(first)}</p><table><thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>{more}"


class Summary(Tabular):
    """For results of a few numbers: one row."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            name: value.to_dict() if hasattr(value, "to_dict") else value
            for name, value in vars(self).items()
            if not name.startswith("_")
        }

    def to_arrow(self) -> pa.Table:
        """One row; of an estimate its value and the ends of its interval."""
        row: dict[str, Any] = {}
        for name, value in self.to_dict().items():
            if isinstance(value, dict):
                row |= {name if part == "value" else f"{name}_{part}": number for part, number in value.items()}
            else:
                row[name] = value
        return pa.Table.from_pylist([row])


class Drawing(Protocol):
    """A picture that notebooks show and that can be kept as a file."""

    @property
    def spec(self) -> dict[str, Any]:
        """The picture as plain data."""

    def save(self, path: str | Path) -> None:
        """Write it as .html, .svg, .png or .json."""


RENDERING = "singleout.report.rendering"
"""The module that registers itself in this seam when it is imported: no room below it imports it."""


@dataclass(frozen=True)
class Renderer:
    """What can draw a result, and make a page of it."""

    draw: Callable[[object], Drawing]
    make_page: Callable[[object, Mapping[str, Any]], str]


_registered: list[Renderer] = []


def register_renderer(renderer: Renderer) -> None:
    """Said by the room that renders."""
    _registered[:] = [renderer]


def renderer() -> Renderer:
    """The one registered; its room is imported when it is first needed."""
    if not _registered:
        import_module(RENDERING)
    return _registered[0]


class Pictured(Tabular):
    """For results that also have a picture."""

    def plot(self) -> Drawing:
        """The picture of the result: notebooks show it; ``save`` writes it as .html, .svg, .png or .json."""
        return renderer().draw(self)


def _row(row: dict[str, Any]) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell(value))}</td>" for value in row.values()) + "</tr>"


def cell(value: Any) -> str:
    """A value as short text; nothing where it is missing."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
