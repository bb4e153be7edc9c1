"""Old and new results: worse, better or no clear change; and what was asked for or tried differently."""

import json
from dataclasses import replace
from functools import partial

import pytest

import singleout as so
from singleout.assessment.comparison import Verdict, compare_audits
from tests.audits import events_audit, known_by, of_events, table_audit, with_classes


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (partial(of_events, 300), partial(of_events, 300), Verdict.UNCLEAR),
        (partial(of_events, 300), partial(of_events, 310), Verdict.UNCLEAR),
        (partial(of_events, 300), partial(of_events, 350), Verdict.WORSE),
        (partial(of_events, 350), partial(of_events, 300), Verdict.BETTER),
        (partial(of_events, 300, inside=500), partial(of_events, 300, inside=600), Verdict.WORSE),
        (partial(of_events, 400, inside=500), partial(of_events, 300, inside=600), Verdict.WORSE),
        (partial(of_events, 45, limit=0.08), partial(of_events, 55, limit=0.08), Verdict.UNCLEAR),
        (partial(of_events, 60, limit=0.08), partial(of_events, 70, limit=0.08), Verdict.WORSE),
        (partial(of_events, 60, limit=0.08), partial(of_events, 60, limit=0.01), Verdict.UNCLEAR),
        (partial(of_events, 60, limit=0.08), partial(of_events, 70, limit=0.01), Verdict.WORSE),
        (partial(of_events, 60), partial(of_events, 70), Verdict.UNCLEAR),
    ],
)
def test_it_is_worse_only_if_the_risk_is_clearly_higher_or_a_limit_is_no_longer_met(old, new, verdict):
    # audits are made when a test runs, not when it is found
    found = compare_audits(old(), new())
    assert found.verdict is verdict
    assert found.passed == (verdict is not Verdict.WORSE)
    assert bool(found.faults) == (verdict is Verdict.WORSE)


def test_smaller_groups_are_worse_though_the_average_is_the_same():
    sizes = table_audit().worst_off.risk.sizes
    old, new = (with_classes(table_audit(), 0 * sizes + k, average=100) for k in (6, 5))
    found = compare_audits(old, new)
    assert found.verdict is Verdict.WORSE
    assert found.faults == ("The smallest group of indistinguishable records (k) fell from 6 to 5.",)
    assert compare_audits(new, old).passed
    assert {each.name: (each.old, each.new) for each in found.counts}["k"] == (6, 5)


def test_columns_that_are_no_longer_known_are_named():
    sizes = 0 * table_audit().worst_off.risk.sizes + 5
    old, new = (with_classes(table_audit(), sizes, average=average) for average in (900, 100))
    fewer = compare_audits(old, known_by(new, "sex, town"))
    assert (fewer.verdict, fewer.passed) == (Verdict.UNCLEAR, False)
    assert fewer.doubts == (
        "In the new result the intruder does not know age. If the new file still has it, an intruder may know "
        "it too, and the rate may then be higher.",
    )
    assert compare_audits(old, known_by(new, "town, sex, age")).passed, "the order of columns does not matter"
    assert compare_audits(known_by(old, "sex"), new).passed, "an intruder who knows more is at least as strong"
    doubtful = replace(new, doubt="rows may be events")
    assert compare_audits(replace(old, risk_limit=None), doubtful).verdict is Verdict.UNCLEAR


def test_a_rate_that_is_lower_for_want_of_the_attack_is_not_better_and_does_not_pass():
    old, new = of_events(400), of_events(300, by="l1")
    found = compare_audits(old, new)
    assert (found.verdict, found.passed) == (Verdict.UNCLEAR, False)
    assert found.doubts[0].startswith("The strongest attack (joint matching: rarity and activity weights) was not")
    tried = replace(new, attacks=(*new.attacks, replace(new.attacks[0], by="evidence")))
    assert compare_audits(old, tried).verdict is Verdict.BETTER, "one by one with the same similarity is listed"
    doubtful = replace(of_events(300), doubt="rows may be events")
    assert compare_audits(of_events(400), doubtful).passed is False


def test_attacks_protections_options_and_notes_of_one_side_only_are_listed():
    base = events_audit()
    old = replace(
        base, notes=(so.Note(3, "events left out", "without a time"),), options={"user": "a", "split": "weeks"}
    )
    new = replace(
        base,
        attacks=base.attacks[:-1],
        protections=base.protections[1:],
        notes=(so.Note(4, "events left out", "without a time"),),
        options={"user": "b", "similarities": ["js"], "label": "other", "max_risk": 0.2},
        risk_limit=0.2,
        seed=1,
    )
    found = compare_audits(old, new)
    gone = [each.name for each in found.attacks if each.new is None]
    assert len(gone) == 1
    assert [each.name for each in found.protections if each.new is None] == ["replacing ids with pseudonyms only"]
    assert {each.name: (each.old, each.new) for each in found.settings} == {
        "user": ("a", "b"),
        "split": ("weeks", None),
        "similarities": (None, ["js"]),
        "risk_limit": (0.05, 0.2),
        "seed": (0, 1),
    }
    assert [str(note) for note in found.notes_new] == ["4 events left out: without a time"]
    assert [str(note) for note in found.notes_gone] == ["3 events left out: without a time"]


def test_it_is_plain_data_and_says_whether_the_files_are_the_same(tmp_path):
    found = compare_audits(of_events(300), of_events(350))
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (plain["schema"], plain["verdict"], plain["passed"]) == ("singleout/comparison/1", "worse", False)
    assert plain["change"]["value"] == pytest.approx(0.05)
    assert plain["old"]["risk"]["kind"] == "joint"
    assert plain["same_inputs"] is None
    assert "no manifest" in found.about_inputs()
    same, other = (
        replace(found, old=replace(found.old, inputs=("x",)), new=replace(found.new, inputs=(y,))) for y in "xy"
    )
    assert (same.same_inputs, other.same_inputs) == (True, False)
    assert "same input files" in same.about_inputs()
    assert "input files differ" in other.about_inputs()
    assert found.to_arrow().num_rows == len(found.attacks)


def test_it_says_what_changed_in_a_sentence():
    worse, unclear = compare_audits(of_events(300), of_events(350)), compare_audits(of_events(300), of_events(310))
    assert worse.sentence().endswith(": +5.0 percentage points (+0.89 to +9.1).")
    assert "rose from 30.0% (95% interval" in worse.sentence()
    assert unclear.sentence().endswith("A difference of this size may be due to chance.")
    assert (
        compare_audits(of_events(300), of_events(300)).sentence()
        == "The re-identification rate is 30.0% in both results."
    )
    assert str(worse).startswith("Worse. The re-identification rate rose")


def test_a_log_and_a_table_are_not_compared():
    with pytest.raises(so.InputError, match="old is of an event log and new of a table; they cannot be compared"):
        compare_audits(events_audit(), table_audit())
