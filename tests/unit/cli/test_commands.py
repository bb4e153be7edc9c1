"""All commands: each with examples that can be typed, and streams that lose nothing."""

import io
import re
import shlex
import sys

import pytest
import typer

from singleout.cli import commands
from singleout.cli.commands import COMMANDS, app
from singleout.ground.errors import OutputError
from singleout.ground.terminal_filter import VisibleText
from tests.commands import run

NAMES = [command.__name__ for command, _ in COMMANDS]


def test_help_lists_the_commands_in_their_order():
    listed = re.findall(r"^\W+(\w+) {2,}", run("--help").stdout.partition("Commands")[2], re.MULTILINE)
    assert [name for name in listed if name in NAMES] == NAMES


@pytest.mark.parametrize(("name", "examples"), [(command.__name__, examples) for command, examples in COMMANDS])
def test_examples_name_options_that_the_command_has(name, examples):
    command = typer.main.get_command(app).commands[name]
    options = {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)}
    for example in examples:
        program, called, *arguments = shlex.split(example)
        assert (program, called) == ("singleout", name)
        assert {word for word in arguments if word.startswith("--")} <= options
        assert example in command.epilog


@pytest.mark.parametrize("name", NAMES)
def test_every_command_prints_its_help(name):
    result = run(name, "--help")
    assert result.exit_code == 0, result.output
    assert "Example" in result.stdout


@pytest.mark.parametrize("name", ["bus.csv", "data/may", "my taps.db?table=taps", "postgresql://host/db", "plain"])
def test_a_file_in_the_place_of_a_command_says_how_to_start(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_text("")
    result = run(name)
    assert result.exit_code == 2
    said = " ".join(result.stderr.replace("│", "").split())
    assert f"No such command {name!r}. To audit a file: singleout init {shlex.quote(name)}" in said
    assert "Did you mean" not in said


def test_a_mistyped_command_is_no_file():
    said = run("adit").stderr
    assert "Did you mean 'audit'?" in said
    assert "init" not in said


def ascii_streams(monkeypatch):
    """Standard output and error of ASCII."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True) for _ in range(2)]
    for name, stream in zip(("stdout", "stderr"), streams, strict=True):
        monkeypatch.setattr(sys, name, stream)
    return streams


def test_a_terminal_that_lacks_a_character_shows_another(monkeypatch):
    out, _ = ascii_streams(monkeypatch)
    monkeypatch.setattr(commands, "app", lambda: sys.stdout.write("né\n"))
    commands.run()
    assert out.buffer.getvalue() == b"n?\n"
    assert isinstance(sys.stdout, VisibleText)


def test_a_closed_stream_is_replaced(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(commands, "app", lambda: print("nobody hears this"))  # noqa: T201
    commands.run()
    assert isinstance(sys.stdout, VisibleText)


def test_what_cannot_be_printed_is_an_error_of_the_input(monkeypatch):
    def fails():
        raise OutputError("standard output is full.")

    _, err = ascii_streams(monkeypatch)
    monkeypatch.setattr(commands, "app", fails)
    with pytest.raises(SystemExit, match="^2$"):
        commands.run()
    assert err.buffer.getvalue() == b"error: standard output is full.\n"


@pytest.mark.parametrize(("code", "left"), [(143, [143]), (130, [130]), (1, []), (0, [])])
def test_what_a_signal_ended_leaves_at_once(monkeypatch, code, left):
    codes, _ = [], ascii_streams(monkeypatch)
    monkeypatch.setattr(commands, "leave", codes.append)
    monkeypatch.setattr(commands, "app", lambda: sys.exit(code))
    with pytest.raises(SystemExit, match=f"^{code}$"):
        commands.run()
    assert codes == left


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--drop", "age", "--drop", "sex"], "--drop is given 2 times. Give it once, several values with commas"),
        (["--max-risk", "0.1", "--max-risk", "0.5", "--max-risk", "1"], "--max-risk is given 3 times. Give it once."),
        (["--known-columns", "age", "--known-columns", "sex"], "--known-columns is given 2 times"),
    ],
)
@pytest.mark.parametrize("name", ["audit", "protect"])
def test_an_option_given_twice_is_refused_where_only_one_would_count(name, words, said):
    result = run(name, "nosuch.csv", *words)
    assert result.exit_code == 2
    assert said in " ".join(re.sub("[│╭╮╰╯─]", " ", result.output).split())


def test_switches_and_sets_of_columns_may_be_given_several_times():
    for words in (
        ["audit", "nosuch.csv", "--quiet", "--quiet"],
        ["variables", "nosuch.csv", *2 * ["--known-columns", "a"]],
    ):
        assert "times" not in run(*words).output
