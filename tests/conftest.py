"""Shared by all tests: where the real data lies, Hypothesis without a deadline (kernels compile first), clusters.

``pytest --backend dask`` runs any test on a cluster of two worker processes, with tiles so small that all of them share
the work, and few examples, since every sweep then crosses processes.
"""

import os
from collections import Counter
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import joblib
import pytest
import typer.testing
from hypothesis import settings

from singleout.ground import parallel
from singleout.similarity import plugins, registry

NO_DATA = "SINGLEOUT_DATA is not set"
NOT_IN_DATA = "the folder of SINGLEOUT_DATA holds no {}"

typer.testing._get_command = cache(typer.testing._get_command)  # it takes longer than many a command

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
    import dask
    from distributed import Client, LocalCluster

    # on a busy machine a worker that was killed takes longer to come back than dask waits before it gives it up
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "10 minutes"})
    options = {"dashboard_address": None, "host": "127.0.0.1", "silence_logs": 50}
    with patient, LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture(autouse=True, scope="session")
def backend(request):
    """Run everything on the backend asked for."""
    if request.config.getoption("--backend") == "threads":
        yield
        return
    with pytest.MonkeyPatch.context() as patched, two_workers(), joblib.parallel_config(backend="dask"):
        cut_tiles(patched, 3)
        yield


@pytest.fixture(autouse=True)
def _forget_own_similarities():
    """What a test registers must not be tried by the audits of others."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)
    plugins._loaded.clear()


def cut_tiles(monkeypatch, rows):
    """Cut work into tiles of so many rows from now on."""
    monkeypatch.setattr(parallel, "ROWS_PER_TILE", rows)


@pytest.fixture
def rows_per_tile(monkeypatch):
    """A function that takes the number of rows of a tile, for the rest of the test."""
    return partial(cut_tiles, monkeypatch)


@pytest.fixture(scope="session")
def real_data():
    """A function from a data set's name to its folder; skips where the real data is not at hand."""

    def folder(name: str) -> Path:
        root = os.environ.get("SINGLEOUT_DATA")
        if not root:
            pytest.skip(NO_DATA)
        if not (Path(root) / name).is_dir():
            pytest.skip(NOT_IN_DATA.format(name))
        return Path(root) / name

    return folder


def pytest_terminal_summary(terminalreporter):
    """Say once what was skipped for lack of real data: such a run has checked no published figure."""
    reasons = Counter(
        str(report.longrepr[2]).removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    for reason, number in sorted(reasons.items()):
        if "SINGLEOUT_DATA" in reason:
            tests = "test" if number == 1 else "tests"
            terminalreporter.write_line(f"{number} {tests} skipped: {reason}", yellow=True)
