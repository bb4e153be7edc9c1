"""Text tables: heads and cells in aligned columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from singleout.ground.notes import WIDTH


def align_rows(rows: Iterable[Sequence[object]], *columns: str, indent: int = 0) -> list[str]:
    """Lines of a table, each column as wide as its widest cell.

    A column is given by its head and the format of its numbers, after ``<`` for text and ``>`` for numbers:
    ``"people:>,"``, ``"place:<"``. Cells of text stay as they are, None is blank, and a row may end early. Two blanks
    separate columns, or one if only then the table fits a terminal. Without any head there is no line of heads.
    """
    heads, formats = zip(*(column.split(":") for column in columns), strict=True)
    table = [heads] if any(heads) else []
    table += [tuple(map(_in_text, row, (each[1:] for each in formats))) for row in rows]
    widths = [max((len(row[k]) for row in table if k < len(row)), default=0) for k in range(len(columns))]
    gaps, room = len(columns) - 1, WIDTH - indent - sum(widths)
    gap = " " if gaps <= room < 2 * gaps else "  "
    sides = [f"{each[0]}{width}" for each, width in zip(formats, widths, strict=True)]
    return [(" " * indent + gap.join(map(format, row, sides))).rstrip() for row in table]


def _in_text(cell: object, number_format: str) -> str:
    if cell is None or isinstance(cell, str):
        return cell or ""
    return format(cell, number_format)
