"""SQLite files, opened read-only through Python's own library and handed over in batches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote as url_quote

import pyarrow as pa

from singleout.ground.errors import SourceError
from singleout.reading.database import quote
from singleout.reading.kinds import FileKind, not_complete
from singleout.reading.parts import Part, choose_part, query_fails

ROWS_AT_ONCE = 50_000
UNSAVED = ("-wal", "-journal")
"""Files next to a database with changes that are not in it yet."""
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
"""What a query may do."""


def read_sqlite(file: Path, which: str, part: Part | None) -> Iterator[pa.Table]:
    """The rows of the only table, of the one that was chosen, or of a query, some at a time.

    Columns that mix types become text.
    """
    refuse_unsaved(file, which, UNSAVED)
    try:
        where = f"file:{url_quote(str(file.absolute()))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(where, uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            if part is not None and part.word == "query":
                table = _select(connection, part.name, which)
            else:
                table = quote(choose_part(which, "table", _tables(connection), part))
            columns = _columns(connection, table)
            schema = pa.schema([(name, kind) for name, (_, kind) in columns.items()])
            yield from _read(connection, [sql for sql, _ in columns.values()], table, schema)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        is_query = part is not None and part.word == "query"
        raise (query_fails(which) if is_query else not_complete(which, FileKind.SQLITE)) from error


def _select(connection: sqlite3.Connection, query: str, which: str) -> str:
    """A query as a subquery, which can only read."""
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
    table = f"({query.rstrip().rstrip(';')}\n)"
    try:
        connection.execute(f"SELECT * FROM {table} LIMIT 0")
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise query_fails(which) from error
    return table


def refuse_unsaved(file: Path, which: str, endings: tuple[str, ...]) -> None:
    """Refuse a database with changes outside its file: they would be missing, and the digest would not show it."""
    for ending in endings:
        beside = file.with_name(file.name + ending)
        if beside.exists() and beside.stat().st_size:
            raise SourceError(
                f"{which} has changes that are still in {beside.name}. Close the program that uses it, and try again."
            )


def _tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY name"
    )
    return [name for (name,) in rows]


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[str, pa.DataType]]:
    """SQL and type of each column, by what is stored in it: SQLite's declared types bind nothing."""
    names = [row[0] for row in connection.execute(f"SELECT * FROM {table} LIMIT 0").description]
    asked = ", ".join(f"typeof({quote(name)})" for name in names)
    found = set(connection.execute(f"SELECT DISTINCT {asked} FROM {table}"))
    return {name: _column(quote(name), {row[k] for row in found} - {"null"}) for k, name in enumerate(names)}


def _column(column: str, kinds: set[str]) -> tuple[str, pa.DataType]:
    if kinds == {"integer"}:
        return column, pa.int64()
    if kinds and kinds <= {"integer", "real"}:
        return f"CAST({column} AS REAL)", pa.float64()
    if "blob" in kinds:
        return f"CASE typeof({column}) WHEN 'blob' THEN hex({column}) ELSE CAST({column} AS TEXT) END", pa.string()
    return f"CAST({column} AS TEXT)", pa.string()


def _read(connection: sqlite3.Connection, columns: list[str], table: str, schema: pa.Schema) -> Iterator[pa.Table]:
    cursor = connection.execute(f"SELECT {', '.join(columns)} FROM {table}")
    yield schema.empty_table()
    while rows := cursor.fetchmany(ROWS_AT_ONCE):
        values = zip(zip(*rows, strict=True), schema.types, strict=True)
        yield pa.table([pa.array(each, kind) for each, kind in values], schema=schema)
