"""Two attacks on the same people: McNemar's exact test against all ways the differing people could fall."""

from itertools import product

import numpy as np
import pytest

from singleout.measures.paired import Paired, compare_pairs


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
