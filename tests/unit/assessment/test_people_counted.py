"""Of whom the figures of an event log are."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_events import attack_on_file
from singleout.assessment.audit_parts import AttackResult
from singleout.assessment.file_attack import Point
from singleout.assessment.frontier import Frontier
from singleout.assessment.people_counted import inside_in_words, left_out_in_words, looked_for_among
from singleout.ground.notes import Note
from singleout.measures.intervals import wilson
from singleout.measures.utility import Utility
from tests.small_logs import noisy_sides
from tests.small_protections import MICRO_10

WEEK = 7 * 86_400
RESIDENTS, TOURISTS = 30, 60


@pytest.fixture(scope="module")
def tourists():
    """Residents over eight weeks, and twice as many people who are there in one week only."""
    rng = np.random.default_rng(2)
    home = rng.integers(12, size=(RESIDENTS + TOURISTS, 3))
    rows = [
        (person, (week % 8) * WEEK + 3_600 * hour, f"p{home[person, rng.integers(3)]}")
        for person in range(RESIDENTS + TOURISTS)
        for week in (range(8) if person < RESIDENTS else [person])
        for hour in range(4)
    ]
    log = pa.table(dict(zip("utp", map(list, zip(*rows, strict=True)), strict=True)))
    return so.audit(log, user="u", time="t", place="p", max_risk=0.25, protect=False, topology="no", progress=False)


def test_chance_is_the_same_in_the_answer_in_the_table_and_in_the_evidence(tourists):
    found = tourists.to_dict()
    assert found["random"] == pytest.approx(found["attacks"][0]["random"]) == pytest.approx(1 / RESIDENTS)
    assert "Random guessing would re-identify 3.3%." in tourists.sentence()


def test_an_attack_on_the_file_has_the_chance_of_all_attacks_on_the_same_people():
    rate = wilson(20, RESIDENTS)
    attacks = [
        AttackResult(kind, "js", wilson(right, RESIDENTS), 1 / RESIDENTS)
        for kind, right in ((AttackKind.CHANCE, 1), (AttackKind.JOINT, 10))
    ]
    lost = Utility(0.0, 0.0, 1.0, 0)
    plain = Point("none", None, rate, wilson(90, 90), rate, 1 / 90, "a", 1, None, lost, (), outside_attack="b")
    (found,) = attack_on_file(Frontier((plain,), ("js",), 1, 0), attacks)
    assert (found.by, found.random) == ("b", 1 / RESIDENTS)


def test_the_chance_of_a_point_is_of_the_people_from_outside():
    released, known = noisy_sides(people=40)
    some = released.only(released.people.tolist()[:20])
    plain = so.frontier(some, known, [MICRO_10], inside=(released, [known])).rows[0]
    assert (plain.outside.n, plain.random) == (20, 1 / 20)
    assert plain.outside_attack


def test_the_answer_says_who_was_left_out_and_why(tourists):
    assert tourists.sentence().endswith(f" {TOURISTS} people were left out: active in one week only.")


def test_what_is_found_from_inside_says_of_whom(tourists):
    assert inside_in_words(wilson(5, 90), RESIDENTS).endswith(" of the 90 people whom they know.")
    assert f"the {RESIDENTS} people on the released side" in tourists.intruder()
    assert tourists.intruder().endswith("everyone in the file, including those left out on the released side.")


def test_hardly_anyone_left_out_is_left_to_the_notes():
    few, more = (Note(count, "people left out (released)", "none of their events has a time") for count in (1, 5))
    other = Note(50, "events left out", "the place is missing")
    assert left_out_in_words([few, other], 100) == ""
    assert left_out_in_words([more], 100) == " 5 people (released) were left out: none of their events has a time."
    assert left_out_in_words([few], 10) == " 1 person (released) was left out: none of their events has a time."


def test_where_all_figures_are_of_the_same_people_nothing_is_added():
    assert inside_in_words(wilson(5, 10), 10).endswith("% to 76.3%).")
    assert "in the release, whose names" in looked_for_among(10, wilson(5, 10), "")
    assert "in the release, whose names" in looked_for_among(10, None, " 5 people were left out.")
