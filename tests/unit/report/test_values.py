"""Values of options in words."""

from singleout.report.values import value_in_words


def test_lists_yes_and_no_and_nothing():
    values = (None, True, False, 7, 0.05, ["a", 2], {"a": [1, True]}, "x")
    assert [value_in_words(each) for each in values] == ["not set", "yes", "no", "7", "0.05", "a, 2", "a: 1, yes", "x"]
