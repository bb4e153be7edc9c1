"""Columns that the new file no longer has, and those that may still be there."""

from dataclasses import replace

import pytest

import singleout as so
from singleout.assessment.audit_file import read_audit_file
from singleout.assessment.comparison import Verdict, compare_audits
from singleout.assessment.comparison_doubts import find_doubts
from tests.audits import known_by, of_events, table_audit, with_classes


def with_columns(audit, *names):
    """The same result for a file with these columns."""
    return replace(audit, released=replace(audit.released, column_names=names or None))


def test_a_column_that_the_new_file_no_longer_has_needs_no_caution():
    sizes = 0 * table_audit().worst_off.risk.sizes + 5
    old, new = (with_classes(table_audit(), sizes, average=average) for average in (900, 100))
    old, new = with_columns(old, "age", "sex", "town", "vote"), known_by(new, "sex, town")
    found = compare_audits(old, with_columns(new, "sex", "town", "vote"))
    assert (found.verdict, found.passed, found.doubts) == (Verdict.BETTER, True, ())
    assert found.about_inputs().endswith(" The new file no longer has age: nobody can use it.")
    for other in (
        with_columns(new),
        with_columns(new, "age", "sex", "town"),
        with_columns(new, "years", "sex", "town"),
    ):
        assert "does not know age" in compare_audits(old, other).doubts[0], "not known, still there, or renamed"
    fewer = compare_audits(old, with_columns(known_by(new, "sex"), "sex", "town"))
    assert "does not know town" in fewer.doubts[0]
    assert compare_audits(with_columns(old), with_columns(new, "sex", "town")).verdict is Verdict.UNCLEAR


def test_a_weaker_intruder_is_no_lower_risk():
    table = so.synthetic_records(seed=1).table
    asked = {"known_columns": ["area", "occupation"], "protect": False, "progress": False, "max_risk": 0.3}
    old, new = so.audit(table, **asked), so.audit(table, **asked, population=100_000)
    found = compare_audits(old, new)
    assert (found.verdict, found.passed) == (Verdict.UNCLEAR, False)
    assert "is for comparison only in the new one, whose intruder knows less" in found.doubts[0]
    assert compare_audits(new, new).passed


def test_a_verified_file_is_compared_with_an_audit_of_a_file_it_was_attacked_with():
    """Otherwise its intruder may know less, and the risk be lower for that reason alone."""
    log, verified = read_audit_file(table_audit(), "x", "old"), read_audit_file(table_audit(), "x", "new")
    log, verified = replace(log, inputs=("log",)), replace(verified, is_verified=True, inputs=("file", "log"))
    assert not any("in common" in each for each in find_doubts(log, verified))
    for other in (replace(verified, inputs=("file", "other")), replace(verified, inputs=None)):
        for pair, which in (((log, other), "new"), ((other, log), "old")):
            assert f"The {which} result is that of a protected file" in "".join(find_doubts(*pair))
    assert not list(find_doubts(verified, replace(verified, inputs=("other",)))), "both were verified"


def test_logs_that_were_split_in_another_way_cannot_be_compared():
    old, new = (replace(table_audit(), options={"split": rule} if rule else {}) for rule in ("halves", "weeks"))
    assert "split by halves for the old result, by weeks" in compare_audits(old, new).doubts[0]
    assert not compare_audits(old, replace(old, options={})).doubts, "halves are what is used where nothing is named"


@pytest.mark.parametrize("right", [300, 500], ids=["fell", "rose"])
def test_what_was_not_tried_is_worded_so_that_it_holds_whether_the_rate_fell_or_rose(right):
    (doubt,) = compare_audits(of_events(400), of_events(right, by="l1")).doubts
    assert doubt == (
        "The strongest attack (joint matching: rarity and activity weights) was not carried out for the new result; "
        "with it the rate may be higher."
    )
