"""How likely matches are to be right, in an audit."""

import pyarrow as pa

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from tests.audits import COLUMNS


def test_the_clearest_people_have_a_probability_and_the_reliability_is_reported(audited):
    assert all(0 < each.probability < 1 for each in audited.people_at_risk.clearest)
    found = audited.to_dict()["probability"]
    assert sum(each["observed"]["n"] for each in found["fitted"]["bins"]) == audited.risk.n
    assert found["fitted"]["brier"] <= found["fitted"]["base"] + 0.02
    assert found["reference"]["n"] > 0
    assert (found["estimated"] is None) == (found["withheld"] is not None)


def test_without_a_time_there_is_nothing_to_estimate_from():
    log = so.synthetic_calls(people=60, seed=2).table
    first, second = log.slice(0, len(log) // 2), log.slice(len(log) // 2)
    where = {name: column for name, column in COLUMNS.items() if name != "time"}
    found = so.audit(first, second, **where, protect=False, topology="no", progress=False).to_dict()["probability"]
    assert found["estimated"] is None
    assert found["withheld"] == "what is known cannot be split by time"
    assert found["reference"] is None


def test_the_only_person_matched_with_a_stranger_is_an_audit_all_the_same():
    released = pa.table({"user": ["a"] * 4, "place": ["x", "x", "x", "y"]})
    known = pa.table({"user": ["a"] * 4 + ["b"] * 4, "place": ["x", "y", "y", "y", "x", "x", "x", "y"]})
    words = {"user": "user", "place": "place", "protect": False, "topology": "no", "similarities": "js"}
    found = so.audit(released, known, **words, progress=False)
    joint = next(each for each in found.attacks if each.kind is AttackKind.JOINT)
    assert joint.rate.value == 0
    assert found.to_dict()["probability"]["fitted"] is None


def test_a_table_has_no_matches_that_could_be_wrong(audited_table):
    assert audited_table.probability is None
    assert audited_table.to_dict()["probability"] is None
    assert all(each.probability is None for each in audited_table.people_at_risk.clearest)


def test_a_selective_intruder_acts_on_what_looks_certain(audited):
    careful = next(each for each in audited.attacks if each.kind is AttackKind.SELECTIVE)
    assert "look at least 95% likely to be right" in careful.detail or "finds no pair" in careful.detail
    assert careful.rate.value <= audited.risk.value
