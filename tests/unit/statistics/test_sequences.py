"""Visits of each person in order: dwell, gaps, ties and duplicates follow the rules."""

from datetime import timedelta

import pytest

import singleout as so
from tests.reference.traces import START, events_of, network_bytes, networks_of, unpacked
from tests.small_logs import DAY


def test_a_visit_lasts_until_the_next_place_and_short_ones_join_their_neighbours():
    minutes = [("home", 0), ("home", 10), ("bus", 20), ("home", 25), ("work", 60), ("work", 90)]
    log = [(1, START + 60 * minute, place) for place, minute in minutes]
    (found,) = unpacked(so.networks(events_of(log), min_dwell="15min"))
    assert found.visits == {0: 1, 1: 1}
    assert found.edges == {(0, 1): 1}
    (all_kept,) = unpacked(so.networks(events_of(log)))
    assert all_kept.edges == {(0, 1): 1, (1, 0): 1, (0, 2): 1}


def test_dwell_before_a_cut_and_at_the_end_counts_only_what_was_seen():
    log = [
        (1, START, "a"),
        (1, START + 1_000, "b"),
        (1, START + 1_000 + 2 * DAY, "c"),
        (1, START + 2_500 + 2 * DAY, "c"),
    ]
    (cut,) = unpacked(so.networks(events_of(log), min_dwell=900, max_gap="24h"))
    assert cut.visits == {0: 1, 1: 1}  # b was seen for a moment only, c for 1,500 seconds
    assert cut.edges == {}
    (uncut,) = unpacked(so.networks(events_of(log), min_dwell=900, max_gap=None))
    assert uncut.edges == {(0, 1): 1, (1, 2): 1}


def test_a_gap_cuts_a_stay_at_the_same_place_into_two_visits_without_a_transition():
    log = [(1, START, "a"), (1, START + 2 * DAY, "a"), (1, START + 2 * DAY + 60, "b")]
    (found,) = unpacked(so.networks(events_of(log)))
    assert found.visits == {0: 2, 1: 1}
    assert found.edges == {(0, 1): 1}


def test_a_gap_of_exactly_the_limit_does_not_cut():
    log = [(1, START, "a"), (1, START + DAY, "b")]
    assert so.networks(events_of(log), max_gap=timedelta(days=1)).graphs.edges.tolist() == [1]
    assert so.networks(events_of(log), max_gap=DAY - 1).graphs.edges.tolist() == [0]


def test_places_are_numbered_by_visits_and_equals_by_the_first_visit():
    (found,) = unpacked(networks_of({1: [list("zyxyx")]}))
    assert found.visits == {0: 2, 1: 2, 2: 1}
    assert found.edges == {(2, 0): 1, (0, 1): 2, (1, 0): 1}


def test_equal_times_keep_the_order_of_the_file_and_are_counted():
    log = [(1, START, "a"), (1, START, "b"), (1, START + 60, "c"), (1, START + 120, "a")]
    found = so.networks(events_of(log))
    assert unpacked(found)[0].edges == {(0, 1): 1, (1, 2): 1, (2, 0): 1}
    (note,) = found.notes
    assert str(note) == (
        "1 event at the same time as the person's previous one: they are taken in the order of the file (3 events have "
        "a previous one)"
    )
    exchanged = so.networks(events_of([log[1], log[0], *log[2:]]))
    assert unpacked(exchanged)[0].edges == {(1, 0): 1, (0, 2): 1, (2, 0): 1}


def test_traces_whose_order_means_nothing_are_refused():
    basket = [(1, START, place) for place in "abc"] + [(1, START + 60, "d")]
    with pytest.raises(so.DataError, match="67% of neighbouring records of a person share a time"):
        so.networks(events_of(basket))
    half = [(1, START, "a"), (1, START, "b"), (1, START + 60, "c")]
    assert so.networks(events_of(half)).sequences.tied == 0.5


def test_all_visits_at_the_same_time_are_refused_unless_they_are_one_event():
    with pytest.raises(so.DataError, match="100% of neighbouring records"):
        so.networks(events_of([(1, START, "a"), (1, START, "b")]))
    found = so.networks(events_of([(1, START, "a")] * 5))
    assert found.sizes.tolist() == [1]


def test_duplicate_events_change_nothing_but_are_noted():
    log = [(1, START + 600 * k, place) for k, place in enumerate("abcab")]
    once, twice = so.networks(events_of(log)), so.networks(events_of([event for event in log for _ in range(3)]))
    assert network_bytes(once) == network_bytes(twice)
    assert any(note.count == 10 and note.what == "duplicates among the events" for note in twice.notes)


def test_text_ids_are_in_the_same_order_in_every_part():
    names = ["Z", "a", "é", "ÿ", "中", "😀", "10", "9"]
    people = {name: [list("ab" * (k + 1))] for k, name in enumerate(names)}
    found = networks_of(people)
    assert found.people.tolist() == sorted(names)
    lengths = dict(zip(found.people.tolist(), found.trace_lengths.tolist(), strict=True))
    assert lengths == {name: 2 * (k + 1) for k, name in enumerate(names)}


def test_events_without_time_are_refused():
    with pytest.raises(so.InputError, match="networks: events must be read with a time column"):
        so.networks(events_of([(1, START, "a")], time=None))


def test_a_stay_with_a_gap_of_exactly_the_limit_is_one_visit():
    log = [(1, START, "a"), (1, START + DAY, "a"), (1, START + DAY + 60, "b")]
    (found,) = unpacked(so.networks(events_of(log), max_gap=timedelta(days=1)))
    assert found.visits == {0: 1, 1: 1}
