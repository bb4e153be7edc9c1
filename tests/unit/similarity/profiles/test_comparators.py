"""Comparators of fields against their slow twins."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.reading.spellings import Words
from singleout.similarity.profiles import comparators
from singleout.similarity.profiles.comparators import COMPARATORS, Comparator, Field, find_comparator, normalise_text
from tests.reference.linking import jaro_winkler, values_match
from tests.text_columns import all_pairs, column, columns, plain

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("name", COMPARATORS)
@given(sides=columns)
def test_every_pair_matches_as_the_twin_says(name, sides):
    field = Field(Comparator(name), column(*sides))
    rows, others = all_pairs(*sides)
    expected = [values_match(plain(sides[0][i]), plain(sides[1][j]), name) for i, j in zip(rows, others, strict=True)]
    assert field.matches(rows, others).tolist() == expected


@given(a=st.text("abc", max_size=7), b=st.text("abc", max_size=7))
def test_the_twin_of_similarity_is_rapidfuzzs(a, b):
    from rapidfuzz.distance import JaroWinkler

    assert jaro_winkler(a, b) == pytest.approx(JaroWinkler.similarity(a, b), abs=1e-9)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7.0, "7"),
        (7.25, "7.25"),
        (7, "7"),
        ("  Anna   MARIA ", "anna maria"),
        ("Straße", "strasse"),
        ("NY", "new york"),
        ("ＭÜller", "müller"),
        ("ﬁsher", "fisher"),
        ("№ 5", "no 5"),
    ],
)
def test_values_are_compared_as_they_are_written(value, text):
    assert normalise_text(value, Words({"ny": "new york"})) == text


@given(text=st.text(max_size=6))
def test_text_that_reads_the_same_is_the_same(text):
    wide = unicodedata.normalize("NFKD", text)
    assert normalise_text(text, Words()) == normalise_text(wide, Words())


@pytest.mark.parametrize(
    ("given", "must"),
    [
        ("similar:2", "similar: with a number above 0 and at most 1"),
        ("similar:0", "similar: with a number above 0 and at most 1"),
        ("similar:x", "similar: with a number above 0 and at most 1"),
        ("edits:0", "edits: with a whole number from 1 to 9"),
        ("edits:1.5", "edits: with a whole number from 1 to 9"),
        ("exact:0.5", "exact has no limit"),
    ],
)
def test_a_limit_is_for_comparators_that_have_one(given, must):
    with pytest.raises(so.InputError, match=must):
        find_comparator("match_profiles", "block", given)


def test_similar_takes_a_threshold_of_ones_own():
    assert find_comparator("match_profiles", "block", "similar:0.8") == Comparator("similar", 0.8)
    assert str(find_comparator("match_profiles", "block", "edits:2")) == "edits:2"
    assert str(find_comparator("match_profiles", "block", "exact")) == "exact"


def test_an_unknown_comparator_is_named_with_the_near_one():
    with pytest.raises(so.InputError, match="Did you mean 'exact'"):
        find_comparator("match_profiles", "block", "exakt")


def test_without_the_extra_the_install_line_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rapidfuzz", None)
    for name in ("similar", "edits"):
        with pytest.raises(so.SingleoutError, match=rf"{name}.*pip install rapidfuzz"):
            comparators.find_comparator("match_profiles", "block", name)
