"""A table of records, and the same as distinct rows that say how many records each stands for."""

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

import singleout as so
from singleout.reading.tables import with_records

SIZES = {"a": 4, "b": 3, "c": 12, "s": 3, "w": 3}


@st.composite
def counted_rows(draw, most=25):
    """Rows of five columns and their numbers of records; some values are missing, the last column never."""
    cells = [st.integers(0, size - 1) if name in "ws" else st.integers(-1, size - 1) for name, size in SIZES.items()]
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=most, unique=True))
    times = draw(st.lists(st.integers(1, 5), min_size=len(rows), max_size=len(rows)))
    return counted(rows, times)


def counted(rows, times):
    values = dict(zip(SIZES, zip(*rows, strict=True), strict=True))
    columns = {name: pa.array([None if v < 0 else 2 * v for v in values[name]], pa.int64()) for name in "acs"}
    columns["b"] = [None if v < 0 else f"town {v}" for v in values["b"]]
    columns["w"] = [v + 1.5 for v in values["w"]]
    return pa.table({**columns, "n": np.array(times, dtype=np.int64)})


def distinguish_someone(distinct, names):
    """Whether any of the columns has two values, one of which may be that none is given."""
    return any(len(distinct[name].unique()) > 1 for name in names)


def both(distinct, **options):
    """The table of distinct rows, and that of all records in the same order."""
    records = distinct.take(np.repeat(np.arange(distinct.num_rows), distinct["n"].to_numpy())).drop_columns("n")
    return with_records(so.read_table(distinct, **options), "n"), so.read_table(records, **options)
