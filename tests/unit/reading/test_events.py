"""Reading: the same numbers from every kind of source, and a clear word for every kind of bad input."""

import json
from datetime import UTC, datetime

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import singleout as so

ROWS = [
    {"who": 1, "when": 1_333_929_600 + 3_600 * k, "where": where, "times": 1 + k % 3}
    for k, where in enumerate(["a", "b", "a", "c", "b", "a", "a"])
] + [{"who": 2, "when": 1_334_000_000, "where": "b", "times": 2}]
TABLE = pa.Table.from_pylist(ROWS)


def as_parquet(folder):
    pq.write_table(TABLE, folder / "log.parquet")
    return folder / "log.parquet"


def as_glob(folder):
    pq.write_table(TABLE.slice(0, 3), folder / "part1.parquet")
    pq.write_table(TABLE.slice(3), folder / "part2.parquet")
    return str(folder / "part*.parquet")


def as_csv(folder):
    pa.csv.write_csv(TABLE, folder / "log.csv")
    return folder / "log.csv"


def as_packed_csv(folder):
    TABLE.to_pandas().to_csv(folder / "log.csv.gz", index=False)
    return folder / "log.csv.gz"


def as_json(folder):
    (folder / "log.json").write_text(json.dumps(ROWS))
    return folder / "log.json"


def as_json_lines(folder):
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    return folder / "log.jsonl"


def as_relation(folder):
    connection = duckdb.connect()
    connection.register("log", TABLE)
    return connection.sql("SELECT * FROM log")


SOURCES = {
    "parquet": as_parquet,
    "glob": as_glob,
    "csv": as_csv,
    "csv.gz": as_packed_csv,
    "json": as_json,
    "jsonl": as_json_lines,
    "pandas": lambda folder: TABLE.to_pandas(),
    "polars": lambda folder: pl.from_arrow(TABLE),
    "arrow": lambda folder: TABLE,
    "stream": lambda folder: TABLE.to_reader(),
    "relation": as_relation,
}


def read(source, **options):
    return so.read_events(source, **{"user": "who", "time": "when", "place": "where", **options})


def as_dict(histograms):
    """Counts by person and place, ids as text."""
    table = histograms.counts.tocoo()
    return {
        (str(histograms.people[r]), str(histograms.places[c])): float(v)
        for r, c, v in zip(*table.coords, table.data, strict=True)
    }


@pytest.mark.parametrize("kind", SOURCES)
def test_every_kind_of_source_gives_the_same_histograms(kind, tmp_path):
    events = read(SOURCES[kind](tmp_path))
    assert as_dict(so.histograms(events)) == {("1", "a"): 4, ("1", "b"): 2, ("1", "c"): 1, ("2", "b"): 1}
    assert as_dict(so.histograms(events)) == as_dict(so.histograms(events)), "it can be read again"


@pytest.mark.parametrize("kind", SOURCES)
def test_every_kind_of_source_adds_up_a_count_column(kind, tmp_path):
    events = read(SOURCES[kind](tmp_path), count="times")
    assert as_dict(so.histograms(events)) == {
        ("1", "a"): 1 + 3 + 3 + 1,
        ("1", "b"): 2 + 2,
        ("1", "c"): 1,
        ("2", "b"): 2,
    }


def test_nothing_is_read_before_a_statistic_needs_it(tmp_path):
    events = read(as_parquet(tmp_path))
    (tmp_path / "log.parquet").unlink()
    with pytest.raises(so.SourceError, match="not a whole, readable parquet file"):
        so.histograms(events)


MOMENT = datetime(2012, 4, 9, 12, 30, 15, tzinfo=UTC)
SECONDS = int(MOMENT.timestamp())


@pytest.mark.parametrize(
    ("values", "options"),
    [
        (pa.array([SECONDS], pa.int32()), {}),
        (pa.array([SECONDS], pa.int64()), {}),
        (pa.array([SECONDS], pa.uint64()), {}),
        (pa.array([float(SECONDS)]), {}),
        (pa.array([SECONDS * 1_000]), {"time_unit": "ms"}),
        (pa.array([SECONDS * 1_000_000]), {"time_unit": "us"}),
        (pa.array([SECONDS * 1_000_000_000]), {"time_unit": "ns"}),
        (pa.array([MOMENT.replace(tzinfo=None)], pa.timestamp("us")), {}),
        (pa.array([MOMENT.replace(tzinfo=None)], pa.timestamp("ns")), {}),
        (pa.array([MOMENT], pa.timestamp("us", "Asia/Tokyo")), {}),
        (pa.array([str(SECONDS)]), {}),
        (pa.array(["2012-04-09 12:30:15"]), {}),
        (pa.array(["2012-04-09T12:30:15Z"]), {}),
        (pa.array(["2012-04-09T14:30:15.000+02:00"]), {}),
        (pa.array(["2012-04-09 14:30:15"]), {"timezone": "Europe/Zurich"}),
        (pa.array([MOMENT.replace(tzinfo=None, hour=14)], pa.timestamp("us")), {"timezone": "Europe/Zurich"}),
    ],
)
def test_every_way_to_write_a_time_means_the_same_moment(values, options):
    table = pa.table({"who": [1], "when": values, "where": ["a"]})
    events = read(table, **options)
    (row,) = events.log.query(f"SELECT moment FROM {events.log.named('moment')}").to_pylist()
    assert row["moment"] == SECONDS * 1_000_000


@pytest.mark.parametrize(
    ("when", "hour"), [("2012-01-15 23:30:00", 23), ("2012-07-15 23:30:00", 23), ("2012-07-15T21:30:00Z", 23)]
)
def test_the_clock_follows_the_time_zone_in_winter_and_summer(when, hour):
    table = pa.table({"who": [1], "when": [when], "where": ["a"]})
    found = so.histograms(read(table, timezone="Europe/Zurich"), channel="daypart")
    assert found.channels.tolist() == ["evening"]
    assert hour // 6 == 3


@pytest.mark.parametrize(
    ("times", "options", "noted"),
    [
        (pa.array([0, 3_600, 86_400 * 30]), {}, True),
        (pa.array([0.5, None, 86_400.0 * 30]), {}, True),
        (pa.array(["0", "7200", "86400"]), {}, True),
        (pa.array([0, 1_333_929_600, 5], pa.uint32()), {"time_unit": "ms"}, True),
        (pa.array([0, 3_600, 1_333_929_600]), {}, False),
        (pa.array([-86_400 * 3_650, 3_600, 0]), {}, False),
        (pa.array(["1975-01-01 10:00:00", "1976-01-01 10:00:00", "1977-01-01 10:00:00"]), {}, False),
        (pa.array([datetime(1975, 1, 1)] * 3), {}, False),
    ],
)
def test_numbers_that_seem_to_count_from_zero_are_noted(times, options, noted):
    table = pa.table({"who": [1, 2, 3], "when": times, "where": ["a", "b", "a"]})
    notes = [note for note in so.histograms(read(table, **options)).notes if "count from zero" in note.why]
    assert bool(notes) == noted
    if noted:
        (note,) = notes
        assert (note.count, note.what) == (3 - times.null_count, "events dated before 1980")
        assert f"time_unit={options.get('time_unit', 's')!r}" in note.why


@pytest.mark.parametrize("second", [-1, -86_400 * 365 * 100])
def test_times_before_1970_fall_on_the_right_day(second):
    table = pa.table({"who": [1], "when": [second], "where": ["a"]})
    found = so.histograms(read(table), channel="weekday")
    expected = datetime.fromtimestamp(second, UTC).strftime("%A").lower()
    assert found.channels.tolist() == [expected]


@pytest.mark.parametrize(
    "ids",
    [
        pa.array([7, 7, 8], pa.int8()),
        pa.array([2**40, 2**40, 8]),
        pa.array([2**63 + 5, 2**63 + 5, 8], pa.uint64()),
        pa.array(["007", "007", "7"]),
        pa.array(["Zürich", "Zürich", "東京"]),
        pa.array(["007", "007", "7"]).dictionary_encode(),
        pa.array([1.5, 1.5, 2.0]),
        pa.array([True, True, False]),
        pa.array([MOMENT, MOMENT, datetime(2020, 1, 1, tzinfo=UTC)]),
    ],
)
def test_ids_of_any_type_stay_apart(ids):
    table = pa.table({"who": ids, "where": ids})
    found = so.histograms(so.read_events(table, user="who", place="where"))
    assert sorted(found.counts.diagonal().tolist()) == [1, 2]


def test_ids_written_with_leading_zeros_in_a_csv_stay_apart(tmp_path):
    (tmp_path / "log.csv").write_text("who,where\n007,a\n7,a\n")
    assert len(so.histograms(so.read_events(tmp_path / "log.csv", user="who", place="where"))) == 2


def test_rows_that_say_too_little_are_left_out_and_counted():
    when = [SECONDS, SECONDS, None, SECONDS, SECONDS]
    table = pa.table({"who": [1, None, 2, 3, 3], "when": when, "where": ["a", "a", "a", None, "b"]})
    found = so.histograms(read(table))
    assert as_dict(found) == {("1", "a"): 1, ("3", "b"): 1}
    assert {str(note) for note in found.notes} == {
        "1 event left out: no user given",
        "1 event left out: no time given",
        "1 event left out: no place given",
        "1 person left out: none of their events has a time",
    }


def test_floats_with_gaps_are_whole_numbers_again():
    frame = pd.DataFrame({"who": [1.0, 2.0, np.nan], "where": [5.0, np.nan, 5.0]})
    found = so.histograms(so.read_events(frame, user="who", place="where"))
    assert found.people.tolist() == [1, 2]
    assert found.places.dtype == np.int64
    polars = pl.DataFrame({"who": [1.0, 2.0, float("nan")], "where": [5.0, float("nan"), 5.0]})
    assert as_dict(so.histograms(so.read_events(polars, user="who", place="where"))) == as_dict(found)


def test_broken_counts_add_up_to_the_same_bits_in_any_order():
    rng = np.random.default_rng(0)
    amounts = rng.lognormal(0, 8, 20_000)
    tables = [
        pa.table({"who": np.ones(20_000), "where": np.ones(20_000), "n": rng.permutation(amounts)}) for _ in "abc"
    ]
    found = {so.histograms(so.read_events(t, user="who", place="where", count="n")).counts.data[0] for t in tables}
    assert len(found) == 1


# ---- bad input -------------------------------------------------------------------------------------------------


def test_a_missing_column_names_those_there_are():
    with pytest.raises(so.SourceError, match=r"user='whom' is not a column. There are: who, when, where, times.*'who'"):
        read(TABLE, user="whom")
    for argument in ("time", "place", "count", "channel"):
        with pytest.raises(so.SourceError, match=f"{argument}='nix' is not a column"):
            read(TABLE, **{argument: "nix"})


@pytest.mark.parametrize("name", ["log.parquet", "log.csv", "log.json"])
def test_an_empty_file_is_called_empty(name, tmp_path):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(so.SourceError, match=f"{name} is empty"):
        read(tmp_path / name)


def test_a_file_or_frame_without_rows_holds_no_events(tmp_path):
    (tmp_path / "log.csv").write_text("who,when,where\n")
    for source in (tmp_path / "log.csv", TABLE.slice(0, 0)):
        with pytest.raises(so.DataError, match="holds no events"):
            so.histograms(read(source))


def test_a_corrupt_parquet_is_named_whether_its_end_or_its_middle_is_broken(tmp_path):
    big = pa.table({"who": np.arange(100_000), "when": np.arange(100_000), "where": np.arange(100_000) % 977})
    pq.write_table(big, tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(so.SourceError, match="cut.parquet is not a whole, readable parquet file"):
        read(tmp_path / "cut.parquet")
    middle = bytearray(whole)
    middle[1000:200_000] = bytes(199_000)
    (tmp_path / "middle.parquet").write_bytes(middle)
    with pytest.raises(so.SourceError, match="middle.parquet is not a whole, readable parquet file"):
        so.histograms(read(tmp_path / "middle.parquet"))


def test_text_in_another_encoding_is_told_how_to_be_read(tmp_path):
    file = tmp_path / "log.csv"
    file.write_bytes("who,when,where\n1,1,Zürich\n2,2,Genève\n".encode("latin-1"))
    with pytest.raises(so.SourceError, match=r"log.csv is not UTF-8 text at line 2 \(row 1\). Pass encoding='latin-1'"):
        so.histograms(read(file))
    assert as_dict(so.histograms(read(file, encoding="latin-1"))) == {("1", "Zürich"): 1, ("2", "Genève"): 1}
    with pytest.raises(so.InputError, match=r"encoding must be one of utf-8, latin-1, got 'cp1251'.*iconv"):
        read(file, encoding="cp1251")


def test_sources_that_are_none():
    for source, message in (
        ("nowhere.parquet", "no file matches nowhere.parquet"),
        ("log.xlsx", "no file matches"),
        ("https://example.org/log.csv", "must be a local file"),
        (42, "source must be a path or glob"),
    ):
        with pytest.raises(so.InputError, match=message):
            read(source)


def test_folders_and_unknown_endings_say_what_to_do(tmp_path):
    (tmp_path / "log.xlsx").write_text("x")
    with pytest.raises(so.SourceError, match=r"is a folder. Name its files"):
        read(tmp_path)
    with pytest.raises(so.SourceError, match=r"log.xlsx has no ending we read. There are: .parquet"):
        read(tmp_path / "log.xlsx")


def test_a_file_name_with_quotes_and_brackets_is_only_a_name(tmp_path):
    odd = tmp_path / 'it\'s [a] "log".csv'
    odd.write_text("who,when,where\n1,1,a\n")
    assert as_dict(so.histograms(read(odd))) == {("1", "a"): 1}


def test_hostile_column_names_and_values_stay_text():
    table = pa.table({'a"; DROP TABLE x; --': [1], "place'": ["<script>'; --"]})
    found = so.histograms(so.read_events(table, user='a"; DROP TABLE x; --', place="place'"))
    assert found.places.tolist() == ["<script>'; --"]


def test_a_latitude_of_400_names_the_row_and_not_the_value():
    table = pa.table({"who": [1, 2, 3], "lat": [39.9, 400.17, 40.0], "lng": [116.0, 116.0, 116.0]})
    with pytest.raises(so.DataError, match=r"row 2: the latitude lies outside -90 to 90 degrees") as caught:
        so.histograms(so.read_events(table, user="who", lat="lat", lng="lng", grid=1000))
    assert "400" not in str(caught.value)
    with pytest.raises(so.DataError, match=r"row 1: the longitude lies outside -180 to 180 degrees.*3 such rows"):
        so.histograms(so.read_events(table, user="who", lat="who", lng="lng", grid=1000, coordinate_scale=2.0))


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (["2012-04-09", "yesterday"], "row 2: column 'when' does not parse as a time"),
        (["2012-04-09", "1333929600"], "row 2: column 'when' mixes numbers and written times"),
        ([1_333_929_600_000, 1], "row 1: the time lies after the year 2500. Is time_unit='s' right"),
        ([2**62, 1], "row 1: column 'when' does not parse as a time"),
        ([float("inf"), 1.0], "row 1: column 'when' does not parse as a time"),
        ([-(10**11), 1], "row 1: the time lies before the year 1"),
    ],
)
def test_a_time_that_does_not_parse_names_its_row(times, message):
    with pytest.raises(so.DataError, match=message):
        so.histograms(read(pa.table({"who": [1, 2], "when": times, "where": ["a", "a"]})))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, -2], "row 2: column 'n' is negative"),
        ([1.0, float("inf")], "row 2: column 'n' is not finite"),
        ([1.0, float("nan")], "row 2: column 'n' is not finite"),
        (["1", "many"], "row 2: column 'n' is not a number"),
        (["1", "1_000"], "row 2: column 'n' is not a number"),
        ([1, 2**53 + 1], r"row 2: column 'n' is 2\*\*53 or more"),
        (["1", "9007199254740993"], r"row 2: column 'n' is 2\*\*53 or more"),
    ],
)
def test_counts_that_are_negative_or_not_finite_name_their_row(counts, message):
    table = pl.DataFrame({"who": [1, 2], "n": counts, "where": ["a", "a"]})
    with pytest.raises(so.DataError, match=message):
        so.histograms(so.read_events(table, user="who", place="where", count="n"))


def test_ids_of_mixed_types_are_refused_without_showing_them(tmp_path):
    frame = pd.DataFrame({"who": [1, 2], "when": [1, 2], "where": np.array(["secret", 7], dtype=object)})
    with pytest.raises(so.SourceError, match="mixed types") as caught:
        read(frame)
    assert "secret" not in str(caught.value)
    (tmp_path / "log.json").write_text('[{"who": 1, "where": "a"}, {"who": 2, "where": 7}]')
    with pytest.raises(so.SourceError, match="place='where' holds values of mixed types"):
        so.read_events(tmp_path / "log.json", user="who", place="where")


def test_lists_are_no_ids_and_lists_are_no_times():
    table = pa.table({"who": [1], "where": [[1, 2]], "shop": [3]})
    with pytest.raises(so.SourceError, match="ids must be numbers, text"):
        so.read_events(table, user="who", place="where")
    with pytest.raises(so.SourceError, match="must hold numbers, times or text"):
        so.read_events(table, user="who", time="where", place="shop")
    with pytest.raises(so.SourceError, match="it must hold numbers"):
        so.read_events(table, user="who", place="shop", count="where")


def test_arguments_that_do_not_go_together_say_so():
    with pytest.raises(so.InputError, match="place must be left out where grid is given"):
        read(TABLE, grid=100)
    with pytest.raises(so.InputError, match="place must be given, or lat, lng and grid"):
        so.read_events(TABLE, user="who", lat="when", lng="when")
    with pytest.raises(so.InputError, match="time_unit must be one of"):
        read(TABLE, time_unit="minutes")
    with pytest.raises(so.InputError, match="timezone must be the name of a time zone"):
        read(TABLE, timezone="Mars/Olympus")
    for grid in (0, -5, 0.001, float("nan")):
        with pytest.raises(so.InputError, match="grid must be the side of a cell in metres, at least 0.1"):
            so.read_events(TABLE, user="who", lat="when", lng="when", grid=grid)
    with pytest.raises(so.InputError, match=r"box must be \(latitude, longitude, side"):
        so.read_events(TABLE, user="who", lat="when", lng="when", grid=10, box=(116.4, 39.9, 1000))


def test_quotes_that_first_appear_late_in_a_file_are_read(tmp_path):
    plain = "".join(f"{k % 50},{k},p{k % 7}\n" for k in range(60_000))
    (tmp_path / "log.csv").write_text("who,when,where\n" + plain + '1,5,"Joe\'s, NY"\n1,6,"two\nlines"\n' + plain)
    found = so.histograms(read(tmp_path / "log.csv"))
    assert {"Joe's, NY", "two\nlines"} <= set(found.places.tolist())


@pytest.mark.parametrize(
    ("line", "message"),
    [("1,2,3,4,5", "has 4 or more fields instead of 3 at line 30,002"), ('1,2,"open', "at line 30,002")],
)
def test_a_malformed_csv_names_the_line_and_shows_nothing_of_it(tmp_path, line, message):
    plain = "".join(f"{k % 50},{k},p{k % 7}\n" for k in range(30_000))
    (tmp_path / "log.csv").write_text("who,when,where\n" + plain + line + "\n" + plain)
    with pytest.raises(so.SourceError, match=message) as caught:
        so.histograms(read(tmp_path / "log.csv"))
    assert "Original" not in str(caught.value)


def test_utf_16_is_recognised_by_its_first_bytes(tmp_path):
    (tmp_path / "log.csv").write_text("who,when,where\n1,1,a\n", encoding="utf-16")
    with pytest.raises(so.SourceError, match="is UTF-16. Convert it first: iconv -f UTF-16"):
        read(tmp_path / "log.csv")


def test_the_first_line_of_a_file_without_header_is_not_shown(tmp_path):
    (tmp_path / "log.csv").write_text("Ann Smith 1,evening,Clinic 3601\nBob Jones,noon,Home\n")
    with pytest.raises(so.SourceError, match="Does the file have a header line") as caught:
        read(tmp_path / "log.csv")
    assert "Ann" not in str(caught.value)
    assert "log.csv" in str(caught.value)


def test_files_of_a_glob_that_differ_are_refused(tmp_path):
    pq.write_table(TABLE, tmp_path / "a.parquet")
    pq.write_table(TABLE.drop_columns(["who"]), tmp_path / "b.parquet")
    with pytest.raises(so.SourceError, match="b.parquet lacks a column"):
        so.histograms(read(str(tmp_path / "*.parquet")))
    (tmp_path / "a.csv").write_text("who,when,where\n1,1,a\n")
    (tmp_path / "b.csv").write_text("who,where\n1,a\n")
    with pytest.raises(so.SourceError, match="header line of .*b.csv differs"):
        read(str(tmp_path / "*.csv"))


def test_a_log_of_which_no_event_can_be_used_says_why():
    nobody = pa.table({"who": pa.array([None, None], pa.int64()), "when": [1, 2], "where": ["a", "b"]})
    with pytest.raises(so.DataError, match="none of the 2 events can be used: 2 no user given"):
        so.histograms(read(nobody))
    away = pa.table({"who": [1, 2], "when": [1, 9**9], "la": [40.0, 41.0], "lo": [1.0, 2.0]})
    events = so.read_events(away, user="who", time="when", lat="la", lng="lo", grid=100, box=(0, 0, 100))
    for attempt in (so.histograms, so.split):
        with pytest.raises(so.DataError, match="none of the 2 events can be used: 2 outside the box"):
            attempt(events)


def test_a_frames_other_columns_may_hold_anything():
    frame = pd.DataFrame({"who": [1, 2], "where": ["a", "b"], "junk": np.array([1, "x"], dtype=object)})
    assert len(so.histograms(so.read_events(frame, user="who", place="where"))) == 2


@pytest.mark.parametrize("call", [so.histograms, so.split, so.accuracy])
def test_the_wrong_kind_of_thing_is_named(call):
    with pytest.raises(so.InputError, match="must be .*got 'DataFrame'"):
        call(pd.DataFrame({"a": [1]}))


def test_frames_without_columns_and_names_that_are_none():
    with pytest.raises(so.SourceError, match="a frame without columns"):
        read(pd.DataFrame())
    with pytest.raises(so.InputError, match="user must be the name of a column, got None"):
        read(TABLE, user=None)
    with pytest.raises(so.InputError, match="grid must be a number of metres"):
        so.read_events(TABLE, user="who", lat="when", lng="when", grid="wide")


def test_people_are_no_places():
    with pytest.raises(so.InputError, match="place must be another column than user"):
        so.read_events(pa.table({"u": ["a"], "p": ["x"]}), user="u", place="u")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("2,3,b,more", "has 4 or more fields instead of 3 at line 3"),
        ("2,3,b,more,and,more", "has 4 or more fields instead of 3 at line 3"),
        ("2,3", "has 2 fields instead of 3 at line 3"),
        ('2,3,"b"c', "has a quote out of place in the row at line 3"),
        ('2,3,"b', "has a quote out of place in the row at line 3"),
    ],
)
@pytest.mark.parametrize("mark", [",", ";"])
def test_a_row_that_does_not_follow_the_header_is_named_by_its_line(tmp_path, row, message, mark):
    lines = ["who,when,where", "1,2,a", row, "4,5,c"]
    (tmp_path / "log.csv").write_text("\n".join(lines).replace(",", mark) + "\n")
    log = so.read_events(tmp_path / "log.csv", user="who", time="when", place="where")
    with pytest.raises(so.SourceError, match=message):
        so.histograms(log)
