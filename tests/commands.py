"""Runs commands, on an event log whose names must not leak."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from singleout.cli import app

SECRETS = ("eve@example.org", "Clinic of St. Anne")


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


COLUMNS = ("--user", "who", "--time", "when", "--place", "where")


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def run_script(script, *arguments, timeout=None, **environment):
    """Exit code, standard output and standard error of a process of its own."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}, timeout=timeout
    )
    return ran.returncode, ran.stdout, ran.stderr
