"""The command ``suda``: scores of every record, and a summary."""

import json

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import singleout as so
from singleout.cli import app
from tests.commands import run

COLUMNS = "residence,gender,education,labor"


def test_the_published_scores_are_written(real_data, tmp_path):
    file = real_data("ihsn_suda_example") / "ihsn_suda_example.csv"
    asked = ("--known-columns", COLUMNS, "--sampling-fraction", 0.01, "--out", tmp_path / "out")
    result = run("suda", file, *asked)
    assert result.exit_code == 0, result.output
    rows = pq.read_table(tmp_path / "out" / "records.parquet").to_pydict()
    published = so.read_table(file).encode(["suda", "dis_suda"])
    assert rows["score"] == [int(value) for value in published[0].decode()]
    assert [round(value, 4) for value in rows["dis"]] == [float(value) for value in published[1].decode()]
    summary = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (summary["singled_out"], summary["highest"]) == (4, 12)


def test_the_sampling_fraction_comes_from_survey_weights(real_data, tmp_path):
    file = real_data("ihsn_suda_example") / "ihsn_suda_example.csv"
    asked = ("--known-columns", COLUMNS, "--survey-weight", "weight", "--out", tmp_path / "out", "--json")
    result = run("suda", file, *asked)
    assert json.loads(result.stdout)["highest_dis"] == pytest.approx(0.00682, abs=1e-5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--known-columns", "x"), "must be at least two columns"),
        (("--known-columns", "x,nope"), "is not a column"),
        (("--known-columns", "x,y", "--max-size", "0"), "--max-size must be a whole number above zero"),
        (("--known-columns", "x,y", "--sampling-fraction", "2"), "--sampling-fraction must be above 0 and at most 1"),
    ],
)
def test_wrong_options_are_named(tmp_path, words, message):
    (tmp_path / "t.csv").write_text("x,y\n1,2\n3,4\n")
    result = CliRunner().invoke(app, ["suda", str(tmp_path / "t.csv"), *words, "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_rows_that_may_be_events_are_named_and_a_log_is_refused(tmp_path):
    lines = [f"{k % 7},{k % 3},2025-03-0{1 + k % 9} {k % 24:02}:0{k % 10}" for k in range(60)]
    (tmp_path / "people.csv").write_text("\n".join(["age,sex,seen", *lines]))
    asked = ("suda", tmp_path / "people.csv", "--known-columns", "age,sex", "--out", tmp_path / "out")
    result = run(*asked)
    assert result.exit_code == 0, result.output
    assert "warning: Rows may be events rather than people: column 'seen' holds times of day. Run:" in result.stderr
    assert f"singleout audit {tmp_path / 'people.csv'} --user COLUMN --time seen --place COLUMN" in result.stderr
    assert run(*asked, "--quiet").output == ""
    assert run(*asked, "--one-row-per-person").stderr == ""
    (tmp_path / "people.csv").write_text("\n".join(["card_id,sex,seen", *lines]))
    result = run("suda", tmp_path / "people.csv", "--known-columns", "card_id,sex", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "this looks like an event log: column 'card_id' has 7 values in 60 rows" in result.stderr


def test_direct_identifiers_are_refused_unless_allowed(tmp_path):
    lines = [f"SECRET-{k},{k % 7},{k % 3}" for k in range(60)]
    (tmp_path / "people.csv").write_text("\n".join(["name,age,sex", *lines]))
    asked = ("suda", tmp_path / "people.csv", "--out", tmp_path / "out", "--known-columns")
    result = run(*asked, "name,age,sex")
    assert result.exit_code == 2
    assert "'name' (a different value in every row)" in result.stderr
    assert "SECRET" not in result.stderr
    assert run(*asked, "name,age,sex", "--allow", "name").exit_code == 0
    assert run(*asked, "age,sex").exit_code == 0, "it is not known"
