"""The risk by the number of people: it ends at what was measured on everyone, and goes on to a stated population."""

import pytest

from singleout.assessment.attack_kinds import AttackKind


def test_curves_end_at_what_was_measured_on_everybody(audited):
    people = next(curve for curve in audited.curves if curve.name == "people")
    joint = max(each.rate.value for each in audited.attacks if each.kind is AttackKind.JOINT)
    assert people.points[-1].rate.value == pytest.approx(joint)
    assert people.points[0].rate.value >= people.points[-1].rate.value - 0.1
    days = next(curve for curve in audited.curves if curve.name == "days")
    # protections meet stronger attacks than the ladder, and so does the file without protection
    assert days.points[-1].rate.value == pytest.approx(audited.protections[0].outside.value)
    assert days.points[-1].rate.value >= audited.risk.value - 1e-9
    assert days.points[0].rate.value < days.points[-1].rate.value


def test_a_population_is_extrapolated_to_with_a_warning(audited):
    beyond = next(curve for curve in audited.curves if curve.name == "people").extrapolated
    assert beyond.people == 10_000
    assert beyond.low <= beyond.value <= beyond.high
    assert "Not measured" in beyond.warning
