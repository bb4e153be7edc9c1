"""Grids: the cell of a point equals the one worked out by hand; two files on one grid align."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.reading.grid import METRES_PER_DEGREE, ROW_STEP
from tests.reference.counting import cell

BOX = (39.906, 116.391, 39_000.0)


def cells(lat, lng, **options):
    table = pa.table({"u": np.arange(len(lat)), "lat": pa.array(lat, pa.float64()), "lng": pa.array(lng, pa.float64())})
    found = so.histograms(so.read_events(table, user="u", lat="lat", lng="lng", **options))
    rows = found.counts.tolil().rows
    return [divmod(int(found.places[r[0]]), ROW_STEP) if r else None for r in rows], found


@given(
    points=st.lists(st.tuples(st.floats(39.6, 40.2), st.floats(116.0, 116.8)), min_size=1, max_size=20),
    side=st.sampled_from([100.0, 1000.0, 777.0]),
)
def test_cells_in_a_box_equal_their_twin(points, side):
    points = [*points, BOX[:2]]  # one for sure inside
    found, _ = cells(*zip(*points, strict=True), grid=side, box=BOX)
    for point, got in zip(points, found, strict=True):
        expected = cell(*point, side, BOX)
        if got != expected:  # on a border the last bit may decide either way
            moved = [cell(point[0] + a, point[1] + b, side, BOX) for a in (-1e-9, 1e-9) for b in (-1e-9, 1e-9)]
            assert got in moved


def test_points_outside_the_box_are_left_out_and_counted_and_their_person_keeps_a_row():
    found, histograms = cells([39.906, 50.0], [116.391, 116.391], grid=1000, box=BOX)
    assert found[1] is None
    notes = [str(note) for note in histograms.notes]
    assert "1 event left out: outside the box" in notes
    assert "1 person without events: they keep an empty row and share no place with anyone" in notes


@given(lat=st.floats(-89, 89), lng=st.floats(-180, 180), side=st.sampled_from([100.0, 5_000.0]))
def test_global_cells_are_square_and_contain_their_point(lat, lng, side):
    ((row, column),), _ = cells([lat], [lng], grid=side)
    if column >= ROW_STEP // 2:  # west of Greenwich
        row, column = row + 1, column - ROW_STEP
    assert row == math.floor(lat * METRES_PER_DEGREE / side)
    middle = math.radians((row + 0.5) * side / METRES_PER_DEGREE)
    assert column == pytest.approx(lng * METRES_PER_DEGREE * math.cos(middle) / side, abs=1)


def test_two_files_on_the_global_grid_share_their_cells_whatever_else_they_hold():
    one, _ = cells([46.5, -33.9], [6.6, 151.2], grid=500)
    other, _ = cells([60.0, 46.5], [10.0, 6.6], grid=500)
    assert one[0] == other[1]


def test_missing_coordinates_are_left_out():
    _, found = cells([1.0, None, float("nan")], [1.0, 1.0, 1.0], grid=100)
    assert "2 events left out: without a place" in [str(note) for note in found.notes]


def test_sides_on_different_grids_cannot_be_matched():
    _, one = cells([46.5], [6.6], grid=500)
    _, other = cells([46.5], [6.6], grid=1000)
    with pytest.raises(so.DataError, match="on different grids"):
        so.match(one, other)
