"""Probabilities of pairs: rising with the margin, never fitted on the pair they are for, and reliable."""

import numpy as np
import pytest

import singleout as so
from singleout.measures.probability import ProbabilityCurve, _cross_fit, reliability
from tests.small_logs import noisy_sides


def slow_isotonic(right):
    """The largest of the least averages: max over starts before, min over ends after."""
    number = len(right)
    return [
        max(min(np.mean(right[start : end + 1]) for end in range(here, number)) for start in range(here + 1))
        for here in range(number)
    ]


def test_the_curve_is_isotonic_regression_drawn_towards_one_half():
    right = np.array([0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    curve = ProbabilityCurve.fit(np.arange(10.0), right)
    steps, sizes = np.unique(np.round(slow_isotonic(right), 12), return_counts=True)
    assert curve.values == pytest.approx((steps * sizes + 1) / (sizes + 2))
    assert (np.diff(curve.at(np.linspace(-1, 12, 50))) >= 0).all()


def test_equal_margins_have_one_probability():
    curve = ProbabilityCurve.fit(np.array([1.0, 1.0, 1.0, 1.0, 2.0, 2.0]), np.array([0, 1, 0, 1, 1, 1.0]))
    assert curve.at(np.array([1.0, 2.0])) == pytest.approx([0.5, 3 / 4])


def test_nobodys_own_pair_enters_the_fit_that_scores_them():
    rng = np.random.default_rng(0)
    margins, right = rng.random(60), (rng.random(60) < 0.5).astype(float)
    known = np.arange(60)
    for person in (0, 17, 59):
        changed = right.copy()
        changed[person] = 1 - changed[person]
        before, after = (_cross_fit(margins, each, known, np.random.default_rng(1)) for each in (right, changed))
        assert before[person] == after[person]
        assert (before != after).any()


def test_probabilities_are_reliable_and_better_than_the_overall_share():
    rng = np.random.default_rng(3)
    margins = rng.gamma(1.0, size=4_000)
    right = (rng.random(4_000) < 1 - np.exp(-margins)).astype(float)
    stated = _cross_fit(margins, right, np.arange(4_000), rng)
    found = reliability(stated, right)
    assert sum(each.holds for each in found.bins) >= 0.8 * len(found.bins)
    assert found.brier < found.base
    assert found.farthest < 0.1
    assert sum(each.observed.n for each in found.bins) == 4_000


def test_bins_count_ties_by_their_chance():
    found = reliability(np.array([0.25, 0.25]), np.array([0.5, 0.0]))
    assert [(each.stated, each.observed.value) for each in found.bins] == [(0.25, 0.25)]
    assert found.brier == pytest.approx(np.mean([0.5 * 0.75**2 + 0.5 * 0.25**2, 0.25**2]))


def test_each_pair_of_a_matching_has_one():
    matching = so.match(*noisy_sides())
    found = so.probabilities(matching)
    assert len(found) == len(matching)
    assert ((found.values > 0) & (found.values < 1)).all()
    order = np.argsort(matching.margins().values)
    assert found.values[order[-1]] > found.values[order[0]]
    assert "other people of this matching" in repr(found)
    assert found.to_arrow().column_names == ["probability"]
    assert so.probabilities(matching).values == pytest.approx(found.values)


def test_without_known_identities_the_known_side_says_what_margins_mean():
    released, known = noisy_sides(people=80)
    reference = so.match(*noisy_sides(people=80, seed=9))
    strangers = so.Histograms(known.counts, [f"x{k}" for k in range(80)], known.places)
    found = so.probabilities(so.match(released, strangers), reference=reference)
    assert found.reliability is None
    assert found.fitted_on == "estimated from the known side"
    checked = so.probabilities(so.match(released, known), reference=reference)
    assert checked.reliability.brier < checked.reliability.base + 0.05


def test_where_nobody_who_was_matched_can_be_checked_a_match_is_as_likely_right_as_wrong():
    released = so.Histograms(np.array([[3, 1]]), ["a"], ["x", "y"])
    known = so.Histograms(np.array([[1, 3], [3, 1]]), ["a", "b"], ["x", "y"])
    found = so.probabilities(so.match(released, known))
    assert found.values.tolist() == [0.5]
    assert found.reliability is None


def test_with_nobody_known_and_no_reference_nothing_can_be_said():
    released, known = noisy_sides()
    strangers = so.Histograms(known.counts, [f"x{k}" for k in range(40)], known.places)
    with pytest.raises(so.DataError, match="nobody is on both sides, so nothing can be fitted"):
        so.probabilities(so.match(released, strangers))
    with pytest.raises(so.InputError, match="result must be a Matching"):
        so.probabilities("pairs")
    with pytest.raises(so.DataError, match="only a joint matching has margins"):
        so.probabilities(so.match(released, known, method="one-by-one"))
