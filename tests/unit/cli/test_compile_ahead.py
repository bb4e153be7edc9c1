"""What a command calls later is compiled by other processes, which end with it."""

import os
import subprocess
import sys

import pytest

from singleout.cli import compile_ahead
from tests.compiling import AUDIT, MATCH, compiled_in

pytestmark = pytest.mark.heavy


def compiled_after(command, folder, work):
    """Kernels of ours that some work compiles after another process has compiled those of a command."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    words = [sys.executable, "-m", "singleout.cli.compile_ahead", command, "0", "1"]
    with subprocess.Popen(words, env=env, stdin=subprocess.PIPE) as process:
        assert process.wait(timeout=300) == 0
    return {name for module, name, kept in compiled_in(folder, work) if kept and module.startswith("singleout.")}


def test_what_was_compiled_ahead_is_found_on_disk(tmp_path):
    kernels = compiled_after("match", tmp_path, MATCH)
    assert not kernels & {"search_all", "auction", "group_by_end", "pair_gains", "price_rows", "best_gains"}
    assert {"detours", "sort_steps", "spread"} <= kernels, "margins, which the command does not ask for"


def test_all_that_an_audit_calls_is_compiled_ahead(tmp_path):
    rare = {"withdraw"}  # only where many pairs were missing
    assert compiled_after("audit", tmp_path, AUDIT) <= rare


@pytest.mark.skipif(os.cpu_count() == 1, reason="only another core compiles ahead")
def test_compiling_ahead_ends_with_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for process in compile_ahead.start("audit"):
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_commands_that_compile_little_start_no_process():
    assert compile_ahead.start("uniqueness") == []
