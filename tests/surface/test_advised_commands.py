"""Every command that an audit advises can be run as it stands, and writes what was attacked."""

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
