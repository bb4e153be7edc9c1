"""Intervals of the strongest of several attacks: over draws, and for having chosen the best."""

import numpy as np
import pytest

from singleout.measures.intervals import wilson
from singleout.measures.strongest import choice_bias, combine_strongest, estimate_over_draws, level_for_each


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("count", [0, 3, 17, 40])
def test_one_draw_has_wilsons_interval(count, level):
    found, expected = estimate_over_draws([count / 40], 40, level), wilson(count, 40, level)
    assert (found.value, found.low, found.high) == pytest.approx((expected.value, expected.low, expected.high))
    assert (found.confidence_level, found.n) == (level, 40)


def test_draws_that_agree_leave_the_interval_and_draws_that_differ_widen_it():
    alike, apart = (estimate_over_draws(shares, 400, 0.95) for shares in ([0.2, 0.2, 0.2], [0.1, 0.2, 0.3]))
    assert (alike.low, alike.high) == pytest.approx((wilson(80, 400).low, wilson(80, 400).high))
    assert apart.value == pytest.approx(0.2)
    assert apart.low < alike.low < alike.high < apart.high
    # a variance of 0.01 is that of 16 people: 0.2 * 0.8 / 16
    assert (apart.low, apart.high) == pytest.approx((wilson(3.2, 16).low, wilson(3.2, 16).high))


def test_draws_as_far_apart_as_can_be_give_an_interval():
    found = estimate_over_draws([0.0, 1.0], 10, 0.95)
    assert 0 <= found.low < 0.5 < found.high <= 1


def test_the_interval_holds_the_share_of_a_new_draw_on_other_people_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    people, draws, trials, held = 200, 3, 2_000, 0
    for _ in range(trials):
        chances = rng.beta(0.2, 1.8, people)  # some are found nearly always, most hardly ever; 10% on average
        shares = (rng.random((draws, people)) < chances).mean(axis=1)
        found = estimate_over_draws(shares.tolist(), people, 0.95)
        held += found.low <= 0.1 <= found.high
    assert held / trials > 0.95


def test_levels_of_several_intervals_add_up_to_one_error():
    assert level_for_each(0.95, 1) == pytest.approx(0.95)
    assert 1 - level_for_each(0.95, 8) == pytest.approx(0.05 / 8)


def test_the_strongest_has_the_highest_share_and_the_highest_ends():
    one, other = estimate_over_draws([0.2, 0.2], 100, 0.99), estimate_over_draws([0.1, 0.28], 100, 0.99)
    found = combine_strongest([one, other], 0.95)
    assert (found.value, found.low, found.high, found.confidence_level) == (0.2, one.low, other.high, 0.95)


def test_the_interval_of_the_best_of_many_equal_attacks_holds_their_common_share():
    rng = np.random.default_rng(1)
    attacks, people, true, trials, held, plain = 20, 300, 0.05, 400, 0, 0
    for _ in range(trials):
        shares = rng.binomial(people, true, attacks) / people
        found = [estimate_over_draws([share], people, level_for_each(0.95, attacks)) for share in shares]
        best = combine_strongest(found, 0.95)
        held += best.low <= true <= best.high
        single = wilson(best.value * people, people)
        plain += single.low <= true <= single.high
    assert plain / trials < 0.8
    assert held / trials >= 0.95


def test_a_choice_among_equally_good_attacks_is_biased_and_one_among_equal_ones_is_not():
    rng = np.random.default_rng(2)
    same = rng.random(200)
    assert choice_bias([same, same, same], 0) == pytest.approx(0, abs=1e-12)
    different = [(rng.random(200) < 0.5).astype(float) for _ in range(10)]
    assert 0.01 < choice_bias(different, 0) < 0.1
    assert choice_bias([np.zeros(200), np.ones(200)], 0) == pytest.approx(0, abs=1e-12)
