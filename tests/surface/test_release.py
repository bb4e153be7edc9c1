"""A release: one version everywhere, dated sections, a script that refuses what is not ready, an image without data."""

import fnmatch
import os
import re
import shutil
import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest

import singleout as so

ROOT = Path(__file__).parents[2]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
NOBODY = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Nobody"), ("EMAIL", "nobody@example.org"))
}
BUILD = '#!/usr/bin/env bash\nset -eu\ntest -x "$1/bin/python"\nmkdir -p dist\necho built > dist/built.txt\n'
"""In place of scripts/package, which installs its tools from an index."""

needs_git = pytest.mark.skipif(
    os.name == "nt" or not (shutil.which("git") and shutil.which("bash")),
    reason="the script needs git and bash, on Unix",
)


def test_the_citation_names_the_version_of_the_package():
    written = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", written, re.MULTILINE) == [so.__version__]


def test_the_changelog_begins_with_what_is_not_released_and_dates_every_version_latest_first():
    first, *versions = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert first == "[Unreleased]"
    found = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)", version) for version in versions]
    assert found
    assert all(found), versions
    numbers = [tuple(map(int, each.groups()[:3])) for each in found]
    dates = [date.fromisoformat(each[4]) for each in found]
    assert numbers == sorted(set(numbers), reverse=True)
    assert dates == sorted(dates, reverse=True)


@pytest.fixture
def clone(tmp_path):
    """A throw-away repository, ready for a release, and what runs a program in it."""

    def run(*words):
        environment = {**os.environ, **NOBODY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    for name in ("scripts/release", "src/singleout/__init__.py", "CITATION.cff"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    package = tmp_path / "scripts" / "package"
    package.write_text(BUILD)
    package.chmod(0o755)
    (tmp_path / ".gitignore").write_text("dist/\n")
    (tmp_path / "CHANGELOG.md").write_text(changelog(f"## [{so.__version__}] - 2026-01-31\n\n### Added\n- All.\n"))
    run("git", "init", "-q")
    commit(run)
    return tmp_path, run


def changelog(version, unreleased=""):
    return f"# Changelog\n\n## [Unreleased]\n{unreleased}\n{version}"


def commit(run):
    run("git", "add", "-A")
    done = run("git", "commit", "-q", "-m", "As it is")
    assert done.returncode == 0, done.stderr


def refused(run):
    """What the script says when it stops, having built and tagged nothing new."""
    before = run("git", "tag").stdout
    done = run("bash", "scripts/release")
    assert done.returncode == 1, done.stdout
    assert run("git", "tag").stdout == before
    return done.stderr


@needs_git
def test_a_release_of_changes_that_are_not_committed_is_refused(clone):
    folder, run = clone
    (folder / "new.txt").write_text("new")
    assert refused(run) == "commit first: there are changes\n"
    assert not (folder / "dist").exists()


@needs_git
@pytest.mark.parametrize("section", ["", f"## [{so.__version__}]\n", "## [99.0.0] - 2026-01-31\n"])
def test_a_release_without_a_dated_section_is_refused(clone, section):
    folder, run = clone
    (folder / "CHANGELOG.md").write_text(changelog(section))
    commit(run)
    assert refused(run) == f"CHANGELOG.md has no dated section [{so.__version__}]\n"


@needs_git
def test_a_release_that_leaves_changes_unreleased_is_refused(clone):
    folder, run = clone
    text = changelog(f"## [{so.__version__}] - 2026-01-31\n- All.\n", "\n### Fixed\n- More.\n")
    (folder / "CHANGELOG.md").write_text(text)
    commit(run)
    assert refused(run).startswith("CHANGELOG.md lists changes under [Unreleased]: move them")


@needs_git
def test_a_release_that_the_citation_does_not_know_is_refused(clone):
    folder, run = clone
    (folder / "CITATION.cff").write_text("version: 0.0.1\n")
    commit(run)
    assert refused(run) == f"CITATION.cff names another version than {so.__version__}\n"


@needs_git
def test_a_version_is_not_tagged_twice(clone):
    _, run = clone
    run("git", "tag", f"v{so.__version__}")
    assert refused(run) == f"v{so.__version__} is tagged already\n"


@needs_git
@pytest.mark.heavy
def test_a_release_is_built_and_then_tagged(clone):
    folder, run = clone
    done = run("bash", "scripts/release")
    assert (done.returncode, done.stdout) == (0, f"tagged v{so.__version__}; dist/ holds what was checked\n"), (
        done.stderr
    )
    assert run("git", "cat-file", "-t", f"v{so.__version__}").stdout == "tag\n"
    assert (folder / "dist" / "built.txt").exists()


@needs_git
@pytest.mark.heavy
def test_a_release_whose_build_fails_is_not_tagged(clone):
    folder, run = clone
    (folder / "scripts" / "package").write_text("#!/usr/bin/env bash\nexit 3\n")
    commit(run)
    assert run("bash", "scripts/release").returncode == 3
    assert run("git", "tag").stdout == ""


def let_in(path):
    """Whether a file goes into the container's image: of the rules that fit, the last one decides."""
    goes_in = True
    for rule in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = rule.removeprefix("!").removeprefix("**/")
        parts = ["/".join(path.split("/")[: depth + 1]) for depth in range(path.count("/") + 1)]
        names = path.split("/") if rule.startswith("**/") else parts
        if rule and not rule.startswith("#") and any(fnmatch.fnmatchcase(name, pattern) for name in names):
            goes_in = rule.startswith("!")
    return goes_in


def test_the_containers_image_gets_what_the_package_is_built_from_and_no_data():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = project["tool"]["hatch"]["version"]["path"]
    needed = ["pyproject.toml", project["project"]["readme"], *project["project"]["license-files"], version]
    assert [path for path in needed if not let_in(path)] == []
    kept_out = [
        ".git/config",
        "visits.parquet",
        "data/log.csv",
        ".env",
        "src/singleout/__pycache__/a.pyc",
        "tests/a.py",
    ]
    assert [path for path in kept_out if let_in(path)] == []
