"""Runs commands, on an event log whose names must not leak."""

from typer.testing import CliRunner

from singleout.cli import app

SECRETS = ("eve@example.org", "Clinic of St. Anne")


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


COLUMNS = ("--user", "who", "--time", "when", "--place", "where")


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}
