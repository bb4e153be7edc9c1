"""Errors name the options of the command line, not the arguments of the library, and end with the right code."""

import pytest
import typer

from singleout.cli.errors import error_in_options, exit_on_error
from singleout.ground.errors import DataError, OutputError, bad_argument

OPTIONS = [
    "events",
    "user",
    "time",
    "encoding",
    "coordinate_scale",
    "time_unit",
    "microaggregate",
    "coarsen",
    "split",
    "shorten",
    "audience",
]


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (DataError("`user='x'` is not a column.", function="read_events"), "--user x is not a column."),
        (bad_argument("microaggregate", "k", "1", 0), "--microaggregate must be 1 (got 0)."),
        (
            bad_argument("microaggregate", "k", "1", 0).within(context="protection 'm' at strength 0"),
            "--microaggregate must be 1 (got 0).",
        ),
        (DataError("a.csv is not UTF-8. Pass `encoding='latin-1'`."), "a.csv is not UTF-8. Pass --encoding latin-1."),
        (DataError("`user='my card'` is not a column."), "--user 'my card' is not a column."),
        (DataError("Is `coordinate_scale` right?", function="read_events"), "Is --coordinate-scale right?"),
        (bad_argument("bench", "what", "one of a, b", "c"), "WHAT must be one of a, b (got 'c')."),
        (bad_argument("shorten", "days", "given", None), "--shorten must be given."),
        (bad_argument("audit", "audience", "one of a, b", "c"), "--for must be one of a, b (got 'c')."),
        (DataError("`by='dates'` leaves nobody.", function="split"), "--split dates leaves nobody."),
        (DataError("1 place has no coarser place.", function="coarsen"), "--coarsen: 1 place has no coarser place."),
        (bad_argument("split", "by", "one of halves, weeks", "x"), "--split must be one of halves, weeks (got 'x')."),
        (DataError("column 'k_m' does not parse", function="read_events"), "column 'k_m' does not parse"),
        (bad_argument("match", "size", "3", 4), "size must be 3 (got 4)."),
        (OutputError("it is a file.", argument="out"), "out: it is a file."),
    ],
)
def test_the_command_line_shows_its_options_in_the_place_of_arguments(error, shown):
    assert error_in_options(error, OPTIONS, ["what"]) == shown


@pytest.mark.parametrize("cause", [KeyboardInterrupt(), SystemExit(143)])
def test_an_interruption_on_the_way_out_of_a_kernel_is_one_too(cause, capsys):
    with pytest.raises(typer.Exit, match="^130$"), exit_on_error():
        raise SystemError("a kernel returned a result with an exception set") from cause
    assert capsys.readouterr().err == "interrupted; nothing was written.\n"


def test_another_fault_of_the_interpreter_is_a_fault_of_ours(capsys):
    with pytest.raises(typer.Exit, match="^3$"), exit_on_error():
        raise SystemError("bad call")
    assert capsys.readouterr().err.startswith("internal error: SystemError")


def test_a_long_name_of_a_file_is_cut(capsys):
    with pytest.raises(typer.Exit, match="2"), exit_on_error():
        raise OSError(36, "File name too long", "x" * 5_000)
    assert 100 < len(capsys.readouterr().err) < 300
