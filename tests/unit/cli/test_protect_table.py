"""The command ``protect`` on a table."""

import json
import shlex

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from typer.testing import CliRunner

from singleout.cli import app


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(8)
    table = pa.table({"age": rng.integers(20, 60, 300), "town": rng.choice(["a", "b", "c", "d"], 300)})
    pyarrow.csv.write_csv(table, tmp_path / "people.csv")
    return tmp_path / "people.csv"


def protect(*words):
    return CliRunner().invoke(app, ["protect", *map(str, words)])


def test_a_folder_with_the_file_and_every_cut_is_written(file, tmp_path):
    result = protect(file, "--known-columns", "age,town", "--k", 5, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "Measured on the file: k = " in result.output
    assert "Release only protected.csv." in result.output
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [each["column"] for each in manifest["columns"]] == ["age", "town"]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"protected.csv", "result.json", "manifest.json"}
    assert json.loads((tmp_path / "out" / "result.json").read_text())["after"]["k"] >= 5


def test_protections_are_compared(file, tmp_path):
    result = protect(file, "--known-columns", "age,town", "--compare", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "suppress-cells" in result.output
    assert json.loads((tmp_path / "out" / "frontier.json").read_text())["schema"] == "singleout/table-frontier/1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give a limit (--k, --max-risk, --l or --t), or --recode."),
        (("--k", 1), "--k must be a whole number, 2 or more"),
        (("--k", 5, "--keep", 3), "--keep applies only to event logs"),
        (("--k", 5, "--recode", "age"), "--recode must be COLUMN=HOW"),
        (("--k", 5, "--recode", "x=keep"), "'x' is not in --known-columns"),
        (("--k", 5, "--recode", "age=soft"), "must be numbers that divide it into ranges"),
        (("--k", 5, "--hierarchy", "towns.csv"), "--hierarchy must be COLUMN=FILE for a table."),
        (("--k", 5, "--hierarchy", "town=nope.csv"), "nope.csv: no such file"),
        (("--k", 5, "--l", 2), "--l requires --sensitive"),
        (("--k", 5, "--user", "age"), "give either --user"),
        (("--k", 900), "not even the coarsest levels of all known columns meet k = 900"),
        (("--k", 5, "--method", "magic"), "--method must be one of recode, cells, microaggregate"),
    ],
)
def test_wrong_options_are_named_and_nothing_is_written(file, tmp_path, words, message):
    result = protect(file, "--known-columns", "age,town", *words, "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()


def test_the_result_is_a_folder_whatever_it_is_called(file, tmp_path):
    result = protect(file, "--known-columns", "age,town", "--k", 5, "--out", tmp_path / "safe.csv")
    assert result.exit_code == 2
    assert "Name a folder, such as safe: the file in it is called protected.csv." in " ".join(result.output.split())


def test_a_log_of_events_is_refused_as_a_table(tmp_path):
    log = tmp_path / "log.csv"
    rows = [f"u{n % 20},2024-01-{n % 28 + 1:02} 1{n % 10}:00:00,shop{n % 5},{20 + n % 20}" for n in range(400)]
    log.write_text("\n".join(["user_id,time,shop,age", *rows]) + "\n")
    result = protect(log, "--known-columns", "age", "--k", 3, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "looks like an event log" in result.output
    asked = ("--known-columns", "age", "--k", 3, "--one-row-per-person", "--out", tmp_path / "out")
    assert protect(log, *asked).exit_code == 0


TIMED = "Rows may be events rather than people: column 'seen' holds times of day."


@pytest.fixture
def timed(tmp_path):
    rows = [f"{20 + n % 5},2024-01-{n % 28 + 1:02} 1{n % 10}:00:00" for n in range(200)]
    (tmp_path / "p.csv").write_text("\n".join(["age,seen", *rows]) + "\n")
    return (tmp_path / "p.csv", "--known-columns", "age", "--out", tmp_path / "out")


@pytest.mark.parametrize("asked", [("--k", 3, "--compare"), ("--recode", "age=0,22")])
def test_a_column_of_times_alone_is_a_warning_where_no_limit_is_to_be_met(timed, asked):
    result = protect(*timed, *asked)
    assert result.exit_code == 0, result.output
    assert f"warning: {TIMED}" in result.stderr
    assert protect(*timed, *asked, "--one-row-per-person").stderr == ""


@pytest.mark.parametrize("limit", [("--k", 3), ("--max-risk", 0.5)])
def test_no_file_is_written_for_a_limit_where_rows_may_not_be_people(timed, tmp_path, limit):
    result = protect(*timed, *limit)
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith(f"gate failed: {TIMED}")
    assert result.stderr.endswith("say so with --one-row-per-person.\nNothing was written.\n")
    assert not (tmp_path / "out").exists()
    result = protect(*timed, *limit, "--one-row-per-person")
    assert (result.exit_code, result.stderr) == (0, "")
    _, again = result.stdout.split("with a page to keep: ")
    assert "--one-row-per-person" in again
    page = ("--out", str(tmp_path / "page"))
    assert CliRunner().invoke(app, [*shlex.split(again)[1:], *page]).exit_code == 0


def test_identifiers_in_the_file_are_named(tmp_path):
    (tmp_path / "p.csv").write_text("\n".join(["id,age", *(f"x{n:03},{20 + n % 3}" for n in range(60))]) + "\n")
    asked = ("--known-columns", "age", "--k", 3, "--out", tmp_path / "out")
    result = protect(tmp_path / "p.csv", *asked)
    assert result.exit_code == 2
    words = " ".join(result.output.split())
    assert "'id' (a different value in every row)" in words
    assert "Give --drop id for what is not released, or --allow id" in words
    assert "x001" not in words
    assert not (tmp_path / "out").exists()
    result = protect(tmp_path / "p.csv", *asked, "--allow", "id")
    assert "every value is distinct (id)" in " ".join(result.output.split())


def test_recodings_alone_and_comparisons_of_what_needs_nothing_work(file, tmp_path):
    asked = ("--known-columns", "age,town", "--recode", "age=round:5", "--recode", "town=keep")
    assert protect(file, *asked, "--out", tmp_path / "one").exit_code == 0
    (tmp_path / "same.csv").write_text("\n".join(["age,n", *(f"30,{n}" for n in range(60))]) + "\n")
    result = protect(
        tmp_path / "same.csv", "--known-columns", "age", "--allow", "n", "--compare", "--out", tmp_path / "two"
    )
    assert result.exit_code == 0, result.output


def test_an_event_log_takes_no_options_of_tables(file, tmp_path):
    for words in (("--reveal",), ("--k", 5), ("--recode", "age=keep")):
        result = protect(file, "--user", "age", "--place", "town", "--keep", 3, *words, "--out", tmp_path / "out")
        assert result.exit_code == 2
        assert "tables" in result.output
