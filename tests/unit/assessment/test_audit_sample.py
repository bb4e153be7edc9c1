"""Protections of large logs are tried on some people: the same in logs, sides and counts."""

import numpy as np
import pytest

import singleout as so
from singleout.assessment import audit_sample
from singleout.assessment.audit_sample import Measured, draw_sample, enough_people, sample_notes
from singleout.assessment.audit_sides import CountsOf
from singleout.measures.intervals import wilson
from singleout.reading.split import Sides


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr(audit_sample, "LARGE", 100)
    monkeypatch.setattr(audit_sample, "HALF_WIDTH", 0.1)


def one_log(people=200):
    log = so.synthetic_calls(people=people, antennas=60, regions=6, seed=2).events
    sides = so.split(log, by="halves")
    return Measured([log], sides, CountsOf(*map(so.histograms, sides)))


def test_enough_people_give_an_interval_of_one_point_whatever_the_rate():
    assert enough_people(0.95) == 9_604
    for rate in (0.5, 0.05, 0.9):
        people = enough_people(0.95)
        assert wilson(rate * people, people).high - rate <= 0.0101


def test_few_people_are_all_taken():
    assert draw_sample(one_log(), 0.95, 0) is None


def test_logs_sides_and_counts_are_of_the_same_people(few_are_many):
    everyone = one_log()
    some = draw_sample(everyone, 0.95, 0)
    assert len(some.counts.released) == len(some.counts.known) == enough_people(0.95)
    for side, counts, whole in zip(some.sides, some.counts, everyone.counts, strict=True):
        again = so.histograms(side)
        assert again.people.tolist() == counts.people.tolist()
        assert (again.counts.sum(), len(again.notes)) == (counts.counts.sum(), len(counts.notes))
        assert again.totals.tolist() == whole.only(again.people.tolist()).totals.tolist()
    whole = so.histograms(some.logs[0])
    assert set(some.counts.released.people.tolist()) <= set(whole.people.tolist())
    left = len(so.histograms(everyone.logs[0])) - len(everyone.counts.released)
    assert len(whole) <= enough_people(0.95) + left


def test_another_seed_draws_other_people_and_the_same_seed_the_same(few_are_many):
    everyone = one_log()
    drawn = [set(draw_sample(everyone, 0.95, seed).counts.known.people.tolist()) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_of_two_logs_each_is_cut_to_its_own_people(few_are_many):
    logs = [so.synthetic_calls(people=200, antennas=60, regions=6, seed=seed).events for seed in (2, 3)]
    everyone = Measured(logs, Sides(*logs), CountsOf(*map(so.histograms, logs)))
    some = draw_sample(everyone, 0.95, 0)
    for log, side, counts in zip(some.logs, some.sides, some.counts, strict=True):
        assert so.histograms(log).people.tolist() == counts.people.tolist()
        np.testing.assert_array_equal(so.histograms(side).totals, counts.totals)


@pytest.mark.parametrize("recommends", [True, False])
def test_the_note_says_how_many_and_what_was_tried_on_everyone_only_if_something_was(few_are_many, recommends):
    assert sample_notes(None, recommends=recommends) == ()
    (note,) = sample_notes(draw_sample(one_log(), 0.95, 0), recommends=recommends)
    assert str(note).startswith(f"{enough_people(0.95)} people drawn at random: protections were tried on them")
    assert ("recommended" in str(note)) is recommends


def test_a_sample_that_was_asked_for_is_of_people_in_both_files_whatever_the_order_of_rows():
    from singleout.assessment.audit_sample import draw_logs

    log = so.synthetic_calls(people=60, seed=3).table
    columns = {"user": "user", "time": "time", "place": "place"}
    whole = so.read_events(log, **columns)
    (few,) = draw_logs([whole], 20, seed=1)
    again = draw_logs([so.read_events(log.take(list(range(log.num_rows))[::-1]), **columns)], 20, seed=1)[0]
    assert len(so.histograms(few)) == few.number_of_people == 20
    assert so.histograms(few).people.tolist() == so.histograms(again).people.tolist()
    assert draw_logs([whole], None, seed=1) == draw_logs([whole], 60, seed=1) == [whole]
    (other,) = draw_logs([whole], 20, seed=2)
    assert so.histograms(few).people.tolist() != so.histograms(other).people.tolist()
    parts = draw_logs(list(so.split(whole, by="weeks")), 20, seed=1)
    assert len(set(so.histograms(parts[0]).people) & set(so.histograms(parts[1]).people)) == 20


def test_an_audit_of_a_sample_says_so():
    log = so.synthetic_calls(people=80, seed=3).table
    asked = {"protect": False, "topology": "no", "known_pairs": 0, "progress": False}
    found = so.audit(log, user="user", time="time", place="place", sample=40, tolerance=0.01, **asked)
    assert found.risk.n <= 40
    said = [str(note) for note in found.notes]
    assert any("people drawn at random of" in note for note in said)
    assert any("within 1.0% of the best" in note for note in said)
