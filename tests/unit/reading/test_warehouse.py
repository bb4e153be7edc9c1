"""Tables in a warehouse: what is counted there is what would be counted here."""

import sqlite3

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.proposals import propose_roles
from singleout.reading.roles import signs_of_events
from singleout.reading.sources import open_source
from singleout.reading.warehouse import as_remote, bucket_seconds
from tests.warehouses import (
    MOMENTS,
    READINGS,
    assert_same_audit,
    assert_same_counts,
    assert_same_histograms,
    is_fetched,
    log_table,
    without_fetching,
)

ibis = pytest.importorskip("ibis")


table = pytest.fixture(scope="module")(log_table)


def in_duckdb(table, folder):
    backend = ibis.duckdb.connect(folder / "log.duckdb")
    backend.con.register("given", table)
    backend.con.execute("CREATE TABLE events AS FROM given")
    return backend.table("events")


def in_sqlite(table, folder):
    columns = [name for name in table.column_names if name != "tz"]
    kinds = {"ts": "TIMESTAMP", "lat": "REAL", "lng": "REAL", "t": "INTEGER", "ms": "INTEGER", "n": "INTEGER"}
    with sqlite3.connect(folder / "log.db") as database:
        declared = ", ".join(f"{name} {kinds.get(name, 'TEXT')}" for name in columns)
        database.execute(f"CREATE TABLE events ({declared})")
        rows = table.set_column(3, "ts", table["ts"].cast(pa.string())).select(columns).to_pylist()
        marks = ", ".join("?" for _ in columns)
        database.executemany(f"INSERT INTO events VALUES ({marks})", [tuple(row.values()) for row in rows])
    return ibis.sqlite.connect(folder / "log.db").table("events")


def in_datafusion(table, folder):
    pytest.importorskip("datafusion")
    try:
        backend = ibis.datafusion.connect()
    except TypeError:
        pytest.skip("Ibis does not know this version of DataFusion yet")
    backend.con.from_arrow(table, "events")
    return backend.table("events")


@pytest.fixture(scope="module", params=[in_duckdb, in_sqlite, in_datafusion], ids=["duckdb", "sqlite", "datafusion"])
def warehouse(request, table, tmp_path_factory):
    return request.param(table, tmp_path_factory.mktemp("warehouse"))


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
def test_events_are_added_up_where_they_are(warehouse, table, reading):
    assert_same_counts(warehouse, table, reading)


def test_moments_are_added_up_in_any_time_zone(table, tmp_path):
    assert_same_counts(in_duckdb(table, tmp_path), table, MOMENTS)


def test_audits_are_the_same(warehouse, table):
    assert_same_audit(warehouse, table.select(warehouse.columns), protect=False)


def test_audits_of_counts_are_the_same(tmp_path, table):
    assert_same_audit(in_duckdb(table, tmp_path), table, protect=False, count="n", split="weeks")


def test_what_needs_single_events_fetches_them_once(warehouse, table):
    there, here = (so.read_events(each, user="who", time="t", place="spot") for each in (warehouse, table))
    for one, other in zip(so.split(there, by="point"), so.split(here, by="point"), strict=True):
        assert (so.histograms(one).counts != so.histograms(other).counts).nnz == 0
    assert is_fetched(there)


COUNTED_FROM_SINGLE_EVENTS = {
    "dwell": lambda side: so.histograms(side, measure="dwell"),
    "dwell overnight": lambda side: so.histograms(side, measure="dwell", overnight=True, window=("08:00", "20:00")),
    "parts of a day": lambda side: so.histograms(side, channel="daypart"),
    "a daily window": lambda side: so.histograms(side, window=("08:30", "17:15"), days=["monday", "friday"]),
}


@pytest.mark.parametrize("count", COUNTED_FROM_SINGLE_EVENTS.values(), ids=COUNTED_FROM_SINGLE_EVENTS)
def test_what_is_counted_from_single_events_is_the_same_and_a_note_says_they_were_fetched(warehouse, table, count):
    there, here = (
        so.split(so.read_events(each, user="who", time="ts", place="spot", timezone="Europe/Zurich"))
        for each in (warehouse, table)
    )
    for one, other in zip(there, here, strict=True):
        first, second = count(one), count(other)
        assert_same_histograms(first, second)
        assert without_fetching(first.notes) == ([str(note) for note in second.notes], True)
        assert without_fetching(one.notes) == ([str(note) for note in other.notes], True)
    assert f"{len(table):,} events fetched from the warehouse" in " ".join(map(str, there.notes))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_markov_orders_are_the_same_and_a_note_says_that_events_were_fetched(warehouse, table, order):
    there, here = (
        so.split(so.read_events(each, user="who", time="t", place="spot"), by="weeks") for each in (warehouse, table)
    )
    for one, other in zip(there, here, strict=True):
        first, second = (so.networks(side, order=order, top=5) for side in (one, other))
        assert first.people.tolist() == second.people.tolist()
        for name in vars(first.graphs):
            assert np.array_equal(getattr(first.graphs, name), getattr(second.graphs, name)), name
        assert without_fetching(first.notes) == ([str(note) for note in second.notes], True)


CHANGES = {
    "Europe/Zurich": ["2024-03-31T01:00", "2024-10-27T01:00"],
    "Australia/Lord_Howe": ["2024-04-06T15:00", "2024-10-05T15:30"],
    "America/St_Johns": ["2024-03-10T05:30", "2024-11-03T04:30"],
    "Africa/Casablanca": ["2024-03-10T02:00", "2024-04-14T02:00"],
}
"""When clocks were changed, in UTC."""


@pytest.mark.parametrize("time", ["t", "ms", "ts", "tz"])
@pytest.mark.parametrize(("zone", "change"), [(zone, each) for zone, both in CHANGES.items() for each in both])
def test_splits_across_a_change_of_clocks_are_the_same(tmp_path, zone, change, time):
    rng, events = np.random.default_rng(3), 1_500
    turn = int(np.datetime64(change, "s").astype(np.int64))
    t = turn + np.concatenate([rng.integers(-16 * 86_400, 16 * 86_400, events), rng.integers(-93_600, 93_600, events)])
    stamps = pa.array(t * 1_000_000, pa.timestamp("us"))
    times = {"t": t, "ms": t * 1_000, "ts": stamps, "tz": stamps.cast(pa.timestamp("us", "UTC"))}
    ids = {"who": rng.integers(0, 15, 2 * events), "spot": rng.integers(0, 9, 2 * events)}
    table = pa.table({**ids, time: times[time]})
    asked = {"user": "who", "place": "spot", "time": time, "timezone": zone, "time_unit": "ms" if time == "ms" else "s"}
    there, here = (so.read_events(each, **asked) for each in (in_duckdb(table, tmp_path), table))
    day = np.datetime64(change, "D")
    dates = {"by": "dates", "dates": [str(day - 7), str(day), str(day + 1)]}
    for how in ({"by": "halves", "week_start": "sunday"}, {"by": "weeks"}, dates):
        for one, other in zip(so.split(there, **how), so.split(here, **how), strict=True):
            assert_same_histograms(so.histograms(one), so.histograms(other))
            assert_same_histograms(*(so.histograms(each, channel="weekday") for each in (one, other)))
    assert not is_fetched(there)


def test_only_the_named_columns_are_fetched(warehouse):
    events = so.read_events(warehouse, user="who", time="t", place="spot")
    assert set(events.log.source.remote.schema.names) == {"who", "t", "spot"}


def test_a_glance_reads_nothing(warehouse):
    events = so.read_events(warehouse, user="who", place="spot")
    assert repr(events) == "Events(not read yet)"
    assert repr(so.read_table(warehouse, columns=["who", "spot"])) == "Table(2 columns of a warehouse)"
    assert not events.log.source.remote._stored


def test_a_column_that_is_missing_is_reported_with_those_there_are(warehouse):
    with pytest.raises(so.SourceError, match=r"place='spto' is not a column.* Its columns: who, .*spot"):
        so.read_events(warehouse, user="who", place="spto")


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (pa.array([2, 3]), None),
        (pa.array([2**40, 3]), None),
        (pa.array([2.0, 3.0]), None),
        (pa.array([0.1, 0.7]), None),
        (pa.array(["2", "3"]), None),
        (pa.array([2, 3]).cast(pa.decimal128(38, 0)), None),
        (pa.array([2, -3]), r"row \d: the value of column 'n' is negative"),
        (pa.array([2**60, 3]), r"row \d: the value of column 'n' is 2\*\*53 or more"),
        (pa.array([2.0, float("inf")]), r"row \d: the value of column 'n' is not finite"),
        (pa.array(["2", "many"]), r"row \d: the value of column 'n' is not a number"),
    ],
    ids=str,
)
def test_counts_of_every_type_are_those_of_a_file(counts, said, tmp_path):
    table = pa.table({"who": ["a", "a"], "n": counts, "spot": ["x", "x"]})
    asked = {"user": "who", "place": "spot", "count": "n"}
    there = so.read_events(in_duckdb(table, tmp_path), **asked)
    if said is None:
        assert_same_histograms(so.histograms(there), so.histograms(so.read_events(table, **asked)))
        whole = pa.types.is_integer(counts.type) or pa.types.is_decimal(counts.type)
        assert is_fetched(there) == (not whole or counts[0].as_py() > 2**31)
        return
    with pytest.raises(so.DataError, match=said):
        so.histograms(there)


def test_a_column_in_two_roles_is_left_to_a_look_at_all_rows(warehouse, table):
    asked = {"user": "who", "place": "spot", "time": "t", "channel": "t"}
    there, here = (so.read_events(each, **asked) for each in (warehouse, table))
    assert_same_histograms(*(so.histograms(each, channel="t") for each in (there, here)))
    assert is_fetched(there)


def test_odd_coordinates_are_left_to_a_look_at_all_rows(tmp_path):
    odd = pa.table({"who": ["a", "b"], "n": [2, 3], "lat": [95.0, 47.0], "lng": [8.0, 8.0]})
    there = in_duckdb(odd, tmp_path)
    with pytest.raises(so.DataError, match="latitude is outside -90 to 90"):
        so.histograms(so.read_events(there, user="who", lat="lat", lng="lng", grid=100))


def test_times_before_1970_are_added_up_here(tmp_path):
    """Until then clocks in many places were set to odd seconds."""
    rng = np.random.default_rng(0)
    t = rng.integers(-(10**9), 10**9, 600)
    table = pa.table({"who": [f"u{k % 20}" for k in range(600)], "t": t, "spot": [f"p{k % 7}" for k in range(600)]})
    there = so.read_events(in_duckdb(table, tmp_path), user="who", time="t", place="spot", timezone="Europe/Amsterdam")
    here = so.read_events(table, user="who", time="t", place="spot", timezone="Europe/Amsterdam")
    for one, other in zip(so.split(there), so.split(here), strict=True):
        assert (so.histograms(one).counts != so.histograms(other).counts).nnz == 0
    assert is_fetched(there)


def test_tables_come_as_distinct_rows_with_their_numbers(warehouse, table):
    names = ["who", "spot"]
    there, here = so.read_table(warehouse, columns=names), so.read_table(table, columns=names)
    assert so.uniqueness(there, columns=names).to_dict() == so.uniqueness(here, columns=names).to_dict()
    asked = {"known_columns": ["spot"], "one_row_per_person": True, "protect": False, "progress": False, "label": "x"}
    first, second = (so.audit(each.select(["who", "spot", "lat"]), **asked) for each in (warehouse, table))
    assert first.risk == second.risk


def test_the_longest_time_that_divides_every_day():
    assert [bucket_seconds(zone) for zone in ("UTC", "Europe/Zurich", "Asia/Kolkata")] == [86_400, 3_600, 1_800]
    assert 900 % bucket_seconds("Asia/Kathmandu") == 0


def test_other_sources_are_not_in_a_warehouse(table):
    assert as_remote(table) is None
    assert as_remote(duckdb.sql("SELECT 1 AS x")) is None


def test_a_warehouse_that_fails_is_reported_without_its_words(tmp_path):
    backend = ibis.duckdb.connect(tmp_path / "x.duckdb")
    backend.con.execute("CREATE TABLE events AS SELECT 'secret' AS who, 'home' AS spot")
    broken = backend.table("events").mutate(spot=ibis._.who.cast("int64"))
    asked = (
        lambda: so.histograms(so.read_events(broken, user="who", place="spot")),
        lambda: so.audit(broken, user="who", place="spot", progress=False),
        lambda: as_remote(broken).counts(["spot"]),
        lambda: as_remote(broken).counts(["spto"]),
    )
    for ask in asked:
        with pytest.raises(so.SourceError, match=r"the table could not be read: \w+\.") as error:
            ask()
        assert "secret" not in str(error.value)


@pytest.mark.parametrize(("unit", "seconds"), [("min", 60), ("h", 3_600), ("d", 86_400)])
def test_times_in_long_units_are_added_up_by_whole_ones(tmp_path, unit, seconds):
    rng = np.random.default_rng(4)
    t = 1_700_000_000 // seconds + rng.integers(0, 40 * 86_400 // seconds, 900)
    table = pa.table({"who": rng.integers(0, 15, 900), "spot": rng.integers(0, 9, 900), "t": t})
    asked = {"user": "who", "place": "spot", "time": "t", "time_unit": unit, "timezone": "Asia/Kolkata"}
    there, here = (so.read_events(each, **asked) for each in (in_duckdb(table, tmp_path), table))
    for one, other in zip(so.split(there), so.split(here), strict=True):
        assert_same_histograms(so.histograms(one), so.histograms(other))
    assert not is_fetched(there)


def test_a_log_is_proposed_from_counts_and_a_few_rows(tmp_path, table):
    events = table.select(["who", "ts", "spot", "sort"])
    there, here = open_source(in_duckdb(events, tmp_path)), open_source(events)
    assert propose_roles(there) == propose_roles(here)
    assert not there.remote.is_fetched


def test_a_table_is_proposed_from_its_distinct_rows(tmp_path):
    rng = np.random.default_rng(0)
    answers = {f"answer{k}": rng.integers(0, 5, 600) for k in range(5)}
    mails = [f"m{k}@example.org" for k in range(600)]
    people = pa.table(
        {"mail": mails, "sex": rng.choice(["f", "m", ""], 600), "age": rng.integers(18, 90, 600), **answers}
    )
    there, here = open_source(in_duckdb(people, tmp_path)), open_source(people)
    assert propose_roles(there) == propose_roles(here)
    assert not there.remote.is_fetched, "distinct rows suffice"


def test_records_of_a_log_are_refused_as_a_table_as_ever(tmp_path):
    answers = {f"a{k}": [n % (3 + k) for n in range(600)] for k in range(4)}
    rows = pa.table({"person_id": [n // 2 for n in range(600)], "sex": ["f", "m"] * 300, **answers})
    there, here = open_source(in_duckdb(rows, tmp_path)), open_source(rows)
    assert signs_of_events(there) == signs_of_events(here)
    assert not there.remote.is_fetched
