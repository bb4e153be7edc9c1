"""A small census file with the columns that R12's surveys and lists have in common."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from singleout.papers.data_sets import CENSUS, Shelf


def write_census(folder, people=4_000, seed=5):
    """People of three states, and of one that does not count."""
    rng = np.random.default_rng(seed)
    columns = {"STATE": rng.choice(["12", "36", "42", "28"], people), "PUMA": rng.integers(1, 6, people).astype(str)}
    columns |= {"SEX": rng.integers(1, 3, people), "AGEP": rng.integers(18, 38, people)}
    columns |= {"RAC1P": rng.integers(1, 4, people), "HISP": rng.integers(1, 3, people)}
    columns |= {"HINCP": rng.integers(-5_000, 400_000, people), "MAR": rng.integers(1, 4, people)}
    columns |= {"SCHL": rng.integers(1, 5, people), "TEN": rng.integers(1, 3, people)}
    file = folder / CENSUS.file
    file.parent.mkdir()
    pq.write_table(pa.table(columns), file)
    return Shelf(folder)
