"""Files of one record per line: what is read, what is marked, and which line is named."""

import gzip

import pytest

import singleout as so
from singleout.papers.originals.lines import Lines, degrees_e5, number, seconds

TABS = Lines("\t", 2, {"user": number(1, "INTEGER"), "lat": degrees_e5(2)}, "user and latitude, separated by tabs")


def written(folder, name, *lines):
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


def test_lines_come_in_the_order_of_files_with_the_number_of_their_file(tmp_path):
    files = [written(tmp_path, "b.txt", "1\t40.5", "", "2\t-3"), written(tmp_path, "a.txt", "9\t0.123456")]
    assert TABS.read(files).to_pydict() == {
        "file": [0, 0, 1],
        "gap": [False] * 3,
        "user": [1, 2, 9],
        "lat": [4_050_000, -300_000, 12_346],
    }


@pytest.mark.parametrize("broken", ["x\t1", "1", "1\t2\t3", "1\tnan", "1\tinf", "1\t"])
def test_the_first_line_that_cannot_be_read_is_named_by_file_and_number_and_not_shown(tmp_path, broken):
    files = [written(tmp_path, "a.txt", "1\t1"), written(tmp_path, "b.txt", "1\t1", "2\t2", f"{broken}", "3\t3")]
    with pytest.raises(so.DataError, match=r"b\.txt, line 3: must be user and latitude, separated by tabs\.$"):
        TABS.read(files)


def test_a_header_counts_as_a_line_and_many_broken_lines_are_counted(tmp_path):
    lines = Lines(",", 1, {"n": number(1)}, "a number", header=2)
    file = written(tmp_path, "a.csv", "head", "more", "1", "x", "y")
    with pytest.raises(so.DataError, match=r"a\.csv, line 4: must be a number \(2 lines have this problem\)"):
        lines.read([file])
    assert lines.read([written(tmp_path, "b.csv", "head", "x", "1.5")])["n"].to_pylist() == [1.5]


def test_where_gaps_may_be_they_are_marked_and_not_refused(tmp_path):
    lines = Lines(",", 2, {"a": "f[1]", "b": "f[2]"}, "two fields", gaps=True)
    found = lines.read([written(tmp_path, "a.csv", "x,y", "x", ",y")])
    assert found["gap"].to_pylist() == [False, True, True]


def test_packed_files_and_other_encodings_are_read(tmp_path):
    with gzip.open(tmp_path / "a.txt.gz", "wt") as file:
        file.write("7\t1\n")
    assert TABS.read([tmp_path / "a.txt.gz"])["user"].to_pylist() == [7]
    (tmp_path / "latin.txt").write_bytes("café\n".encode("latin-1"))
    lines = Lines("\t", 1, {"name": "f[1]"}, "a name", encoding="latin-1")
    assert lines.read([tmp_path / "latin.txt"])["name"].to_pylist() == ["café"]


def test_moments_are_unix_seconds_in_utc(tmp_path):
    lines = Lines(",", 1, {"moment": seconds("f[1]", "%Y-%m-%d %H:%M:%S")}, "a moment")
    file = written(tmp_path, "a.csv", "1970-01-02 00:00:01", "2012-04-09 00:00:00")
    assert lines.read([file])["moment"].to_pylist() == [86_401, 1_333_929_600]
