"""Small data in the format of the real files."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from singleout.papers import runs  # noqa: F401 - all experiments are listed by then
from singleout.papers.data_sets import BEIJING, CENSUS, CHECKINS, GEOLIFE, GOWALLA, WEB, Shelf
from singleout.papers.traces import Traces
from tests.wanderers import log_of, wanderers


def write(folder, data, columns):
    file = folder / data.file
    file.parent.mkdir(parents=True)
    pq.write_table(pa.table(columns), file)


def points(rng, people=16, number=240):
    """GPS points of people who keep to a home and a work place, over six weeks."""
    user = np.repeat(np.arange(people), number)
    anchors = rng.uniform(-0.1, 0.1, (people, 2, 2))
    here = anchors[user, rng.integers(0, 2, len(user))] + rng.normal(0, 0.002, (len(user), 2))
    degrees = np.round((here + BEIJING[:2]) * 1e5).astype(np.int32)
    time = 1_240_000_000 + rng.integers(0, 42 * 86_400, len(user))
    return {"user": user, "time": time, "lat_e5": degrees[:, 0], "lon_e5": degrees[:, 1]}


def visits(rng, people=15, number=200):
    """Web visits over two weeks: some sites for all, some for oneself."""
    user = np.repeat(np.arange(people), number)
    place = np.where(rng.random(len(user)) < 0.6, rng.zipf(1.5, len(user)) % 40, 40 + user * 5 + rng.integers(0, 5))
    return {"user": user, "time": 1_390_000_000 + rng.integers(0, 14 * 86_400, len(user)), "place": place}


def householders(rng, people=600):
    """Records of households with the columns that R12's experiments name, and some more."""
    state = rng.choice(["12", "28"], people)
    columns = {"SERIALNO": [f"made{row}" for row in range(people)], "STATE": state, "REGION": np.full(people, 3)}
    columns |= {"PUMA": rng.integers(1, 4, people).astype(str), "BLD": rng.integers(1, 9, people)}
    columns |= {"WGTP": rng.integers(3, 200, people), "PWGTP": rng.integers(3, 200, people)}
    columns |= {"TYPEHUGQ": np.ones(people), "SEX": rng.integers(1, 3, people), "AGEP": rng.integers(18, 95, people)}
    columns |= {"RAC1P": rng.integers(1, 10, people), "HISP": rng.integers(1, 5, people)}
    columns |= {"SCHL": rng.integers(1, 25, people), "NP": rng.integers(1, 9, people)}
    columns |= {"YRBLT": rng.integers(1, 30, people), "OCCP": rng.integers(1, 300, people)}
    columns |= {name: rng.zipf(1.3, people) % 5_000 for name in ("HINCP", "PINCP", "FINCP", "VALP", "WAGP")}
    return columns | {name: rng.integers(0, 3, people) for name in ("TEN", "MAR", "CIT", "MV", "HHT", "ESR")}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(0)
    write(folder, GEOLIFE, points(rng))
    write(folder, WEB, visits(rng))
    write(folder, CENSUS, householders(rng))
    write(folder, CHECKINS, visits(rng, people=25, number=60))
    write(folder, GOWALLA, visits(rng, people=110, number=30))
    return Shelf(folder, quick=True, synthetic_people=150)


@pytest.fixture
def traces():
    return Traces(log_of(*wanderers(np.random.default_rng(4))), seed=7)


@pytest.fixture(scope="module")
def bare():
    """No files at all: only what is synthetic can run."""
    return Shelf(None, quick=True, synthetic_people=150)


@pytest.fixture(scope="module")
def census(tmp_path_factory):
    """Three known classes: one of two records, one of one, one of four; income tells all but two apart."""
    folder = tmp_path_factory.mktemp("census")
    columns = {"STATE": ["12"] * 3 + ["28"] * 4, "REGION": [3] * 7, "PUMA": list("1122222"), "BLD": [1] * 7}
    columns |= {"SEX": [1, 1, 2, 1, 1, 2, 2], "AGEP": [30, 30, 40, 50, 50, 60, 61]}
    columns |= {"HINCP": [10, 20, 20, 10, 20, 30, 30], "TEN": [1, 1, 1, 1, 1, 1, 2]}
    columns |= {"WGTP": [3, 3, 4, 90, 90, 100, 100], "PWGTP": [3, 3, 9, 90, 90, 100, 100]}
    columns |= {"SERIALNO": list("abcdefg"), "TYPEHUGQ": [1] * 7}
    file = folder / CENSUS.file
    file.parent.mkdir()
    pq.write_table(pa.table(columns), file)
    return Shelf(folder)


@pytest.fixture(scope="module")
def empty_shelf():
    """No files, and synthetic data of the usual size."""
    return Shelf(None, quick=True)
