"""An audit says what it left out on the way, and what it did not try."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_attacks import Headline
from singleout.assessment.audit_curves import NOT_EXTRAPOLATED
from singleout.assessment.audit_notes import collect_notes, doubt_ids
from singleout.assessment.audit_parts import AttackResult
from singleout.assessment.audit_plan import AuditPlan
from singleout.assessment.audit_sides import CountsOf
from singleout.ground.notes import Note
from tests.audits import LEAST_OPTIONS
from tests.small_logs import noisy_sides


class _Shape:
    """A network: what it is does not matter here."""

    notes = ()


SHAPES = (_Shape(), _Shape())


EVERYTHING = AuditPlan({})


@pytest.fixture(scope="module")
def headline():
    matching = so.match(*noisy_sides(people=8))
    return Headline(matching, so.accuracy(matching).rate, 0.0)


def people(number, places=2):
    counts = sparse.csr_array(([1], ([0], [0])), shape=(number, places), dtype=np.int64)
    return CountsOf(*[so.Histograms(counts, range(number), range(places))] * 2)


def left_out(
    headline, counts, *, shapes=SHAPES, protections=None, curves=(), plan=EVERYTHING, two_files=False, **options
):
    asked = so.AuditOptions(**{**LEAST_OPTIONS, **options})
    logs = [so.synthetic_calls(people=5, seed=1).events] * (1 + two_files)
    notes = collect_notes(headline, counts, shapes, protections, curves, asked, plan=plan, logs=logs)
    return [(note.what, note.why) for note in notes]


def test_where_all_was_tried_there_is_nothing_to_say(headline):
    assert headline.matching.notes == ()
    assert left_out(headline, people(10)) == []


def test_among_very_many_people_glrt_and_the_shape_of_movements_are_left_out_unless_asked_for(headline):
    many = people(10_001)
    (glrt, slow), (shape, long) = left_out(headline, many, shapes=None)
    assert (glrt, "glrt is slow above 10,000 people" in slow) == ("similarities left out", True)
    assert (shape, "it takes a long time above 10,000 people; request it with --topology yes" in long) == (
        "attacks left out",
        True,
    )
    assert left_out(headline, many, shapes=None, similarities=["js"], topology="no") == []


@pytest.mark.parametrize(
    ("time", "why"), [(None, "no time is given"), ("t", "the order of events has no meaning")], ids=["untimed", "timed"]
)
def test_the_reason_why_no_shape_was_attacked_is_given(headline, time, why):
    assert left_out(headline, people(10), shapes=None, time=time) == [
        ("attacks left out", f"the shape of movements: {why}")
    ]


def test_what_a_time_limit_left_out_is_said_once(headline):
    plan = AuditPlan({}, ("the shape of movements", "protections"), limit=60.0)
    (shape, why), (protections, _) = (
        (each[1].partition(": "))[::2] for each in left_out(headline, people(10), shapes=None, time="t", plan=plan)
    )
    assert (shape, "--time-limit 60 s" in why) == ("the shape of movements", True)
    assert protections == "protections, and an intruder with data from the released period"


def test_noise_on_too_many_counts_is_left_out_unless_protections_were_named_or_none_wanted(headline):
    wide = people(2_000, places=3_001)
    ((what, why),) = left_out(headline, wide)
    assert (what, "request it with --noise" in why) == ("protections left out", True)
    assert left_out(headline, people(2_000, places=3_000)) == []
    assert left_out(headline, wide, noise=[1.0]) == []
    assert left_out(headline, wide, protect=False) == []


def test_a_population_that_was_not_reached_is_noted(headline):
    missed = (NOT_EXTRAPOLATED.what, NOT_EXTRAPOLATED.why)
    assert left_out(headline, people(10), population=5) == [missed]
    reached = SimpleNamespace(extrapolated=0.5)
    assert left_out(headline, people(10), population=500, curves=[reached]) == []


def test_notes_of_protections_are_listed_each_once(headline):
    note = Note(1, "protections not tried", "why")
    assert left_out(headline, people(10), protections=SimpleNamespace(left_out=(note, note))) == [(note.what, note.why)]


GUESS = AttackResult(AttackKind.JOINT, "js", so.Estimate(0.02, 0.005, 0.06, 0.95, 100), 0.01)
"""An attack that is not clearly better than guessing."""


def test_two_files_whose_people_are_not_found_are_doubtful(headline):
    guessing = replace(headline, rate=so.Estimate(0.01, 0.0, 0.04, 0.95, 100))
    log = so.synthetic_calls(people=5, seed=1).events
    assert doubt_ids(guessing, [log, log], GUESS).startswith("The attacks do no better than guessing: unless ids mean")
    assert doubt_ids(headline, [log, log], GUESS) == ""


def test_one_log_whose_people_are_not_found_is_doubtful_unless_they_are_alike(headline):
    """Ids that change every day look safe; people whose data is the same are."""
    guessing = replace(headline, rate=so.Estimate(0.01, 0.0, 0.04, 0.95, 100))
    log = so.synthetic_calls(people=5, seed=1).events
    alike = so.Histograms(np.ones((9, 1), dtype=int), range(9), ["a"])
    own = so.Histograms(np.eye(9, dtype=int) + 1, range(9), list("abcdefghi"))
    for side, said in ((alike, False), (own, True)):
        chosen = replace(guessing, matching=so.match(side, side))
        found = doubt_ids(chosen, [log], GUESS)
        assert ("unless an id means the same person throughout" in found) is said
        assert doubt_ids(chosen, [log], replace(GUESS, rate=so.Estimate(0.05, 0.02, 0.09, 0.95, 100))) == ""
    assert doubt_ids(headline, [log], GUESS) == ""


def test_pseudonyms_drawn_anew_every_day_are_no_all_clear():
    log = so.synthetic_calls(people=120, seed=1).table.to_pandas()
    day = pd.to_datetime(log["time"], unit="s").dt.date
    rng = np.random.default_rng(0)
    people = sorted(log["user"].unique())
    for rows in log.groupby(day).groups.values():
        drawn = dict(zip(people, rng.permutation(people), strict=True))
        log.loc[rows, "user"] = log.loc[rows, "user"].map(drawn)
    asked = {"user": "user", "time": "time", "place": "place", "max_risk": 0.2, "protect": False, "progress": False}
    audit = so.audit(log, **asked)
    assert (audit.passed, audit.meets_limit) == (False, False)
    assert "unless an id means the same person throughout the log" in audit.verdict()


def test_an_order_that_is_that_of_the_file_is_noted(headline):
    why = "they keep the order of the file"
    tied, other = _Shape(), _Shape()
    tied.notes = (Note(3, "records with the same time", why, "tied"), Note(1, "x", "y"))
    assert left_out(headline, people(10), shapes=(tied, _Shape())) == [("records with the same time (released)", why)]
    other.notes = (Note(2, "records with the same time", why, "tied"),)
    assert left_out(headline, people(10), shapes=(tied, other)) == [
        ("records with the same time (released)", why),
        ("records with the same time (known)", why),
    ]
