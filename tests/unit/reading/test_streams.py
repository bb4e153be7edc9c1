"""Streams: stored some at a time, in their order, with the types they have; never all in memory."""

import subprocess
import sys
import textwrap
from datetime import timedelta

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.reading import streams
from singleout.reading.database import Database
from singleout.reading.sources import open_source
from tests.small_sources import TABLE, counts_by_name, read, rows_of

LARGE, BOUND = 480, 200
"""Megabytes of a stream, and those that reading it may take on top."""


def as_reader(table, rows=3):
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=rows))


@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_the_size_of_batches_and_of_what_is_written_together_does_not_matter(size, monkeypatch):
    monkeypatch.setattr(streams, "ROWS", size)
    here = so.histograms(read(TABLE, count="times"))
    there = so.histograms(read(as_reader(TABLE), count="times"))
    assert counts_by_name(there) == counts_by_name(here)
    assert rows_of(so.read_table(as_reader(TABLE))) == rows_of(so.read_table(TABLE))


def test_only_the_named_columns_are_stored_unless_one_is_missing():
    assert list(open_source(as_reader(TABLE), columns={"who", "where"}).column_types) == ["who", "where"]
    with pytest.raises(so.SourceError, match=r"place='nowhere' is not a column.*Its columns: who, when, where, times"):
        read(as_reader(TABLE), place="nowhere")


@pytest.mark.parametrize(
    "values",
    [
        pa.nulls(2),
        pa.array(["a", ""]).dictionary_encode(),
        pa.array([timedelta(days=1), None]),
        pa.array([2**64 - 1, None], pa.uint64()),
        pa.array([[1, 2], None]),
        pa.array([b"a" * 16, None], pa.uuid()),
        pa.RunEndEncodedArray.from_arrays([2], ["a"]),
        pa.array([0.1, float("nan")], pa.float32()),
    ],
    ids=lambda values: str(values.type),
)
def test_columns_of_a_stream_have_the_types_that_they_have_in_a_table(values):
    table = pa.table({"x": values})
    stored, seen = open_source(as_reader(table)), open_source(table)
    assert stored.column_types == seen.column_types
    rows = [each.database.table(f"SELECT x::VARCHAR AS x FROM {each.relation}") for each in (stored, seen)]
    assert rows[0].equals(rows[1])


def test_a_relation_of_a_database_is_a_stream_in_its_order():
    relation = duckdb.sql("SELECT range % 7 AS who, range % 3 AS spot FROM range(1000)")
    assert rows_of(so.read_table(relation)) == [(k % 7, k % 3) for k in range(1_000)]


def test_a_stream_without_rows_has_its_columns():
    with pytest.raises(so.DataError, match="contains no events"):
        so.histograms(read(as_reader(TABLE.slice(0, 0))))


def test_a_stream_without_columns_or_with_two_of_one_name_is_refused():
    with pytest.raises(so.SourceError, match="a stream without columns"):
        so.read_table(pa.RecordBatchReader.from_batches(pa.schema([]), []))
    twice = pa.schema([("a", pa.int64()), ("a", pa.int64())])
    with pytest.raises(so.SourceError, match="same name"):
        so.read_table(pa.RecordBatchReader.from_batches(twice, []))


class Cursor:
    """What is read of an ADBC cursor."""

    def __init__(self, fail):
        self.fail = fail

    def fetch_record_batch(self):
        if self.fail == "at once":
            raise RuntimeError("secret")
        return pa.RecordBatchReader.from_batches(TABLE.schema, self.batches())

    def batches(self):
        yield TABLE.to_batches()[0]
        raise RuntimeError("secret")


@pytest.mark.parametrize(("fail", "what"), [("at once", "cursor"), ("later", "stream")])
def test_a_stream_that_fails_is_reported_without_its_words(fail, what):
    with pytest.raises(so.SourceError, match=rf"read_table: the {what} could not be read: \w+") as error:
        so.read_table(Cursor(fail))
    assert "secret" not in str(error.value)


def test_rows_in_a_file_are_in_groups_of_bounded_size(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "ROWS", 10)
    table = pa.table({"x": np.arange(37)})
    streams.write_rows(as_reader(table, 4), tmp_path / "x.parquet")
    file = pq.ParquetFile(tmp_path / "x.parquet")
    assert max(file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)) <= 10
    assert file.num_row_groups < 10
    assert file.read().equals(table)


def test_files_of_a_database_have_names_of_their_own():
    database = Database()
    first, second = (streams.keep_reader(database, as_reader(TABLE), ()) for _ in range(2))
    assert database.table(f"FROM {first}").equals(database.table(f"FROM {second}"))


def test_a_stream_much_larger_than_the_bound_is_never_whole_in_memory():
    script = f"""
        import resource
        import numpy as np
        import pyarrow as pa
        import singleout as so

        def events(megabytes):
            rng, rows = np.random.default_rng(0), 40_000
            for _ in range(megabytes):
                t = rng.integers(10**9, 10**9 + 10**7, rows)
                yield pa.record_batch({{"who": t % 20, "t": t, "spot": rng.integers(0, 9, rows)}})

        def count(megabytes):
            schema = next(events(1)).schema
            reader = pa.RecordBatchReader.from_batches(schema, events(megabytes))
            return so.histograms(so.read_events(reader, user="who", time="t", place="spot")).counts.sum()

        count(1)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert count({LARGE}) == {LARGE} * 40_000
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    """
    words = [sys.executable, "-c", textwrap.dedent(script)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < BOUND


def test_what_a_driver_says_is_not_repeated():
    def batches():
        yield from TABLE.to_batches(max_chunksize=2)
        raise OSError("invalid input: 'secret'")

    with pytest.raises(so.SourceError, match="the stream could not be read to its end") as error:
        open_source(pa.RecordBatchReader.from_batches(TABLE.schema, batches()))
    assert "secret" not in str(error.value)
    assert error.value.__cause__ is None


def test_what_is_the_fault_of_this_machine_is_said():
    with pytest.raises(OSError, match="No space left"), streams.hide_words("the stream"):
        raise OSError(28, "No space left on device")
