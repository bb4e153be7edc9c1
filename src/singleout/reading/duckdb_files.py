"""DuckDB files, opened for reading only: a table is read in place, the result of a query is stored."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa

from singleout.ground.errors import SourceError
from singleout.reading.database import Database, quote
from singleout.reading.parts import Part, choose_part, query_fails
from singleout.reading.sqlite_files import refuse_unsaved
from singleout.reading.streams import keep_reader

CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "25%",
}
"""A query sees the file that it is asked of, and nothing else of this machine."""


def read_duckdb(database: Database, file: Path, which: str, part: Part | None) -> str:
    """A relation with the rows of a table, or of a query. Views may name other files: only queries can read them."""
    refuse_unsaved(file, which, (".wal",))
    try:
        if part is not None and part.word == "query":
            return _keep_result(database, file, which, part.name)
        name = database.attach(file)
    except duckdb.Error as error:
        hint = "Is it from a newer version of DuckDB, encrypted, or in use? Export the table to Parquet."
        raise SourceError(f"{which} cannot be opened. {hint}") from error
    tables = database.tables_of(name)
    schema, table = tables[choose_part(which, "table", sorted(tables), part)]
    return f"{name}.{quote(schema)}.{quote(table)}"


def _keep_result(database: Database, file: Path, which: str, query: str) -> str:
    """The rows of one SELECT, in a connection of its own."""
    config = CONFIG | {"temp_directory": str(database.folder / "spill")}
    with closing(duckdb.connect(file, read_only=True, config=config)) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        try:
            kinds = [each.type for each in connection.extract_statements(query)]
            if kinds != [duckdb.StatementType.SELECT]:
                raise query_fails(which)
            reader = pa.RecordBatchReader.from_stream(connection.sql(query))
        except duckdb.Error as error:
            raise query_fails(which) from error
        return keep_reader(database, reader, (), f"the query of {which}")
