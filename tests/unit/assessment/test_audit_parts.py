"""The parts of an audit's answer: what is within a limit, and what is not."""

import json
from dataclasses import replace

import numpy as np
import pytest

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_parts import (
    AttackResult,
    Curve,
    CurvePoint,
    PeopleAtRisk,
    PersonAtRisk,
    ProtectionResult,
    Reason,
    WorstOff,
    chance_result,
)
from singleout.assessment.table_limits import TableLimits
from singleout.measures.intervals import Estimate
from singleout.measures.tables.table_risk import TableRisk


def rate(value, high):
    return Estimate(value, 0.0, high, 0.95, 100)


TRIED = ProtectionResult("keep", "10", "releasing few places", rate(0.02, 0.04), 0.3, True, "singleout protect …")


def test_a_risk_is_within_the_highest_end_of_all_intervals():
    assert TRIED.upper == 0.04
    assert replace(TRIED, outside=rate(0.01, 0.06), inside=rate(0.02, 0.05)).upper == 0.06


def test_a_guarantee_counts_where_it_says_more_than_the_measurement():
    assert replace(TRIED, guarantee=0.03).upper == 0.03
    assert replace(TRIED, guarantee=0.1).upper == 0.04
    assert replace(TRIED, guarantee=0.05).is_guaranteed(0.05)
    assert not replace(TRIED, guarantee=0.05).is_guaranteed(0.049)
    assert not TRIED.is_guaranteed(1.0), "measured is not guaranteed"


@pytest.mark.parametrize(
    ("changes", "enough"),
    [
        ({}, True),
        ({"rate": rate(0.02, 0.05)}, True),
        ({"rate": rate(0.02, 0.0501)}, False),
        ({"loss": 0.999}, True),
        ({"loss": 1.0}, False),
        ({"emptied": 0.1}, True),
        ({"emptied": 0.11}, False),
        ({"faults": ("k is not met",)}, False),
    ],
)
def test_only_what_meets_the_limit_and_leaves_enough_of_the_data_is_recommended(changes, enough):
    assert replace(TRIED, **changes).is_enough(0.05) == enough


SMALL = "Some combinations of known values occur in only 1 record; you require at least {} (k)."


@pytest.mark.parametrize(
    ("limits", "most", "faults"),
    [
        ({}, None, []),
        ({"k": 2}, None, [SMALL.format(2)]),
        ({}, 2, []),
        ({}, 1, ["2 records are singled out; your limit is at most 1."]),
        ({"k": 1_000}, 0, [SMALL.format("1,000"), "2 records are singled out; your limit is at most 0."]),
        (
            {"max_risk": 0.4, "risk": "maximum"},
            None,
            ["The maximum risk, 100.0%, is above your limit of 40.0%."],
        ),
    ],
)
def test_limits_for_those_worst_off_are_met_or_named(limits, most, faults):
    risk = TableRisk(("x",), np.array([1, 1, 3, 3, 3]), np.array([0, 1, 2, 2, 2]))
    worst = WorstOff(risk, TableLimits(**limits), most)
    assert worst.faults() == faults
    assert worst.is_met == (not faults)
    assert worst.is_set == bool(limits or most is not None)
    safe = TableRisk(("x",), np.full(2_000, 2_000), np.zeros(2_000, dtype=int))
    assert worst.faults(safe) == []


def test_chance_is_a_rate_with_an_interval_and_its_own_baseline():
    found = chance_result(0.01, 200, 0.9)
    assert (found.kind, found.by, found.random) == (AttackKind.CHANCE, "", 0.01)
    assert found.rate.value == pytest.approx(0.01)
    assert (found.rate.n, found.rate.confidence_level) == (200, 0.9)
    assert found.rate.low < 0.01 < found.rate.high
    assert chance_result(0.01, 200, 0.9, exact=True).rate.is_exact


def test_every_part_is_plain_data():
    attack = AttackResult(AttackKind.JOINT, "js", rate(0.5, 0.6), 0.01, within_reach=False)
    curve = Curve("days", "Days", "days kept", "any", (CurvePoint(1, rate(0.1, 0.2)), CurvePoint(7, rate(0.2, 0.3))))
    person = PersonAtRisk(4, None, (Reason("place", 0.5, None),))
    parts = (attack, curve, PeopleAtRisk(1, (person,)), TRIED)
    plain = json.loads(json.dumps([part.to_dict() for part in parts], allow_nan=False))
    assert plain[0]["kind"] == "joint"
    assert [point["at"] for point in plain[1]["points"]] == [1, 7]
    assert plain[1]["extrapolated"] is None
    assert plain[2]["clearest"][0]["reasons"] == [{"kind": "place", "share": 0.5, "people": None, "name": None}]
    assert (plain[3]["rate"]["high"], plain[3]["outside"]) == (0.04, None)


def test_counts_of_few_people_are_not_told_and_others_only_in_bands(audited, audited_table):
    for found in (audited, audited_table):
        for reason in (reason for person in found.people_at_risk.clearest for reason in person.reasons):
            assert reason.people in (None, 5, 10, 20, 50, 100, 1_000, 10_000)
            assert round(reason.share * 20) == pytest.approx(reason.share * 20)
