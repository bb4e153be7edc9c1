"""``singleout verify``: the file that goes out is attacked, its page written, and nothing revealed."""

import json
import shlex

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from tests.commands import COLUMNS, SECRETS, contents, run

FILES = {"verify.html", "verify.json", "manifest.json"}


@pytest.fixture
def work(log, tmp_path, monkeypatch):
    """The log, and what protect wrote of it."""
    monkeypatch.chdir(tmp_path)
    assert run("protect", log, *COLUMNS, "--microaggregate", 10, "--out", "safe").exit_code == 0
    assert run("protect", log, *COLUMNS, "--keep", 20, "--out", "thin").exit_code == 0
    return tmp_path


def verify(folder, *more, key=True):
    named = ("--key", f"{folder}/key.csv") if key else ()
    return run("verify", f"{folder}/protected.parquet", "log.parquet", *COLUMNS, *named, "--out", "out", *more)


def test_it_writes_a_page_and_data_of_the_very_file(work):
    result = verify("thin")
    assert result.exit_code == 0, result.output
    assert set(contents(work / "out")) == FILES
    manifest = json.loads((work / "out" / "manifest.json").read_text())
    sent = json.loads((work / "thin" / "manifest.json").read_text())
    digest = next(each["sha256"] for each in sent["files"] if each["name"] == "protected.parquet")
    assert manifest["inputs"][0]["sha256"] == digest
    assert [each["name"] for each in manifest["inputs"]] == ["protected.parquet", "log.parquet"], "never the key"
    assert manifest["parameters"]["key"] == "given"
    document = json.loads((work / "out" / "verify.json").read_text())
    assert document["file"]["identities"] is True
    assert document["risk"]["value"] > 0.5
    told = json.loads((work / "thin" / "result.json").read_text())["risk"]["inside"]["value"]
    assert document["risk"]["value"] >= told - 0.05, "all is known here, and half of it there"
    assert json.loads(verify("thin", "--json").stdout) == document


def test_protect_names_the_command_that_verifies_its_file(log, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = run("protect", log, *COLUMNS, "--shorten", 3, "--microaggregate", 10, "--max-risk", "20%")
    assert made.exit_code == 0, made.output
    program, *command = shlex.split(made.stdout.split("with a page to keep: ")[1])
    assert program == "singleout"
    assert command[command.index("--shorten") + 1] == "3"
    found = run(*command)
    assert found.exit_code == 0, found.output
    page = (tmp_path / "singleout-verify" / "verify.html").read_text()
    assert page.count("at your <") + page.count("at your risk limit") >= 4, "a verdict for each test"


def test_a_report_that_is_called_final_has_no_blanks(work):
    named = [word for name in ("reference", "organisation") for word in (f"--{name}", "x")]
    warned = verify("safe", "--status", "final", *named).stderr
    assert "called final, but these are blank: purpose, recipient" in warned
    assert "reference" not in warned
    assert "final" not in verify("safe", "--status", "draft").stderr


def test_only_the_similarities_named_are_tried(work):
    result = verify("thin", "--similarities", "js,cosine", "--json")
    assert result.exit_code == 0, result.output
    tried = {each["by"] for each in json.loads(result.stdout)["attacks"] if each["kind"] == "file"}
    assert tried == {"js", "cosine"}
    assert "--similarities must be one of" in verify("thin", "--similarities", "jss").stderr
    table = run("verify", "log.parquet", "--known-columns", "where", "--similarities", "js", "--out", "out")
    assert "--similarities applies only to event logs" in table.stderr


def test_the_second_file_must_have_places_that_people_share(work):
    table = pq.read_table("log.parquet").drop_columns("where")
    pq.write_table(table.append_column("where", pa.array([f"r{n}" for n in range(len(table))])), "log.parquet")
    result = verify("thin")
    assert result.exit_code == 2
    assert "column 'where' has a different value in every row: an identifier of events" in result.stderr
    assert "have no place in common" in verify("thin", "--allow", "where").stderr


def test_nothing_says_who_is_who_unless_revealed(work):
    for key in (True, False):
        result = verify("thin", key=key)
        everything = result.output.encode() + b"".join(contents(work / "out").values())
        assert not any(secret.encode() in everything for secret in SECRETS)
    shown = verify("thin", "--reveal")
    assert shown.exit_code == 0
    assert SECRETS[0].encode() in contents(work / "out")["verify.json"]
    assert (work / "out").stat().st_mode & 0o077 == 0


def test_the_gate_is_held_against_the_interval_or_the_guarantee(work):
    failed = verify("thin", "--max-risk", 0.1, "--quiet")
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert failed.stderr.startswith("gate failed: ")
    assert set(contents(work / "out")) == FILES, "the page is written all the same"
    assert verify("safe", "--max-risk", 0.1, "--quiet").exit_code == 0
    assert verify("safe", "--max-risk", 0.1, "--quiet", key=False).exit_code == 0
    assert verify("safe", "--max-risk", 0.09, "--quiet", key=False).exit_code == 1
    bound = verify("thin", "--max-risk", 0.1, "--quiet", key=False)
    assert bound.exit_code == 1
    assert bound.stderr.startswith("gate failed: up to ")
    assert "could be re-identified (not measured: that needs the key); the risk limit" in bound.stderr


def test_a_key_that_others_can_read_is_warned_of(work):
    assert "warning" not in verify("thin").stderr
    (work / "thin" / "key.csv").chmod(0o644)
    assert verify("thin").stderr.startswith("warning: others can read key.csv, which says who is who.")


def test_a_column_that_protect_left_out_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protected.csv").write_text("age,sex\n" + "30,f\n40,m\n" * 40)
    result = run("verify", "protected.csv", "--known-columns", "age,town", "--out", "out")
    assert result.exit_code == 2
    assert "--known-columns town is not a column of protected.csv." in result.stderr
    assert "If protect left it out of the file, leave it out here too: nobody can use it." in result.stderr


def test_a_protected_table_is_measured_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    csv.write_csv(so.synthetic_records(seed=1).table, "people.csv")
    known = ("--known-columns", "region,home,sex")
    protected = run("protect", "people.csv", *known, "--k", 5, "--recode", "sex=keep", "--out", "p")
    assert protected.exit_code == 0
    proposed = protected.stdout.splitlines()[-1].partition(": ")[2]
    assert run(*shlex.split(proposed)[1:], "--out", "proposed").exit_code == 0
    told = json.loads((tmp_path / "p" / "result.json").read_text())["after"]
    left = ("--known-columns", ",".join(told["columns"]))
    result = run("verify", "p/protected.csv", *left, "--k", 5, "--out", "out")
    assert result.exit_code == 0, result.output
    found = json.loads((tmp_path / "out" / "verify.json").read_text())["table"]
    assert [found[name] for name in ("k", "average", "maximum", "unique")] == [
        told[name] for name in ("k", "average", "maximum", "unique")
    ]
    assert run("verify", "p/protected.csv", *left, "--k", told["k"] + 1, "--out", "out").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("log.parquet", "log.parquet", *COLUMNS), "error: PROTECTED: log.parquet has no column person."),
        (("thin/protected.parquet", *COLUMNS), "error: KNOWN is missing: the event log that the intruder has.\n"),
        (("thin/protected.parquet", "log.parquet"), "error: specify what the file is: --user, the column"),
        (("thin/protected.parquet", "nosuch.csv", *COLUMNS), "error: "),
        (
            ("thin/protected.parquet", "log.parquet", *COLUMNS, "--key", "nosuch.csv"),
            "error: ",
        ),
        (
            ("thin/protected.parquet", "log.parquet", *COLUMNS, "--key", "log.parquet"),
            "error: --key: log.parquet has no column person.",
        ),
        (
            ("thin/protected.parquet", "log.parquet", *COLUMNS, "--key", "thin/key.csv", "--out", "thin"),
            "error: --out: thin contains the input protected.parquet, which would be lost.",
        ),
        (
            ("thin/protected.parquet", "log.parquet", *COLUMNS, "--known-columns", "a"),
            "error: give either --user (for an event log) or --known-columns (for a table), not both.\n",
        ),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(work, arguments, message):
    result = run("verify", *arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith(message)
    assert len(result.stderr.splitlines()) <= 2
    assert not (work / "singleout-verify").exists()
    assert not any(secret in result.output for secret in SECRETS)


def test_the_command_on_the_page_repeats_it(work):
    assert verify("safe", "--reference", "DPIA 7", "--max-risk", 0.99).exit_code == 0
    document = json.loads((work / "out" / "verify.json").read_text())
    assert document["about"]["reference"] == "DPIA 7"
    program, *words = shlex.split(document["command"])
    assert program == "singleout"
    again = run(*words, "--json", "--out", "again")
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout) == document


def test_options_may_come_from_a_file_and_flags_override_it(work):
    (work / "verify.toml").write_text(
        'data = "thin/protected.parquet"\nknown = "log.parquet"\nuser = "who"\ntime = "when"\nplace = "where"\n'
        'assessed-on = "2026-05-31"\nstatus = "draft"\n'
    )
    result = run("verify", "--config", "verify.toml", "--status", "final", "--out", "out", "--quiet")
    assert result.exit_code == 0, result.output
    about = json.loads((work / "out" / "verify.json").read_text())["about"]
    assert (about["assessed_on"], about["status"]) == ("2026-05-31", "final")
    assert ">2026-05-31</bdi>" in (work / "out" / "verify.html").read_text()
    (work / "verify.toml").write_text('data = "thin/protected.parquet"\npurpos = "x"')
    wrong = run("verify", "--config", "verify.toml")
    assert wrong.exit_code == 2
    assert "purpos: no such option. Did you mean purpose?" in wrong.stderr.replace("--", "").replace("'", "")
    assert run("verify").stderr.startswith("error: name a file: PROTECTED, or data in the file of options (--config)")


def test_two_verifications_can_be_compared(work):
    assert verify("thin").exit_code == 0
    assert run("verify", "safe/protected.parquet", "log.parquet", *COLUMNS, "--key", "safe/key.csv").exit_code == 0
    better = run("compare", "out", "singleout-verify", "--fail-if-worse", "--out", "c")
    assert better.exit_code == 0, better.output
    assert "Better." in better.stdout
    worse = run("compare", "singleout-verify", "out", "--fail-if-worse", "--out", "c", "--quiet")
    assert worse.exit_code == 1
    assert "(k) fell from 10 to 1" in worse.stderr


def test_one_file_per_person_is_known_by_the_names_of_the_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calls = so.synthetic_calls(people=30, antennas=12, regions=3, seed=1).table
    (tmp_path / "known").mkdir()
    for person in sorted(set(calls["user"].to_pylist())):
        own = calls.filter(pc.equal(calls["user"], person)).select(["time", "place"])
        csv.write_csv(own, f"known/p{person}.csv")
    people = ["--user-from-name", "--time", "time", "--place", "place"]
    assert run("protect", "known", *people, "--microaggregate", 3, "--out", "p").exit_code == 0
    result = run("verify", "p/protected.csv", "known", *people, "--key", "p/key.csv", "--out", "out")
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "out" / "verify.json").read_text())["file"]["people"] == 30
