"""Audits of event logs and of a table, and an attack on networks, for several files."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from tests.audits import COLUMNS


@pytest.fixture(scope="session")
def calls():
    return so.synthetic_calls(people=200, seed=2).table


@pytest.fixture(scope="session")
def audited(calls):
    return so.audit(
        calls,
        options=so.AuditOptions(**COLUMNS, split="weeks", population=10_000, max_risk=0.05),
        progress=False,
    )


@pytest.fixture(scope="session")
def records():
    rng = np.random.default_rng(1)
    columns = {"age": rng.integers(18, 90, 500), "sex": rng.integers(0, 2, 500), "town": rng.integers(0, 30, 500)}
    return pa.table(columns | {"income": rng.integers(0, 10**6, 500), "vote": columns["town"] % 3})


@pytest.fixture(scope="session")
def audited_table(records):
    options = so.AuditOptions(known_columns=["age", "sex", "town"], max_risk=0.2, population=10_000)
    return so.audit(records, options=options, progress=False)


@pytest.fixture(scope="session")
def crowded():
    """Many people at few places, who are taken for each other."""
    log = so.synthetic_calls(people=150, antennas=40, regions=5, seed=1).table
    return so.audit(log, options=so.AuditOptions(**COLUMNS, split="weeks"), progress=False)


@pytest.fixture(scope="session")
def attacked(call_events):
    """The shape of movements, at two sizes."""
    return so.topology(call_events, top=[5, 20], kernels=["sp"], seed=1)
