"""Commands in reports can be copied and run."""

import copy
import json
import shlex

import pyarrow.csv
from typer.testing import CliRunner

import singleout as so
from singleout.assessment.audit_options import AuditOptions, names_of
from singleout.assessment.command_lines import Command, command_line, flags_of, name_all_files, to_run_here
from singleout.assessment.file_names import name_files
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


def test_a_command_in_a_report_and_the_one_to_run_here_differ_only_in_their_folders(tmp_path, monkeypatch):
    (tmp_path / "here" / "fold").mkdir(parents=True)
    (tmp_path / "here" / "fold" / "h.csv").write_text("a,b\n1,2\n")
    monkeypatch.chdir(tmp_path / "here")
    asked = AuditOptions(known_columns=["sex"], hierarchy=("sex=fold/h.csv",))
    files = name_all_files(asked, "../survey.csv")
    built = Command.build(
        lambda name: command_line("audit", [name("../survey.csv")], *flags_of(asked, name_file=name)), files
    )
    flags = "--known-columns", "sex", "--hierarchy"
    assert sorted(shlex.split(built)) == sorted(("singleout", "audit", "survey.csv", *flags, "sex=here/fold/h.csv"))
    typed = shlex.split(to_run_here(built))
    assert sorted(typed) == sorted(("singleout", "audit", "../survey.csv", *flags, "sex=fold/h.csv"))
    assert to_run_here("singleout demo") == "singleout demo"
    copied = copy.deepcopy(built)
    assert (copied, to_run_here(copied)) == (built, to_run_here(built))


def test_queries_are_not_repeated_since_they_may_hold_values():
    asked = "duckdb:////home/someone/visits.duckdb?query=FROM t WHERE who = 'a/b'", "visits.db?query=SELECT 'secret'"
    shown = name_files(asked[:1]).name(asked[0]), name_files(asked[1:]).name(asked[1])
    assert shown == ("duckdb:///visits.duckdb?query=…", "visits.db?query=…")
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
