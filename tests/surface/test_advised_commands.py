"""Every command that an audit advises can be run as it stands, and writes what was attacked."""

import json
import shlex

import pyarrow.csv as csv
import pytest
from typer.testing import CliRunner

import singleout as so
from singleout.cli import app

pytestmark = pytest.mark.heavy

LOG = ("--user", "user", "--time", "time")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("advised")
    calls = so.synthetic_calls(people=60, antennas=30, regions=4, seed=1).table
    csv.write_csv(calls, place / "calls.csv")
    antennas = sorted(set(calls["place"].to_pylist()))
    lines = [f"{name},a{number % 7},{number % 3}" for number, name in enumerate(antennas)]
    (place / "areas.csv").write_text("\n".join(["place,area,zone", *lines]) + "\n")
    return place


def grid_log(folder):
    """The same calls with coordinates: antennas on a square of some kilometres."""
    table = csv.read_csv(folder / "calls.csv")
    number = {name: k for k, name in enumerate(sorted(set(table["place"].to_pylist())))}
    spots = [number[name] for name in table["place"].to_pylist()]
    table = table.append_column("lat", [[46.5 + 0.004 * (spot % 6) for spot in spots]])
    table = table.append_column("lng", [[6.5 + 0.006 * (spot // 6) for spot in spots]])
    csv.write_csv(table.drop_columns(["place"]), folder / "points.csv")
    return ("--lat", "lat", "--lng", "lng", "--grid", "300")


@pytest.mark.parametrize("kind", ["places", "hierarchy", "cells"])
def test_every_advised_command_runs(folder, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(folder)
    where = grid_log(folder) if kind == "cells" else ("--place", "place")
    file = "points.csv" if kind == "cells" else "calls.csv"
    options = {"user": "user", "time": "time", "list_people": 0, "topology": "no", "split": "weeks"}
    options |= {"lat": "lat", "lng": "lng", "grid": 300.0} if kind == "cells" else {"place": "place"}
    options |= {"hierarchy": "areas.csv"} if kind == "hierarchy" else {}
    audited = so.audit(file, options=so.AuditOptions(**options), progress=False)
    advised = [each for each in audited.protections if each.command]
    wanted = {"places": "keep", "hierarchy": "hierarchy", "cells": "coarsen"}[kind]
    assert wanted in {each.protection for each in advised}
    for number, remedy in enumerate(advised):
        program, command, *flags = shlex.split(remedy.command.replace("…", shlex.join([file, *LOG, *where])))
        assert (program, command) == ("singleout", "protect")
        out = tmp_path / str(number)
        result = CliRunner().invoke(app, [command, *flags, "--out", str(out), "--seed", "1"])
        assert result.exit_code == 0, (remedy.command, result.output)
        assert "Measured on the file" in result.output
        assert (out / "protected.csv").exists()


def run_in(folder, monkeypatch, command, *more):
    """Run a command of a report as it stands, in a folder."""
    monkeypatch.chdir(folder)
    program, *words = shlex.split(command)
    assert program == "singleout"
    return CliRunner().invoke(app, [*words, *more])


def command_on(terminal):
    """The command that a terminal advises to run right there."""
    before, _, after = terminal.partition("run in this folder:\n")
    assert after, before
    return after.splitlines()[0].strip()


def audited(folder, monkeypatch, out, *words):
    """An audit from a folder: what the terminal says, and audit.json, which names no folder of this machine."""
    result = run_in(folder, monkeypatch, shlex.join(["singleout", "audit", *map(str, words)]), "--out", str(out))
    assert result.exit_code in (0, 1), result.output
    evidence = (out / "audit.json").read_text(encoding="utf-8")
    assert str(folder.parent) not in evidence + (out / "audit.html").read_text(encoding="utf-8")
    return result.output, json.loads(evidence)


def test_a_table_and_its_hierarchy_in_different_folders(tmp_path, monkeypatch):
    here = tmp_path / "f"
    (here / "fold").mkdir(parents=True)
    born = [1940 + number % 60 for number in range(400)]
    rows = [f"{'fm'[number % 7 > 3]},{year},{number % 3}" for number, year in enumerate(born)]
    (tmp_path / "survey.csv").write_text("\n".join(["sex,birth_year,answer", *rows]) + "\n")
    decades = [f"{year},{year // 10 * 10}s,any" for year in sorted(set(born))]
    (here / "fold" / "h.csv").write_text("\n".join(["birth_year,decade,all", *decades]) + "\n")
    words = "../survey.csv", "--known-columns", "sex,birth_year", "--hierarchy", "birth_year=fold/h.csv"
    terminal, document = audited(here, monkeypatch, tmp_path / "out", *words, "--max-risk", "0.05")
    assert document["command_folder"] == "the folder that holds survey.csv and f/fold/h.csv"
    page = (tmp_path / "out" / "audit.html").read_text(encoding="utf-8")
    assert page.count("the folder that holds survey.csv and f/fold/h.csv") == 3
    result = run_in(here, monkeypatch, command_on(terminal), "--out", str(tmp_path / "typed"))
    assert result.exit_code == 0, result.output
    result = run_in(tmp_path, monkeypatch, document["recommended"]["command"], "--out", str(tmp_path / "shown"))
    assert result.exit_code == 0, result.output
    assert (tmp_path / "typed" / "protected.csv").read_bytes() == (tmp_path / "shown" / "protected.csv").read_bytes()
    result = run_in(tmp_path, monkeypatch, document["command"], "--out", str(tmp_path / "again"))
    assert json.loads((tmp_path / "again" / "audit.json").read_text())["risk"] == document["risk"], result.output


PLUGIN = """
import singleout as so


def term(x, y):
    return 4 * x * y / (x + y)


so.register_similarity("advised", term, 2.0, description="triangular discrimination")
"""


def test_two_logs_and_a_plugin_in_three_folders(tmp_path, monkeypatch):
    for name in ("ra", "kb", "p", "elsewhere"):
        (tmp_path / name).mkdir()
    calls = so.synthetic_calls(people=60, antennas=30, regions=4, seed=1).table
    csv.write_csv(calls.slice(0, len(calls) // 2), tmp_path / "kb" / "known.csv")
    csv.write_csv(calls.slice(len(calls) // 2), tmp_path / "ra" / "rel.csv")
    (tmp_path / "p" / "plug.py").write_text(PLUGIN)
    files = tmp_path / "ra" / "rel.csv", "../kb/known.csv"
    words = *files, *LOG, "--place", "place", "--plugin", tmp_path / "p" / "plug.py", "--keep", "5"
    _, document = audited(tmp_path / "elsewhere", monkeypatch, tmp_path / "out", *words)
    result = run_in(tmp_path, monkeypatch, document["command"], "--out", str(tmp_path / "again"))
    assert result.exit_code == 0, result.output
    again = json.loads((tmp_path / "again" / "audit.json").read_text())
    assert again["attacks"] == document["attacks"]
    assert document["command_folder"] == "the folder that holds ra/rel.csv, kb/known.csv and p/plug.py"
    applied = next(each["command"] for each in document["protections"] if each["protection"] == "keep")
    result = run_in(tmp_path, monkeypatch, applied, "--out", str(tmp_path / "kept"))
    assert result.exit_code == 0, result.output


def test_a_log_and_the_areas_of_its_places_in_different_folders(folder, tmp_path, monkeypatch):
    here = tmp_path / "work"
    (here / "fold").mkdir(parents=True)
    (tmp_path / "calls.csv").write_bytes((folder / "calls.csv").read_bytes())
    (here / "fold" / "areas.csv").write_bytes((folder / "areas.csv").read_bytes())
    words = "../calls.csv", *LOG, "--place", "place", "--hierarchy", "fold/areas.csv", "--topology", "no"
    terminal, document = audited(here, monkeypatch, tmp_path / "out", *words, "--split", "weeks", "--max-risk", "0.99")
    result = run_in(here, monkeypatch, command_on(terminal), "--out", str(tmp_path / "typed"))
    assert result.exit_code == 0, result.output
    again = result.output.split("with a page to keep: ")[1].splitlines()[0]
    result = run_in(here, monkeypatch, again, "--out", str(tmp_path / "verified"))
    assert result.exit_code in (0, 1), result.output
    shown = json.loads((tmp_path / "verified" / "verify.json").read_text())
    result = run_in(tmp_path, monkeypatch, shown["command"], "--out", str(tmp_path / "twice"))
    assert result.exit_code in (0, 1), result.output
    assert json.loads((tmp_path / "twice" / "verify.json").read_text())["risk"] == shown["risk"]
    applied = next(each["command"] for each in document["protections"] if each["protection"] == "hierarchy")
    result = run_in(tmp_path, monkeypatch, applied, "--out", str(tmp_path / "coarser"))
    assert result.exit_code == 0, result.output
