"""Unicity, agreement, moves and extrapolation against slow twins and known answers."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import singleout as so
from singleout.measures.extrapolation import extrapolated
from singleout.measures.intervals import wilson
from singleout.measures.tables.agreement import agreements
from singleout.measures.unicity import unicity
from singleout.statistics.moves import own_moves, typical_days
from tests.reference.singling_out import agreeing, alone_with, moves_of


def histograms_of(rows):
    places = sorted({place for row in rows for place in row})
    counts = np.array([[row.count(place) for place in places] for row in rows])
    return so.Histograms(sparse.csr_array(counts), list(range(len(rows))), places)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=6), min_size=1, max_size=8))
def test_knowing_all_places_singles_out_just_those_whose_places_nobody_else_covers(rows):
    found = unicity(histograms_of(rows), points=(5,))[5]
    expected = sum(alone_with(row, rows) for row in rows)
    assert found.value * len(rows) == pytest.approx(expected)


def test_more_points_never_single_out_fewer():
    log = so.synthetic_calls(people=300, seed=3)
    rates = unicity(so.histograms(log.events))
    values = [rates[number].value for number in (1, 2, 3, 4)]
    assert values == sorted(values)
    assert values[-1] > 0


def test_unicity_is_the_same_for_the_same_seed():
    counts = so.histograms(so.synthetic_calls(people=100, seed=3).events)
    assert unicity(counts, seed=5) == unicity(counts, seed=5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=30))
def test_agreement_of_classes_is_that_of_the_slow_twin(rows):
    records = [dict(zip("abc", row, strict=True)) for row in rows]
    table = so.read_table(pa.Table.from_pylist(records))
    found = {each.column: each.share for each in agreements(table, ("a",))}
    for column, share in found.items():
        assert share == pytest.approx(agreeing(records, ("a",), column))


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.integers(0, 5), st.lists(st.sampled_from("xyz"), min_size=1, max_size=8), min_size=1))
def test_own_moves_are_those_of_the_slow_twin(log):
    rows = [(person, 60 * k, place) for person, places in log.items() for k, place in enumerate(places)]
    columns = dict(zip(("user", "time", "place"), zip(*rows, strict=True), strict=True))
    events = so.read_events(pa.table({n: list(v) for n, v in columns.items()}), user="user", time="time", place="place")
    assert own_moves(events) == moves_of(log)


def test_typical_days_are_the_middle_persons():
    days = {1: 1, 2: 3, 3: 9}
    rows = [(person, 86_400 * day, "a") for person, number in days.items() for day in range(number)]
    columns = dict(zip(("user", "time", "place"), zip(*rows, strict=True), strict=True))
    events = so.read_events(pa.table({n: list(v) for n, v in columns.items()}), user="user", time="time", place="place")
    assert typical_days(events) == 3


def rates_of(shares, n=10**6):
    return [wilson(share * n, n) for share in shares]


def test_extrapolation_finds_the_curve_it_was_drawn_from():
    people = [100, 200, 400, 800, 1_600]
    odds = [9 * (n / 100) ** -0.5 for n in people]
    found = extrapolated(people, rates_of([o / (1 + o) for o in odds]), 25_600)
    true = 9 * 256**-0.5
    assert found.value == pytest.approx(true / (1 + true))
    assert found.low <= found.value <= found.high
    assert found.times == 16
    assert "Not measured" in found.warning


def test_extrapolation_spans_shapes_that_disagree_and_stays_a_share():
    found = extrapolated([50, 100, 200, 400], rates_of([0.99, 0.98, 0.9, 0.95]), 10**9)
    assert 0 <= found.low < found.value < found.high <= 1


def test_everybody_found_says_less_of_a_crowd_than_of_those_measured():
    found = extrapolated([50, 100, 200, 400], rates_of([1.0] * 4, n=400), 40_000)
    assert found.high == 1
    assert found.value == pytest.approx(1 - 0.5 / 400)
    assert found.low < 0.9


def test_nobody_found_is_nobody_at_most_half_a_person():
    found = extrapolated([50, 100, 200, 400], rates_of([0.0] * 4, n=400), 40_000)
    assert found.low == 0
    assert found.high < 0.01


def test_few_sizes_are_too_few_to_extrapolate():
    assert extrapolated([50, 100, 200], rates_of([0.9, 0.8, 0.7]), 1_000) is None
