"""Converters from the publishers' files: small made-up files of each format, good and broken."""

import gzip
from datetime import UTC, datetime

import numpy as np
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.papers.originals.all import ORIGINALS
from singleout.papers.originals.events import THIN, _thin
from singleout.papers.traces import in_order
from tests.conversions import converted

HEAD = "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,My Track,0,0,2,8421376\r\n0\r\n"


def seconds(*when):
    return int(datetime(*when, tzinfo=UTC).timestamp())


def plt(folder, person, name, lines):
    file = folder / f"{person:03d}" / "Trajectory" / f"{name}.plt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEAD + "".join(f"{line}\r\n" for line in lines), newline="")
    return file


def point(lat, lon, when):
    return f"{lat},{lon},0,492,39744.12,{when.replace(' ', ',')}"


def test_geolife_points_come_by_person_file_and_line(tmp_path):
    plt(tmp_path / "Data", 10, "20080102000000", [point(39.5, 116.25, "2008-01-02 00:00:05")])
    plt(tmp_path / "Data", 2, "20090101000000", [point(1, -2.000004, "2009-01-01 00:00:00")])
    lines = [point(39.984702, 116.318417, "2008-10-23 02:53:04"), point(39.98, 116.31, "2008-10-23 02:53:01")]
    plt(tmp_path / "Data", 2, "20081023025304", lines)
    found, result = converted("geolife", tmp_path, tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "points_full_e5.parquet")
    assert (found.folder, result.rows["points_full_e5.parquet"], result.notes) == ("geolife", 4, ())
    assert [str(field.type) for field in table.schema] == ["int16", "int32", "int32", "int32", "int32"]
    first = seconds(2008, 10, 23, 2, 53, 4)
    assert table.to_pydict() == {
        "user": [2, 2, 2, 10],
        "traj": [0, 0, 1, 2],
        "time": [first, first - 3, seconds(2009, 1, 1), seconds(2008, 1, 2, 0, 0, 5)],
        "lat_e5": [3_998_470, 3_998_000, 100_000, 3_950_000],
        "lon_e5": [11_631_842, 11_631_000, -200_000, 11_625_000],
    }


def test_geolife_thins_to_the_first_point_of_each_minute(tmp_path):
    clock = ["00:00:58", "00:00:59", "00:01:00", "00:01:30", "00:00:59"]
    plt(tmp_path, 0, "a", [point(number, 0, f"2008-01-01 {time}") for number, time in enumerate(clock)])
    plt(tmp_path, 0, "b", [point(9, 0, "2008-01-01 00:00:58")])
    converted("geolife", tmp_path, tmp_path / "out")
    assert pq.read_table(tmp_path / "out" / THIN)["lat_e5"].to_pylist() == [0, 200_000, 900_000]


def test_geolife_leaves_out_points_that_cannot_be_and_counts_them(tmp_path):
    lines = [
        point(400.166667, 116, "2008-01-01 00:00:00"),
        point(39, 116, "2000-01-01 00:00:00"),
        point(400.166667, 116, "2000-01-01 00:00:00"),
        "",
        point(39, 116, "2008-01-01 00:00:00"),
    ]
    plt(tmp_path, 0, "a", lines)
    _, result = converted("geolife", tmp_path, tmp_path / "out")
    assert result.rows == {"points_full_e5.parquet": 1, "points_thin60s_e5.parquet": 1}
    assert [note.count for note in result.notes] == [2, 1]
    assert "2 records left out: with an impossible latitude or longitude" in str(result)


@pytest.mark.parametrize(
    "line",
    ["39.9,116.3,0", point("39.9x", 116, "2008-01-01 00:00:00"), point(39, 116, "2008-13-01 00:00:00"),
     point("nan", 116, "2008-01-01 00:00:00"), point(39, "1e300", "2008-01-01 00:00:00")],
)  # fmt: skip
def test_a_broken_line_of_geolife_is_named_by_file_and_number_only(tmp_path, line):
    good = point(39, 116, "2008-01-01 00:00:00")
    plt(tmp_path, 0, "a", [good, good])
    plt(tmp_path, 0, "b", [good, "", line, line])
    with pytest.raises(
        so.InputError, match=r"b\.plt, line 9: must be latitude, longitude, .*\(2 lines have this problem\)"
    ) as told:
        converted("geolife", tmp_path, tmp_path / "out")
    message = str(told.value).replace(str(tmp_path), "")
    assert not any(value in message for value in ("39", "116", "2008", "1e300"))


def test_a_plt_that_does_not_lie_as_geolifes_do_is_not_taken(tmp_path):
    (tmp_path / "own.plt").write_text(HEAD)
    with pytest.raises(so.InputError, match="contains no NNN/Trajectory"):
        ORIGINALS["geolife"].find(tmp_path)


def test_geolife_without_a_point_is_refused(tmp_path):
    plt(tmp_path, 0, "a", [])
    with pytest.raises(so.InputError, match=r"a\.plt contains no usable record"):
        converted("geolife", tmp_path, tmp_path / "out")


CHECKINS = [
    "7\t2010-10-17T01:48:53Z\t40.75\t-73.99\t420315",
    "0\t2010-10-19T23:55:27Z\t40.7512345\t-73.9754999\t22847",
    "0\t2010-10-19T23:55:27Z\t40.7512345\t-73.9754999\t22847",
    "0\t2010-10-18T22:17:43Z\t30.2691\t-97.7494\t420316",
    "3\t2010-10-18T22:17:43Z\t-400\t-97.7494\t420316",
    "3\t\t\t\t",
    "4\t2010",
]


@pytest.mark.parametrize("packed", [False, True])
def test_gowallas_check_ins_in_new_york_by_person_and_time(tmp_path, packed):
    file = tmp_path / f"loc-gowalla_totalCheckins.txt{'.gz' * packed}"
    with gzip.open(file, "wt") if packed else file.open("w") as opened:
        opened.write("\n".join(CHECKINS) + "\n")
    found, result = converted("snap-checkins", file, tmp_path / "out")
    assert (found.folder, result.rows) == ("gowalla_nyc", {"checkins.parquet": 2})
    table = pq.read_table(tmp_path / "out" / "checkins.parquet")
    assert {str(field.type) for field in table.schema} == {"int32"}
    assert table.to_pydict() == {
        "user": [0, 7],
        "time": [seconds(2010, 10, 19, 23, 55, 27), seconds(2010, 10, 17, 1, 48, 53)],
        "place": [22847, 420315],
        "lat_e5": [4_075_123, 4_075_000],
        "lon_e5": [-7_397_550, -7_399_000],
    }
    assert {note.why: note.count for note in result.notes} == {
        "without time, coordinates or place": 2,
        "with an impossible latitude or longitude": 1,
        "not in New York City": 1,
        "duplicates of another record": 1,
    }


def test_brightkites_places_are_numbered_in_the_order_of_their_ids(tmp_path):
    lines = [f"{user}\t2008-10-17T01:48:53Z\t40.75\t-73.99\t{place}" for user, place in ((1, "ee81"), (2, "00ff"))]
    (tmp_path / "Brightkite_totalCheckins.txt").write_text("\n".join(lines))
    found, _ = converted("snap-checkins", tmp_path, tmp_path / "out")
    assert found.folder == "brightkite_nyc"
    assert pq.read_table(tmp_path / "out" / "checkins.parquet")["place"].to_pylist() == [2, 1]


@pytest.mark.parametrize(
    "line", ["x\t2010-10-17T01:48:53Z\t40.7\t-73.9\t1", "1\tyesterday\t40.7\t-73.9\t1", CHECKINS[0] + "\t5"]
)
def test_a_broken_check_in_is_named_by_its_line(tmp_path, line):
    file = tmp_path / "loc-gowalla_totalCheckins.txt"
    file.write_text("\n".join([*CHECKINS, line]))
    with pytest.raises(so.InputError, match=", line 8: must be user, time") as told:
        converted("snap-checkins", file, tmp_path / "out")
    assert "yesterday" not in str(told.value)
    assert "40.7" not in str(told.value)


def test_two_files_of_check_ins_are_one_too_many(tmp_path):
    for name in ("gowalla", "brightkite"):
        (tmp_path / f"loc-{name}_totalCheckins.txt").write_text(CHECKINS[0])
    with pytest.raises(so.InputError, match="contains 2 files of check-ins. Give one"):
        ORIGINALS["snap-checkins"].find(tmp_path)


def test_a_file_of_something_else_has_no_check_ins(tmp_path):
    file = tmp_path / "loc-gowalla_totalCheckins.txt"
    file.write_text("0\t1\n0\t2\n")
    with pytest.raises(so.InputError, match="contains no usable record. Is it the right file"):
        converted("snap-checkins", file, tmp_path / "out")


def visit(user, venue, when="Tue Apr 03 18:00:09 +0000 2012", lat="40.719810"):
    return f"{user}\t{venue}\t4bf58dd8d48988d127951735\tCafé\t{lat}\t-74.002581\t-240\t{when}"


def test_foursquares_check_ins_are_latin_1_and_in_utc(tmp_path):
    lines = [visit(470, "49bb"), visit(3, "4a43"), visit(3, "49bb", "Wed Apr 04 00:00:00 +0000 2012"), visit(3, "4a43")]
    (tmp_path / "dataset_TSMC2014_NYC.txt").write_text("\n".join(lines) + "\n", encoding="latin-1")
    found, result = converted("foursquare", tmp_path, tmp_path / "out")
    assert (found.folder, result.rows, result.notes) == ("foursquare_nyc", {"checkins.parquet": 4}, ())
    first = seconds(2012, 4, 3, 18, 0, 9)
    assert pq.read_table(tmp_path / "out" / "checkins.parquet").to_pydict() == {
        "user": [3, 3, 3, 470],
        "time": [first, first, seconds(2012, 4, 4), first],
        "place": [2, 2, 1, 1],
        "lat_e5": [4_071_981] * 4,
        "lon_e5": [-7_400_258] * 4,
    }


@pytest.mark.parametrize("line", [visit(1, "a", "Tue Apr 03 2012"), visit(1, "a", lat="north"), visit(1, "")])
def test_a_broken_line_of_foursquares_is_named(tmp_path, line):
    file = tmp_path / "dataset_TSMC2014_NYC.txt"
    file.write_text("\n".join([visit(1, "a"), line]), encoding="latin-1")
    with pytest.raises(so.InputError, match="dataset_TSMC2014_NYC.txt, line 2: must be user, venue") as told:
        converted("foursquare", file, tmp_path / "out")
    assert "north" not in str(told.value)


def visited(folder, user, lines, head="timestamp,site"):
    (folder / f"user{user:04d}.csv").write_text("\n".join([head, *lines]) + "\n")


def test_web_visits_keep_the_order_of_their_files(tmp_path):
    visited(tmp_path, 31, ["2013-11-15 08:01:09,a.example"])
    visited(
        tmp_path, 6, ["2013-11-15 08:01:10,b.example", "2013-11-15 08:01:10,a.example", "2013-11-15 08:01:09,c.example"]
    )
    found, result = converted("web", tmp_path, tmp_path / "out")
    assert (found.folder, result.rows) == ("web_proxy_150users", {"visits.parquet": 4})
    table, first = pq.read_table(tmp_path / "out" / "visits.parquet"), seconds(2013, 11, 15, 8, 1, 9)
    assert [str(field.type) for field in table.schema] == ["int16", "int32", "int32"]
    assert table.to_pydict() == {
        "user": [6, 6, 6, 31], "time": [first + 1, first + 1, first, first], "place": [2, 1, 3, 1],
    }  # fmt: skip


def test_a_broken_web_visit_is_named_and_so_is_a_wrong_header(tmp_path):
    visited(tmp_path, 6, ["2013-11-15 08:01:10,b.example", "sometime,secret.example"])
    with pytest.raises(so.InputError, match=r"user0006\.csv, line 3: must be time") as told:
        converted("web", tmp_path, tmp_path / "out")
    assert "secret" not in str(told.value)
    visited(tmp_path, 6, [], head="site,timestamp")
    with pytest.raises(so.InputError, match=r"user0006\.csv, line 1: must be timestamp,site"):
        ORIGINALS["web"].find(tmp_path)


def test_the_reference_files_were_thinned_the_same_way(real_data):
    folder = real_data("geolife")
    some = [("user", "<", 5)]
    full, thin = (pq.read_table(folder / name, filters=some) for name in ("points_full_e5.parquet", THIN))
    assert _thin(full).equals(thin.cast(full.schema))


def test_what_was_converted_can_be_read_as_events(tmp_path):
    rng = np.random.default_rng(0)
    for user in range(3):
        days = [f"2009-0{month}-1{day} 08:00:00" for month in (1, 2) for day in range(3)]
        lines = [point(39.9 + user / 50 + rng.normal(0, 0.001), 116.4, when) for when in days]
        plt(tmp_path / "Data", user, "a", lines)
    converted("geolife", tmp_path, tmp_path / "out")
    events = so.read_events(
        tmp_path / "out" / "points_full_e5.parquet",
        user="user", time="time", lat="lat_e5", lng="lon_e5", coordinate_scale=1e-5, grid=1000,
    )  # fmt: skip
    released, known = map(so.histograms, in_order(so.split(events)))
    assert so.accuracy(so.match(released, known)).rate.value == 1
