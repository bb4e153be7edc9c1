"""The risk by the number of people: it ends at what was measured on everyone, and goes on to a stated population."""

import numpy as np
import pytest

import singleout as so
from singleout.assessment import audit_curves
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_curves import NOT_EXTRAPOLATED, curve_of_people, curve_of_records, extrapolation_notes
from tests.audits import LEAST_OPTIONS
from tests.small_tables import random_table


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
    assert "not measured" in beyond.warning


def drawn(number, rate_of=lambda people: 1.0, **options):
    """The curve where everyone in a group is equally likely to be re-identified."""
    options = so.AuditOptions(**LEAST_OPTIONS, **options)
    return curve_of_people(
        number, lambda people: np.full(len(people), rate_of(people)), options, what="people", attack="any"
    )


@pytest.mark.parametrize(
    ("number", "sizes"), [(200, [25, 50, 100, 200]), (81, [20, 40, 81]), (39, [39]), (40, [20, 40]), (5, [5])]
)
def test_the_number_of_people_is_halved_down_to_no_fewer_than_twenty(number, sizes):
    assert [point.at for point in drawn(number).points] == sizes


def test_the_fewer_people_the_more_groups_of_them_are_drawn_each_without_repeats():
    groups = {}

    def rate_of(people):
        assert len(set(people.tolist())) == len(people)
        assert people.tolist() == sorted(people.tolist())
        groups.setdefault(len(people), []).append(people)
        return 0.5

    curve = drawn(640, rate_of)
    assert {size: len(every) for size, every in groups.items()} == {20: 10, 40: 10, 80: 8, 160: 4, 320: 2, 640: 1}
    # as many people as were looked at, but never more than there are
    assert [point.rate.n for point in curve.points] == [200, 400, 640, 640, 640, 640]


def test_rates_are_means_over_the_groups():
    rates = iter([0.2, 0.4, 1.0])
    small, whole = drawn(40, lambda people: next(rates)).points
    assert (small.rate.value, whole.rate.value) == (pytest.approx(0.3), 1.0)


def test_only_a_larger_population_is_extrapolated_to_and_a_note_says_where_none_could_be():
    asked = {"population": 1_000}
    shares = {20: 0.9, 40: 0.85, 80: 0.8, 160: 0.74}
    far = drawn(160, lambda people: shares[len(people)], **asked)
    assert far.extrapolated.people == 1_000
    assert far.extrapolated.value < 0.74
    near = drawn(160, lambda people: shares[len(people)], population=160)
    assert near.extrapolated is None
    options = so.AuditOptions(**LEAST_OPTIONS, **asked)
    assert extrapolation_notes([near], options) == [NOT_EXTRAPOLATED]
    assert extrapolation_notes([near, far], options) == []
    assert extrapolation_notes([near], so.AuditOptions(**LEAST_OPTIONS)) == []


def test_a_table_of_many_records_has_the_curve_of_all_draws(monkeypatch):
    columns = so.read_table(random_table(n=3_000)).encode(["c0", "c1", "c2"])
    options = so.AuditOptions(**LEAST_OPTIONS, population=1_000_000)
    drawn = curve_of_records(columns, options, "any")
    monkeypatch.setattr(audit_curves, "ALL_DRAWS", 3_000)
    counted = curve_of_records(columns, options, "any")
    assert [point.at for point in counted.points] == [point.at for point in drawn.points]
    rates = [[point.rate.value for point in each.points] for each in (counted, drawn)]
    assert rates[0] == pytest.approx(rates[1], rel=0.05)
    assert rates[0][-1] == pytest.approx(rates[1][-1], rel=1e-9), "everyone is looked at in both"
    assert [point.rate.is_exact for point in drawn.points] == [False] * (len(drawn.points) - 1) + [True]
    assert all(point.rate.is_exact for point in counted.points), "the mean over all draws"
    assert counted.extrapolated is drawn.extrapolated is None, "the answer of a table is that of its population already"
