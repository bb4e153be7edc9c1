"""Events added up in a warehouse: the smallest coordinates of a group lie in the cell of all its points."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so

ibis = pytest.importorskip("ibis")


@given(
    side=st.sampled_from([300.0, 1_000.0, 7_777.0]),
    boxed=st.booleans(),
    middle=st.tuples(st.floats(-80, 80), st.floats(-170, 170)),
    seed=st.integers(0, 2**16),
)
def test_cells_are_those_that_are_found_here(side, boxed, middle, seed):
    rng = np.random.default_rng(seed)
    lat, lng = (centre + rng.normal(0, 0.05, 300) for centre in middle)
    table = pa.table({"who": rng.integers(0, 5, 300), "lat": lat, "lng": lng})
    backend = ibis.duckdb.connect()
    backend.con.register("given", table)
    backend.con.execute("CREATE TABLE events AS FROM given")
    box = (*middle, 9_000.0) if boxed else None
    options = {"user": "who", "lat": "lat", "lng": "lng", "grid": side, "box": box}
    try:
        here = so.histograms(so.read_events(table, **options))
    except so.DataError:  # no point lies in the box
        return
    events = so.read_events(backend.table("events"), **options)
    there = so.histograms(events)
    assert there.places.tolist() == here.places.tolist()
    assert (there.counts != here.counts).nnz == 0
    assert "rows" not in events.log.source.remote._stored
