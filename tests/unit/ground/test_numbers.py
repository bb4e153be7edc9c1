"""Numbers as readers meet them: no share looks like zero that is none, and none like all that is less."""

import pytest

from singleout.ground.numbers import capitalise, percent, plural, points


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0%"),
        (1.0, "100.0%"),
        (0.8304, "83.0%"),
        (0.01, "1.0%"),
        (0.00994, "0.99%"),
        (0.0004, "0.04%"),
        (0.0001, "0.01%"),
        (0.00005, "0.005%"),
        (0.0000012, "0.0001%"),
        (0.9994, "99.9%"),
        (0.9995, "99.95%"),
        (0.9997, "99.97%"),
        (0.99996, "99.996%"),
        (1 - 1e-12, "100.0%"),
    ],
)
def test_a_share_has_as_many_digits_as_it_needs(value, shown):
    assert percent(value) == shown


@pytest.mark.parametrize("power", range(1, 12))
def test_no_positive_share_is_shown_as_nothing(power):
    shown = percent(10.0**-power)
    assert float(shown.removesuffix("%")) == pytest.approx(100 * 10.0**-power)


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("place", "places"),
        ("category", "categories"),
        ("branch", "branches"),
        ("dish", "dishes"),
        ("box", "boxes"),
        ("bus", "buses"),
        ("day", "days"),
        ("y", "ys"),
    ],
)
def test_the_noun_that_a_user_gives_has_a_plural(noun, several):
    assert plural(noun) == several


def test_a_sentence_starts_with_a_capital_and_keeps_the_rest():
    assert [capitalise(text) for text in ("leaving out AGE", "", "é")] == ["Leaving out AGE", "", "É"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(-0.218, "−21.8"), (0.0042, "+0.42"), (0.0, "0.0"), (0.00001, "0.00"), (0.01, "+1.0"), (-1.0, "−100.0")],
)
def test_a_difference_of_shares_has_its_sign_and_is_in_percentage_points(value, shown):
    assert points(value) == shown
