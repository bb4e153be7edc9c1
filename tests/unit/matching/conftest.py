"""Two synthetic sites for the tests of profiles."""

import pytest

import singleout as so


@pytest.fixture(scope="session")
def sites():
    return so.synthetic_profiles(people=300, known=2_000, seed=2)
