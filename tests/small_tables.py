"""Small tables of records, drawn by Hypothesis or from a seed, and what was found in them."""

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

import singleout as so

NAMES = ["a", "b", "c", "d", "e"]


def table_of(rows, **options):
    columns = NAMES[: len(rows[0])]
    return so.read_table(pa.table({name: [row[c] for row in rows] for c, name in enumerate(columns)}), **options)


def named(rows):
    return [dict(zip(NAMES, row, strict=False)) for row in rows]


cells = st.sampled_from([0, 1, 2, None])
records = st.lists(st.tuples(*[cells] * 5), min_size=1, max_size=25)
known_sets = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
thresholds = st.integers(1, 3)


def random_table(seed=0, n=300, columns=6):
    rng = np.random.default_rng(seed)
    levels = rng.integers(2, 30, columns)
    return pa.table({f"c{j}": rng.integers(0, levels[j], n) for j in range(columns)})


def rows_and_risks(found):
    return [(row.columns, row.isolated) for row in found.rows], found.random, found.by_column
