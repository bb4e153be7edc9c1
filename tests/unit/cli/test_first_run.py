"""Compiling is announced once, in the run in which it happens."""

import os
import subprocess
import sys
from collections import Counter

import pytest

from singleout.cli.first_run import COMPILING
from tests.compiling import compiled_in

pytestmark = pytest.mark.heavy

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


def test_a_first_run_compiles_every_kernel_for_one_kind_of_arguments(tmp_path):
    found = compiled_in(tmp_path)
    kernels = Counter(name for module, name, kept in found if kept and module.startswith("singleout."))
    assert {"best_gains", "price_rows", "search_all", "group_by_end", "detours"} <= set(kernels)
    assert set(kernels.values()) == {1}
    # a slice set to a slice compiles the words of an error about their lengths: two seconds
    assert not [name for module, name, _ in found if "unicode" in module]
