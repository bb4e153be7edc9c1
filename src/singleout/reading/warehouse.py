"""Tables that lie in a warehouse: described without being read, added up where they are, streamed where rows matter.

Ibis writes the queries, so that every system it knows is read the same way. Rows that have to come here are stored in
Parquet files, batch by batch, in an order that does not depend on the system: nothing is ever whole in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa

from singleout.ground.errors import SourceError
from singleout.ground.progress import add_detail, announce, show_progress
from singleout.reading.addresses import Address, parse_address
from singleout.reading.database import Database, literal
from singleout.reading.streams import hide_words, new_file, parquet, write_rows

ReadSql = Callable[[str], Iterator[pa.RecordBatch]]
BATCH = 100_000
"""Rows that come at a time."""
EVENTS = "singleout_events"
"""The column that says how many events, or records, a row stands for."""
DAY_SECONDS = 86_400
INSTALL = (
    "requires Ibis, which is not installed: "
    "pip install 'ibis-framework[postgres]' adbc-driver-postgresql 'psycopg[binary]'"
)
SPARK_ZONE = "spark.sql.session.timeZone"
ROWS_AT_ONCE = 2_000_000
"""Rows of a Spark result that are collected at a time: Spark builds each collection in memory."""


@dataclass(eq=False)
class RemoteTable:
    """A table or query of another system. ``label`` names it without anything secret."""

    expression: Any
    label: str
    distinct: bool = False
    """Whether rows come as distinct rows with their numbers (``EVENTS``): the order of records means nothing."""
    read_sql: ReadSql | None = None
    """A faster way to read the result of a query, where there is one."""
    _stored: dict[str, str] = field(default_factory=dict)

    @property
    def schema(self) -> pa.Schema:
        """Names and types of columns."""
        return self.expression.schema().to_pyarrow()

    def select(self, columns: Sequence[str]) -> RemoteTable:
        """The same with only these columns."""
        return replace(self, expression=self.expression.select(*columns), _stored={})

    def rename(self, names: Mapping[str, str]) -> RemoteTable:
        """The same with only these columns, under new names."""
        chosen = {new: self.expression[old] for old, new in names.items()}
        return replace(self, expression=self.expression.select(**chosen), _stored={})

    def as_records(self, columns: Sequence[str]) -> RemoteTable:
        """The same as a table of records with only these columns."""
        return replace(self.select(columns), distinct=True)

    @property
    def is_fetched(self) -> bool:
        """Whether all rows came here."""
        return "rows" in self._stored

    def fetch(self, database: Database) -> str:
        """All rows, stored once; returns the name of the relation."""
        if not self.is_fetched:
            self._stored["rows"] = self._fetch_distinct(database) if self.distinct else self._fetch_all(database)
        return self._stored["rows"]

    def _fetch_all(self, database: Database) -> str:
        announce(f"All rows of {self.label} are read: single events are needed, in their order.", None)
        return store(database, self.label, lambda: self._stream(self.expression))

    def _fetch_distinct(self, database: Database) -> str:
        names = list(self.schema.names)
        counted = self.expression.group_by(names).aggregate(**{EVENTS: self.expression.count()})
        add_detail(f"records of {self.label} are fetched as distinct rows with their numbers")
        return store(database, self.label, lambda: self._stream(counted))

    def first_rows(self, database: Database, number: int, column: str) -> str:
        """The name of a relation of a few rows with a value in a column."""
        key = f"{number} with {column}"
        if key not in self._stored:
            some = self.expression.filter(self.expression[column].notnull()).limit(number)
            self._stored[key] = store(database, self.label, lambda: self._stream(some))
        return self._stored[key]

    def sorted_rows(self, database: Database, number: int) -> str:
        """The name of a relation of the first rows, in the order of all columns: no other is that of the table."""
        key = f"{number} sorted"
        if key not in self._stored:
            some = self.expression.order_by(self.schema.names).limit(number)
            self._stored[key] = store(database, self.label, lambda: self._stream(some))
        return self._stored[key]

    def counts(self, names: Sequence[str], *, blanks: bool = False) -> dict[str, tuple[int, int]]:
        """How many distinct values and how many values each column has; empty text is none, unless ``blanks`` are."""
        asked = []
        with hide_words(self.label):
            for k, name in enumerate(names):
                column = self.expression[name] if blanks else _filled(self.expression[name])
                asked += [column.nunique().name(f"v_{k}"), column.count().name(f"n_{k}")]
            (row,) = self._stream(self.expression.aggregate(asked)).read_all().to_pylist()
        return {name: (int(row[f"v_{k}"]), int(row[f"n_{k}"])) for k, name in enumerate(names)}

    def count_pairs(self, first: str, second: str) -> int:
        """How many distinct pairs of values two columns have."""
        with hide_words(self.label):
            pairs = self.expression.select(first, second).distinct()
            ((number,),) = self._stream(pairs.aggregate(n=pairs.count())).read_all().to_pydict().values()
        return int(number)

    def most_rows(self, name: str) -> int:
        """How many rows have the most frequent value of a column."""
        with hide_words(self.label):
            there = self.expression.filter(self.expression[name].notnull()).select(name)
            each = there.group_by(name).aggregate(n=there.count())
            ((number,),) = self._stream(each.aggregate(n=each["n"].max())).read_all().to_pydict().values()
        return int(number)

    def _stream(self, expression: Any) -> pa.RecordBatchReader:
        schema = expression.schema().to_pyarrow()
        if self.read_sql is None or not all(map(_is_plain, schema.types)):
            return stream(expression)
        batches = self.read_sql(expression.get_backend().compile(expression))
        return pa.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in batches))

    def add_up(
        self, database: Database, keys: Mapping[str, Any], kept: Mapping[str, Any], time: str | None, bucket: int
    ) -> str | None:
        """Events by keys and time: a relation with what is ``kept`` of each group and ``EVENTS``, how many they are.

        Times become the beginnings of their buckets, which are multiples of ``bucket`` since 1970 in their own unit.
        None where the times have another type.
        """
        table = self.expression
        groups = dict(keys)
        if time is not None:
            groups[time] = _bucket(table[time], bucket)
            if groups[time] is None:
                return None
        counted = table.group_by(**groups).aggregate(**kept, **{EVENTS: table.count()})
        kinds = {} if time is None else {time: self.schema.field(time).type}
        add_detail(f"events of {self.label} are added up where they are")
        return store(database, self.label, lambda: _with_moments(self._stream(counted), kinds))


# CONNECT


def connect(source: str) -> RemoteTable:
    """The table or query that an address names."""
    address = parse_address(source)
    ibis = _load_ibis("reading from a server")
    try:
        backend = ibis.connect(address.connection())
        expression = _choose(backend, address)
        expression.schema()  # of a query it is only known to the server
    except SourceError:
        raise
    except ImportError as error:
        driver = f"pip install 'ibis-framework[{address.server.partition('://')[0]}]'"
        raise SourceError(f"{address.shown} requires a driver, which is not installed: {driver}") from error
    except Exception as error:
        if type(error).__name__ == "TableNotFound":
            raise SourceError(f"{address.shown}: there is no such table, or you may not read it.") from None
        # whatever the driver says may contain the address with its password
        raise SourceError(f"cannot read {address.shown}.{_reason(error, address)}") from None
    return RemoteTable(expression, address.shown, read_sql=_fast_reader(address))


def _fast_reader(address: Address) -> ReadSql | None:
    """Columns as PostgreSQL sends them, where that driver is installed: Ibis would make every value a Python object."""
    if not address.server.startswith("postgres://"):
        return None
    try:
        import adbc_driver_postgresql.dbapi as adbc
    except ImportError:
        return None

    def read_sql(query: str) -> Iterator[pa.RecordBatch]:
        with adbc.connect(address.connection()) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            reader = cursor.fetch_record_batch()
            yield pa.RecordBatch.from_pylist([], reader.schema)  # without rows there would be no types either
            yield from reader

    return read_sql


def as_remote(source: Any) -> RemoteTable | None:
    """A table of Ibis or a frame of Spark as it lies there; None for everything else."""
    home = type(source).__module__
    if home.startswith("ibis.") and hasattr(source, "to_pyarrow_batches"):
        return RemoteTable(_with_zones(source), "the table")
    if home.startswith("pyspark.sql") and hasattr(source, "createOrReplaceTempView"):
        return RemoteTable(_with_zones(_from_spark(source)), "the Spark frame")
    return None


def _load_ibis(what: str) -> Any:
    try:
        import ibis
    except ImportError as error:
        raise SourceError(f"{what} {INSTALL}") from error
    return ibis


def _choose(backend: Any, address: Address) -> Any:
    if address.query is None:
        return backend.table(address.table, database=address.schema)
    read_sql = _fast_reader(address)
    if read_sql is None:
        return backend.sql(address.query)
    # asked for here: Ibis would have to create a view, which an auditor may not
    (nothing,) = read_sql(f"SELECT * FROM ({address.query.rstrip().rstrip(';')}) AS asked LIMIT 0")
    return backend.sql(address.query, schema=_load_ibis("reading from a server").Schema.from_pyarrow(nothing.schema))


def _reason(error: Exception, address: Address) -> str:
    """The first line of what a driver says, unless a secret may be in it."""
    first = str(error).strip().partition("\n")[0]
    hides = not first or "://" in first or any(secret in first for secret in address.secrets())
    return f" {type(error).__name__}" + ("." if hides else f": {first}")


def _from_spark(frame: Any) -> Any:
    ibis = _load_ibis("reading a Spark frame")
    name, settings = f"singleout_{id(frame)}", frame.sparkSession.conf
    frame.createOrReplaceTempView(name)
    zone = settings.get(SPARK_ZONE)
    table = ibis.pyspark.connect(frame.sparkSession).table(name)
    settings.set(SPARK_ZONE, zone)  # Ibis sets it to UTC, which would change what the user's own queries show
    return table


def _with_zones(table: Any) -> Any:
    """Moments of Spark as moments: Ibis takes them for local times in UTC."""
    backend = table.get_backend()
    if backend.name != "pyspark":
        return table
    kinds = backend._session.sql(backend.compile(table)).dtypes
    return table.mutate(**{name: table[name].cast("timestamp('UTC')") for name, kind in kinds if kind == "timestamp"})


# STREAM


def stream(expression: Any) -> pa.RecordBatchReader:
    """The rows of an expression, some at a time. Ibis itself would hold all rows of Spark and SQLite at once."""
    backend = expression.get_backend()
    own = {"duckdb": _stream_from_duckdb, "pyspark": _stream_from_spark, "sqlite": _stream_from_sqlite}
    if backend.name in own:
        return own[backend.name](expression, backend)
    return expression.to_pyarrow_batches(chunk_size=BATCH)


def _stream_from_duckdb(expression: Any, backend: Any) -> pa.RecordBatchReader:
    # a cursor of its own: another query would end the stream
    found = backend.con.cursor().sql(backend.compile(expression))
    return found.to_arrow_reader(BATCH).cast(expression.schema().to_pyarrow())


def _stream_from_sqlite(expression: Any, backend: Any) -> pa.RecordBatchReader:
    schema = expression.schema().to_pyarrow()
    cursor = backend.raw_sql(backend.compile(expression))

    def batches() -> Iterator[pa.RecordBatch]:
        while rows := cursor.fetchmany(BATCH):
            columns = zip(zip(*rows, strict=True), schema.types, strict=True)
            yield pa.RecordBatch.from_arrays([_from_sqlite(values, kind) for values, kind in columns], schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _from_sqlite(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """SQLite keeps times as text and truths as numbers."""
    as_it_is = pa.array(values)
    return as_it_is.cast(pa.bool_() if pa.types.is_boolean(kind) else kind)


def _stream_from_spark(expression: Any, backend: Any) -> pa.RecordBatchReader:
    """Spark collects whole results: they are divided by a hash of all columns, and collected part by part."""
    schema = expression.schema().to_pyarrow()
    frame = backend._session.sql(backend.compile(expression))
    return pa.RecordBatchReader.from_batches(schema, _parts_of_frame(frame, schema))


def _parts_of_frame(frame: Any, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    from pyspark.sql import functions as sql

    frame = frame.persist()
    try:
        parts = max(1, math.ceil(frame.count() / ROWS_AT_ONCE))
        number = sql.pmod(sql.hash(*frame.columns), sql.lit(parts))
        for part in range(parts):
            yield from frame.filter(number == part).toArrow().cast(schema).to_batches(max_chunksize=BATCH)
    finally:
        frame.unpersist()


def _is_plain(kind: pa.DataType) -> bool:
    """Whether all drivers agree on how a type comes."""
    tests = pa.types.is_integer, pa.types.is_floating, pa.types.is_string, pa.types.is_boolean, pa.types.is_date
    return any(test(kind) for test in (*tests, pa.types.is_timestamp))


def store(database: Database, label: str, rows: Callable[[], pa.RecordBatchReader]) -> str:
    """Rows as a relation in a file, sorted by all columns: no system promises an order, and ties must not depend on it.

    Errors of the other system are reported without its words, which may quote the data.
    """
    first, last = (new_file(database, name) for name in ("as-they-came", "sorted"))
    with show_progress(f"reading from {label}", None), hide_words(label):
        write_rows(rows(), first)
    database.table(f"COPY (FROM {parquet(first)} ORDER BY ALL) TO {literal(str(last))} (FORMAT parquet)")
    first.unlink()
    return database.define(parquet(last))


# TIMES


def bucket_seconds(zone: str) -> int:
    """The longest time that divides every day of a time zone: a day in UTC, elsewhere most often an hour.

    Offsets from UTC since 1970 are looked at; they are never changed for less than a month.
    """
    if zone == "UTC":
        return DAY_SECONDS
    moments = (datetime(year, month, 1, tzinfo=UTC) for year in range(1970, 2101) for month in range(1, 13))
    offsets = {each.astimezone(ZoneInfo(zone)).utcoffset() for each in moments}
    return math.gcd(3_600, *(int(offset.total_seconds()) for offset in offsets if offset is not None))


def _bucket(column: Any, seconds: int) -> Any:
    """The time bucket of a column: a number for numbers and moments, a day for local times; None for other types."""
    kind = column.type()
    if kind.is_integer():
        return column - ((column % seconds) + seconds) % seconds
    if kind.is_date():
        return column
    if kind.is_timestamp() and kind.timezone is None:
        return column.truncate("D")
    if kind.is_timestamp():
        # a whole minute has no fraction that a system could round; PostgreSQL calls seconds decimal numbers
        whole = column.truncate("m").epoch_seconds().cast("float64").cast("int64")
        return whole - ((whole % seconds) + seconds) % seconds
    return None


def _with_moments(reader: pa.RecordBatchReader, kinds: Mapping[str, pa.DataType]) -> pa.RecordBatchReader:
    """Rows whose times have their own type again: moments came as seconds since 1970."""
    back = {name: kind for name, kind in kinds.items() if pa.types.is_timestamp(kind) and kind.tz is not None}
    fields = [pa.field(each.name, back.get(each.name, each.type)) for each in reader.schema]
    schema = pa.schema(fields)

    def converted() -> Iterator[pa.RecordBatch]:
        for batch in reader:
            columns = [
                each.cast(pa.int64()).cast(pa.timestamp("s", "UTC")).cast(back[name]) if name in back else each
                for name, each in zip(batch.schema.names, batch.columns, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, converted())


def _filled(column: Any) -> Any:
    return column.nullif("") if column.type().is_string() else column
