"""Commands in reports can be copied and run."""

import json
import shlex

import pyarrow.csv
from typer.testing import CliRunner

import singleout as so
from singleout.assessment.audit_options import AuditOptions, names_of
from singleout.assessment.command_lines import command_line, flags_of, source_names
from singleout.cli.commands import app


def test_what_was_asked_for_becomes_flags_that_mean_the_same():
    asked = AuditOptions(
        user="the user", place="p", time="t", similarities=("js", "l1"), keep=(5, 10), coordinate_scale=0.00001,
        protect=False, reveal=True, hierarchy=("areas.csv",), purpose="a study; 'quoted'",
    )  # fmt: skip
    flags = flags_of(asked)
    assert ("--no-protect" in flags, "--reveal" in flags) == (True, True)
    assert flags[flags.index("--similarities") + 1] == "js,l1"
    assert flags[flags.index("--coordinate-scale") + 1] == "1e-05"
    words = shlex.split(command_line("audit", ["my log.csv"], *flags))
    assert words[:3] == ["singleout", "audit", "my log.csv"]
    assert "a study; 'quoted'" in words


def test_data_that_came_from_no_file_has_no_name():
    assert source_names("log.csv", object()) == ("log.csv", "FILE")


def test_files_are_named_as_they_were_given_but_for_folders_of_this_machine():
    named = "sqlite:///in/visits.db?table=taps", "in/survey.xlsx?sheet=May", "in/*.csv"
    assert source_names(*named) == named
    away = "/home/someone/log.csv", "../someone/log.csv", "~/log.csv"
    assert source_names(*away) == ("log.csv",) * 3
    assert source_names("sqlite:////home/someone/visits.db?table=taps") == ("sqlite:///visits.db?table=taps",)


def test_queries_are_not_repeated_since_they_may_hold_values():
    asked = "duckdb:////home/someone/visits.duckdb?query=FROM t WHERE who = 'a/b'", "visits.db?query=SELECT 'secret'"
    assert source_names(*asked) == ("duckdb:///visits.duckdb?query=…", "visits.db?query=…")
    assert names_of(*asked) == "visits.duckdb?query=… and visits.db?query=…"


def test_every_command_of_an_audit_of_events_runs_and_the_audit_can_be_repeated(tmp_path, monkeypatch):
    log = so.synthetic_calls(people=60, antennas=20, regions=4, seed=1).table
    pyarrow.csv.write_csv(log, tmp_path / "calls.csv")
    monkeypatch.chdir(tmp_path)
    asked = {"user": "user", "time": "time", "place": "place", "split": "weeks", "max_risk": 0.3}
    found = so.audit("calls.csv", **asked, min_people=[2], microaggregate=[5], shorten=[1], keep=[10], progress=False)
    commands = [each.command for each in found.protections if each.protection != "none"]
    assert len(commands) >= 4
    for number, command in enumerate(commands):
        program, *words = shlex.split(command)
        result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / str(number)), "--seed", "1"])
        assert (program, result.exit_code) == ("singleout", 0), (command, result.output)
        assert (tmp_path / str(number) / "protected.csv").exists()
    program, *words = shlex.split(found.command)
    result = CliRunner().invoke(app, [*words, "--out", "again", "--quiet"])
    assert result.exit_code == (0 if found.passed else 1), result.output
    again = json.loads((tmp_path / "again" / "audit.json").read_text(encoding="utf-8"))
    assert again == json.loads(json.dumps(found.to_dict()))
