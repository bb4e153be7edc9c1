"""``singleout reproduce``: what it lists, writes, skips and refuses."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from singleout.cli import app
from singleout.papers import registry
from singleout.papers.data_sets import CHECKINS
from singleout.papers.registry import experiment, experiments

pytestmark = pytest.mark.usefixtures("no_data")


def run(*arguments):
    return CliRunner().invoke(app, ["reproduce", *map(str, arguments)])


def test_without_ids_it_lists_all_and_what_is_at_hand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run()
    assert result.exit_code == 0
    for each in experiments():
        assert each.id in result.stdout
    assert "GeoLife (same data; not available)" in result.stdout
    assert not list(tmp_path.iterdir()), "a list writes nothing"
    listed = json.loads(run("--json").stdout)["experiments"]
    assert [each["id"] for each in listed] == [each.id for each in experiments()]


def test_one_writes_table_numbers_picture_page_and_manifest(tmp_path):
    result = run("naini-fig12a", "naini-table1", "--quick", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "findings hold" in result.stdout
    names = {file.name for file in (tmp_path / "out").iterdir()}
    both = {f"{name}.{ending}" for name in ("naini-fig12a", "naini-table1") for ending in ("csv", "json")}
    assert names == both | {"naini-fig12a.vl.json", "index.html", "manifest.json"}
    table = pyarrow.csv.read_csv(tmp_path / "out" / "naini-fig12a.csv")
    assert set(table["label"].to_pylist()) == {"synthetic"}
    document = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert document["parameters"]["ids"] == ["naini-fig12a", "naini-table1"]
    assert {file["name"] for file in document["files"]} | {"manifest.json"} == names
    again = run("naini-table1", "--out", tmp_path / "out", "--json")
    assert json.loads(again.stdout)["results"][0]["findings"] == [
        {"text": "all four people are re-identified", "holds": True}
    ]
    assert not (tmp_path / "out" / "naini-fig12a.csv").exists(), "a later run replaces the folder"


def test_a_folder_to_write_to_without_ids_runs_all_that_can_be_run(tmp_path, monkeypatch):
    listed = [experiment("naini-table1"), experiment("naini-fig11")]
    monkeypatch.setattr(registry, "experiments", lambda: listed)
    result = run("--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    document = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert document["parameters"]["ids"] == ["naini-table1"]
    assert "naini-fig11 skipped" in result.stdout
    monkeypatch.chdir(tmp_path)
    assert run("--all").exit_code == 0
    assert (tmp_path / "singleout-reproduce" / "index.html").exists()


def test_what_lacks_its_data_is_skipped_with_a_line_that_says_what_to_get(tmp_path):
    result = run("naini-table1", "naini-fig11", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert "naini-fig11 skipped: needs geolife/points_full_e5.parquet in --data (GeoLife 1.3" in result.stdout
    assert "naini-fig11 skipped" in (tmp_path / "out" / "index.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("naini-fig11",), "nothing can be run. naini-fig11 skipped: needs geolife/"),
        (("naini-fig99",), "Did you mean 'naini-fig9'"),
        (("naini-table1", "--all"), "give either IDS or --all"),
        (("naini-table1", "--data", "no-such-folder"), "--data must be a folder"),
    ],
)
def test_mistakes_are_told_in_words_and_leave_nothing(tmp_path, arguments, told):
    result = run(*arguments, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


def test_the_people_with_most_records_are_asked_for_and_written_down(tmp_path):
    rng = np.random.default_rng(0)
    file = tmp_path / "data" / CHECKINS.file
    file.parent.mkdir(parents=True)
    user = np.repeat(np.arange(20), 30 + np.arange(20))
    table = {"user": user, "time": 3_600 * np.arange(len(user)), "place": rng.zipf(1.5, len(user)) % 9}
    pq.write_table(pa.table(table), file)
    result = run("manousakas-fig4", "--data", tmp_path / "data", "--richest", 8, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "8 people (paper 1,500)" in result.stdout
    document = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert document["parameters"]["richest"] == 8
    assert run("manousakas-fig4", "--data", tmp_path / "data", "--richest", 1).exit_code == 2


def test_findings_that_do_not_count_are_not_in_the_last_line(tmp_path):
    result = run("ramachandran-table4", "naini-table1", "--quick", "--out", tmp_path / "out")
    assert "1 of 1 findings hold." in result.stdout
    assert result.stdout.count("not counted:") == 4
    page = (tmp_path / "out" / "index.html").read_text()
    assert "1 of 1 findings hold." in page
    assert "none counted" in page
