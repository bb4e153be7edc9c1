"""Shared by all tests: where the real data lies, and Hypothesis without a deadline (kernels compile on first use)."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("singleout", deadline=None, max_examples=40, derandomize=True)
settings.load_profile("singleout")


@pytest.fixture(scope="session")
def real_data():
    """A function from a data set's name to its folder; skips where the real data is not at hand."""

    def folder(name: str) -> Path:
        root = os.environ.get("SINGLEOUT_DATA")
        if not root or not (Path(root) / name).is_dir():
            pytest.skip(f"real data '{name}' is not at hand: set SINGLEOUT_DATA to the folder that holds it")
        return Path(root) / name

    return folder
