"""Groups of options become flags, and flags come back as groups."""

import inspect
import re
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from singleout.assessment.option_rules import SHARES
from singleout.assessment.options import DATA, PROTECTION, OptionGroup, option
from singleout.cli import app
from singleout.cli.options import Given, Quiet, parse_share, with_options
from singleout.ground.numbers import as_share


@dataclass(frozen=True, kw_only=True)
class Fruit(OptionGroup):
    weights: tuple[int, ...] | None = option("Weights in grams.", panel=PROTECTION)
    name: str = option("What it is called.", "apple", panel=DATA)
    peeled: bool = option("Without its peel.", default=False, panel=DATA)
    washed: bool = option("Wash it.", default=True, panel=DATA)


def run(command, *arguments):
    """What the command got, or what the command line said."""
    app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command()(with_options(command))
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def got():
    return {}


@pytest.fixture
def takes_a_group(got):
    def command(fruit: Fruit, file: Annotated[str, typer.Argument()], quiet: Quiet = False) -> None:
        got.update(fruit=fruit, file=file, quiet=quiet)

    return command


def test_flags_come_back_as_a_group_with_parsed_values(takes_a_group, got):
    result = run(takes_a_group, "a.csv", "--weights", "5, 7", "--peeled", "--quiet")
    assert result.exit_code == 0, result.output
    assert got == {"fruit": Fruit(weights=(5, 7), peeled=True), "file": "a.csv", "quiet": True}


def test_what_was_not_given_has_its_default(takes_a_group, got):
    assert run(takes_a_group, "a.csv").exit_code == 0
    assert got["fruit"] == Fruit()


def test_what_is_on_by_default_is_switched_off_by_a_flag_of_its_own(takes_a_group, got):
    assert run(takes_a_group, "a.csv", "--no-washed").exit_code == 0
    assert got["fruit"] == Fruit(washed=False)


def test_a_command_may_ask_for_only_what_was_given(got):
    def command(flags: Annotated[Given, Fruit]) -> None:
        got.update(flags)

    assert run(command, "--weights", "x", "--no-washed").exit_code == 0
    assert got == {"weights": "x", "washed": False}, "not parsed: a file of options may say more"
    got.clear()
    assert run(command).exit_code == 0
    assert got == {}


def test_wrong_values_are_the_groups_own_fault(takes_a_group):
    result = run(takes_a_group, "a.csv", "--weights", "heavy")
    assert "weights must be whole numbers separated by commas, or a list of them (got 'heavy')" in str(result.exception)


def test_help_shows_each_option_with_its_default_and_a_word_for_its_value(takes_a_group):
    text = " ".join(run(takes_a_group, "--help").output.split())
    for shown in (
        "--weights N,… Weights in grams.",
        "--name TEXT What it is called. (default: apple)",
        "--peeled Without its peel.",
        "--no-washed Do not wash it.",
    ):
        assert shown in text


def test_arguments_come_first_then_options_in_the_order_of_their_panels(takes_a_group):
    names = list(inspect.signature(with_options(takes_a_group)).parameters)
    assert names == ["file", "name", "peeled", "washed", "weights", "quiet"]


@pytest.mark.parametrize("text", ["0.05", "0,05", "5%", " 5 % ", "5,0%", ".05", 0.05])
def test_shares_are_numbers_or_percentages_with_a_point_or_a_comma(text):
    assert as_share(text) == 0.05
    assert parse_share(text) == 0.05


@pytest.mark.parametrize("text", ["", "%", "five", "5%%", "0,05,1", "nan", "inf%", True, [0.05]])
def test_what_is_no_share_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="a number or a percentage, such as 0.05 or 5%"):
        as_share(text)
    with pytest.raises(typer.BadParameter, match="such as 0.05 or 5%"):
        parse_share(text)


def options_of_all_commands():
    for command in typer.main.get_command(app).commands.values():
        yield from (each for each in command.params if each.param_type_name == "option")


def test_every_option_that_is_a_share_is_read_as_one():
    said = {each.name: each for each in options_of_all_commands() if re.search(r"(?i)\bshare of", each.help or "")}
    assert {"tolerance", "known_pairs", "sampling_fraction", "coverage", "max_suppressed"} <= set(said)
    assert set(said) <= SHARES | {"sampling_fraction"}
    assert {each.name for each in options_of_all_commands() if "risk limit" in (each.help or "").lower()} <= SHARES
