"""What the figures of a protected file say in words."""

from dataclasses import replace

import pytest

from singleout.assessment.file_figures import EstimatedMatches, FileFigures

FIGURES = FileFigures(100, 20, 500, smallest=5, unique=0, guarantee=0.2, identities=True)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "identical to those of at least 4 others (k = 5). No attack can re-identify more than 20.0%"),
        ({"smallest": 1, "unique": 7, "guarantee": 0.5}, "7 of 100 people share their rows with nobody"),
        ({"smallest": 1, "unique": 100, "guarantee": 1.0}, "the file by itself guarantees nothing"),
    ],
)
def test_the_guarantee_follows_from_identical_rows(changes, says):
    assert says in replace(FIGURES, **changes).in_words()


def test_groups_that_nobody_finds_are_not_mentioned():
    said = replace(FIGURES, groups=0.873).groups_in_words()
    assert "For 87.3% of people an intruder can still tell which group of identical rows is theirs" in said
    for groups, smallest in ((0.1, 5), (None, 5), (0.9, 1)):
        assert replace(FIGURES, groups=groups, smallest=smallest).groups_in_words() == ""


def test_an_estimate_is_said_to_be_one_or_why_there_is_none():
    assert "not estimated: too few" in replace(FIGURES, withheld="too few").estimate_in_words()
    estimated = replace(FIGURES, estimated=EstimatedMatches(0.4, 3, 30))
    assert "about 40.0% of the people they know; 3 of 30 pairs" in estimated.estimate_in_words()
    assert "Nothing here confirms it" in replace(estimated, identities=False).estimate_in_words()
