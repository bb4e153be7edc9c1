"""Shared by all tests: where the real data lies, Hypothesis without a deadline (kernels compile first), clusters.

``pytest --backend dask`` runs any test on a cluster of two worker processes, with tiles so small that all of them share
the work, and few examples, since every sweep then crosses processes.
"""

import os
from contextlib import contextmanager
from pathlib import Path

import joblib
import pytest
from hypothesis import settings

from singleout.ground import parallel

settings.register_profile("singleout", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("cluster", deadline=None, max_examples=3, derandomize=True)
settings.load_profile("singleout")


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run campaigns whole, not a sample of them")
    parser.addoption("--backend", choices=["threads", "dask"], default="threads", help="where joblib runs the tiles")


def pytest_configure(config):
    if config.getoption("--backend") == "dask":
        settings.load_profile("cluster")


@contextmanager
def two_workers():
    """A real cluster on this machine: a scheduler and two worker processes, gone afterwards."""
    from distributed import Client, LocalCluster

    options = {"dashboard_address": None, "host": "127.0.0.1", "silence_logs": 50}
    with LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture(autouse=True, scope="session")
def backend(request):
    """Run everything on the backend asked for."""
    if request.config.getoption("--backend") == "threads":
        yield
        return
    defaults = parallel.map_tiles.__kwdefaults__
    with two_workers(), joblib.parallel_config(backend="dask"):
        parallel.map_tiles.__kwdefaults__ = {**defaults, "tile": 3}
        yield
    parallel.map_tiles.__kwdefaults__ = defaults


@pytest.fixture(scope="session")
def real_data():
    """A function from a data set's name to its folder; skips where the real data is not at hand."""

    def folder(name: str) -> Path:
        root = os.environ.get("SINGLEOUT_DATA")
        if not root or not (Path(root) / name).is_dir():
            pytest.skip(f"real data '{name}' is not at hand: set SINGLEOUT_DATA to the folder that holds it")
        return Path(root) / name

    return folder
