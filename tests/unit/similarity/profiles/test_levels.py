"""Levels of agreement against their slow twin, and the comparators that columns usually have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.similarity.profiles.comparators import find_comparator
from singleout.similarity.profiles.levels import LevelField, compare_all, count_patterns, usual_comparators
from tests.reference import fellegi_sunter as twin
from tests.text_columns import all_pairs, column, columns, plain

pytestmark = pytest.mark.kernels
NAMES = ("exact", "similar:0.92", "similar:0.8")
DIGITS = ("exact", "edits:1", "edits:2")


def level_field(sides, comparators=NAMES):
    found = tuple(find_comparator("probable_links", "compare", each) for each in comparators)
    return LevelField("x", found, column(*sides))


@given(sides=columns, comparators=st.sampled_from([NAMES, DIGITS, ("exact",)]))
def test_levels_are_the_twins(sides, comparators):
    rows, others = all_pairs(*sides)
    found = level_field(sides, comparators).compare(rows, others).tolist()
    values = [(plain(sides[0][i]), plain(sides[1][j])) for i, j in zip(rows, others, strict=True)]
    assert found == [twin.level(a, b, comparators) for a, b in values]


@given(sides=columns)
def test_agreement_on_a_rare_value_counts_more_as_in_the_twin(sides):
    field = level_field(sides)
    rows, others = all_pairs(*sides)
    levels = compare_all([field], rows, others)[:, 0]
    both = [plain(value) for side in sides for value in side]
    expected = [
        twin.rarity(plain(sides[0][row]), both) if level == 1 else 0.0 for row, level in zip(rows, levels, strict=True)
    ]
    assert field.rare_agreement(levels, rows).tolist() == pytest.approx(expected)


def test_what_rarity_adds_is_nothing_on_average_over_random_agreement():
    field = level_field((["a"] * 6 + ["b"] * 3 + ["c"], ["a"] * 4 + ["b"] * 2 + ["c"] * 2))
    released, known = field.text_counts
    count = released + known
    assert (count**2 * np.exp(field.rarity)).sum() == pytest.approx(
        count.sum() ** 2 * (count**2).sum() / count.sum() ** 2
    )
    assert field.rarity[0] < 0 < field.rarity[2], "a is common, c is rare"


def test_equal_rows_are_counted_together():
    levels = np.array([[1, 2], [0, 2], [1, 2], [3, 1]], dtype=np.int8)
    patterns, count = count_patterns(levels)
    assert dict(zip(map(tuple, patterns.tolist()), count, strict=True)) == {(1, 2): 2, (0, 2): 1, (3, 1): 1}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([f"name{'abcdefghijklmnopq'[k]}" for k in range(17)], NAMES),
        ([f"19{k}0101" for k in range(10, 40)], DIGITS),
        ([f"{k}" for k in range(10, 40)], ("exact",)),
        (["male", "female", None], ("exact",)),
    ],
)
def test_columns_are_usually_compared_by_what_they_hold(values, expected):
    assert usual_comparators(column(values, values), similar=True) == expected
    assert usual_comparators(column(values, values), similar=False) == ("exact",)
