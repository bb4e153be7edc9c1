"""Real clusters on this machine, with two worker processes each; gone afterwards. Skipped where not installed."""

import os
import sys
from contextlib import contextmanager, suppress

import joblib
import pytest

from singleout.ground.other_processes import workers_kept
from tests.conftest import two_workers


@contextmanager
def dask():
    with two_workers() as client, joblib.parallel_config(backend="dask"):
        yield lambda: _wait_for_both(client)


def _wait_for_both(client):
    """Whoever was killed by the test before is back: joblib does the work of a single worker in this process."""
    client.wait_for_workers(2, timeout=300)
    with suppress(OSError):  # the scheduler may not know yet who is dead
        client.run(os.getpid)
    client.wait_for_workers(2, timeout=300)


@contextmanager
def loky():
    with joblib.parallel_config(backend="loky", n_jobs=2):
        yield lambda: None


@contextmanager
def ray():
    cluster = pytest.importorskip("ray")
    from ray.util.joblib import register_ray

    register_ray()
    env = {"PYTHONPATH": os.pathsep.join(sys.path)}
    cluster.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": env}, logging_level="error")
    try:
        with joblib.parallel_config(backend="ray", n_jobs=2), workers_kept():
            yield lambda: None
    finally:
        cluster.shutdown()


@contextmanager
def spark():
    pytest.importorskip("joblibspark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    from joblibspark import register_spark

    session = spark_session()
    register_spark()
    try:
        with joblib.parallel_config(backend="spark", n_jobs=2):
            yield lambda: None
    finally:
        session.stop()


def spark_session():
    """Spark in this process and two Python workers, on loopback only."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


CLUSTERS = {each.__name__: each for each in (dask, loky, ray, spark)}
