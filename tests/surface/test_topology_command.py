"""The shape of movements from the command line: tables, files, wrong input in words, no names."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from tests.commands import COLUMNS, run

NAMES = ("eve@example.org", "Clinic of St. Anne")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Thirty people who wander between places of their own, a record an hour."""
    rng = np.random.default_rng(3)
    people, steps = 30, 120
    ways = rng.dirichlet(np.full(8, 0.3), size=(people, 8))
    at = np.zeros((people, steps), dtype=int)
    for step in range(1, steps):
        at[:, step] = [rng.choice(8, p=ways[person, at[person, step - 1]]) for person in range(people)]
    table = pa.table(
        {
            "who": [f"{NAMES[0]}-{person}" for person in np.repeat(np.arange(people), steps)],
            "when": np.tile(np.arange(steps) * 3_600, people),
            "where": [f"{NAMES[1]} {place}" for place in at.ravel()],
        }
    )
    file = tmp_path_factory.mktemp("logs") / "log.csv"
    pyarrow.csv.write_csv(table, file)
    return file


@pytest.fixture(scope="module")
def result(log, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "topology"
    asked = ("--top", 3, "--top", 5, "--kernel", "dsp", "--kernel", "wl", "--ablations", "--defences")
    return run("topology", log, *COLUMNS, *asked, "--out", out), out


def test_every_table_is_printed_in_eighty_columns(result):
    printed, _ = result
    assert printed.exit_code == 0, printed.output
    for word in ("Networks", "Memory", "with a unique network", "The intruder", "at random", "Controls", "contributes"):
        assert word in printed.stdout
    tables = printed.stdout.split("What each choice")[0].split("\n\n")[1:]
    assert max(len(line) for table in tables for line in table.splitlines()) <= 80


def test_the_folder_holds_numbers_pictures_and_manifest_without_a_name(result):
    _, out = result
    files = {file.name: file.read_text() for file in out.iterdir()}
    assert set(files) == {"result.json", "unique.vl.json", "ranks.vl.json", "defences.vl.json", "manifest.json"}
    assert not any(name in text for name in NAMES for text in files.values())
    document = json.loads(files["result.json"])
    assert document["schema"] == "singleout/topology/2"
    assert {row["kernel"] for row in document["attacks"]} == {"size", "dsp", "wl"}
    assert len(document["anonymity"]) == 2 * 19
    assert {row["choices"] for row in document["ablations"]} >= {"as the paper", "no labels", "edges contracted"}
    for row in document["attacks"]:
        assert row["joint_low"] <= row["joint"] <= row["joint_high"]
        assert row["random"] == pytest.approx(1 / 30)


def test_the_same_seed_gives_the_same_numbers(log, result, tmp_path):
    _, out = result
    asked = ("--top", 3, "--top", 5, "--kernel", "dsp", "--kernel", "wl", "--ablations", "--defences")
    assert run("topology", log, *COLUMNS, *asked, "--out", tmp_path / "again", "--quiet").stdout == ""
    assert (tmp_path / "again" / "result.json").read_bytes() == (out / "result.json").read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--kernel", "spp"), "kernel must be one of"),
        (("--edges", "both"), "edges must be one of"),
        (("--min-dwell", "quarter"), "--min-dwell must be a length of time"),
        (("--max-gap", "-3h"), "--max-gap must be a length of time"),
    ],
)
def test_wrong_options_are_told_in_a_line_and_nothing_is_written(log, tmp_path, options, words):
    printed = run("topology", log, *COLUMNS, *options, "--out", tmp_path / "out")
    assert printed.exit_code == 2
    assert words in printed.stderr
    assert len(printed.stderr.splitlines()) <= 2
    assert not (tmp_path / "out").exists()


def test_baskets_whose_order_means_nothing_are_refused(tmp_path):
    lines = ["who,when,where", *(f"{p},{day},{thing}" for p in range(5) for day in range(4) for thing in range(6))]
    (tmp_path / "baskets.csv").write_text("\n".join(lines))
    printed = run("topology", tmp_path / "baskets.csv", *COLUMNS, "--out", tmp_path / "out")
    assert printed.exit_code == 2
    assert "share a time" in printed.stderr
    assert not (tmp_path / "out").exists()


def test_a_log_of_nothing_but_a_header_is_named(tmp_path):
    (tmp_path / "empty.csv").write_text("who,when,where\n")
    printed = run("topology", tmp_path / "empty.csv", *COLUMNS, "--out", tmp_path / "out")
    assert printed.exit_code == 2
    assert printed.stderr == "error: empty.csv contains no events.\n"


def test_a_log_without_times_is_refused(log, tmp_path):
    printed = run("topology", log, "--user", "who", "--place", "where", "--out", tmp_path / "out")
    assert printed.exit_code == 2
    assert "time" in printed.stderr


def test_only_the_people_with_most_records_where_that_is_asked_for(log, tmp_path):
    result = run("topology", log, *COLUMNS, "--top", 5, "--richest", 12, "--out", tmp_path / "few")
    assert result.exit_code == 0, result.output
    document = json.loads((tmp_path / "few" / "result.json").read_text())
    assert document["data"]["people"] == 12
    assert any("with the most records are kept" in note["why"] for note in document["notes"])
    assert {"rate", "attacks", "size", "against_size"} <= set(document["strongest"])
    assert "size of the networks alone" in " ".join(result.stdout.split())
    manifest = json.loads((tmp_path / "few" / "manifest.json").read_text())
    assert (manifest["parameters"]["richest"], manifest["parameters"]["max_gap"]) == (12, "none")


def test_places_that_identify_events_are_refused_unless_allowed(log, tmp_path):
    lines = log.read_text().splitlines()
    numbered = [lines[0] + ",receipt", *(f"{line},r{n}" for n, line in enumerate(lines[1:]))]
    (tmp_path / "log.csv").write_text("\n".join(numbered))
    columns = ("--user", "who", "--time", "when", "--place", "receipt")
    result = run("topology", tmp_path / "log.csv", *columns, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "column 'receipt' has a different value in every row" in result.stderr
    result = run(
        "topology", tmp_path / "log.csv", *columns, "--allow", "receipt", "--top", 3, "--out", tmp_path / "out"
    )
    assert "a different value" not in result.stderr
