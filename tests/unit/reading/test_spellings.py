"""Different spellings of one word: nicknames, and states only where they are meant."""

import pytest

import singleout as so
from singleout.reading.spellings import NICKNAMES, STATES, Words
from singleout.similarity.profiles.comparators import normalise_text
from tests.small_profiles import matched


def test_states_and_nicknames_are_taken_for_what_they_stand_for():
    released = {"id": [1], "first": ["Bob"], "last": ["Lee"], "location": ["Springfield, IL"]}
    known = {"id": [1, 2], "first": ["Robert"] * 2, "last": ["Lee"] * 2, "location": ["illinois", "il y a"]}
    assert matched(**so.presets("fieldsMatch3"), released=released, known=known).candidates.tolist() == [0]
    found = matched(**so.presets("fieldsMatch3", nicknames=True), released=released, known=known)
    assert (found.candidates.tolist(), found.winners(0).tolist()) == ([2], [0])


@pytest.mark.parametrize(
    ("written", "state", "matches"),
    [
        ("La Jolla, CA", "Louisiana", False),
        ("La Jolla, CA", "California", True),
        ("Living in Ohio", "Indiana", False),
        ("Living in Ohio", "Ohio", True),
        ("Portland, or so they say", "Oregon", False),
        ("Portland, OR", "Oregon", True),
        ("Portland, OR, USA", "Oregon", True),
        ("Portland,OR 97201", "Oregon", True),
        ("OR", "Oregon", True),
        ("or", "Oregon", True),
        ("HI all", "Hawaii", False),
        ("Paris, ORLY", "Oregon", False),
    ],
)
def test_states_are_written_out_only_from_capitals_after_a_comma_or_from_the_whole_value(written, state, matches):
    person = {"id": [1], "first": ["Ann"], "last": ["Lee"]}
    sides = {"released": {**person, "location": [written]}, "known": {**person, "location": [state]}}
    assert (matched(**so.presets("fieldsMatch3"), **sides).best[0] == 1.0) == matches


@pytest.mark.kernels
def test_spellings_change_whole_words_only():
    assert normalise_text("Cary, NC", Words({"nc": "north carolina", "ca": "california"})) == "cary, north carolina"


def test_every_spelling_is_folded_and_stands_for_a_name_that_stands_for_itself():
    for words in (NICKNAMES, STATES):
        assert all(word == word.casefold() for pair in words.items() for word in pair)
        assert not set(words.values()) & set(words), "what a word stands for would be replaced again"


def test_the_fifty_states_and_the_district_are_all_there():
    assert len(STATES) == len(set(STATES.values())) == 51


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Springfield, IL", "springfield, illinois"),
        ("il", "illinois"),
        ("Springfield, il", "springfield, il"),
        ("Lagos, XX", "lagos, xx"),
        ("", ""),
    ],
)
def test_a_state_is_written_out_only_where_it_is_meant(text, folded):
    assert STATES.fold(text) == folded
