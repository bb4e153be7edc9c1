"""Compiling is announced once, in the run in which it happens."""

import os
import subprocess
import sys

from singleout.cli.first_run import COMPILING

MATCH = ["match", "calls.csv", "--user", "user", "--time", "time", "--place", "place", "--split", "weeks"]
WRITE = (
    "import pyarrow.csv, singleout as so;"
    "pyarrow.csv.write_csv(so.synthetic_calls(people=30, antennas=20, regions=2, seed=1).table, 'calls.csv')"
)


def run(folder, *more):
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    words = [sys.executable, "-m", "singleout", *MATCH, "--similarities", "l1", "--out", "found", *more]
    return subprocess.run(words, env=env, cwd=folder, capture_output=True, text=True, timeout=300)


def test_only_the_first_run_after_installation_says_that_it_compiles(tmp_path):
    subprocess.run([sys.executable, "-c", WRITE], cwd=tmp_path, check=True, timeout=120)
    first, second = run(tmp_path), run(tmp_path)
    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    assert first.stderr.count(COMPILING) == 1
    assert COMPILING not in second.stderr
    assert COMPILING not in first.stdout
