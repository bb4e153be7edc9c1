"""Differences of two shares: Newcombe's interval, on intervals of any kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.measures.differences import difference
from singleout.measures.intervals import counted, half_sampling, wilson


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [((48, 80), (56, 70), 0.0524, 0.3339), ((3, 10), (9, 10), 0.1705, 0.8090), ((0, 10), (10, 10), 0.6075, 1.0)],
)
def test_it_equals_the_published_examples(first, second, low, high):
    """Newcombe 1998, Table II, method 10, contrasts (a), (b) and (h)."""
    found = difference(wilson(*first), wilson(*second))
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


counts = st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda each: (each[0], each[0] + each[1] + 1))


@given(counts, counts)
def test_it_turns_round_with_its_sides_and_contains_the_value(first, second):
    one, other = difference(wilson(*first), wilson(*second)), difference(wilson(*second), wilson(*first))
    assert one.low <= one.value <= one.high
    assert (one.low, one.high) == (pytest.approx(-other.high), pytest.approx(-other.low))
    assert one.is_above == other.is_below
    assert one.is_clear == (one.is_above or one.is_below)


def test_counted_shares_are_compared_as_samples():
    assert difference(counted(30, 1_000), counted(32, 1_000)) == difference(wilson(30, 1_000), wilson(32, 1_000))
    assert not difference(counted(30, 1_000), counted(32, 1_000)).is_clear
    assert difference(counted(30, 1_000), counted(90, 1_000)).is_above


def test_people_who_are_not_independent_make_it_wider():
    dependent = half_sampling(50, 100, [0.3, 0.7, 0.4, 0.6], 0.5)
    wide, narrow = difference(wilson(40, 100), dependent), difference(wilson(40, 100), wilson(50, 100))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_it_says_its_sign():
    assert str(difference(wilson(56, 70), wilson(48, 80))) == "−20.0 percentage points (−33.4 to −5.2)"
