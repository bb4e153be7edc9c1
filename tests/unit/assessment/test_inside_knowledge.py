"""What an intruder may know from inside a file."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.inside_knowledge import inside_knowledge, known_half, known_parts, people_known
from tests.small_logs import DAY, START, events, noisy_sides


def test_half_of_what_is_known_is_a_random_half_of_the_events_whatever_the_order_of_rows():
    counts = noisy_sides(people=30, places=8)[0]
    half = known_half(counts)
    assert (half.counts.toarray() <= counts.counts.toarray()).all()
    assert half.counts.sum() == pytest.approx(counts.counts.sum() / 2, rel=0.1)
    order = np.random.default_rng(1).permutation(30)
    turned = known_half(counts.only(counts.people[order].tolist()))
    assert turned.counts.toarray().tolist() == half.counts.toarray()[order].tolist()
    amounts = so.Histograms(counts.counts.toarray() + 0.5, counts.people, counts.places)
    kept = known_half(amounts).counts.toarray()
    assert set(np.unique(kept[kept > 0] % 1)) == {0.5}, "whole cells of amounts"


def test_someone_of_whom_the_half_holds_nothing_is_not_known():
    half = known_half(so.Histograms(np.eye(40, dtype=int), range(40), range(40)))
    there = half.counts.toarray().any(axis=1)
    assert 10 < there.sum() < 30
    assert people_known(half).tolist() == np.flatnonzero(there).tolist()


def test_parts_that_may_be_known_are_both_halves_of_the_weeks_and_half_of_the_events():
    weeks = events([("a", START + 7 * DAY * week, place) for week, place in enumerate(["bar", "gym"])])
    *halves, last = known_parts(weeks)
    assert last is None
    assert [so.histograms(half).places.tolist() for half in halves] == [["gym"], ["bar"]]
    timeless = so.read_events(pa.table({"u": ["a"], "p": ["x"]}), user="u", place="p")
    assert known_parts(timeless) == (None,)
    assert known_parts(events([("a", START, "bar")])) == (None,), "one week cannot be halved"


def test_of_one_log_both_sides_are_inside_and_of_two_the_halves_of_the_first():
    one, other = (events([("a", START + 7 * DAY * week, "bar") for week in range(2)]) for _ in "ab")
    assert inside_knowledge([one], [one, other]) == (one, (one, other, None))
    whole, parts = inside_knowledge([one, other], [one, other])
    assert whole is one
    assert len(parts) == 3
