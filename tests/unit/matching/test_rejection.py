"""When a whole matching may be believed: the error bound, UN13's own rule, and a model that does not hold."""

from math import log2, pi, sqrt

import numpy as np
import pytest

import singleout as so
from singleout.matching.rejection import LONGEST, log2_shtarkov
from tests.reference import rejection as twins

EXPONENT, LENGTH, SHARES = 0.0817, 1_000, (0.50, 0.53)
"""Two people so similar that the better matching is often the wrong one."""


def sides(released, known):
    places = list(range(np.shape(released)[1]))
    return tuple(so.Histograms(np.asarray(counts), range(len(counts)), places) for counts in (released, known))


def drawn(rng, shares, length):
    return [[(first := rng.binomial(length, share)), length - first] for share in shares]


@pytest.mark.parametrize(("n", "places"), [(1, 1), (1, 4), (2, 3), (3, 5), (5, 4), (6, 3), (9, 2)])
def test_the_shtarkov_sum_is_that_over_all_strings(n, places):
    assert log2_shtarkov(n, places) == pytest.approx(log2(twins.shtarkov_sum(n, places)), abs=1e-12)
    assert log2_shtarkov(n, places) <= places * log2(n + 1), "the paper's own term, had it been added, is looser"


@pytest.mark.parametrize("n", [1, 2, 10, 1_000])
def test_the_shtarkov_sum_of_two_places_is_the_sum_over_how_often_the_first_occurs(n):
    assert log2_shtarkov(n, 2) == pytest.approx(log2(twins.shtarkov_sum_of_two(n)), abs=1e-12)


def test_the_shtarkov_sum_of_long_strings_follows_its_expansion_and_many_places_do_not_overflow():
    assert log2_shtarkov(LONGEST, 2) == pytest.approx(log2(sqrt(pi * LONGEST / 2) + 2 / 3), abs=1e-9)
    assert log2_shtarkov(28_800, 934) == pytest.approx(3_061.535, abs=1e-3)
    assert 0 < log2_shtarkov(1_000, 20_000) < 1_000 * log2(20_000)


@pytest.mark.parametrize("shares", [(0.5, 0.53), (0.5, 0.5), (0.2, 0.3), (0.05, 0.95), (0.0, 1.0)])
def test_over_all_data_there_can_be_the_error_stays_below_its_bound_and_that_of_the_papers_rule_does_not(shares):
    length, exponent = 20, 0.15
    matching = so.match(*sides([[9, 11], [12, 8]], [[10, 10], [11, 9]]))
    bound, paper = (matching.decide(exponent, length, rule=rule) for rule in ("bound", "paper"))
    assert bound.error_bits == pytest.approx(3)
    wrong, misfit = twins.error_rates(length, shares, bound.threshold, "bound")
    assert wrong + misfit <= 2**-3
    if shares == (0.5, 0.53):
        assert twins.error_rates(length, shares, paper.threshold, "paper")[0] > 2**-3


def test_the_papers_rule_accepts_wrong_matchings_where_the_bound_accepts_none():
    rng = np.random.default_rng(0)
    wrong = {"paper": 0, "bound": 0}
    for _ in range(100):
        matching = so.match(*sides(drawn(rng, SHARES, LENGTH), drawn(rng, SHARES, LENGTH)))
        for rule in wrong:
            accepted = matching.decide(EXPONENT, LENGTH, rule=rule).accepted
            wrong[rule] += accepted and not np.array_equal(matching.released, matching.known)
    assert wrong["paper"] >= 3, "far more than 2^(-0.0817 x 1000)"
    assert wrong["bound"] == 0


def test_a_matching_is_accepted_if_the_threshold_lies_between_the_best_and_the_second_best():
    rng = np.random.default_rng(1)
    shares = (0.1, 0.9)
    matching = so.match(*sides(drawn(rng, shares, LENGTH), drawn(rng, shares, LENGTH)))
    decision = matching.decide(EXPONENT, LENGTH)
    assert decision.threshold == pytest.approx(EXPONENT + 4 * log2_shtarkov(LENGTH, 2) / LENGTH)
    assert decision.best == pytest.approx(matching.cost / np.log(2))
    assert decision.second_best == pytest.approx(matching.second_best() / np.log(2))
    assert decision.best < decision.threshold <= decision.second_best
    assert (decision.accepted, decision.never, decision.model_fails) == (True, False, False)
    assert "at most 2^-81.7" in repr(decision)
    above = decision.second_best - decision.threshold + EXPONENT + 1e-9
    assert not matching.decide(above, LENGTH).accepted


def test_a_threshold_above_two_bits_a_person_can_never_accept_and_says_so():
    matching = so.match(*sides([[10, 0], [0, 10]], [[10, 0], [0, 10]]))
    assert matching.decide(0.1, 10).accepted, "nobody could differ more"
    never = matching.decide(3.5, 10)
    assert never.threshold > 4
    assert (never.accepted, never.never, never.model_fails) == (False, True, False)
    assert "no data could be accepted" in repr(never)


def test_where_even_the_best_matching_costs_too_much_the_model_does_not_hold():
    released = np.array([[990, 10, 0], [0, 10, 990]])
    known = np.array([[10, 990, 0], [0, 990, 10]])
    decision = so.match(*sides(released, known)).decide(0.1, 1_000)
    assert (decision.accepted, decision.never, decision.model_fails) == (False, False, True)
    assert decision.best >= decision.threshold
    assert "the i.i.d. model does not hold" in repr(decision)


def test_one_person_has_no_second_hypothesis_and_cannot_be_wrong():
    alone = so.match(*sides([[5, 5]], [[6, 4]]))
    assert alone.decide(5.0, 10).accepted
    assert not alone.decide(5.0, 10).never


def test_the_papers_rule_promises_nothing_and_says_when_it_accepts_anything():
    counts = np.diag([50] * 4) + 1
    matching = so.match(*sides(counts, counts))
    bits, length = matching.second_best() / np.log(2), 10**6
    correction = 2 * 4 * 4 * np.log2(length + 1) / length
    accepted = matching.decide(bits + correction - 1e-9, length, rule="paper")
    assert (accepted.accepted, accepted.error_bits) == (True, None)
    assert "no bound on the error" in repr(accepted)
    assert not matching.decide(bits + correction + 1e-6, length, rule="paper").accepted
    assert "accepts any data" in repr(matching.decide(1.0, 10, rule="paper"))


def test_an_error_bound_needs_everyone_to_have_as_many_observations_as_said():
    matching = so.match(*sides([[5, 5], [2, 8]], [[6, 4], [3, 6]]))
    with pytest.raises(so.DataError, match="everyone has exactly 10 observations; 1 of 4 histograms"):
        matching.decide(0.1, 10)
    assert matching.decide(0.1, 10, rule="paper").accepted


def test_an_unknown_rule_is_refused():
    with pytest.raises(so.InputError, match=r"rule must be one of bound, paper \(got 'papr'\). Did you mean 'paper'"):
        so.match(*sides([[5, 5]], [[6, 4]])).decide(0.1, 10, rule="papr")
