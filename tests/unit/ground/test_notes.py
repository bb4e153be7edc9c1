"""Notes: what was counted, in words that fit the number."""

import pytest

import singleout as so
from singleout.ground.notes import WIDTH, Note, cut_middle, in_a_row, in_lines, nonzero, number_of, of_two_sides
from tests.small_logs import LOG, events, side


def test_notes_of_one_are_in_the_singular():
    cut = so.suppress(side([[5, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 7]]), min_people=2)
    assert [str(note) for note in cut.notes] == [
        "3 places left out: suppressed because they are too rare",
        "1 person left without data: all their places were suppressed",
    ]
    short = so.shorten(events(LOG), days=1)
    assert str(short.notes[0]) == "1 person with days left out: only their first day with events is kept"


def test_only_notes_that_counted_something_are_kept():
    some, none = Note(2, "rows left out", "why"), Note(0, "people left out", "why")
    assert nonzero(none, some, none) == (some,)


@pytest.mark.parametrize(
    ("count", "what", "words"),
    [
        (1, "people left out", "1 person left out"),
        (1, "places", "1 place"),
        (2, "people", "2 people"),
        (0, "pairs made", "0 pairs made"),
        (12_345, "rows", "12,345 rows"),
    ],
)
def test_a_count_agrees_with_its_noun(count, what, words):
    assert number_of(count, what) == words


def test_names_that_differ_at_either_end_stay_apart_where_they_are_cut():
    assert cut_middle("fits", 4) == "fits"
    names = ["income of the household, 2011", "income of the household, 2012", "Income of the household, 2012"]
    cut = [cut_middle(name, 12) for name in names]
    assert [len(name) for name in cut] == [12, 12, 12]
    assert len(set(cut)) == 3
    assert all("…" in name for name in cut)


def test_notes_of_two_sides_name_their_side_unless_they_share_them():
    common, mine, theirs = (Note(n, "rows left out", why) for n, why in ((1, "a"), (2, "b"), (3, "b")))
    found = of_two_sides((common, mine), (theirs, common))
    assert [str(note) for note in found] == [
        "1 row left out: a",
        "2 rows left out (released): b",
        "3 rows left out (known): b",
    ]


def test_long_notes_are_broken_into_indented_lines_and_long_names_are_not():
    lines = in_lines([Note(1, "rows left out", "word " * 30), "n" * 100])
    assert lines[0].startswith("  1 row left out: word")
    assert all(line.startswith("    word") for line in lines[1:-1])
    assert max(map(len, lines[:-1])) <= WIDTH
    assert lines[-1].strip() == "n" * 100


def test_a_note_in_a_result_file_has_no_code():
    assert Note(1, "rows", "why", code="for programs").to_dict() == {"count": 1, "what": "rows", "why": "why"}


def test_the_narrowest_widths_are_kept():
    assert [cut_middle("abcdef", width) for width in (1, 2, 3, 6)] == ["…", "a…", "a…f", "abcdef"]


@pytest.mark.parametrize(
    ("words", "listed"), [(["js"], "js"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_listed_as_in_a_sentence(words, listed):
    assert in_a_row(words) == listed
