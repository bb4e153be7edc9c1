"""Comparators of fields against their slow twins."""

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
    ],
)
def test_values_are_compared_as_they_are_written(value, text):
    assert normalise_text(value, Words({"ny": "new york"})) == text


@pytest.mark.parametrize("given", ["similar:2", "similar:0", "exact:0.5", "similar:x"])
def test_a_threshold_is_for_similar_and_between_0_and_1(given):
    with pytest.raises(so.InputError, match="similar: with a number above 0 and at most 1"):
        find_comparator("match_profiles", "block", given)


def test_similar_takes_a_threshold_of_ones_own():
    assert find_comparator("match_profiles", "block", "similar:0.8") == Comparator("similar", 0.8)


def test_an_unknown_comparator_is_named_with_the_near_one():
    with pytest.raises(so.InputError, match="Did you mean 'exact'"):
        find_comparator("match_profiles", "block", "exakt")


def test_without_the_extra_the_install_line_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rapidfuzz", None)
    with pytest.raises(so.SingleoutError, match=r"pip install 'singleout\[similar\]'"):
        comparators.find_comparator("match_profiles", "block", "similar")
