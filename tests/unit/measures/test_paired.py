"""Two attacks on the same people: McNemar's exact test against all ways the differing people could fall."""

from itertools import product

import numpy as np
import pytest

import singleout as so
from singleout.measures.paired import Paired, compare_pairs
from tests.small_logs import noisy_sides


@pytest.mark.parametrize(("only_first", "only_second"), [(0, 0), (1, 0), (3, 3), (0, 6), (7, 2), (4, 5)])
def test_the_p_value_is_the_share_of_all_ways_at_least_as_uneven(only_first, only_second):
    differ = only_first + only_second
    ways = [abs(2 * sum(way) - differ) for way in product((0, 1), repeat=differ)]
    uneven = sum(each >= abs(only_first - only_second) for each in ways)
    assert Paired(only_first, only_second).p == pytest.approx(uneven / len(ways))
    assert Paired(only_first, only_second).p == Paired(only_second, only_first).p


def test_only_people_on_whom_the_attacks_differ_count():
    first = np.array([True, True, False, False, True])
    second = np.array([True, False, True, False, False])
    test = compare_pairs(first, second)
    assert (test.only_first, test.only_second) == (2, 1)
    assert test.to_dict() == {"only_first": 2, "only_second": 1, "p": 1.0}


def test_where_ties_are_drawn_the_people_to_be_expected_count():
    # one of ten is named for sure by both; of the others the first names half, the second none
    first, second = np.array([1.0] + [0.5] * 9), np.array([1.0] + [0.0] * 9)
    assert compare_pairs(first, second) == Paired(round(4.5), 0)


def test_two_attacks_are_compared_person_by_person():
    sides = noisy_sides(people=80)
    js, dot = (so.match(*sides, similarity=name) for name in ("js", "dot"))
    found = so.compare_attacks(dot, js)
    assert found.first.value == pytest.approx(so.accuracy(dot).rate.value)
    assert found.second.value == pytest.approx(so.accuracy(js).rate.value)
    assert found.difference == pytest.approx(found.second.value - found.first.value)
    assert found.low <= found.difference <= found.high
    assert found.paired.only_second - found.paired.only_first == pytest.approx(80 * found.difference, abs=1)
    assert "of 80 people" in str(found)
    itself = so.compare_attacks(js, js)
    assert (itself.difference, itself.low, itself.high, itself.paired.p) == (0, 0, 0, 1)


def test_several_splits_are_pooled_and_their_spread_is_kept():
    splits = [noisy_sides(seed=seed) for seed in range(3)]
    js, l1 = ([so.match(*sides, similarity=name) for sides in splits] for name in ("js", "l1"))
    found = so.compare_attacks(js, l1)
    assert found.people == 120
    singles = [so.compare_attacks(*each).difference for each in zip(js, l1, strict=True)]
    assert found.by_split == pytest.approx(singles)
    assert found.difference == pytest.approx(np.mean(singles))
    assert "Over 3 splits" in str(found)


def test_attacks_on_different_people_are_not_compared():
    small, large = so.match(*noisy_sides(people=30)), so.match(*noisy_sides(people=40))
    with pytest.raises(so.DataError, match="not on the same known people"):
        so.compare_attacks(small, large)
    with pytest.raises(so.InputError, match="second must be 1 matchings, as many as first"):
        so.compare_attacks(small, [small, small])
    with pytest.raises(so.InputError, match="first must be a Matching, or a list of them"):
        so.compare_attacks("a", small)
