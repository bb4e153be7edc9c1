"""Selectivity and its groups."""

import json

import pytest

import singleout as so
from tests.small_profiles import PEOPLE, matched


def test_selectivity_is_one_over_the_candidates_with_the_highest_score():
    found = matched({"first": "exact"}, {"last": ("contains", 2.0), "town": ("exact", 1.0)})
    assert found.candidates.tolist() == [3, 1, 0]
    assert found.best.tolist() == [3.0, 2.0, 0.0]
    assert found.selectivity.tolist() == [1.0, 1.0, 0.0]
    assert found.winners(0).tolist() == [0]
    ties = matched({"first": "exact"}, {"last": ("contains", 2.0)})
    assert ties.selectivity.tolist() == [0.5, 1.0, 0.0]
    assert ties.winners(0).tolist() == [0, 1]


def test_a_highest_score_of_zero_counts_as_well():
    found = matched({"first": "exact"}, {})
    assert found.best.tolist() == [0.0, 0.0, 0.0]
    assert found.selectivity.tolist() == [1 / 3, 1.0, 0.0]


def test_the_three_groups_of_table_iii():
    found = matched({"first": "exact"}, {})
    all_, one, two = (so.selectivity(found, at_least=at_least) for at_least in (0, 1, 2))
    assert [group.people for group in (all_, one, two)] == [3, 2, 1]
    assert all_.selectivity.value == pytest.approx((1 / 3 + 1) / 3)
    assert (one.candidates, one.candidates_deviation) == (2.0, 1.0)
    assert one.deviation == pytest.approx(1 / 3)
    assert all_.selectivity.low < all_.selectivity.value < all_.selectivity.high
    assert two.random == 1 / 4
    unmatched = matched({"first": "exact"}, {}, released={**PEOPLE, "first": ["X", "Y", "Z"]})
    empty = so.selectivity(unmatched, at_least=1)
    assert (empty.people, empty.selectivity) == (0, None)
    assert json.dumps(empty.to_dict(), allow_nan=False)
