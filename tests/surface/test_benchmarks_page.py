"""The page of benchmarks is written by scripts: every figure stands in a section that a script can write again."""

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
SCRIPTS = {file.stem: file for file in (ROOT / "benchmarks").glob("*.py")}


@pytest.fixture
def load(monkeypatch):
    """A module of benchmarks/; only those that import nothing heavy."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module


@pytest.fixture
def page(load):
    return load("page")


def sections_of(script):
    """The names in a script's SECTIONS, each of which has a function that lays it out."""
    for node in ast.parse(SCRIPTS[script].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["SECTIONS"]:
            return {key.value for key in node.value.keys}
    return set()


def test_every_section_names_a_script_that_writes_it(page):
    standing = {(found["name"], found["script"]) for found in page.sections(TEXT)}
    assert standing == {(name, script) for script in SCRIPTS for name in sections_of(script)}
    assert len(standing) == len(page.sections(TEXT)) == TEXT.count(": written by benchmarks/")


def test_one_command_runs_every_script_that_writes(load):
    assert {words.split()[0] for words in load("all").MINUTES} == {name for name in SCRIPTS if sections_of(name)}


def test_figures_stand_in_sections_only(page):
    outside = page.MARKED.sub("", TEXT)
    assert not re.search(r"^\||^```text", outside, re.MULTILINE)
    assert not re.search(r"\d (s|ms|MB|seconds)\b|\d\.\d+%", outside)


def test_every_section_says_where_it_was_measured(page):
    for found in page.sections(TEXT):
        assert re.match(r"\nMeasured (at [0-9a-f]{7}|on \d+ cores)", found["body"]), found["name"]


def test_writing_a_section_twice_changes_nothing(page):
    for found in page.sections(TEXT):
        assert page.replaced(TEXT, found["name"], found["body"]) == TEXT
        once = page.replaced(TEXT, found["name"], "Measured.\n\n| a |\n|---|\n| 1 |")
        assert page.replaced(once, found["name"], "Measured.\n\n| a |\n|---|\n| 1 |") == once != TEXT
        assert page.replaced(once, found["name"], found["body"]) == TEXT


def test_sections_are_written_all_or_none(page, tmp_path):
    copy = tmp_path / "copy.md"
    copy.write_text(TEXT, encoding="utf-8")
    with pytest.raises(LookupError, match="no section <!-- nowhere"):
        page.write(copy, {"rejection": "new", "nowhere": "new"})
    assert copy.read_text(encoding="utf-8") == TEXT
    page.write_sections(copy, "Measured.", {"rejection": str}, 5)
    assert copy.read_text(encoding="utf-8") == page.replaced(TEXT, "rejection", "Measured.\n\n5")
    page.write_sections(None, "Measured.", {"rejection": str}, 5)


def test_rows_of_work_that_was_not_run_stay(load, page):
    speed = load("speed")
    (body,) = (found["body"] for found in page.sections(TEXT) if found["name"] == "speed")
    machine = re.search(r"Measured on (.*), each row", body)[1]
    assert speed.merged(body, [], machine).strip() == body.strip()
    row = ["audit of the demo", "", "1.0 s", "", "", "1 MB", "abcdefg"]
    once = speed.merged(body, [row], machine)
    assert speed.merged(once, [row], machine) == once
    assert speed.rows_of(once) == speed.rows_of(body) | {row[0]: row}
    elsewhere = speed.rows_of(speed.merged(body, [row], "1 core"))
    assert [name for name, cells in elsewhere.items() if cells[-1].endswith(f" on {machine}")] == [
        name for name in elsewhere if name != row[0]
    ]


def test_a_script_that_fails_leaves_the_page_as_it_was(load, page, tmp_path, monkeypatch, capsys):
    everything = load("all")
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "speed.py").write_text("raise SystemExit('no data')\n")
    (tmp_path / "page.md").write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(page, "ROOT", tmp_path)
    assert not everything.run("speed", tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == TEXT
    assert "speed: failed: its sections stay as they were" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="no script nothing; there are extrapolation, "):
        everything.chosen(["nothing"])
    assert everything.chosen(["linkage"]) == ["linkage", "linkage --million"]
