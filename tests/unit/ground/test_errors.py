"""Errors carry what they say as fields, and are put into words in one place."""

import pickle

import pytest

from singleout.ground.errors import DataError, InputError, OutputError, bad_argument, unknown_name


def test_a_bad_argument_says_what_it_must_be_and_was():
    error = bad_argument("microaggregate", "k", "two or more", 1, "Groups of one protect nobody.")
    assert (error.function, error.argument, error.must, error.got) == ("microaggregate", "k", "two or more", "1")
    assert str(error) == "microaggregate: k must be two or more (got 1). Groups of one protect nobody."


def test_arguments_in_a_text_are_shown_as_python_spells_them():
    error = DataError("needs an exact matching. Match again with `tolerance=0`.", function="margins")
    assert str(error) == "margins: needs an exact matching. Match again with tolerance=0."


def test_an_error_names_the_step_that_it_ended():
    error = bad_argument("microaggregate", "k", "two or more", 1).within(context="protection 'groups' at strength 1")
    assert str(error) == "protection 'groups' at strength 1: microaggregate: k must be two or more (got 1)."


@pytest.mark.parametrize("kind", [InputError, DataError, OutputError])
def test_errors_come_back_whole_from_other_processes(kind):
    error = kind("no events.", function="read_events", argument="source", hint="Is it the right file?")
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.function, back.argument) == (str(error), "read_events", "source")


@pytest.mark.parametrize("got", [None, True, False])
def test_what_was_not_given_or_is_only_on_or_off_is_not_repeated(got):
    assert str(bad_argument("match", "size", "a whole number", got)) == "match: size must be a whole number."


def test_choices_stay_in_their_order_and_only_near_names_are_guessed():
    days = ("monday", "tuesday", "friday")
    assert str(unknown_name("split", "day", "tuesda", days)) == (
        "split: day must be one of monday, tuesday, friday (got 'tuesda'). Did you mean 'tuesday'?"
    )
    assert unknown_name("split", "by", "quarters", ("halves", "weeks", "dates", "point")).hint == ""
