"""Unicity against a slow twin."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import singleout as so
from singleout.measures.unicity import times_known, unicity
from tests.reference.singling_out import alone_with


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


@pytest.mark.parametrize(
    ("when", "known"),
    [
        (["2025-09-01", "2025-09-02", "2025-09-02"], "day"),
        (["2025-09-01 00:00:00", "2025-09-02 07:00:00", "2025-09-02"], "hour"),
        ([0, 40_000, 86_400], "time"),
    ],
)
def test_an_intruder_knows_no_hours_that_a_log_does_not_have(when, known):
    log = pa.table({"who": ["a", "b", "b"], "when": when, "where": ["x", "y", "x"]})
    assert times_known(so.read_events(log, user="who", time="when", place="where")) == known


def test_unicity_is_the_same_for_the_same_seed():
    counts = so.histograms(so.synthetic_calls(people=100, seed=3).events)
    assert unicity(counts, seed=5) == unicity(counts, seed=5)
