"""Only the people with most records: who they are, that the order of records stays, what is said of the others."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.selection import richest


def events_of(log):
    user, time, place = (list(column) for column in zip(*log, strict=True))
    return so.read_events(pa.table({"u": user, "t": time, "p": place}), user="u", time="t", place="p")


LOG = [
    (user, 1_700_000_000 + 60 * number, f"p{number % 3}")
    for user, records in ((7, 4), (3, 9), (5, 4), (1, 2))
    for number in range(records)
]


def test_the_people_with_most_records_are_kept_and_of_equals_the_smaller_id():
    few = richest(events_of(LOG), 2, function="test")
    assert so.histograms(few).people.tolist() == [3, 5]
    assert so.histograms(few).totals.tolist() == [9, 4]
    assert "2 people left out: only the 2 people with the most records are kept" in [str(note) for note in few.notes]


def test_records_without_a_place_do_not_count_as_records():
    few = richest(events_of([*LOG, *[(9, 60 * number, None) for number in range(20)]]), 3, function="test")
    assert so.histograms(few).people.tolist() == [3, 5, 7]


def test_records_of_one_moment_keep_the_order_of_the_file():
    order = list("dacbeda" * 300)
    log = [(user, 10 * (number - (number % 3 == 1)), place) for user in (1, 2) for number, place in enumerate(order)]
    log += [(3, 10 * number, "a") for number in range(50)]
    whole = so.networks(events_of(log), max_gap=None).sequences
    few = so.networks(richest(events_of(log), 2, function="test"), max_gap=None).sequences
    assert 0.2 < whole.tied < 0.5
    assert few.state.tolist() == whole.state[: len(few.state)].tolist()


def test_everybody_stays_where_there_are_no_more():
    few = richest(events_of(LOG), 10, function="test")
    assert so.histograms(few).people.tolist() == [1, 3, 5, 7]
    assert few.notes == ()


@pytest.mark.parametrize("people", [1, 0, 2.5, "many", True])
def test_what_is_no_number_of_people_is_refused(people):
    with pytest.raises(so.InputError, match="test: richest must be a whole number of people, at least 2"):
        richest(events_of(LOG), people, function="test")


def test_a_log_that_is_split_already_is_refused():
    _, first = so.split(events_of(LOG), by="point")
    with pytest.raises(so.InputError, match="test: events must be an event log that has not been split"):
        richest(first, 2, function="test")
