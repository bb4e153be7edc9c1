"""Missing values that agree with everything, against a comparison of every pair."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import singleout as so

values = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))


@given(rows=st.lists(st.tuples(values, values, values), min_size=1, max_size=25))
def test_records_agree_where_neither_is_missing(rows):
    names = ["x", "y", "z"]
    table = pa.table({name: pa.array([row[n] for row in rows], pa.string()) for n, name in enumerate(names)})
    found = so.table_risk(so.read_table(table), known_columns=names, missing="any")
    agree = [[all(a is None or b is None or a == b for a, b in zip(r, s, strict=True)) for s in rows] for r in rows]
    assert found.sizes.tolist() == np.sum(agree, axis=1).tolist()
