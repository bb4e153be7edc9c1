"""People are numbered anew at random, and only the key says who is who."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.protection.pseudonyms import release_table
from tests.small_logs import noisy_sides

IDS = [f"eve{k}@example.org" for k in range(12)]


def side(ids=IDS, **options):
    counts = np.eye(len(ids), 4, dtype=int) * 3 + 1
    return so.Histograms(counts, ids, ["bar", "café", "gym", "home"], **options)


def released(protected, seed=0):
    """Each person's shares, by the id that the key gives."""
    table, key = release_table(protected, seed)
    names = dict(zip(key["person"].to_pylist(), key["id"].to_pylist(), strict=True))
    found = {}
    for row in table.to_pylist():
        found.setdefault(names[row["person"]], {})[row["place"]] = row["share"]
    return found


def test_the_key_leads_back_to_the_shares_of_each_person():
    protected = noisy_sides(people=9, places=5)[0]
    shares = protected.shares().toarray()
    expected = {
        person: {place: share for place, share in zip(protected.places.tolist(), row, strict=True) if share}
        for person, row in zip(protected.people.tolist(), shares, strict=True)
    }
    assert released(protected) == expected


def test_pseudonyms_are_numbers_from_one_and_the_file_holds_no_id():
    table, key = release_table(side(), seed=5)
    assert set(table["person"].to_pylist()) == set(range(1, 13))
    assert key["person"].to_pylist() == list(range(1, 13))
    assert table["person"].to_pylist() == sorted(table["person"].to_pylist())
    assert not any("@" in str(value) for column in table.to_pydict().values() for value in column)


def test_the_order_of_rows_reveals_nothing_and_the_seed_decides_the_numbers():
    order = np.random.default_rng(1).permutation(12)
    keys = [release_table(side(ids), seed)[1] for ids, seed in ((IDS, 5), ([IDS[k] for k in order], 5), (IDS, 6))]
    assert keys[0] == keys[1]
    assert keys[0] != keys[2]
    assert keys[0]["id"].to_pylist() != sorted(IDS)


def test_people_without_data_have_no_row_and_no_line_in_the_key():
    table, key = release_table(so.Histograms([[1, 0], [0, 0], [0, 2]], list("abc"), [1, 2]), seed=0)
    assert table.num_rows == key.num_rows == 2
    assert "b" not in key["id"].to_pylist()


def test_channels_and_the_middle_of_cells_have_columns_of_their_own():
    table, _ = release_table(side(channels=["day", "night", "day", "night"]), seed=0)
    assert table.column_names == ["person", "channel", "place", "share"]
    log = {"u": [1, 2], "lat": [46.1234567, 46.2], "lng": [6.1, 6.2]}
    counts = so.histograms(so.read_events(pa.table(log), user="u", lat="lat", lng="lng", grid=500))
    cells, key = release_table(counts, seed=0)
    assert cells.column_names == ["person", "place", "lat", "lng", "share"]
    number = dict(zip(key["id"].to_pylist(), key["person"].to_pylist(), strict=True))[1]
    first = next(row for row in cells.to_pylist() if row["person"] == number)
    assert (first["lat"], first["lng"]) == (pytest.approx(46.123, abs=0.004), pytest.approx(6.1, abs=0.006))
    assert round(first["lat"], 6) == first["lat"]
