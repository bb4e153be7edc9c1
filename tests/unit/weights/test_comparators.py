"""Comparators and blocks against their slow twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout._kernels.profiles import shared_friends
from singleout.reading.spellings import Words
from singleout.similarity.profiles import comparators
from singleout.similarity.profiles.blocking import Blocks, FieldScores
from singleout.similarity.profiles.comparators import (
    COMPARATORS,
    Comparator,
    Field,
    Texts,
    comparator_named,
    plain_text,
)
from singleout.similarity.profiles.friends import FriendLists
from tests.reference.linking import fields_match, jaro_winkler, values_match

pytestmark = pytest.mark.kernels

words = st.one_of(st.none(), st.text("aAbß é", max_size=5).map(lambda text: text.strip()))
columns = st.tuples(st.lists(words, min_size=1, max_size=6), st.lists(words, min_size=1, max_size=6))


def plain(value):
    return None if value is None else " ".join(value.casefold().split())


def column(released, known):
    sides = []
    for side in (released, known):
        values = sorted({value for value in side if value is not None})
        codes = [values.index(value) if value is not None else len(values) for value in side]
        sides.append((np.array(codes, dtype=np.intp), [*values, None]))
    return Texts.of(sides[0], sides[1], {})


def all_pairs(released, known):
    rows, others = np.indices((len(released), len(known)))
    return rows.ravel(), others.ravel()


@pytest.mark.parametrize("name", COMPARATORS)
@given(sides=columns)
def test_every_pair_matches_as_the_twin_says(name, sides):
    field = Field(Comparator(name), column(*sides))
    rows, others = all_pairs(*sides)
    expected = [values_match(plain(sides[0][i]), plain(sides[1][j]), name) for i, j in zip(rows, others, strict=True)]
    assert field.matches(rows, others).tolist() == expected


@given(sides=st.tuples(columns, columns), names=st.tuples(*[st.sampled_from(COMPARATORS)] * 3), itself=st.booleans())
def test_blocks_and_scores_are_the_twins(sides, names, itself):
    length = [min(len(a), len(b)) for a, b in zip(*sides, strict=True)]
    tables = [
        [{"x": plain(x), "y": plain(y)} for x, y in zip(sides[0][k][:n], sides[1][k][:n], strict=True)]
        for k, n in enumerate(length)
    ]
    if itself:
        tables[1] = tables[0]
    texts = {name: column(*([row[name] for row in table] for table in tables)) for name in "xy"}
    fields = [Field(Comparator(names[0]), texts["x"]), Field(Comparator(names[1]), texts["y"])]
    blocks = Blocks.of((len(tables[0]), len(tables[1])), fields, itself=itself)
    scorer = FieldScores(((Field(Comparator(names[2]), texts["x"]), 2.0),))
    rows, others = blocks.pairs(0, len(tables[0]))
    found = [{} for _ in tables[0]]
    for row, other, score in zip(rows, others, scorer.of(rows, others), strict=True):
        found[row][other] = score
    assert found == fields_match(*tables, {"x": names[0], "y": names[1]}, {"x": (names[2], 2.0)}, itself)
    everyone = all_pairs(*tables)
    allowed = {pair for pair, yes in zip(zip(*everyone, strict=True), blocks.allow(*everyone), strict=True) if yes}
    assert allowed == set(zip(rows, others, strict=True))


@given(a=st.text("abc", max_size=7), b=st.text("abc", max_size=7))
def test_the_twin_of_similarity_is_rapidfuzzs(a, b):
    from rapidfuzz.distance import JaroWinkler

    assert jaro_winkler(a, b) == pytest.approx(JaroWinkler.similarity(a, b), abs=1e-9)


def test_without_fields_everyone_is_a_candidate_but_for_oneself():
    assert Blocks.of((3, 4)).everyone
    alone = Blocks.of((3, 3), itself=True)
    assert not alone.everyone
    assert list(zip(*alone.pairs(0, 3), strict=True)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


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
    assert plain_text(value, Words({"ny": "new york"})) == text


def test_spellings_change_whole_words_only():
    assert plain_text("Cary, NC", Words({"nc": "north carolina", "ca": "california"})) == "cary, north carolina"


def test_shared_friends_are_summed_whatever_the_order_of_pairs():
    lists = [
        FriendLists.of(2, np.array(p), np.array(f), 4)
        for p, f in (([0, 0, 1, 0], [1, 2, 3, 1]), ([0, 1, 1], [2, 1, 2]))
    ]
    worth = np.array([1.0, 2.0, 4.0, 8.0])
    rows, others = np.array([0, 1, 0, 0]), np.array([0, 0, 1, 0])
    found = shared_friends(rows, others, lists[0].starts, lists[0].friends, lists[1].starts, lists[1].friends, worth)
    assert found.tolist() == [4.0, 0.0, 6.0, 4.0]


def test_nobody_having_friends_is_no_error():
    nothing = np.empty(0, dtype=np.intp)
    lists = FriendLists.of(3, nothing, nothing, 0)
    assert lists.starts.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("given", ["similar:2", "similar:0", "exact:0.5", "similar:x"])
def test_a_threshold_is_for_similar_and_between_0_and_1(given):
    with pytest.raises(so.InputError, match="similar: and a number above 0 up to 1"):
        comparator_named("match_profiles", "block", given)


def test_similar_takes_a_threshold_of_ones_own():
    assert comparator_named("match_profiles", "block", "similar:0.8") == Comparator("similar", 0.8)


def test_an_unknown_comparator_is_named_with_the_near_one():
    with pytest.raises(so.InputError, match="Did you mean 'exact'"):
        comparator_named("match_profiles", "block", "exakt")


def test_without_the_extra_the_install_line_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rapidfuzz", None)
    with pytest.raises(so.SingleoutError, match=r"pip install 'singleout\[similar\]'"):
        comparators.comparator_named("match_profiles", "block", "similar")
