"""One small event log in several kinds of sources, and what was read of it."""

import pyarrow as pa
import pyarrow.parquet as pq

import singleout as so

ROWS = [
    {"who": 1, "when": 1_333_929_600 + 3_600 * k, "where": where, "times": 1 + k % 3}
    for k, where in enumerate(["a", "b", "a", "c", "b", "a", "a"])
] + [{"who": 2, "when": 1_334_000_000, "where": "b", "times": 2}]
TABLE = pa.Table.from_pylist(ROWS)


def as_parquet(folder):
    pq.write_table(TABLE, folder / "log.parquet")
    return folder / "log.parquet"


def read(source, **options):
    return so.read_events(source, **{"user": "who", "time": "when", "place": "where", **options})


def counts_by_name(histograms):
    """Counts by person and place, ids as text."""
    table = histograms.counts.tocoo()
    return {
        (str(histograms.people[r]), str(histograms.places[c])): float(v)
        for r, c, v in zip(*table.coords, table.data, strict=True)
    }


def rows_of(table):
    return list(zip(*(column.decode().tolist() for column in table.encode(table.columns)), strict=True))
