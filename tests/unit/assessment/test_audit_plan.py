"""An audit plans its time from counts: what a limit leaves out is the same on every machine."""

import numpy as np
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_plan import (
    ATTACKS,
    FEWER_PEOPLE,
    KNOWN_PEOPLE,
    OPTIONAL,
    PROTECTIONS,
    STEPS,
    AuditPlan,
    _terms,
    expect_seconds,
    plan_audit,
)
from singleout.assessment.audit_sides import CountsOf
from tests.small_logs import noisy_sides

LONG_AGO, NOT_YET = -1e9, 1e9
"""When a run began, by a clock that starts somewhere near zero."""


def options(**more):
    return so.AuditOptions(user="u", time="t", place="p", **more)


def test_terms_are_the_pairs_of_people_at_every_place():
    released, known = noisy_sides(people=30, places=12)
    shared = (released.counts > 0).astype(int) @ (known.counts > 0).astype(int).T
    assert _terms(CountsOf(released, known)) == shared.sum()


def test_more_people_and_more_places_in_common_take_longer():
    small, large = (CountsOf(*noisy_sides(people=people)) for people in (40, 200))
    first, second = (expect_seconds(counts, options()) for counts in (small, large))
    assert set(first) == set(STEPS)
    assert all(second[step] >= first[step] for step in STEPS)


def test_without_a_limit_nothing_is_left_out():
    plan = plan_audit(CountsOf(*noisy_sides()), options(), LONG_AGO)
    assert plan.left_out == ()
    assert all(map(plan.takes, STEPS))
    assert plan.notes() == []


def test_a_limit_leaves_out_the_least_needed_first_and_says_so():
    counts = CountsOf(*noisy_sides())
    whole = sum(expect_seconds(counts, options()).values())
    lengths = [len(plan_audit(counts, options(time_limit=f"{part * whole:.3f}s"), NOT_YET).left_out) for part in
               (1.1, 0.9, 0.01)]  # fmt: skip
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (0, len(OPTIONAL))
    plan = plan_audit(counts, options(time_limit="1s"), NOT_YET)
    assert plan.left_out == OPTIONAL
    assert plan.takes(ATTACKS)
    assert not plan.takes(PROTECTIONS)
    assert all("planned from the size of the data, for --time-limit 1 s" in note.why for note in plan.notes())


def test_the_plan_does_not_look_at_the_clock_but_the_run_does():
    plan = AuditPlan({}, (KNOWN_PEOPLE,), limit=60.0, started=LONG_AGO)
    assert plan.takes(ATTACKS), "what is always needed is done"
    assert not plan.takes(FEWER_PEOPLE)
    assert [note.why.partition(": ")[0] for note in plan.notes()] == [KNOWN_PEOPLE, FEWER_PEOPLE]
    assert "not repeatable" in plan.notes()[1].why


@pytest.mark.parametrize("wrong", ["soon", "5", "0s", "-5m", "5 days"])
def test_a_limit_that_is_no_length_of_time_is_refused(wrong):
    with pytest.raises(so.InputError, match="time_limit must be a length of time, such as 90s, 5m or 1h"):
        options(time_limit=wrong)


def test_an_audit_with_a_limit_has_the_same_headline_and_less_around_it():
    log = so.synthetic_calls(people=60, antennas=40, regions=4, seed=1)
    asked = {"user": "user", "time": "time", "place": "place", "similarities": ("js", "evidence")}
    whole, short = (so.audit(log.table, **asked, **more) for more in ({}, {"time_limit": "1s"}))
    joint = [
        max(each.rate.value for each in found.attacks if each.kind is AttackKind.JOINT) for found in (whole, short)
    ]
    assert joint[0] == joint[1]
    assert short.protections == () != whole.protections
    assert [curve.name for curve in short.curves] == []
    assert {note.what for note in short.notes} >= {"steps left out"}
    assert np.isfinite(short.risk.high)
