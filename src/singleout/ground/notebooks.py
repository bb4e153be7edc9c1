"""Results in a notebook: what their table says, as HTML with every text escaped, and their picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pyarrow as pa

from singleout.ground.errors import InputError
from singleout.ground.notes import Note

MOST_ROWS = 20
DIGITS = 3
"""Decimals of numbers below ten; larger ones have fewer."""


class Shown:
    """For values that show themselves in a notebook: a line that says what they are, a table, and notes."""

    def headline(self) -> str:
        """One line that says what this is: the first that is printed."""
        return repr(self).partition("\n")[0]

    def _shown_table(self) -> pa.Table:
        """What a notebook shows of it."""
        raise NotImplementedError

    def _shown_notes(self) -> Sequence[object]:
        """What was left out, for a list below the table."""
        return getattr(self, "notes", ())

    def _repr_html_(self) -> str:
        table = self._shown_table()
        more = f"<p>{table.num_rows - MOST_ROWS:,} more rows</p>" if table.num_rows > MOST_ROWS else ""
        noted = "".join(f"<li>{escape(str(note))}</li>" for note in self._shown_notes())
        notes = f"<ul>{noted}</ul>" if noted else ""
        first = f"<p>{escape(self.headline())}</p>" if self.headline() else ""
        return f"{first}{table_in_html(table.slice(0, MOST_ROWS))}{more}{notes}"


class Described(Shown):
    """For data that is not a table of results: notebooks show its facts."""

    def facts(self) -> Mapping[str, object]:
        """What there is to say about it, by name; no ids."""
        raise NotImplementedError

    def headline(self) -> str:
        """None: the facts say it all."""
        return ""

    def _shown_notes(self) -> Sequence[object]:
        """None: they may have to be counted first."""
        return ()

    def _shown_table(self) -> pa.Table:
        """One row for each fact."""
        return facts_table(type(self).__name__, self.facts())


def facts_table(name: str, facts: Mapping[str, object]) -> pa.Table:
    """One row for each fact, under the name of what they are about."""
    return pa.table({"": list(facts), name: [_in_words(value) for value in facts.values()]})


class Tabular(Shown):
    """For results that are a table: Arrow, pandas, polars and DuckDB take them; notebooks show their first rows."""

    def to_arrow(self) -> pa.Table:
        """The result as a table."""
        raise NotImplementedError

    def to_dict(self) -> Mapping[str, Any]:
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

    def _shown_table(self) -> pa.Table:
        """Its own rows."""
        return self.to_arrow()


class WithoutNotes:
    """For results of which nothing was left out that what they are computed from does not say."""

    notes: ClassVar[tuple[Note, ...]] = ()


class Summary(WithoutNotes, Tabular):
    """For results of a few numbers: one row, printed as a sentence."""

    def to_dict(self) -> Mapping[str, Any]:
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

    def _shown_table(self) -> pa.Table:
        """One row per number: side by side they would be too wide to read."""
        shown = {name: value for name, value in vars(self).items() if not name.startswith("_") and value is not None}
        cells = {
            name.replace("_", " "): str(value) if isinstance(value, Summary) else column_of_cells([value])[0]
            for name, value in shown.items()
        }
        return facts_table(type(self).__name__, cells)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


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


def table_in_html(table: pa.Table) -> str:
    """A table whose numbers stand right, with as many decimals in a whole column, and every text escaped."""
    columns = [column_of_cells(column.to_pylist()) for column in table.columns]
    sides = ["right" if _is_number(column.type) else "left" for column in table.columns]
    styles = [f' style="text-align: {side}"' for side in sides]
    heads = "".join(f"<th{style}>{escape(name)}</th>" for name, style in zip(table.column_names, styles, strict=True))
    rows = "".join(
        "<tr>" + "".join(f"<td{style}>{escape(text)}</td>" for text, style in zip(row, styles, strict=True)) + "</tr>"
        for row in zip(*columns, strict=True)
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def column_of_cells(values: Sequence[Any]) -> list[str]:
    """Values as short text, numbers with the same decimals; nothing where one is missing."""
    sizes = [abs(value) for value in values if isinstance(value, float) and math.isfinite(value)]
    digits = max(0, DIGITS - max(0, math.floor(math.log10(max(sizes))))) if any(sizes) else DIGITS
    return [_in_decimals(value, digits) if isinstance(value, float) else _in_words(value) for value in values]


def _in_decimals(value: float, digits: int) -> str:
    """A number below the last decimal keeps two digits: it is not nothing."""
    return f"{value:,.{digits}f}" if not value or abs(value) >= 0.5 * 10**-digits else f"{value:.2g}"


def _in_words(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def cell(value: Any) -> str:
    """A value as short text; nothing where it is missing."""
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)
