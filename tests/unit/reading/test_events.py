"""Reading: the same numbers from every kind of source, and a clear word for every kind of bad input."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import singleout as so
from tests.small_sources import TABLE, as_parquet, counts_by_name, read


def test_nothing_is_read_before_a_statistic_needs_it(tmp_path):
    events = read(as_parquet(tmp_path))
    (tmp_path / "log.parquet").unlink()
    with pytest.raises(so.SourceError, match="not a complete, readable Parquet file"):
        so.histograms(events)


MOMENT = datetime(2012, 4, 9, 12, 30, 15, tzinfo=UTC)
SECONDS = int(MOMENT.timestamp())


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
    assert counts_by_name(found) == {("1", "a"): 1, ("3", "b"): 1}
    assert {str(note) for note in found.notes} == {
        "1 event left out: without a user",
        "1 event left out: without a time",
        "1 event left out: without a place",
        "1 person left out: none of their events has a time",
    }


def test_floats_with_gaps_are_whole_numbers_again():
    frame = pd.DataFrame({"who": [1.0, 2.0, np.nan], "where": [5.0, np.nan, 5.0]})
    found = so.histograms(so.read_events(frame, user="who", place="where"))
    assert found.people.tolist() == [1, 2]
    assert found.places.dtype == np.int64
    polars = pl.DataFrame({"who": [1.0, 2.0, float("nan")], "where": [5.0, float("nan"), 5.0]})
    assert counts_by_name(so.histograms(so.read_events(polars, user="who", place="where"))) == counts_by_name(found)


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
    with pytest.raises(
        so.SourceError, match=r"user='whom' is not a column. Its columns: who, when, where, times.*'who'"
    ):
        read(TABLE, user="whom")
    for argument in ("time", "place", "count", "channel"):
        with pytest.raises(so.SourceError, match=f"{argument}='nix' is not a column"):
            read(TABLE, **{argument: "nix"})


def test_a_file_or_frame_without_rows_holds_no_events(tmp_path):
    (tmp_path / "log.csv").write_text("who,when,where\n")
    for source in (tmp_path / "log.csv", TABLE.slice(0, 0)):
        with pytest.raises(so.DataError, match="contains no events"):
            so.histograms(read(source))


def test_hostile_column_names_and_values_stay_text():
    table = pa.table({'a"; DROP TABLE x; --': [1], "place'": ["<script>'; --"]})
    found = so.histograms(so.read_events(table, user='a"; DROP TABLE x; --', place="place'"))
    assert found.places.tolist() == ["<script>'; --"]


def test_a_latitude_of_400_names_the_row_and_not_the_value():
    table = pa.table({"who": [1, 2, 3], "lat": [39.9, 400.17, 40.0], "lng": [116.0, 116.0, 116.0]})
    with pytest.raises(so.DataError, match=r"row 2: the latitude is outside -90 to 90 degrees") as caught:
        so.histograms(so.read_events(table, user="who", lat="lat", lng="lng", grid=1000))
    assert "400" not in str(caught.value)
    with pytest.raises(
        so.DataError, match=r"row 1: the longitude is outside -180 to 180 degrees.*3 rows have this problem"
    ):
        so.histograms(so.read_events(table, user="who", lat="who", lng="lng", grid=1000, coordinate_scale=2.0))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, -2], "row 2: the value of column 'n' is negative"),
        ([1.0, float("inf")], "row 2: the value of column 'n' is not finite"),
        ([1.0, float("nan")], "row 2: the value of column 'n' is not finite"),
        (["1", "many"], "row 2: the value of column 'n' is not a number"),
        (["1", "1_000"], "row 2: the value of column 'n' is not a number"),
        ([1, 2**53 + 1], r"row 2: the value of column 'n' is 2\*\*53 or more"),
        (["1", "9007199254740993"], r"row 2: the value of column 'n' is 2\*\*53 or more"),
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
    with pytest.raises(so.SourceError, match="place='where' has values of mixed types"):
        so.read_events(tmp_path / "log.json", user="who", place="where")


def test_lists_are_no_ids_and_lists_are_no_times():
    table = pa.table({"who": [1], "where": [[1, 2]], "shop": [3]})
    with pytest.raises(so.SourceError, match="ids must be numbers, text"):
        so.read_events(table, user="who", place="where")
    with pytest.raises(so.SourceError, match="must contain numbers, times or text"):
        so.read_events(table, user="who", time="where", place="shop")
    with pytest.raises(so.SourceError, match="it must contain numbers"):
        so.read_events(table, user="who", place="shop", count="where")


def test_arguments_that_do_not_go_together_say_so():
    with pytest.raises(so.InputError, match="give either place or grid, not both"):
        read(TABLE, grid=100)
    with pytest.raises(so.InputError, match=r"grid is missing\. Coordinates need lat, lng and grid \(in metres\)"):
        so.read_events(TABLE, user="who", lat="when", lng="when")
    with pytest.raises(
        so.InputError, match=r"place is missing\. Give a column of place ids with place, or coordinates"
    ):
        so.read_events(TABLE, user="who")
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
    [("1,2,3,4,5", "line 30,002 .*: 4 or more fields instead of 3"), ('1,2,"open', "line 30,002 .*: misplaced quote")],
)
def test_a_malformed_csv_names_the_line_and_shows_nothing_of_it(tmp_path, line, message):
    plain = "".join(f"{k % 50},{k},p{k % 7}\n" for k in range(30_000))
    (tmp_path / "log.csv").write_text("who,when,where\n" + plain + line + "\n" + plain)
    with pytest.raises(so.SourceError, match=message) as caught:
        so.histograms(read(tmp_path / "log.csv"))
    assert "Original" not in str(caught.value)


def test_utf_16_is_recognised_by_its_first_bytes(tmp_path):
    (tmp_path / "log.csv").write_text("who,when,where\n1,1,é\n", encoding="utf-16")
    events = read(tmp_path / "log.csv")
    assert counts_by_name(so.histograms(events)) == {("1", "é"): 1}
    assert not any("encoding" in note.what for note in events.notes)


def test_the_first_line_of_a_file_without_header_is_not_shown(tmp_path):
    (tmp_path / "log.csv").write_text("Ann Smith 1,evening,Clinic 3601\nBob Jones,noon,Home\n")
    with pytest.raises(so.SourceError, match="Does the file have a header line") as caught:
        read(tmp_path / "log.csv")
    assert "Ann" not in str(caught.value)
    assert "log.csv" in str(caught.value)


def test_a_log_of_which_no_event_can_be_used_says_why():
    nobody = pa.table({"who": pa.array([None, None], pa.int64()), "when": [1, 2], "where": ["a", "b"]})
    with pytest.raises(so.DataError, match="none of the 2 events can be used: 2 without a user"):
        so.histograms(read(nobody))
    away = pa.table({"who": [1, 2], "when": [1, 9**9], "la": [40.0, 41.0], "lo": [1.0, 2.0]})
    events = so.read_events(away, user="who", time="when", lat="la", lng="lo", grid=100, box=(0, 0, 100))
    for attempt in (so.histograms, so.split):
        with pytest.raises(so.DataError, match="none of the 2 events can be used: 2 outside the box"):
            attempt(events)


@pytest.mark.parametrize("call", [so.histograms, so.split, so.accuracy])
def test_the_wrong_kind_of_thing_is_named(call):
    with pytest.raises(so.InputError, match="must be .*got 'DataFrame'"):
        call(pd.DataFrame({"a": [1]}))


def test_people_are_no_places():
    with pytest.raises(so.InputError, match="place must be a different column from user"):
        so.read_events(pa.table({"u": ["a"], "p": ["x"]}), user="u", place="u")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("2,3,b,more", "line 3 .*: 4 or more fields instead of 3"),
        ("2,3,b,more,and,more", "line 3 .*: 4 or more fields instead of 3"),
        ("2,3", "line 3 .*: 2 fields instead of 3"),
        ('2,3,"b"c', "line 3 .*: misplaced quote"),
        ('2,3,"b', "line 3 .*: misplaced quote"),
    ],
)
@pytest.mark.parametrize("mark", [",", ";"])
def test_a_row_that_does_not_follow_the_header_is_named_by_its_line(tmp_path, row, message, mark):
    lines = ["who,when,where", "1,2,a", row, "4,5,c"]
    (tmp_path / "log.csv").write_text("\n".join(lines).replace(",", mark) + "\n")
    log = so.read_events(tmp_path / "log.csv", user="who", time="when", place="where")
    with pytest.raises(so.SourceError, match=message):
        so.histograms(log)
