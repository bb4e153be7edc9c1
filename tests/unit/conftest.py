"""Data that tests of several rooms use."""

import pytest

import singleout as so


@pytest.fixture(scope="session")
def call_events():
    """Two weeks of calls of 120 people."""
    log = so.synthetic_calls(people=120, seed=4)
    return so.read_events(log.table, user="user", time="time", place="place")
