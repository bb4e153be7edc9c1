"""What an audit recommends and advises."""

from dataclasses import replace

import pytest

import singleout as so
from singleout.assessment.audit_result import ProtectionResult
from tests.small_records import numbered_records


def test_what_leaves_everyone_alike_is_not_recommended():
    rate = so.Estimate(0.0, 0.0, 0.01, 0.95, 500)
    useless = ProtectionResult("noise", "0.01", "adding noise", rate, 1.1, False, "", "")
    useful = ProtectionResult("microaggregate", "50", "averaging", rate, 0.97, True, "", "")
    found = so.audit(numbered_records(), options=so.AuditOptions(known_columns=["x"]), progress=False)
    assert replace(found, protections=(useless,)).recommended is None
    assert replace(found, protections=(useless, useful)).recommended is useful


def test_advice_is_true_where_nothing_was_tried_or_nothing_can_be_shown():
    untried = so.audit(numbered_records(), options=so.AuditOptions(known_columns=["x"], protect=False), progress=False)
    assert untried.advice() == "No protection was tried."
    few = so.audit(numbered_records().slice(0, 30), options=so.AuditOptions(known_columns=["x"]), progress=False)
    assert few.advice() == "No protection that was tried meets the limit while keeping records distinguishable."


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({}, "the limit"),
        ({"max_risk": 0.2}, "your limit"),
        ({"k": 2}, "the limits"),
        ({"max_risk": 0.2, "k": 2}, "your limits"),
    ],
)
def test_limits_are_those_that_were_set(limits, words):
    found = so.audit(numbered_records(), options=so.AuditOptions(known_columns=["x"], **limits), progress=False)
    assert found.limits_in_words == words


def test_a_recommended_protection_is_advised_in_whole_sentences():
    rate = so.Estimate(0.01, 0.0, 0.02, 0.95, 500)
    useful = ProtectionResult("empty", "5", "emptying columns", rate, 0.3, True, "")
    found = so.audit(numbered_records(), options=so.AuditOptions(known_columns=["x"], max_risk=0.05), progress=False)
    assert replace(found, protections=(useful,)).advice() == (
        "Emptying columns would bring the re-identification rate in this data down to 1.0% (95% interval 0.00% to "
        "2.0%). It is the least destructive option tried that meets your limit. Information loss 30.0%."
    )
