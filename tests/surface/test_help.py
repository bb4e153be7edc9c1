"""``singleout --help`` and ``--version``."""

from pathlib import Path

import singleout as so
from singleout import cli
from tests.commands import run

HELPERS = {
    "__init__",
    "commands",
    "compile_ahead",
    "errors",
    "first_run",
    "interrupt",
    "options",
    "output",
    "protect_table",
    "schemas",
    "sides",
}
"""Files of ``cli`` that hold no command."""


def test_help_lists_every_command_and_version_prints_itself():
    commands = {path.stem for path in Path(cli.__file__).parent.glob("*.py")} - HELPERS
    assert commands >= {"audit", "demo", "match"}
    assert commands <= set(run("--help").stdout.split())
    assert run("--version").stdout == f"singleout {so.__version__}\n"


def test_a_command_without_what_it_needs_says_what_is_missing():
    result = run("match")
    assert result.exit_code == 2
    assert "Missing argument" in result.stderr
