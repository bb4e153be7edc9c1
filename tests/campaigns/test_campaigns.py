"""What campaigns try: every command, each with a call that does its work, and a row on the page for each campaign."""

import os

import pytest
from typer.testing import CliRunner

from singleout.cli import app
from singleout.cli.commands import COMMANDS
from tests.campaigns import hostile
from tests.campaigns.long import CAMPAIGNS, PAGE, page, rows_of
from tests.campaigns.secrecy import OTHERS, TOLD

ALL = {command.__name__ for command, _ in COMMANDS}


def test_hostile_calls_reach_every_command_and_have_names_of_their_own():
    cases = hostile.every_case(seed=0)
    assert {case.arguments[0] for case in cases} == ALL | {"nosuch"}
    assert len({case.name for case in cases}) == len(cases) > 4_000


def test_hostile_calls_follow_from_the_seed():
    assert [case.name for case in hostile.every_case(3)] == [case.name for case in hostile.every_case(3)]
    assert [case.name for case in hostile.every_case(3)] != [case.name for case in hostile.every_case(4)]


def test_the_network_is_watched_under_every_command():
    assert {words[0] for words in (*TOLD.values(), *OTHERS.values())} == ALL


@pytest.mark.heavy
@pytest.mark.parametrize("command", [each for each in hostile.COMMANDS if each != "demo"])
def test_a_hostile_call_does_its_work_where_nothing_is_hostile(command, tmp_path, monkeypatch):
    # otherwise every case of it would end with the same refusal
    name = hostile.GOOD_NAMES.get(command, "file.csv")
    hostile.lay_out(hostile.Case("", (), hostile.files_with(command) | {name: hostile.good_content(command)}), tmp_path)
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [part.replace("{file}", name) for part in hostile.COMMANDS[command]])
    assert done.exit_code == 0, done.stderr


def test_every_campaign_has_a_row_on_the_page():
    assert list(rows_of(PAGE.read_text(encoding="utf-8"))) == ["campaign", *CAMPAIGNS]


def test_campaigns_that_did_not_run_keep_their_rows():
    first = page("", {"kills": (3, []), "leaks": (2, ["a"])}, "abc")
    later = page(first, {"kills": (4, [])}, "def")
    assert [line.split("|")[3:] for line in rows_of(later).values()][1:] == [
        [" 2 ", " 1 ", " abc ", ""],
        [" 4 ", " 0 ", " def ", ""],
    ]


def test_without_pipes_in_the_file_system_cases_are_still_made(monkeypatch):
    with_pipes = len(hostile.hostile_files(hostile.log_rows(), hostile.np.random.default_rng(0)))
    monkeypatch.delattr(os, "mkfifo", raising=False)
    without = len(hostile.hostile_files(hostile.log_rows(), hostile.np.random.default_rng(0)))
    assert with_pipes - without == 1
