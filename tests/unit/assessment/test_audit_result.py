"""What an audit recommends and advises."""

from dataclasses import replace

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
    assert "too few records to show that any protection meets the limit" in few.advice()
