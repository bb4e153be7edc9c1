"""Results in a notebook: what their table says, as HTML with every text escaped, and their picture."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

MOST_ROWS = 20


class InNotebooks:
    """For results that can tell themselves as an Arrow table: notebooks show its first rows under their ``repr``."""

    def to_arrow(self) -> pa.Table:
        """The result as a table."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        table = self.to_arrow()
        heading = "".join(f"<th>{escape(name)}</th>" for name in table.column_names)
        rows = "".join(_row(row) for row in table.slice(0, MOST_ROWS).to_pylist())
        more = f"<p>{table.num_rows - MOST_ROWS:,} more rows</p>" if table.num_rows > MOST_ROWS else ""
        first = repr(self).splitlines()[0]
        return f"<p>{escape(first)}</p><table><thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>{more}"


class Drawing(Protocol):
    """A picture that notebooks show and that can be kept as a file."""

    @property
    def spec(self) -> dict[str, Any]:
        """The picture as plain data."""

    def save(self, path: str | Path) -> None:
        """Write it as .html, .svg, .png or .json."""


_draw: list[Callable[[object], Drawing]] = []


def draws(draw: Callable[[object], Drawing]) -> Callable[[object], Drawing]:
    """The seam: whoever can draw results says so here, since this room knows of no other."""
    _draw[:] = [draw]
    return draw


class Pictured(InNotebooks):
    """For results that also have a picture."""

    def plot(self) -> Drawing:
        """The picture of the result: notebooks show it; ``save`` writes it as .html, .svg, .png or .json."""
        return _draw[0](self)


def _row(row: dict[str, Any]) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell(value))}</td>" for value in row.values()) + "</tr>"


def cell(value: Any) -> str:
    """A value as short text; nothing where it is missing."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
