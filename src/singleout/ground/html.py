"""Results in a notebook: what their table says, as HTML with every text escaped."""

from __future__ import annotations

from html import escape
from typing import Any

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


def _row(row: dict[str, Any]) -> str:
    return "<tr>" + "".join(f"<td>{escape(_cell(value))}</td>" for value in row.values()) + "</tr>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
