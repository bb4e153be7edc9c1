"""An event log for the commands that read one."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.commands import SECRETS


@pytest.fixture
def log(tmp_path):
    """Forty people over four weeks with names that must not leak."""
    rng = np.random.default_rng(0)
    homes = rng.integers(0, 30, 40)
    user = np.repeat(np.arange(40), 30)
    place = np.where(rng.random(1_200) < 0.7, homes[user], rng.integers(0, 30, 1_200))
    table = pa.table(
        {
            "who": [f"{SECRETS[0]}-{u}" for u in user],
            "when": 1_333_929_600 + rng.integers(0, 28 * 86_400, 1_200),
            "where": [f"{SECRETS[1]} {p}" for p in place],
        }
    )
    pq.write_table(table, tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


@pytest.fixture
def no_data(monkeypatch):
    """As if there were no real data on this machine."""
    monkeypatch.delenv("SINGLEOUT_DATA", raising=False)
