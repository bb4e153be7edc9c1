"""Extrapolation to more people: known answers, and shares that stay shares."""

import pytest

from singleout.measures.extrapolation import extrapolate
from singleout.measures.intervals import wilson


def rates_of(shares, n=10**6):
    return [wilson(share * n, n) for share in shares]


def test_extrapolation_finds_the_curve_it_was_drawn_from():
    people = [100, 200, 400, 800, 1_600]
    odds = [9 * (n / 100) ** -0.5 for n in people]
    found = extrapolate(people, rates_of([o / (1 + o) for o in odds]), 25_600)
    true = 9 * 256**-0.5
    assert found.value == pytest.approx(true / (1 + true))
    assert found.low <= found.value <= found.high
    assert found.times == 16
    assert "Not measured" in found.warning


def test_extrapolation_spans_shapes_that_disagree_and_stays_a_share():
    found = extrapolate([50, 100, 200, 400], rates_of([0.99, 0.98, 0.9, 0.95]), 10**9)
    assert 0 <= found.low < found.value < found.high <= 1


def test_everybody_found_says_less_of_a_crowd_than_of_those_measured():
    found = extrapolate([50, 100, 200, 400], rates_of([1.0] * 4, n=400), 40_000)
    assert found.high == 1
    assert found.value == pytest.approx(1 - 0.5 / 400)
    assert found.low < 0.9


def test_nobody_found_is_nobody_at_most_half_a_person():
    found = extrapolate([50, 100, 200, 400], rates_of([0.0] * 4, n=400), 40_000)
    assert found.low == 0
    assert found.high < 0.01


def test_few_sizes_are_too_few_to_extrapolate():
    assert extrapolate([50, 100, 200], rates_of([0.9, 0.8, 0.7]), 1_000) is None
