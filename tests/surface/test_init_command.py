"""``singleout init``: from a file to options that run, with questions or without."""

import json
import os
import subprocess
import sys
import tomllib

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from typer.testing import CliRunner

from singleout.cli import app
from singleout.cli import init as module
from tests.commands import SECRETS, run

N = 300


@pytest.fixture
def work(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    columns = {
        "staff_no": rng.permutation(N) + 1_000,
        "mail": [f"{k}-{SECRETS[0]}" for k in range(N)],
        "age": rng.integers(18, 90, N),
        "sex": rng.choice(["f", "m"], N),
        "clinic": [f"{SECRETS[1]} {k % 5}" for k in range(N)],
    }
    pyarrow.csv.write_csv(pa.table(columns), tmp_path / "survey.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(*arguments, answers, monkeypatch):
    monkeypatch.setattr(module, "can_ask", lambda: True)
    return CliRunner().invoke(app, ["init", *arguments], input=answers)


def test_without_questions_the_proposal_is_written_and_the_command_runs(work):
    result = run("init", "survey.csv", "--yes")
    assert result.exit_code == 0, result.output
    assert not any(secret in result.output for secret in SECRETS)
    assert "not released" in result.stdout
    assert result.stdout.endswith("Check it, then run:\n  singleout audit --config audit.toml\n")
    listed = tomllib.loads((work / "audit.toml").read_text())
    assert listed["drop"] == ["staff_no", "mail"]
    assert listed["known_columns"] == ["age", "sex"]
    assert len(listed["assessed_on"]) == len("2026-05-31")
    text = (work / "audit.toml").read_text()
    assert all(f'# {name} = ""\n' in text for name in ("reference", "prepared_by", "status"))
    filled = text.replace('# reference = ""', 'reference = "A 12"')
    (work / "audit.toml").write_text(filled)
    audited = run("audit", "--config", "audit.toml", "--max-risk", "0.99", "--quiet")
    assert (audited.exit_code, audited.output) == (0, "")
    assert (work / "singleout-audit" / "audit.json").exists()


def test_names_of_people_that_repeat_are_neither_proposed_known_nor_released(work):
    rng = np.random.default_rng(1)
    names = {name: [f"{SECRETS[1]}{chr(97 + k)}" for k in rng.integers(0, 9, N)] for name in ("forename", "lastname")}
    rest = {"birth_year": rng.integers(1940, 2005, N), "zip": rng.integers(10_000, 10_040, N)}
    pyarrow.csv.write_csv(pa.table(names | rest), "named.csv")
    assert run("init", "named.csv", "--yes").exit_code == 0
    assert tomllib.loads((work / "audit.toml").read_text())["drop"] == ["forename", "lastname"]
    for command in (("audit",), ("protect", "--k", "2")):
        asked = (command[0], "named.csv", *command[1:], "--known-columns", "birth_year,zip", "--quiet")
        refused = run(*asked)
        assert refused.exit_code == 2
        assert "'forename' (names of people, by its name), 'lastname' (names of people, by its name)" in refused.output
        assert SECRETS[1] not in refused.output
        assert run(*asked, "--allow", "forename,lastname", "--out", f"of-{command[0]}").exit_code == 0


def test_three_questions_are_asked_until_the_answers_can_be_used(work, monkeypatch):
    answers = "everyone\none recipient: the institute\nagee\nage,clinic\n7\n9%\n"
    result = ask("survey.csv", "--out", "mine.toml", answers=answers, monkeypatch=monkeypatch)
    assert result.exit_code == 0, result.output
    assert "answer with one of public" in result.output
    assert "'agee' is not a column" in result.output
    assert "such as 0.05 or 5%" in result.output
    listed = tomllib.loads((work / "mine.toml").read_text())
    assert (listed["release_model"], listed["recipient"]) == ("one recipient", "the institute")
    assert (listed["known_columns"], listed["max_risk"]) == (["age", "clinic"], 0.09)


def test_questions_speak_of_options_not_of_arguments(work, monkeypatch):
    header, *rest = (work / "survey.csv").read_text().split("\n")
    (work / "survey.csv").write_text("\n".join([header.replace('"clinic"', '"which clinic?"'), *rest]))
    result = ask("survey.csv", answers="\nages\nage,sex\n\n", monkeypatch=monkeypatch)
    assert result.exit_code == 0, result.output
    assert "'ages' is not a column. The first line of the file names 5 columns. Did you mean 'age'?" in result.output
    assert "known_columns" not in result.output
    assert "columns_are" not in result.output


def test_of_a_log_the_second_question_is_about_a_file(log, tmp_path, monkeypatch):
    asked = (str(log), "--out", str(tmp_path / "log.toml"))
    result = ask(*asked, answers="\nnothing.csv\n\n\n", monkeypatch=monkeypatch)
    assert result.exit_code == 0, result.output
    assert "nothing.csv: no such file" in result.output
    listed = tomllib.loads((tmp_path / "log.toml").read_text())
    assert (listed["user"], listed["time"], listed["place"]) == ("who", "when", "where")
    assert "known" not in listed


def test_the_end_of_the_answers_leaves_nothing(work, monkeypatch):
    result = ask("survey.csv", answers="public\n", monkeypatch=monkeypatch)
    assert result.exit_code == 130
    assert "interrupted; nothing was written." in result.output
    assert not (work / "audit.toml").exists()


def test_nobody_to_ask_is_one_line(work):
    result = run("init", "survey.csv")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: nobody can be asked here: standard input is not a terminal. Add --yes to ask nothing.\n"
    )


def test_a_terminal_is_somebody_to_ask(work):
    pty = pytest.importorskip("pty")
    terminal, inside = pty.openpty()
    os.write(terminal, b"\n\n\n")
    command = [sys.executable, "-m", "singleout", "init", "survey.csv"]
    ran = subprocess.run(command, stdin=inside, capture_output=True, check=False, timeout=120)
    os.close(inside)
    os.close(terminal)
    assert ran.returncode == 0, ran.stderr
    undecided = (work / "audit.toml").read_text()
    assert '# release_model = ""' in undecided, "nobody said who may get the data"
    assert "# max_risk = 0.05" in undecided, "nor what is acceptable"
    assert not {"release_model", "recipient", "max_risk"} & set(tomllib.loads(undecided))


def test_a_file_that_exists_is_kept_unless_forced(work):
    (work / "audit.toml").write_text("# by hand\n")
    result = run("init", "survey.csv", "--yes")
    assert result.exit_code == 2
    assert "audit.toml exists. Name another file, or add --force" in result.stderr
    assert (work / "audit.toml").read_text() == "# by hand\n"
    assert run("init", "survey.csv", "--yes", "--force", "--quiet").output == ""
    assert "known_columns" in (work / "audit.toml").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("survey.csv", "--out", "."), "--out: . is not a file."),
        (("survey.csv", "--out", "no/audit.toml"), "the folder of no/audit.toml does not exist"),
        (("nothing.csv",), "nothing.csv: no such file"),
        (("survey.csv", "--encoding", "utf-16"), "is not text in the encoding utf-16"),
    ],
)
def test_what_cannot_be_is_refused(work, arguments, message):
    result = run("init", *arguments, "--yes")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (work / "audit.toml").exists()


def test_an_encoding_is_kept(work):
    (work / "old.csv").write_bytes("age,Straße\n".encode("latin-1") + b"30,x\n40,y\n" * 30)
    assert run("init", "old.csv", "--yes", "--encoding", "latin-1").exit_code == 0
    assert tomllib.loads((work / "audit.toml").read_text())["encoding"] == "latin-1"


@pytest.fixture
def register(work):
    survey = pyarrow.csv.read_csv(work / "survey.csv")
    known = survey.select(["staff_no", "age", "sex"]).rename_columns(["staff_no", "Age", "sex"]).slice(100)
    pyarrow.csv.write_csv(known, work / "register.csv")
    return work


def test_of_two_tables_the_columns_that_link_them_are_proposed(register):
    result = run("init", "survey.csv", "register.csv", "--yes")
    assert result.exit_code == 0, result.output
    assert not any(secret in result.output for secret in SECRETS)
    assert "the known file has it too" in " ".join(result.stdout.split())
    listed = tomllib.loads((register / "audit.toml").read_text())
    assert (listed["data"], listed["known"]) == ("survey.csv", "register.csv")
    assert (listed["on"], listed["known_on"], listed["truth"]) == (["age", "sex"], ["Age", "sex"], "staff_no")
    audited = run("audit", "--config", "audit.toml", "--quiet")
    assert (audited.exit_code, audited.output) == (0, "")


def test_an_audit_of_two_tables_without_on_proposes_it(register):
    for asked in ((), ("--known-columns", "age,sex")):
        result = run("audit", "survey.csv", "register.csv", *asked)
        assert result.exit_code == 2
        assert "singleout audit survey.csv register.csv --truth staff_no --on age,sex" in result.stderr
        assert "--known-on Age,sex" in result.stderr


def test_for_a_table_audited_as_a_log_the_table_command_is_proposed(work):
    command = "  singleout audit survey.csv --known-columns age,sex --drop staff_no,mail"
    assert f"{command}\n" in run("audit", "survey.csv").stderr
    for place in ((), ("--place", "clinic")):
        result = run("audit", "survey.csv", "--user", "staff_no", *place, "--timezone", "Asia/Tokyo", "--seed", "3")
        assert result.exit_code == 2
        assert f"{command} --seed 3\n" in result.stderr
        assert "FORMAT" not in result.stderr


def test_of_two_tables_the_second_question_is_about_columns_of_both(register, monkeypatch):
    result = ask("survey.csv", "register.csv", answers="\nclinic\nsex\n5%\n", monkeypatch=monkeypatch)
    assert result.exit_code == 0, result.output
    assert "By which columns could they link the two files?" in result.output
    assert "the known file has no column 'clinic'" in result.output
    listed = tomllib.loads((register / "audit.toml").read_text())
    assert listed["on"] == ["sex"]
    assert "known_on" not in listed


def test_how_the_file_is_written_is_kept_too(work):
    (work / "bare.csv").write_text("\n".join(f"{20 + n % 50};{'fm'[n % 2]}" for n in range(100)))
    proposed = run("audit", "bare.csv", "--columns-are", "age,sex", "--delimiter", ";").stderr
    assert "singleout init bare.csv --delimiter ';' --columns-are age,sex" in proposed
    assert run("init", "bare.csv", "--columns-are", "age,sex", "--delimiter", ";", "--yes").exit_code == 0
    listed = tomllib.loads((work / "audit.toml").read_text())
    assert (listed["columns_are"], listed["delimiter"]) == (["age", "sex"], ";")
    assert run("audit", "--config", "audit.toml", "--quiet").exit_code == 0


def test_a_file_of_options_that_is_no_list_of_names_is_refused_with_a_proposal(work):
    (work / "odd.toml").write_text("[[user]]\nx = 1\n")
    result = run("audit", "survey.csv", "--config", "odd.toml")
    assert result.exit_code == 2
    assert result.output.startswith("error: ")
    assert "internal error" not in result.output


def test_the_limit_is_asked_for_as_options_take_it(log, tmp_path, monkeypatch):
    asked = (str(log), "--out", str(tmp_path / "log.toml"))
    result = ask(*asked, answers="\n\n5 percent\n0,05\n", monkeypatch=monkeypatch)
    assert result.exit_code == 0, result.output
    assert "answer with a share between 0 and 1, such as 0.05 or 5%" in result.output
    assert tomllib.loads((tmp_path / "log.toml").read_text())["max_risk"] == 0.05


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("audit", "--user", "who", "--time", "when", "--place", "where", "--max-risk"), "--max-risk must be "),
        (("protect", "--user", "who", "--place", "where", "--max-risk"), "--max-risk must be "),
        (("match", "--user", "who", "--time", "when", "--place", "where", "--known-pairs"), "--known-pairs"),
        (("suda", "--known-columns", "who,where", "--sampling-fraction"), "--sampling-fraction"),
        (("bench", "--tolerance"), "--tolerance"),
    ],
)
def test_what_is_no_share_is_refused_by_every_command_with_an_example(asked, message, log):
    command, *rest = asked
    result = run(command, "matching" if command == "bench" else log, *rest, "5 percent")
    assert result.exit_code == 2
    said = " ".join(result.stderr.replace("│", "").split())
    assert message in said
    assert "a number or a percentage, such as 0.05 or 5%" in said


def test_shares_are_accepted_by_commands_as_percentages(log, tmp_path):
    columns = ("--user", "who", "--time", "when", "--place", "where")
    printed = run("audit", log, *columns, "--max-risk", "5%", "--known-pairs", "0,1", "--print-config")
    assert printed.exit_code == 0, printed.output
    assert "max_risk = 0.05" in printed.stdout
    assert "known_pairs = 0.1" in printed.stdout
    out = ("--split", "weeks", "--similarities", "js", "--tolerance", "1%", "--out", tmp_path / "out")
    assert run("match", log, *columns, *out).exit_code == 0
    document = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert document["parameters"]["tolerance"] == 0.01


def test_a_tolerance_that_cannot_be_is_refused(log):
    for command, rest in (("bench", ("matching",)), ("audit", (log, "--user", "who", "--place", "where"))):
        result = run(command, *rest, "--tolerance", "150%")
        assert result.exit_code == 2
        assert "--tolerance must be a share from 0 to below 1, such as 0.01" in result.stderr


def test_an_address_with_a_plain_secret_is_refused_and_not_written(tmp_path):
    source = "postgresql://ann@127.0.0.1:1/health?table=visits&token=hunter2"
    ran = run("init", source, "--yes", "--out", tmp_path / "audit.toml")
    assert ran.exit_code == 2
    assert "everyone on this machine can read" in " ".join(ran.output.split())
    assert "hunter2" not in ran.output
    assert not (tmp_path / "audit.toml").exists()


def test_each_file_of_options_has_a_folder_of_results_of_its_own(work):
    for name in ("audit.toml", "may.toml"):
        assert run("init", "survey.csv", "--yes", "--quiet", "--out", name).exit_code == 0
    assert [tomllib.loads((work / name).read_text())["out"] for name in ("audit.toml", "may.toml")] == [
        "singleout-audit",
        "singleout-may",
    ]
