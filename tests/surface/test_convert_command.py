"""``singleout convert``: what it lists, writes where reproduce looks, and refuses."""

import json
import re
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from singleout.cli import app
from singleout.papers.data_sets import CENSUS, GEOLIFE, WEB, Shelf
from singleout.papers.originals.all import ORIGINALS

pytestmark = pytest.mark.usefixtures("no_data")
LINE = "7\t2010-10-17T01:48:53Z\t40.75\t-73.99\t420315\n"
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "bring-the-originals.md"


@pytest.fixture
def gowalla(tmp_path):
    file = tmp_path / "loc-gowalla_totalCheckins.txt"
    file.write_text(LINE)
    return file


def run(*arguments):
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


def test_without_arguments_it_lists_each_data_set_with_its_source_and_terms():
    result = run()
    assert result.exit_code == 0
    for each in ORIGINALS.values():
        for told in (each.name, each.public_source, each.terms, each.given, each.gives):
            assert told in result.stdout
    listed = json.loads(run("--json").stdout)["originals"]
    assert [each["name"] for each in listed] == ["geolife", "web", "snap-checkins", "foursquare", "census"]


def test_it_writes_a_folder_with_a_manifest_and_replaces_its_own(tmp_path, gowalla):
    result = run("snap-checkins", gowalla, "--data", tmp_path / "data")
    assert result.exit_code == 0, result.output
    assert "checkins.parquet: 1 rows" in result.stdout
    folder = tmp_path / "data" / "gowalla_nyc"
    assert {file.name for file in folder.iterdir()} == {"checkins.parquet", "manifest.json"}
    about = json.loads((folder / "manifest.json").read_text())
    assert (about["command"], about["parameters"]) == ("convert", {"name": "snap-checkins", "files": 1})
    assert about["inputs"][0]["name"] == gowalla.name
    gowalla.write_text(LINE + LINE.replace("7", "8", 1) + LINE)
    again = run("snap-checkins", gowalla, "--data", tmp_path / "data", "--json")
    document = json.loads(again.stdout)
    assert document["rows"] == {"checkins.parquet": 2}
    assert document["notes"] == [{"count": 1, "what": "records left out", "why": "duplicates of another record"}]
    assert pq.read_metadata(folder / "checkins.parquet").num_rows == 2


def test_a_broken_file_leaves_what_was_there(tmp_path, gowalla):
    assert run("snap-checkins", gowalla, "--data", tmp_path / "data").exit_code == 0
    gowalla.write_text(LINE + "8\tnever\t40.75\t-73.99\t1\n")
    result = run("snap-checkins", gowalla, "--data", tmp_path / "data")
    assert result.exit_code == 2
    assert "loc-gowalla_totalCheckins.txt, line 2: must be user, time" in result.stderr
    assert "never" not in result.stderr
    assert "Traceback" not in result.output
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["gowalla_nyc"]
    assert pq.read_metadata(tmp_path / "data" / "gowalla_nyc" / "checkins.parquet").num_rows == 1


def test_a_file_that_is_not_text_is_refused_in_one_line(tmp_path, gowalla):
    gowalla.write_bytes(LINE.encode() + b"\xff\xfe\x00\xd8\n" + LINE.encode())
    result = run("snap-checkins", gowalla, "--data", tmp_path / "data")
    assert result.exit_code == 2, result.output
    assert re.match(r"error: .*loc-gowalla_totalCheckins\.txt.* is not UTF-8", result.stderr), result.stderr


def test_a_folder_with_other_files_is_left_alone(tmp_path, gowalla):
    other = tmp_path / "data" / "gowalla_nyc" / "README.txt"
    other.parent.mkdir(parents=True)
    other.write_text("mine")
    result = run("snap-checkins", gowalla, "--data", tmp_path / "data")
    assert result.exit_code == 2
    assert re.search(r"--data: .*gowalla_nyc holds other files", result.stderr)
    assert other.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("geolive", "x"), "NAME must be one of geolife, web, snap-checkins, foursquare, census"),
        (
            ("census",),
            "give the original files as well: singleout convert census SOURCE, where SOURCE is the folder with",
        ),
        (("geolife", "."), "--data must be the folder for data sets"),
        (("geolife", "no-such-folder", "--data", "data"), "no-such-folder does not exist"),
        (("foursquare", ".", "--data", "data"), "contains no dataset_TSMC2014_NYC.txt"),
    ],
)
def test_mistakes_are_told_in_words_and_leave_nothing(tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())


def test_the_commands_on_bringing_the_originals_run_and_reproduce_finds_what_they_wrote(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    python, commands = (re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(), re.DOTALL) for kind in ("python", "sh"))
    exec(compile(python[0], str(PAGE), "exec"), {})
    for line in "".join(commands).splitlines():
        result = CliRunner().invoke(app, shlex.split(line)[1:])
        assert result.exit_code == 0, result.output
    shelf = Shelf(tmp_path / "data")
    assert all(shelf.has(data) for data in (GEOLIFE, WEB, CENSUS))
    assert {folder.name for folder in (tmp_path / "data").iterdir()} == {
        "geolife", "web_proxy_150users", "gowalla_nyc", "foursquare_nyc", "acs2024_householder",
    }  # fmt: skip
