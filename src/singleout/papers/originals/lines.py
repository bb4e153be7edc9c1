"""Original files of one record per line: read by DuckDB, with the number of a line that cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from singleout.ground.errors import DataError
from singleout.reading.database import Database, literal
from singleout.reading.sources import Source

NO_SEPARATOR = "\x1f"
"""A character that no such file contains, so that lines stay whole."""


@dataclass(frozen=True)
class Lines:
    """How a line is written: its fields, and our columns as SQL over the list ``f`` of them, NULL if unreadable.

    ``must`` says it in words. ``gaps``: a line may lack fields; it is then marked, not refused.
    """

    separator: str
    fields: int
    columns: dict[str, str]
    must: str
    header: int = 0
    encoding: str = "utf-8"
    gaps: bool = False

    def read(self, files: Sequence[Path], *, progress: bool | None = None) -> pa.Table:
        """Our columns, with ``file`` (its position in ``files``) and ``gap``, in the order of files and lines.

        Empty lines are left out. The first line that cannot be read is an error that names its file and number.
        """
        source = Source(Database(), self._relation(files), {}, tuple(files))
        # a number for each file instead of its name on every line
        names = ", ".join(literal(str(file)) for file in files)
        columns = ", ".join(f"{sql} AS {name}" for name, sql in self.columns.items())
        unread = " OR ".join(f"{name} IS NULL" for name in self.columns)
        gap = f"len(f) < {self.fields} OR list_contains(f[:{self.fields}], '')" if self.gaps else "false"
        table = source.query(
            f"WITH lines AS (SELECT enum_code(filename::ENUM({names})) AS file, row_number() OVER () AS row,"
            f" string_split(line, {_text(self.separator)}) AS f FROM {source.relation}), read AS (SELECT file, row,"
            f" len(f) AS fields, {gap} AS gap, {columns} FROM lines)"
            f" SELECT *, fields IS NOT NULL AND NOT gap AND (fields <> {self.fields} OR {unread}) AS broken"
            " FROM read ORDER BY row",
            function="convert",
            label=f"reading {files[0].name}",
            progress=progress,
        )
        self._refuse_broken(table, files)
        return table.filter(table["fields"].is_valid()).drop_columns(["row", "fields", "broken"])

    def _relation(self, files: Sequence[Path]) -> str:
        names = ", ".join(literal(str(file)) for file in files)
        return (
            f"read_csv([{names}], columns={{'line': 'VARCHAR'}}, auto_detect=false, header=false, "
            f"delim={_text(NO_SEPARATOR)}, quote='', escape='', skip={self.header}, filename=true, "
            f"encoding={literal(self.encoding)})"
        )

    def _refuse_broken(self, table: pa.Table, files: Sequence[Path]) -> None:
        broken = table.filter(table["broken"])
        if not broken.num_rows:
            return
        file = broken["file"][0].as_py()
        first = pc.min(table.filter(pc.equal(table["file"], file))["row"]).as_py()
        line = broken["row"][0].as_py() - first + 1 + self.header
        more = f" ({broken.num_rows:,} lines have this problem)" if broken.num_rows > 1 else ""
        raise DataError(f"{files[file]}, line {line:,}: must be {self.must}{more}.", function="convert")


def _text(mark: str) -> str:
    """A separator as SQL; tabs and other unprintable characters by number."""
    return literal(mark) if mark.isprintable() else f"chr({ord(mark)})"


def number(field: int, kind: str = "DOUBLE") -> str:
    """SQL for a field that is a finite number."""
    value = f"TRY_CAST(trim(f[{field}]) AS {kind})"
    return f"(CASE WHEN isfinite({value}) THEN {value} END)" if kind == "DOUBLE" else value


def seconds(text: str, form: str) -> str:
    """SQL for a moment in UTC, written in this form, as Unix seconds."""
    return f"TRY_CAST(epoch(try_strptime({text}, {literal(form)})) AS INTEGER)"


def degrees_e5(field: int) -> str:
    """SQL for degrees as whole hundred-thousandths."""
    return f"TRY_CAST(round({number(field)} * 1e5) AS INTEGER)"
