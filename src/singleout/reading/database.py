"""One private DuckDB connection per source: bounded memory, a spill folder of its own, and no network access."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import duckdb
import pyarrow as pa

from singleout.ground.errors import ResourceError
from singleout.ground.leftovers import WorkingFolder
from singleout.ground.progress import Advance, show_progress
from singleout.ground.resources import free_on_disk, in_bytes, is_too_little_memory, memory_in_words

POLL_SECONDS = 0.1
NOT_TRUSTED = ("statistics_propagation", "type_pushdown")
"""Optimizer steps that change results: the first trusts the bounds in a Parquet file although NaN is outside them, the
second turns an attempt to read text as a number into a requirement on the file."""
PATIENCE = 1.0
"""Seconds that an interrupted query has to end by itself."""


@contextmanager
def _on_a_thread(work: Callable[[], pa.Table], stop: Callable[[], None]) -> Iterator[Future[pa.Table]]:
    """Work on a separate thread, which is stopped if anything happens here: Ctrl-C may come at any moment."""
    runner = ThreadPoolExecutor(1)
    running: Future[pa.Table] | None = None
    try:
        running = runner.submit(work)
        yield running
    except BaseException:
        # one call is not enough: the query may not have begun, and while it is planned it cannot be interrupted
        stopping = threading.Thread(target=_keep_stopping, args=(running, stop), daemon=True)
        stopping.start()
        stopping.join(timeout=PATIENCE)
        raise
    finally:
        runner.shutdown(wait=running is not None and running.done())


def _keep_stopping(running: Future[pa.Table] | None, stop: Callable[[], None]) -> None:
    """Stop the work again and again until it ends; for as long as one waits, where it is not known."""
    since = time.monotonic()
    while not running.done() if running is not None else time.monotonic() < since + PATIENCE:
        stop()
        time.sleep(POLL_SECONDS / 2)


class Database:
    """Runs SQL on a separate thread, so that progress can be shown and Ctrl-C works."""

    def __init__(self) -> None:
        self._spill = WorkingFolder()
        self._connection = duckdb.connect(
            ":memory:",
            config={
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "memory_limit": "50%",
                "temp_directory": self._spill.name,
            },
        )
        self._connection.execute("SET TimeZone = 'UTC'")
        known = {name for (name,) in self._connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()}
        self._connection.execute(f"SET disabled_optimizers = {literal(','.join(sorted(known & set(NOT_TRUSTED))))}")
        # we show progress ourselves: DuckDB's own bar would appear among the results. A notebook without ipywidgets
        # has no such bar, and refuses the setting
        with suppress(duckdb.InvalidInputException):
            self._connection.execute("SET enable_progress_bar_print = false")
        self._lock = threading.Lock()
        self._names = 0
        self._files: WorkingFolder | None = None

    def table(self, sql: str, *, label: str = "reading", progress: bool | None = None) -> pa.Table:
        """The result of a query as an Arrow table."""
        with self._lock, show_progress(label, progress) as advance, self._running(sql) as running:
            try:
                return self._await(running, advance)
            except duckdb.Error as error:
                raise _resource_error(error, self._spill.name) or error from None

    def _running(self, sql: str) -> AbstractContextManager[Future[pa.Table]]:
        return _on_a_thread(lambda: self._run(sql), self._connection.interrupt)

    def _await(self, running: Future[pa.Table], advance: Advance) -> pa.Table:
        while not wait([running], timeout=POLL_SECONDS).done:
            share = self._connection.query_progress()
            if share > 0:
                advance(share / 100)
        return running.result()

    def row(self, sql: str, *, label: str = "reading", progress: bool | None = None) -> dict[str, object]:
        """The only row of a query's result, by column."""
        (only,) = self.table(sql, label=label, progress=progress).to_pylist()
        return dict(only)

    def column_types(self, relation: str) -> dict[str, str]:
        """The columns of a relation and their DuckDB types."""
        described = self.table(f"DESCRIBE SELECT * FROM {relation}")
        return dict(zip(described["column_name"].to_pylist(), described["column_type"].to_pylist(), strict=True))

    def view(self, table: pa.Table) -> str:
        """A name under which queries see an Arrow table, without a copy."""
        name = self._new_name()
        with self._lock:
            self._connection.register(name, table)
        return name

    def define(self, relation: str) -> str:
        """A short name for a relation, so that queries need not repeat how to read it."""
        name = self._new_name()
        self.table(f"CREATE TEMP VIEW {name} AS SELECT * FROM {relation}")
        return name

    def keep(self, sql: str, *, label: str = "reading", progress: bool | None = None) -> str:
        """Store a query's result inside the database, where it may spill; return its name."""
        name = self._new_name()
        self.table(f"CREATE TEMP TABLE {name} AS {sql}", label=label, progress=progress)
        return name

    def keep_stream(self, reader: pa.RecordBatchReader) -> str:
        """Store a stream, which can be read only once, so that it can be read again."""
        stream, name = self._new_name(), self._new_name()
        with self._lock:
            self._connection.register(stream, reader)
            self._connection.execute(f"CREATE TEMP TABLE {name} AS SELECT * FROM {stream}")
            self._connection.unregister(stream)
        return name

    def keep_tables(self, tables: Iterator[pa.Table]) -> str:
        """Store tables with the same columns one after another; where types differ, those that hold both are used."""
        kept: list[tuple[pa.Schema, str]] = []
        for table in tables:
            if not kept or table.schema != kept[-1][0]:
                kept.append((table.schema, self.keep_stream(table.to_reader())))
            else:
                with self._lock:
                    self._connection.register("more", table)
                    self._connection.execute(f"INSERT INTO {kept[-1][1]} SELECT * FROM more")
                    self._connection.unregister("more")
        return self.define(f"({' UNION ALL '.join(f'SELECT * FROM {name}' for _, name in kept)})")

    def attach(self, file: Path) -> str:
        """A name for another DuckDB file, which is opened for reading only."""
        name = self._new_name()
        self.table(f"ATTACH {literal(str(file.absolute()))} AS {name} (TYPE duckdb, READ_ONLY)")
        return name

    def tables_of(self, attached: str) -> dict[str, tuple[str, str]]:
        """The tables of an attached file by name, each as schema and table; views are none."""
        found = self.table(
            "SELECT schema_name, table_name FROM duckdb_tables()"
            f" WHERE database_name = {literal(attached)} AND NOT internal"
        ).to_pylist()
        pairs = [(row["schema_name"], row["table_name"]) for row in found]
        return {table if schema == "main" else f"{schema}.{table}": (schema, table) for schema, table in pairs}

    @property
    def folder(self) -> Path:
        """A folder for files that are read from a copy; it is removed with the database."""
        if self._files is None:
            self._files = WorkingFolder()
        return Path(self._files.name)

    def _run(self, sql: str) -> pa.Table:
        relation = self._connection.sql(sql)
        return pa.table({}) if relation is None else relation.to_arrow_table()

    def _new_name(self) -> str:
        self._names += 1
        return f"part_{self._names}"


def _resource_error(error: duckdb.Error, spill: str) -> ResourceError | None:
    """The error for too little memory or disk space; None for any other error."""
    text = str(error)
    if "No space left" in text or "max_temp_directory_size" in text or "temporary file" in text.lower():
        free = in_bytes(free_on_disk(Path(spill)))
        hint = "Set TMPDIR to a folder with more space."
        return ResourceError(f"too little disk space for temporary files: {free} free. {hint}")
    return ResourceError(memory_in_words(error)) if is_too_little_memory(error) else None


def quote(name: str) -> str:
    """A column name as SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL."""
    return "'" + text.replace("'", "''") + "'"
