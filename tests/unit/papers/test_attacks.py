"""What counts as rising, falling and best."""

import numpy as np
import pytest

import singleout as so
from singleout.papers.attacks import below_zero, falls, first_is_best, mean, rises, rises_but_for_chance


def test_shapes_of_curves():
    assert rises([0.1, 0.2, 0.2, 0.3])
    assert not rises([0.1, 0.2, 0.195, 0.3]), "every step counts"
    assert not rises([0.1, 0.3, 0.2, 0.4])
    assert falls([3, 2, 1])
    assert not falls([1, 1])
    assert first_is_best([[2, 3], [1, 3]])
    assert not first_is_best([[2, 3], [1, 4]])


def test_more_and_more_of_the_same_people_may_fall_by_chance_only():
    people = np.arange(40)
    one_lost = [people < 10, (people >= 1) & (people < 10), people < 30]
    assert rises_but_for_chance(one_lost), "one person lost and none won says nothing"
    many_lost = [people < 20, people < 8, people < 30]
    assert not rises_but_for_chance(many_lost), "twelve lost and none won at one step"
    assert not rises_but_for_chance([people < 10, people < 10]), "it must end higher"


def test_differences_over_draws_lie_below_zero_if_their_interval_does():
    # t(0.975, 2) s / sqrt(3) = 4.30265 * 0.05 / sqrt(3) = 0.1242
    assert below_zero([-0.175, -0.125, -0.075])
    assert not below_zero([-0.173, -0.123, -0.073])
    assert not below_zero([0.0])
    assert below_zero([-0.1]), "everybody is no draw"


def test_the_mean_over_draws_has_students_interval():
    def measured(rate):
        estimate = so.Estimate(rate, 0.0, 1.0, 0.95, 10)
        return so.Accuracy(10 * rate, 0, 10, estimate, estimate, 0.1, 0.1, 0.1)

    found = mean([measured(rate) for rate in (0.4, 0.5, 0.6)])
    # half = t(0.95, 2) s / sqrt(3) = 2.91999 * 0.1 / sqrt(3)
    assert (found.value, found.high - found.value) == pytest.approx((0.5, 0.168586), abs=1e-5)
    assert mean([measured(0.4)]) == measured(0.4).rate
