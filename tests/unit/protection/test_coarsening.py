"""Coarsening: the same type comes back, with notes of what was changed."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so
from tests.small_logs import COARSER, DAY, LOG, counts_of, events, side


def test_a_mapping_merges_places_of_histograms_and_of_events_alike():
    expected = {("a", "in"): 2, ("a", "out"): 3, ("b", "out"): 1}
    log = events(LOG)
    assert counts_of(so.coarsen(so.histograms(log), COARSER)) == expected
    assert counts_of(so.histograms(so.coarsen(log, COARSER))) == expected
    assert [note.what for note in so.coarsen(so.histograms(log), COARSER).notes] == ["places merged"]


def test_a_hierarchy_file_goes_to_any_of_its_levels(tmp_path):
    file = tmp_path / "places.csv"
    file.write_text("place,kind,any\nbar,out,1\ncafé,out,1\ngym,out,1\nhome,in,1\n")
    counts = so.histograms(events(LOG))
    assert sorted(so.coarsen(counts, file).places) == ["in", "out"]
    assert so.coarsen(counts, file, level="any").places.tolist() == ["1"]
    with pytest.raises(so.SourceError, match="level='city' is not a column of places.csv. The first line"):
        so.coarsen(counts, file, level="city")
    with pytest.raises(so.SourceError, match="no such file"):
        so.coarsen(counts, tmp_path / "nothing.csv")


@pytest.mark.parametrize("of", [pa.Table.to_pandas, pl.from_arrow, lambda table: table])
def test_a_hierarchy_may_be_a_frame(of):
    frame = of(pa.table({"place": list(COARSER), "kind": list(COARSER.values())}))
    log = events(LOG)
    for side_of_log in (log, so.histograms(log)):
        merged = so.coarsen(side_of_log, frame)
        assert counts_of(merged if isinstance(merged, so.Histograms) else so.histograms(merged)) == {
            ("a", "in"): 2,
            ("a", "out"): 3,
            ("b", "out"): 1,
        }


@pytest.mark.parametrize("gap", [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT])
@pytest.mark.parametrize("of", [lambda log: log, so.histograms])
def test_a_gap_in_a_mapping_is_refused(of, gap):
    with pytest.raises(so.DataError, match="1 place or coarser place is missing in the mapping. Fill the gaps"):
        so.coarsen(of(events(LOG)), COARSER | {"gym": gap})
    with pytest.raises(so.DataError, match="4 places or coarser places are missing"):
        so.coarsen(of(events(LOG)), dict.fromkeys(COARSER, gap))


def test_gaps_in_a_hierarchy_file_are_counted(tmp_path):
    (tmp_path / "places.csv").write_text("place,kind\nbar,out\ncafé,\ngym,\nhome,in\n")
    with pytest.raises(so.DataError, match="2 places or coarser places are missing in the mapping"):
        so.coarsen(so.histograms(events(LOG)), tmp_path / "places.csv")


@pytest.mark.parametrize("of", [lambda log: log, so.histograms])
def test_a_place_that_the_mapping_misses_is_an_error_without_its_name(of):
    with pytest.raises(so.DataError, match="1 place has no coarser place.* add a row for each") as caught:
        so.coarsen(of(events(LOG)), {k: v for k, v in COARSER.items() if k != "gym"})
    assert "gym" not in str(caught.value)


def test_larger_cells_equal_reading_with_larger_cells():
    rng = np.random.default_rng(0)
    table = pa.table({"u": rng.integers(0, 9, 500), "lat": 46 + rng.random(500), "lng": 6 + rng.random(500)})
    columns = {"user": "u", "lat": "lat", "lng": "lng"}
    fine = so.read_events(table, **columns, grid=1_000)
    coarse = so.histograms(so.coarsen(fine, 20_000))
    expected = so.histograms(so.read_events(table, **columns, grid=20_000))
    assert coarse.places.tolist() == expected.places.tolist()
    np.testing.assert_array_equal(coarse.counts.toarray(), expected.counts.toarray())
    assert coarse.grid == expected.grid
    with pytest.raises(so.InputError, match="at least the side of the cells, 1000 metres"):
        so.coarsen(fine, 10)
    before, after = so.histograms(fine).number_of_places, expected.number_of_places
    assert [str(note) for note in coarse.notes] == [f"{before} places merged: {after} places left"]


def points(number=500, people=9):
    rng = np.random.default_rng(0)
    lat, lng = 46 + rng.random(number), 6 + rng.random(number)
    return pa.table({"u": rng.integers(0, people, number), "lat": lat, "lng": lng})


def test_counted_cells_of_a_box_merge_as_if_the_cells_had_been_larger_from_the_start():
    columns = {"user": "u", "lat": "lat", "lng": "lng", "box": (46.5, 6.5, 80_000)}
    fine = so.histograms(so.read_events(points(), **columns, grid=500))
    merged = so.coarsen(fine, 4_000)
    expected = so.histograms(so.read_events(points(), **columns, grid=4_000))
    assert counts_of(merged) == counts_of(expected)
    assert merged.grid == expected.grid
    assert counts_of(so.coarsen(merged, 8_000)) == counts_of(so.coarsen(fine, 8_000))


@pytest.mark.parametrize("hemisphere", [1, -1])
def test_counted_cells_of_the_globe_go_to_the_cell_that_holds_their_middle(hemisphere):
    grid, times = 1_000, 7
    centres = np.array([[-40.0, 3.0], [0.001, 0.001], [46.2, 6.1], [71.0, -25.0]]) * hemisphere
    steps = np.arange(-9, 10) * 0.009
    lat, lng = (np.add.outer(centres[:, k], steps).ravel() for k in (0, 1))
    columns = {"user": "u", "lat": "lat", "lng": "lng"}
    table = pa.table({"u": np.arange(len(lat)), "lat": lat, "lng": lng})
    fine = so.histograms(so.read_events(table, **columns, grid=grid))
    merged = so.coarsen(fine, grid * times)
    # the middle of each person's cell, in degrees, by the definition of the grid
    degree = np.radians(1) * 6_371_008.8 / grid
    cell = fine.places[fine.counts.indices]
    row = np.round(cell / 2**32)
    middle = (row + 0.5) / degree
    across = (cell - row * 2**32 + 0.5) / degree / np.cos(np.radians(middle))
    middles = pa.table({"u": np.arange(len(lat)), "lat": middle, "lng": across})
    assert counts_of(merged) == counts_of(so.histograms(so.read_events(middles, **columns, grid=grid * times)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda log: so.coarsen(so.histograms(log), 2_500), "a whole multiple of the side of the cells, 1000 metres"),
        (lambda log: so.coarsen(so.histograms(log), 500), "at least the side of the cells, 1000 metres"),
        (
            lambda log: so.coarsen(so.histograms(events(LOG)), 500),
            r"to=500 works only on cells of a grid\. Give lat, lng and grid, or use hierarchy",
        ),
        (
            lambda log: so.coarsen(events(LOG), 500),
            r"to=500 works only on cells of a grid\. Give lat, lng and grid, or use hierarchy",
        ),
        (lambda log: so.coarsen([1], COARSER), r"x must be Events or Histograms \(got 'list'\)"),
    ],
)
def test_coarsening_that_cannot_be_is_refused(make, message):
    log = so.read_events(points(), user="u", lat="lat", lng="lng", grid=1_000)
    with pytest.raises(so.InputError, match=message):
        make(log)


def test_a_cell_cut_in_two_counts_as_the_larger_cell_of_most_of_its_events():
    lat = [46.0] * 6
    lng = [6.0 + step for step in (0.0, 0.0001, 0.0002, 0.02, 0.02, 0.02)]
    table = pa.table({"u": list("abcabc"), "lat": lat, "lng": lng})
    log = so.read_events(table, user="u", lat="lat", lng="lng", grid=3_000)
    coarse = so.coarsen(log, 4_000)
    fine, merged = so.histograms(log), coarse.merged_places()
    assert set(fine.places.tolist()) == set(merged)
    assert set(merged.values()) <= set(so.histograms(coarse).places.tolist())
    assert all(so.coarsen(log, 4_000).merged_places() == merged for _ in range(3))


def test_coarsening_keeps_the_days_that_were_left_out_left_out():
    short = so.shorten(events(LOG), days=2)
    assert counts_of(so.histograms(so.coarsen(short, COARSER))) == {("a", "out"): 2, ("b", "out"): 1}


def test_coarsening_one_part_of_a_split_leaves_the_other_as_it_is():
    rows = [(u, k * DAY, p) for u in "ab" for k, p in enumerate(["bar", "gym"] * 10)]
    second, first = so.split(events(rows), by="halves")
    merged = so.histograms(so.coarsen(first, COARSER))
    assert merged.places.tolist() == ["out"]
    assert so.histograms(second).places.tolist() == ["bar", "gym"]
    assert merged.counts.sum() == so.histograms(first).counts.sum()


@given(table=arrays(np.int64, (6, 4), elements=st.integers(0, 3)).filter(lambda table: table.any()))
def test_coarsening_loses_no_event(table):
    merged = so.coarsen(side(table), COARSER)
    np.testing.assert_array_equal(merged.totals, table.sum(axis=1))
