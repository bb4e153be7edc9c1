"""Moves between places and typical days, against a slow twin and by hand."""

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.statistics.moves import own_moves, typical_days
from tests.reference.singling_out import moves_of


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
