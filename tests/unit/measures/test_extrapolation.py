"""Extrapolation to more people: the law against its recursion, known answers, and shares that stay shares."""

from itertools import combinations

import numpy as np
import pytest

from singleout.measures.extrapolation import (
    Draw,
    Law,
    MeasuredCurve,
    distinguishable_share,
    expected_curve,
    extrapolate,
)
from singleout.measures.intervals import wilson

SIZES = [50, 100, 200, 400, 800]


def by_recursion(people, discount, strength):
    """Expected number of values among draws: each draw is new with probability (α + d K) / (α + i)."""
    values = 1.0
    for drawn in range(1, people):
        values += (strength + discount * values) / (strength + drawn)
    return values / people


def curve_of(share_at, sizes=SIZES):
    """Everyone is equally likely to be found."""
    return MeasuredCurve(sizes, [[Draw(np.arange(size), np.full(size, share_at(size)))] for size in sizes])


@pytest.mark.parametrize("strength", [-0.3, 0.0, 1e-6, 0.5, 30.0, 665.0])
@pytest.mark.parametrize("discount", [1e-6, 0.31, 0.506, 0.99])
def test_the_law_is_its_recursion(discount, strength):
    if strength > -discount:
        for people in (1, 2, 7, 1_000):
            expected = by_recursion(people, discount, strength)
            assert distinguishable_share(people, discount, strength) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("strength", [0.5, 30.0])
def test_without_a_discount_it_is_the_dirichlet_process(strength):
    for people in (1, 2, 7, 1_000):
        assert distinguishable_share(people, 0.0, strength) == pytest.approx(by_recursion(people, 0.0, strength))


@pytest.mark.parametrize(("discount", "strength"), [(0.4, 12.0), (0.7, -0.2)])
def test_the_sum_and_the_ratio_meet(discount, strength, monkeypatch):
    summed = distinguishable_share(50_000, discount, strength)
    monkeypatch.setattr("singleout.measures.extrapolation.EXACT_SUM", 10)
    assert distinguishable_share(50_000, discount, strength) == pytest.approx(summed, rel=1e-9)


def test_the_law_passes_through_published_figures():
    # 77.7% of 1,000 and 21.5% of 46,986
    law = Law(0.506, 665.0, 1.0)
    assert law.at(1_000) == pytest.approx(0.777, abs=5e-4)
    assert law.at(46_986) == pytest.approx(0.215, abs=5e-4)


@pytest.mark.parametrize("law", [Law(0.5, 200.0, 1.0), Law(0.2, 900.0, 0.8), Law(0.7, 20.0, 0.6)])
def test_a_curve_drawn_from_the_law_leads_where_the_law_does(law):
    found = extrapolate(curve_of(law.at), 8_000)
    assert found.value == pytest.approx(law.at(8_000), abs=0.03)
    assert found.low <= found.value <= found.high
    assert found.times == 10
    assert "not measured" in found.warning


def test_one_person_is_always_found_and_the_ceiling_is_never_exceeded():
    law = Law(0.5, 100.0, 0.7)
    assert law.at(1) == 1.0
    assert law.at(10**9) < 0.7


def test_the_range_is_wider_where_fewer_people_were_measured():
    rng = np.random.default_rng(1)

    def curve(sizes):
        return MeasuredCurve(
            sizes, [[Draw(np.arange(n), (rng.random(n) < Law(0.5, 200.0, 0.9).at(n)).astype(float))] for n in sizes]
        )

    few, many = extrapolate(curve([25, 50, 100, 200]), 4_000), extrapolate(curve([400, 800, 1_600, 3_200]), 64_000)
    assert many.high - many.low < few.high - few.low


def test_a_table_has_no_ceiling_and_its_range_covers_how_far_the_law_is_off():
    exact = extrapolate(curve_of(Law(0.5, 200.0, 1.0).at), 8_000, exact=True)
    assert exact.law.ceiling == 1.0
    assert exact.high - exact.low < 0.02
    # as many classes as people up to 300, and then none: no law of this kind
    bent = extrapolate(curve_of(lambda size: min(1.0, 300 / size)), 8_000, exact=True)
    assert bent.high - bent.low > 0.05


def test_everybody_and_nobody_found_stay_shares():
    everybody = extrapolate(curve_of(lambda size: 1.0), 40_000)
    assert everybody.high == 1
    assert everybody.low < 0.8, "800 people of whom everyone is found say little of fifty times as many"
    nobody = extrapolate(curve_of(lambda size: 0.0), 40_000)
    assert nobody.low == 0
    assert 0 < nobody.value < nobody.high < 0.05


def test_no_more_are_found_among_more_people_than_were_measured():
    # as many classes as there can be: the law is far off, and would allow for more
    found = extrapolate(curve_of(lambda size: min(1.0, 60 / size)), 80_000, exact=True)
    # the share that was measured is a mean of shares, so its last digit depends on the processor
    assert found.high <= wilson(60, 800).high * (1 + 1e-12)
    assert found.low <= found.value <= found.high


def test_the_same_seed_gives_the_same_range():
    curve = curve_of(Law(0.5, 200.0, 0.9).at)
    assert extrapolate(curve, 8_000, seed=3).to_dict() == extrapolate(curve, 8_000, seed=3).to_dict()


def test_few_sizes_are_too_few_to_extrapolate():
    assert extrapolate(curve_of(Law(0.5, 200.0, 0.9).at, SIZES[:3]), 1_000) is None


def test_the_expected_curve_of_a_table_is_the_mean_over_all_draws():
    classes = np.array([1, 1, 2, 2, 3])
    label = np.repeat(np.arange(5), classes)
    found = expected_curve(classes, [2, 5, 8, 9]).shares()
    for size, share in zip((2, 5, 8, 9), found.tolist(), strict=True):
        every = [len(set(label[list(drawn)].tolist())) / size for drawn in combinations(range(9), size)]
        assert share == pytest.approx(np.mean(every))


def test_the_expected_curve_of_many_records_is_close_to_draws_and_is_extrapolated_alike():
    rng = np.random.default_rng(0)
    label = np.minimum(rng.zipf(1.4, 20_000), 3_000)
    classes = np.unique(label, return_counts=True)[1]
    sizes = [1_250, 2_500, 5_000, 10_000, 20_000]
    curve = expected_curve(classes, sizes)
    draws = []
    for size in sizes:
        drawn = np.sort(rng.choice(20_000, size, replace=False))
        inverse, number = np.unique(label[drawn], return_inverse=True, return_counts=True)[1:]
        draws.append([Draw(drawn, 1 / number[inverse])])
    drawn = MeasuredCurve(sizes, draws)
    assert curve.shares() == pytest.approx(drawn.shares(), rel=0.1)
    one, other = (extrapolate(each, 1_000_000, exact=True) for each in (curve, drawn))
    assert one.value == pytest.approx(other.value, rel=0.2)
    assert one.low < other.value < one.high
