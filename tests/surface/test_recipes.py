"""The recipes for servers, storage and clusters on the how-to pages, carried out against real ones on this machine."""

import os
import re
import shlex
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from tests.servers import PASSWORD, fill, postgres, programs, wait_for

pytestmark = pytest.mark.heavy

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
HEADLINE = "re-identify"


def recipe(name):
    """The block of a page that follows the recipe's name."""
    text = "".join((PAGES / page).read_text() for page in ("warehouses.md", "more-machines.md"))
    (found,) = re.findall(rf"<!-- recipe {name} -->\n```text\n(.*?)```", text, re.DOTALL)
    return found


def taps():
    """Calls of forty people, with the names of columns that the recipes use."""
    calls = so.synthetic_calls(people=40, seed=1).table.select(["user", "time", "place"])
    return calls.rename_columns(["card", "tapped_at", "stop"])


def carry_out(script, folder, *replaced, **env):
    """Run a script with some of its text replaced; returns what it printed."""
    for old, new in replaced:
        assert script.count(old) == 1, f"the recipe has no {old}"
        script = script.replace(old, new)
    file = folder / "recipe.py"
    file.write_text(script)
    # workers start elsewhere, and import what this process could
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run(
        [sys.executable, str(file)], cwd=folder, env={**os.environ, **paths, **env}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")
def test_postgres(tmp_path):
    pytest.importorskip("ibis")
    pytest.importorskip("adbc_driver_postgresql")
    command = recipe("postgres").replace("\\\n", " ")
    with postgres() as address:
        fill(address, "taps", taps())
        named = address.split("@")[1]
        words = shlex.split(command.replace("db.example/transport", named))
        ran = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env={**os.environ, "PGPASSWORD": PASSWORD},
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "audit" / "audit.html").exists()


def test_dask(tmp_path):
    pytest.importorskip("distributed")
    assert "300 pairs" in carry_out(recipe("dask"), tmp_path)


def test_ray(tmp_path):
    pytest.importorskip("ray")
    pq.write_table(taps(), tmp_path / "taps.parquet")
    assert HEADLINE in carry_out(recipe("ray"), tmp_path, ("n_jobs=-1", "n_jobs=2"))


def test_spark(tmp_path):
    pytest.importorskip("pyspark")
    pytest.importorskip("ibis")
    (tmp_path / "taps").mkdir()
    pq.write_table(taps(), tmp_path / "taps" / "part.parquet")
    settings = 'SparkSession.builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.ui.enabled", False)'
    settings += '.config("spark.sql.shuffle.partitions", 2)'
    replaced = [("SparkSession.builder", settings), ("s3a://bucket/taps/", str(tmp_path / "taps"))]
    assert HEADLINE in carry_out(recipe("spark"), tmp_path, *replaced)


@contextmanager
def storage():
    """A server that speaks as S3 does, on a free port of this machine; yields its address."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        wait_for(port)
        yield f"{host}:{port}"
    finally:
        server.stop()


def test_object_storage(tmp_path):
    pytest.importorskip("moto")
    s3 = pytest.importorskip("pyarrow.fs").S3FileSystem
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true"}
    with storage() as address, pytest.MonkeyPatch.context() as patched:
        for name, value in keys.items():
            patched.setenv(name, value)
        here = {"region": "eu-central-1", "endpoint_override": address, "scheme": "http"}
        bucket = s3(**here, allow_bucket_creation=True)
        bucket.create_dir("bucket")
        for number, part in enumerate(two_parts(taps())):
            with bucket.open_output_stream(f"bucket/taps/{number}.parquet") as stream:
                pq.write_table(part, stream)
        asked = ", ".join(f"{name}={value!r}" for name, value in here.items())
        printed = carry_out(recipe("object storage"), tmp_path, ('region="eu-central-1"', asked))
    assert HEADLINE in printed


def two_parts(table: pa.Table):
    half = table.num_rows // 2
    return table.slice(0, half), table.slice(half)
