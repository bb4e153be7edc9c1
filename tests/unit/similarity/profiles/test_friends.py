"""Shared friends are summed."""

import numpy as np
import pytest

from singleout._kernels.profiles import shared_friends
from singleout.similarity.profiles.friends import FriendLists

pytestmark = pytest.mark.kernels


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
