"""The strongest of several attacks, with an interval that allows for the choice."""

import pytest

from singleout.assessment.strongest import Tried, strongest_of
from singleout.measures.intervals import wilson


def tried(kernel, *shares, people=200):
    return Tried(kernel, 20, "no labels", "joint", shares, people)


def test_the_attack_with_the_highest_mean_over_draws_is_named():
    found = strongest_of([tried("size", 0.5, 0.1), tried("dsp", 0.4, 0.4), tried("wl", 0.2, 0.2)], attacks=3)
    assert (found.attack.kernel, found.rate.value) == ("dsp", pytest.approx(0.4))


def test_the_more_attacks_it_was_chosen_from_the_wider_the_interval():
    few, many = (strongest_of([tried("dsp", 0.4)], attacks=attacks).rate for attacks in (1, 50))
    plain = wilson(80, 200)
    assert (few.low, few.high) == (pytest.approx(plain.low), pytest.approx(plain.high))
    each = wilson(80, 200, 1 - 0.05 / 50)
    assert (many.low, many.high) == (pytest.approx(each.low), pytest.approx(each.high))
    assert many.confidence_level == 0.95, "of all together"


def test_a_row_has_one_number_a_column():
    row = strongest_of([tried("dsp", 0.4)], attacks=7).as_row()
    named = {"kernel": "dsp", "top": 20, "choices": "no labels", "matching": "joint", "rate": 0.4, "attacks": 7}
    assert {name: row[name] for name in named} == named
    assert row["low"] < row["rate"] < row["high"]
