"""Errors carry what they say as fields, and are put into words in one place."""

import pickle

import pytest

from singleout.cli.errors import error_in_options
from singleout.ground.errors import DataError, InputError, OutputError, bad_argument

OPTIONS = ["events", "user", "time", "encoding", "coordinate_scale", "time_unit", "microaggregate", "coarsen", "split"]


def test_a_bad_argument_says_what_it_must_be_and_was():
    error = bad_argument("microaggregate", "k", "two or more", 1, "Groups of one protect nobody.")
    assert (error.function, error.argument, error.must, error.got) == ("microaggregate", "k", "two or more", "1")
    assert str(error) == "microaggregate: k must be two or more, got 1. Groups of one protect nobody."


def test_arguments_in_a_text_are_shown_as_python_spells_them():
    error = DataError("needs an exact matching. Match again with `tolerance=0`.", function="margins")
    assert str(error) == "margins: needs an exact matching. Match again with tolerance=0."


def test_an_error_names_the_step_that_it_ended():
    error = bad_argument("microaggregate", "k", "two or more", 1).within(context="protection 'groups' at strength 1")
    assert str(error) == "microaggregate: protection 'groups' at strength 1: k must be two or more, got 1."


@pytest.mark.parametrize("kind", [InputError, DataError, OutputError])
def test_errors_come_back_whole_from_other_processes(kind):
    error = kind("no events.", function="read_events", argument="source", hint="Is it the right file?")
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.function, back.argument) == (str(error), "read_events", "source")


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (DataError("`user='x'` is not a column.", function="read_events"), "--user x is not a column."),
        (bad_argument("microaggregate", "k", "1", 0), "--microaggregate must be 1, got 0."),
        (
            bad_argument("microaggregate", "k", "1", 0).within(context="protection 'm' at strength 0"),
            "protection 'm' at strength 0: --microaggregate must be 1, got 0.",
        ),
        (DataError("a.csv is not UTF-8. Pass `encoding='latin-1'`."), "a.csv is not UTF-8. Pass --encoding latin-1."),
        (DataError("Is `coordinate_scale` right?", function="read_events"), "Is --coordinate-scale right?"),
        (DataError("1 place has no coarser place.", function="coarsen"), "--coarsen: 1 place has no coarser place."),
        (bad_argument("split", "by", "one of halves, weeks", "x"), "--split must be one of halves, weeks, got 'x'."),
        (DataError("column 'k_m' does not parse", function="read_events"), "column 'k_m' does not parse"),
        (bad_argument("match", "size", "3", 4), "size must be 3, got 4."),
        (OutputError("it is a file.", argument="out"), "out: it is a file."),
    ],
)
def test_the_command_line_shows_its_options_in_the_place_of_arguments(error, shown):
    assert error_in_options(error, OPTIONS) == shown
