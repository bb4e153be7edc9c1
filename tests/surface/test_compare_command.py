"""``singleout compare``: page, JSON and Markdown of two results, and a gate."""

import json

import pytest

from tests.audits import events_audit, of_events, table_audit
from tests.commands import contents, run

FILES = {"compare.html", "compare.json", "summary.md", "manifest.json"}


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Folders of results: of a log, twice, the second time worse; and of a table."""
    monkeypatch.chdir(tmp_path)
    for name, audit in {"old": of_events(300), "worse": of_events(400), "table": table_audit()}.items():
        (tmp_path / name).mkdir()
        audit.to_json(tmp_path / name / "audit.json")
    return tmp_path


def test_it_writes_a_page_data_and_a_summary(results):
    result = run("compare", "old", "worse/audit.json", "--out", "out")
    assert result.exit_code == 0, result.output
    assert set(contents(results / "out")) == FILES
    assert "Worse. The re-identification rate rose from 30.0%" in " ".join(result.stdout.split())
    assert json.loads((results / "out" / "compare.json").read_text())["verdict"] == "worse"
    first = contents(results / "out")
    again = run("compare", "old", "worse", "--out", "out", "--json")
    assert json.loads(again.stdout) == json.loads(first["compare.json"])
    assert {name: contents(results / "out")[name] for name in FILES - {"manifest.json"}} == {
        name: first[name] for name in FILES - {"manifest.json"}
    }


def test_the_page_says_who_assessed_each_and_leaves_lines_to_sign(results):
    plain = json.loads((results / "worse" / "audit.json").read_text())
    plain["about"] |= {"assessed_on": "2026-05-31", "prepared_by": "A. Rossi"}
    plain["options"] |= {"assessed_on": "2026-05-31"}
    (results / "worse" / "audit.json").write_text(json.dumps(plain))
    assert run("compare", "old", "worse", "--out", "out").exit_code == 0
    page = (results / "out" / "compare.html").read_text()
    assert all(text in page for text in ("2026-05-31", "A. Rossi", "space for signature and date"))
    assert json.loads((results / "out" / "compare.json").read_text())["settings"] == []


def test_the_gate_fails_if_the_new_result_is_worse_and_the_page_is_written_all_the_same(results):
    result = run("compare", "old", "worse", "--fail-if-worse", "--quiet", "--out", "out")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(
        "gate failed: The re-identification rate is clearly higher: +10.0 percentage points"
    )
    assert set(contents(results / "out")) == FILES
    assert run("compare", "worse", "old", "--fail-if-worse", "--out", "out").exit_code == 0


def test_markdown_goes_to_the_log_of_a_pipeline(results):
    result = run("compare", "old", "worse", "--markdown", "--out", "out")
    assert result.exit_code == 0
    assert result.stdout.strip() == (results / "out" / "summary.md").read_text().strip()
    both = run("compare", "old", "worse", "--markdown", "--json", "--out", "out")
    assert (both.exit_code, both.stderr) == (2, "error: give either --json or --markdown, not both.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("old", "nosuch"), "error: NEW: nosuch does not exist.\n"),
        (("old", "empty"), "error: NEW: the folder empty holds no audit.json or verify.json. Name a result of"),
        (("old", "table"), "error: OLD is of an event log and NEW of a table; they cannot be compared.\n"),
        (("broken.json", "old"), "error: OLD: broken.json: it is not JSON."),
        (("old", "worse", "--out", "old"), "error: --out: old contains the input audit.json, which would be lost."),
    ],
)
def test_what_cannot_be_compared_is_one_line_and_nothing_is_written(results, arguments, message):
    (results / "empty").mkdir()
    (results / "broken.json").write_text("{")
    result = run("compare", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1
    assert not (results / "singleout-compare").exists()


def test_an_audit_is_no_worse_than_itself(results):
    events_audit().to_json(results / "old" / "audit.json")
    result = run("compare", "old", "old", "--fail-if-worse", "--out", "out")
    assert result.exit_code == 0, result.output
    assert "in both results" in result.stdout
