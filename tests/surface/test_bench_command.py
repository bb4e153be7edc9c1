"""``singleout bench``: every solver finds the same, and one line says how."""

import json

import pytest

from tests.commands import run

pytestmark = pytest.mark.heavy


def test_bench_times_every_solver_at_hand_and_all_find_the_same_cost():
    result = run("bench", "matching", "--people", 60, "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    assert rows[0]["solver"] == "singleout"
    assert {"SciPy", "POT"} <= {row["solver"] for row in rows}
    assert {"preparing", "candidates", "solving", "pricing"} <= set(rows[0]["parts"])
    assert rows[0]["relative_gap"] <= 1e-9
    for row in rows:
        assert row["cost"] == pytest.approx(rows[0]["cost"], abs=1e-4), row["solver"]
        assert row["peak_mb"] > 0


def test_bench_prints_one_line_a_run_that_fits_a_terminal():
    result = run("bench", "matching", "--people", 30, "--people", 40, "--hard", "--ours-only")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["30", "40"]
    assert max(map(len, lines)) <= 80


def test_bench_of_tables_agrees_with_duckdb():
    result = run("bench", "tables", "--people", 1_000, "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    assert [row["difference"] for row in rows] == [0.0, 0.0]
    assert all(row["seconds"] > 0 and row["theirs"] > 0 for row in rows)


def test_bench_of_topology_names_every_piece_of_work():
    result = run("bench", "topology", "--people", 12, "--ours-only")
    assert result.exit_code == 0, result.output
    for what in ("networks", "Markov order", "anonymity", "dsp", "all six kernels"):
        assert what in result.stdout


def test_bench_of_nothing_there_is_refused():
    result = run("bench", "matchin")
    assert result.exit_code == 2
    assert "matching" in result.stderr
