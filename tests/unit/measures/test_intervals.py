"""Intervals: Wilson's, and half-sampling for people who are not independent of each other."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.measures.intervals import HALVES, counted, half_sampling, rate_columns, wilson, with_effective_share
from tests.reference import intervals as twins

people = st.integers(1, 3_000)
shares = st.floats(0, 1)
levels = st.sampled_from([0.5, 0.9, 0.95, 0.99])


@given(share=shares, n=people, level=levels)
def test_wilson_equals_its_slow_twin(share, n, level):
    found = wilson(share * n, n, level)
    low, high = twins.wilson_bounds(found.value, n, twins.normal_quantile(level))
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))
    assert (found.n, found.effective, found.effective_share) == (n, None, 1.0)


rates = st.lists(st.sampled_from([k / 40 for k in range(41)]), min_size=2, max_size=HALVES)


@given(count=st.integers(0, 80), rates=rates, part=st.sampled_from([1 / 3, 0.49, 0.5]), level=levels)
def test_half_sampling_equals_its_slow_twin(count, rates, part, level):
    found = half_sampling(count, 80, rates, part, level)
    low, high, effective = twins.half_sampling(count / 80, 80, rates, part, level)
    assert found.value == count / 80
    assert found.effective == pytest.approx(effective)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


def test_the_level_of_the_halves_is_not_used_only_how_far_they_vary():
    # fewer people are easier to match, so halves find more
    halves = np.random.default_rng(0).normal(0.6, 0.05, HALVES)
    low, high = half_sampling(50, 100, halves, 0.5), half_sampling(50, 100, halves + 0.2, 0.5)
    assert (low.value, low.low, low.high) == (high.value, pytest.approx(high.low), pytest.approx(high.high))


def test_halves_that_vary_as_independent_people_do_give_about_all_people():
    rng = np.random.default_rng(1)
    right = rng.random(4_000) < 0.3
    found = [right[rng.permutation(4_000)[:2_000]].mean() for _ in range(400)]
    assert half_sampling(right.sum(), 4_000, found, 0.5).effective == pytest.approx(4_000, rel=0.1)


@pytest.mark.parametrize("part", [0.25, 0.4])
def test_parts_of_another_size_give_the_same_number_of_people(part):
    rng, size = np.random.default_rng(2), int(4_000 * part)
    right = np.repeat(rng.random(1_000) < 0.3, 4)  # of four who are right or wrong together, one counts
    found = [right.reshape(-1, 4)[rng.permutation(1_000)[: size // 4]].mean() for _ in range(400)]
    assert half_sampling(right.sum(), 4_000, found, part).effective == pytest.approx(1_000, rel=0.1)


@pytest.mark.parametrize("count", [0, 1e-12, 100 - 1e-11, 100])
def test_where_nobody_or_everybody_is_found_everyone_counts_as_independent(count):
    found = half_sampling(count, 100, [0.1, 0.5, 0.9], 0.5)
    assert found.effective == 100
    assert found.high - found.low < 0.2


def test_there_are_never_more_effective_people_than_people():
    assert half_sampling(50, 100, [0.5] * HALVES, 0.5).effective == 100
    assert half_sampling(50, 100, [0.5, 0.501], 0.5).effective == 100


def test_even_with_all_people_independent_few_halves_make_it_a_little_wider_than_wilsons():
    sampled, alone = half_sampling(50, 100, [0.5] * HALVES, 0.5), wilson(50, 100)
    assert sampled.low < alone.low < alone.high < sampled.high
    assert sampled.high - sampled.low < 1.1 * (alone.high - alone.low)


def test_another_rate_takes_over_the_share_of_people_that_count_as_independent():
    measured = half_sampling(30, 100, np.linspace(0.2, 0.5, HALVES), 0.5)
    other = with_effective_share(wilson(10, 200), measured.effective_share)
    assert other.effective == pytest.approx(200 * measured.effective / 100)
    assert (other.value, other.n, other.confidence_level) == (0.05, 200, 0.95)
    assert with_effective_share(measured, 1.0) == measured, "it has a number of its own"
    again = with_effective_share(wilson(30, 100), measured.effective_share)
    assert (again.low, again.high) == (pytest.approx(measured.low), pytest.approx(measured.high))


def test_the_effective_number_is_in_json_only_where_there_is_one():
    assert list(wilson(1, 2).to_dict()) == ["value", "low", "high", "confidence_level", "n"]
    found = half_sampling(30, 100, np.linspace(0.2, 0.5, HALVES), 0.5)
    assert json.loads(json.dumps(found.to_dict()))["effective"] == found.effective


def test_half_sampling_refuses_what_makes_no_sense():
    for rates, share in (([0.5], 0.5), ([0.5, 0.6], 0.0), ([0.5, 0.6], 1.0)):
        with pytest.raises(so.InputError, match="half_sampling: rates must be the rates of at least two parts"):
            half_sampling(1, 2, rates, share)
    with pytest.raises(so.InputError, match="half_sampling: count must be from 0 to n"):
        half_sampling(3, 2, [0.5, 0.6], 0.5)
    with pytest.raises(so.InputError, match="level must be between 0 and 1"):
        half_sampling(1, 2, [0.5, 0.6], 0.5, 95)


def test_wilson_equals_the_published_worked_values():
    # Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29
    for count, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        interval = wilson(count, n)
        assert (interval.low, interval.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_intervals_refuse_what_makes_no_sense():
    with pytest.raises(so.InputError, match="level must be between 0 and 1"):
        wilson(1, 2, 95)
    with pytest.raises(so.InputError, match="count must be from 0 to n"):
        wilson(3, 2)


def test_a_small_share_is_not_printed_as_nothing():
    assert str(so.Estimate(0.00005, 0.0, 0.0004, 0.95, 9)) == "0.005% [0%, 0.04%]"


def test_estimates_print_rounded_and_tables_show_them_in_two_columns():
    assert repr(wilson(59, 60)) == "Estimate(98.3% [91.1%, 99.7%] of 60)"
    assert rate_columns("right", wilson(59, 60)) == {"right": "98.3%", "interval": "91.1% to 99.7%"}
    assert rate_columns("right", counted(1, 4)) == {"right": "25.0%", "interval": "exact"}
    assert rate_columns("right", None) == {"right": None, "interval": None}


def test_a_number_of_people_is_an_estimate_unless_they_were_counted():
    assert wilson(98.2, 120).count_in_words("people") == "about 98 of 120 people"
    assert wilson(1, 1).count_in_words("people") == "about 1 of 1 person"
    assert counted(9_997, 10_000).count_in_words("records") == "9,997 of 10,000 records"
    assert counted(9_997, 10_000).in_words() == "99.97% (exact)"
