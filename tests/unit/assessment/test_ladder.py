"""A ladder is a table and a sentence."""

import pytest

import singleout as so


@pytest.fixture(scope="module")
def sides():
    events = so.synthetic_calls(people=40, seed=0).events
    return tuple(so.histograms(part) for part in so.split(events, by="weeks"))


def test_a_ladder_is_a_table_and_a_sentence(sides):
    ladder = so.ladder(*sides)
    assert ladder.to_arrow().num_rows == 10
    assert "would re-identify" in repr(ladder)


def test_similarities_are_a_list(sides):
    with pytest.raises(so.InputError, match="similarities must be a list of similarities"):
        so.ladder(*sides, similarities="js")
