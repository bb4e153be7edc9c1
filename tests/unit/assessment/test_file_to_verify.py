"""The file that goes out and its key: read as they are, and refused in one line where they do not fit."""

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.assessment.file_to_verify import check_key_belongs, read_key, read_protected, without_added_quotes
from singleout.reading.grid import Grid
from tests.commands import run
from tests.small_releases import small_log, small_release


def test_the_file_is_read_as_it_is_whatever_its_type_and_order(tmp_path):
    file = small_release(keep=20).protected
    rows, number = read_protected(file, None)
    table = csv.read_csv(file)
    assert (number, len(rows)) == (table.num_rows, len(table["person"].unique()))
    pq.write_table(table.take(list(range(table.num_rows))[::-1]), tmp_path / "x.parquet")
    again, _ = read_protected(tmp_path / "x.parquet", None)
    assert sorted(map(str, again.people)) == rows.people.tolist(), "text files hold text"
    assert (again.only([int(name) for name in rows.people]).counts != rows.counts).nnz == 0


def test_counts_may_stand_in_the_place_of_shares(tmp_path):
    (tmp_path / "x.csv").write_text("person,place,count\n1,a,3\n2,b,1\n")
    assert read_protected(tmp_path / "x.csv", None)[0].totals.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("header", "missing"),
    [("who,place,share", "person"), ("person,where,share", "place"), ("person,place,n", "share or count")],
)
def test_a_file_that_protect_did_not_write_is_refused(tmp_path, header, missing):
    (tmp_path / "x.csv").write_text(f"{header}\n1,a,1\n")
    with pytest.raises(so.SourceError, match=f"protected: x.csv has no column {missing}. Give the file that protect"):
        read_protected(tmp_path / "x.csv", None)


def test_cells_of_another_size_are_refused(tmp_path):
    grid = Grid(500.0)
    points = so.read_events(
        pa.table({"u": [1, 2, 3], "lat": [46.5, 46.51, 46.6], "lng": [6.5, 6.52, 6.6]}),
        user="u", lat="lat", lng="lng", grid=500,
    )  # fmt: skip
    places = so.histograms(points).places
    lat, lng = (each.round(6) for each in grid.middles(places.astype("int64")))
    table = pa.table({"person": [1, 2, 3], "place": places, "lat": lat, "lng": lng, "share": [1.0, 1.0, 1.0]})
    csv.write_csv(table, tmp_path / "x.csv")
    assert read_protected(tmp_path / "x.csv", grid)[0].grid == grid
    with pytest.raises(so.DataError, match="cells of x.csv are not those of what is known. Give the grid and box"):
        read_protected(tmp_path / "x.csv", Grid(1_000.0))


def test_the_key_says_who_each_pseudonym_is(tmp_path):
    made = small_release(keep=20)
    people = read_protected(made.protected, None)[0].people
    key = read_key(made.key, people)
    written = csv.read_csv(made.key)
    expected = dict(zip(written["person"].to_pylist(), written["id"].to_pylist(), strict=True))
    assert key == {name: expected[int(name)] for name in people.tolist()}
    assert read_key(expected, people) == key


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("pseudonym,id\n1,a\n", "key: key.csv has no column person. Give the key.csv that protect wrote"),
        ("person,name\n1,a\n", "key: key.csv has no column id"),
        ("person,id\n1,a\n1,b\n", "key: every person and every id must be there once in key.csv"),
        ("person,id\n1,a\n2,a\n", "key: every person and every id must be there once in key.csv"),
        ("person,id\n1,a\n2,\n", "key: every person and every id must be there once in key.csv"),
        ("person,id\n1,a\n2,b\n", "key: 38 people in the file are not in key.csv. Give the key that belongs to"),
    ],
)
def test_a_key_that_does_not_fit_is_refused_without_a_word_of_it(tmp_path, content, message):
    (tmp_path / "key.csv").write_text(content)
    people = read_protected(small_release(keep=20).protected, None)[0].people
    with pytest.raises(so.InputError, match=message) as error:
        read_key(tmp_path / "key.csv", people)
    assert "\n" not in str(error.value)


def written_by_protect(folder, seed):
    """A folder as protect writes it."""
    columns = ("--user", "who", "--time", "when", "--place", "where")
    made = run("protect", small_log(), *columns, "--keep", 20, "--seed", seed, "--out", folder)
    assert made.exit_code == 0, made.output
    return folder / "protected.csv", folder / "key.csv"


def test_the_key_of_another_file_is_refused_though_it_has_all_pseudonyms(tmp_path):
    first, key = written_by_protect(tmp_path / "a", 1)
    second, _ = written_by_protect(tmp_path / "b", 2)
    assert check_key_belongs(key, first) == ()
    with pytest.raises(so.DataError, match="key: key.csv belongs to another file, or that file was changed since"):
        check_key_belongs(key, second)
    first.write_text(first.read_text() + "1,clinic 3,0.5\n")
    with pytest.raises(so.DataError, match="that file was changed since protect wrote it"):
        check_key_belongs(key, first)


def test_a_key_without_a_manifest_is_taken_as_it_is_with_a_note(tmp_path):
    made = small_release(keep=20)
    assert [str(note)[:19] for note in check_key_belongs(made.key, made.protected)] == ["1 key taken as it i"]
    assert len(check_key_belongs({1: "a"}, made.protected)) == 1
    moved = tmp_path / "key.csv"
    moved.write_bytes(made.key.read_bytes())
    (tmp_path / "manifest.json").write_text("{}")
    assert len(check_key_belongs(moved, made.protected)) == 1


def test_an_apostrophe_before_a_formula_hides_no_place():
    file = so.Histograms([[1, 2, 3, 4]], ["a"], ["'=x", "''y", "'plain", "'-1"])
    known = so.Histograms([[1, 1, 1, 1]], ["b"], ["=x", "'y", "'plain", "-1"])
    assert without_added_quotes(file, known).places.tolist() == ["=x", "'y", "'plain", "-1"]
    both = so.Histograms([[1, 1]], ["a"], ["'=x", "=x"])
    assert without_added_quotes(both, so.Histograms([[1]], ["b"], ["z"])).places.tolist() == ["'=x", "=x"]
