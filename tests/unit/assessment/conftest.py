"""One audit of an event log and one of a table, for several files."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so


@pytest.fixture(scope="module")
def calls():
    return so.synthetic_calls(people=200, seed=2).table


@pytest.fixture(scope="module")
def audited(calls):
    return so.audit(
        calls,
        options=so.AuditOptions(user="user", time="time", place="place", split="weeks", population=10_000),
        progress=False,
    )


@pytest.fixture(scope="module")
def records():
    rng = np.random.default_rng(1)
    columns = {"age": rng.integers(18, 90, 500), "sex": rng.integers(0, 2, 500), "town": rng.integers(0, 30, 500)}
    return pa.table(columns | {"income": rng.integers(0, 10**6, 500), "vote": columns["town"] % 3})


@pytest.fixture(scope="module")
def audited_table(records):
    options = so.AuditOptions(known_columns=["age", "sex", "town"], max_risk=0.2, population=10_000)
    return so.audit(records, options=options, progress=False)
