"""The Markov rival agrees with its slow twin, tells chains apart by their order, and knows who stays at home."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.papers.markov_rival import markov_scores
from singleout.papers.traces import in_order
from tests.reference.markov_rival import overlap

DAY = 86_400
WEEKS = ("1970-01-01", "1970-01-08", "1970-01-15")
traces = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=8)


def sides(released, known):
    """Both sides of a log in which each person has a list of (place, records), one a minute, in each week."""
    rows = [
        (person, 7 * DAY * week + 60 * number, place, records)
        for week, people in enumerate((released, known))
        for person, visits in enumerate(people)
        for number, (place, records) in enumerate(visits)
    ]
    user, time, place, points = (list(column) for column in zip(*rows, strict=True))
    log = pa.table({"user": user, "time": time, "place": place, "points": points})
    events = so.read_events(log, user="user", time="time", place="place", count="points")
    return in_order(so.split(events, by="dates", dates=WEEKS))


@settings(max_examples=25, deadline=None)
@given(st.lists(traces, min_size=1, max_size=4), st.lists(traces, min_size=1, max_size=4))
def test_scores_are_those_of_the_slow_twin(released, known):
    scores = markov_scores(*sides(released, known)).matrix.toarray()
    twin = [[overlap(first, second) for second in known] for first in released]
    assert scores == pytest.approx(np.array(twin))


def test_the_same_chain_scores_one_and_the_same_places_in_another_order_less():
    there_and_back = [(1, 2), (2, 1), (3, 1), (1, 2), (2, 1), (3, 1)]
    other_way = [(1, 2), (3, 1), (2, 1), (1, 2), (3, 1), (2, 1)]
    scores = markov_scores(*sides([there_and_back, other_way], [there_and_back, other_way])).matrix.toarray()
    assert np.diag(scores) == pytest.approx([1, 1])
    assert scores[0, 1] == 0, "no transition is common, though the histograms are the same"


def test_who_never_leaves_a_place_overlaps_with_others_who_do_not():
    scores = markov_scores(*sides([[(7, 3)]], [[(7, 9)]])).matrix.toarray()
    assert scores.tolist() == [[1.0]]
