"""A user's function sees copies without ids, and fails with one line."""

import sys

import numpy as np
import pytest

import singleout as so
from singleout.similarity.own_code import run_own, shuffle_orders, shuffle_people
from tests.small_logs import noisy_sides


def test_people_are_shuffled_and_numbered_and_the_original_stays():
    released, known = noisy_sides()
    orders = shuffle_orders([released, known])
    assert [sorted(order.tolist()) for order in orders] == [list(range(40))] * 2
    assert not np.array_equal(orders[0], orders[1])
    assert np.array_equal(orders[0], shuffle_orders([released, known])[0])
    shown = shuffle_people(released, orders[0])
    assert shown.people.tolist() == list(range(40))
    assert (shown.counts.toarray() == released.counts.toarray()[orders[0]]).all()
    shown.counts.data[:] = 0
    assert released.counts.data.all()


def test_what_it_prints_is_no_result_and_what_it_raises_is_one_line(capsys):
    assert run_own("the function", lambda: sys.stdout.write("hello")) == 5
    assert capsys.readouterr().out == ""
    with pytest.raises(so.InputError, match=r"the function failed: KeyError in test_own_code.py, line \d+\.") as caught:
        run_own("the function", lambda: {}["secret"])
    assert "secret" not in str(caught.value)
    with pytest.raises(so.DataError, match="as it is"):
        run_own("the function", lambda: (_ for _ in ()).throw(so.DataError("as it is")))


def test_values_of_places_cannot_change_the_data_either():
    def counts_as_ones(known):
        known.counts.data[:] = 1
        return np.ones(len(known.places))

    so.register_similarity("ones", lambda p, q, one: one * p * q, 0.0, places=counts_as_ones)
    sides = noisy_sides()
    before = so.match(*sides).cost
    found = so.match(*sides, similarity="ones")
    assert found.explain(0).terms.size
    assert so.match(*sides).cost == before
