"""Docs are tested: every Python block runs, the README's commands are whole, links and CLI options exist."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from singleout.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def examples(text):
    """Python blocks in order, each with what the page shows as its output: a text block right below it."""
    fence = r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?"
    return [(found[1], found[2]) for found in re.finditer(fence, text, re.DOTALL)]


def prints_as_shown(printed, shown):
    """Whether the lines are those shown; a line of … stands for any others."""
    lines = [re.escape(line.rstrip()) for line in shown.strip().splitlines()]
    pattern = "\n".join("(?:.*\n)*?.*" if line == "…" else line for line in lines)
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.strip().splitlines())) is not None


@pytest.mark.heavy
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run_in_order_and_print_what_the_page_shows(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code, shown in examples(page.read_text(encoding="utf-8")):
        exec(compile(code, str(page), "exec"), names)
        printed = capsys.readouterr().out
        assert printed.strip() or not re.search(r"^print\((?!.*file=)", code, re.MULTILINE), (
            f"nothing printed by:\n{code}"
        )
        assert shown is None or prints_as_shown(printed, shown), f"printed:\n{printed}\nshown:\n{shown}"


def test_shown_output_belongs_to_the_block_above_it():
    page = "```python\na = 1\n```\n\n```python\nprint(a)\n```\n\n```text\n1\n```\n\nWords\n\n```text\nother\n```\n"
    assert examples(page) == [("a = 1\n", None), ("print(a)\n", "1\n")]
    assert prints_as_shown("1  \n2\n3\n", "1\n…\n3\n")
    assert prints_as_shown("1\n2\n2\n3\n", "1\n…\n3\n")
    assert not prints_as_shown("1\n2\n", "1\n3\n")
    assert not prints_as_shown("1\n2\n", "1\n")


def command(name):
    found = re.search(rf"<!-- {name} -->\n```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert found, f"README has no {name} command"
    return found.group(1)


def test_the_readme_has_two_commands_of_one_line_that_need_nothing_but_python():
    for name, ending in (("demo", "singleout demo"), ("test", "python -m pytest")):
        assert "\n" not in command(name)
        assert command(name).startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert command(name).endswith(ending)


def test_ci_runs_the_readmes_own_commands():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "README.md" in script
    assert "-m pytest -m kernels" in script.replace(".venv/bin/python ", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_command_lines_in_the_docs_use_options_that_exist(page):
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            found = re.search(r"(?:^|/)singleout (\w+)(.*)", line)
            if found:
                shown = CliRunner().invoke(app, [found.group(1), "--help"])
                assert shown.exit_code == 0, line
                for option in re.findall(r"--[a-z-]+", found.group(2)):
                    assert option in shown.stdout, f"{option} in {page.name}"


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("page", "written"),
    [
        ("protect.md", ("compared/frontier.vl.json", "protected/protected.csv", "verified/verify.html")),
        ("compare.md", ("compared/compare.html", "compared/summary.md")),
        ("audit.md", ("audit/audit.html", "table-audit/audit.json")),
        ("first-audit.md", ("audit.toml", "singleout-audit/audit.html")),
    ],
)
def test_the_commands_on_a_page_run_on_the_files_its_first_block_writes(page, written, tmp_path, monkeypatch):
    page = ROOT / "docs" / "how-to" / page
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(page, "python")[0], str(page), "exec"), {})
    for line in "".join(blocks(page, "sh")).replace("\\\n", " ").splitlines():
        result = CliRunner().invoke(app, shlex.split(line)[1:])
        assert result.exit_code == 0, result.output
        assert ("Written to" in result.stdout) != ("--quiet" in line)
    for file in written:
        assert (tmp_path / file).stat().st_size > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def anchors(page):
    """What links may name after #: the headings, as the website and hosts of repositories write them."""
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_headings_lead_to_one(page):
    for target, anchor in re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        assert anchor in anchors(page.parent / target if target else page), f"{target}#{anchor}"


WRITTEN_WITH_THE_SITE = {"docs/reference/commands.md"}


def test_pages_that_the_source_names_exist():
    for path in [*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/*.py")]:
        for named in re.findall(r"\bdocs/[\w/.-]+\.md\b", path.read_text(encoding="utf-8")):
            assert (ROOT / named).exists() or named in WRITTEN_WITH_THE_SITE, f"{named} in {path.name}"


def test_no_machine_path_and_no_registry_address_is_in_the_tree():
    banned = re.compile(r"/(?:work|root|home)/\w|file://|://(?:pypi|files\.python)")
    for path in [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "pyproject.toml"]:
        assert not banned.search(path.read_text(encoding="utf-8")), path


def test_nobody_is_told_to_install_a_name_that_anyone_could_take():
    """The package is on no index: its extras are named with the folder of a clone."""
    texts = [*PAGES, ROOT / "CHANGELOG.md", *sorted((ROOT / "src").rglob("*.py"))]
    named = re.compile(r"install[^\n]*[\"' ]singleout(\[|\s*$|[\"'])")
    assert [page.name for page in texts if named.search(page.read_text(encoding="utf-8"))] == []
