"""The stages of an audit of event logs: sides, attacks, people at risk, causes and curves."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from tests.audits import COLUMNS


def test_every_attack_and_curve_counts_the_same_share_of_people_as_independent(crowded):
    assert crowded.attacks[0].rate.effective is None, "what chance finds is known, not measured"
    assert {curve.name for curve in crowded.curves} == {"people", "days"}
    by_people = crowded.curves[0]
    rates = [each.rate for each in (*crowded.attacks[1:], *by_people.points)]
    assert 0 < crowded.risk.effective_share < 1
    assert all(rate.effective_share == pytest.approx(crowded.risk.effective_share) for rate in rates)
    last = by_people.points[-1].rate
    assert (last.low, last.high) == (pytest.approx(crowded.risk.low), pytest.approx(crowded.risk.high))


def test_every_protection_has_an_interval_that_allows_for_people_matched_jointly(crowded):
    shares = [rate.effective_share for each in crowded.protections for rate in (each.outside, each.inside)]
    common = shares[0]
    assert common < 1
    # halves are matched again for the data as it is (the first), and for the one that is recommended
    assert sum(share != pytest.approx(common) for share in shares[2:]) <= 2


def test_the_ladder_goes_from_blind_guessing_to_the_shape_of_movements(audited):
    names = list(dict.fromkeys(str(each.kind) for each in audited.attacks))
    assert names[:5] == ["chance", "one-by-one", "joint", "selective", "shape"]
    assert names[5:] in ([], ["file"]), "the file is listed where attacking it finds more"
    costs = {each.by for each in audited.attacks if each.kind is AttackKind.JOINT}
    assert costs == {"js", "l1", "cosine", "dot", "glrt", "js_roots", "js_popularity"}


def test_a_careful_intruder_finds_no_more_but_is_right_more_often(audited):
    joint = max(each.rate.value for each in audited.attacks if each.kind is AttackKind.JOINT)
    careful = next(each for each in audited.attacks if each.kind is AttackKind.SELECTIVE)
    assert careful.rate.value <= joint
    assert "are right" in careful.detail


def test_those_at_risk_are_found_and_in_falling_order_of_margin(audited):
    margins = [person.margin for person in audited.people_at_risk.clearest]
    assert margins == sorted(margins, reverse=True)
    assert len(audited.people_at_risk.clearest) == 10
    assert audited.people_at_risk.found >= 10
    assert all(sum(reason.share for reason in person.reasons) <= 1.1 for person in audited.people_at_risk.clearest)


def test_causes_are_shares_of_one_whole(audited):
    assert sum(cause.share for cause in audited.causes) == pytest.approx(1)


def test_two_logs_are_taken_as_they_are(calls):
    events = calls.to_pandas()
    first, second = events[events.index % 2 == 0], events[events.index % 2 == 1]
    found = so.audit(first, second, options=so.AuditOptions(user="user", place="place"), progress=False)
    assert found.known.people > 100
    assert "second file" in found.assumptions[0]
    assert {curve.name for curve in found.curves} == {"people"}


def test_ids_of_another_type_on_the_other_side_are_the_same_people(calls):
    numbers = {name: number for number, name in enumerate(sorted(set(calls["user"].to_pylist())))}
    first = calls.set_column(0, "user", pa.array([numbers[name] for name in calls["user"].to_pylist()]))
    second = calls.set_column(0, "user", pa.array([str(numbers[name]) for name in calls["user"].to_pylist()]))
    found = so.audit(first, second, options=so.AuditOptions(user="user", place="place", protect=False), progress=False)
    assert found.risk.value > 0.9
    assert found.protections == ()
    assert found.curves[0].points[-1].at == len(numbers)


def test_strangers_on_the_two_sides_are_refused(calls):
    other = calls.set_column(0, "user", pa.array([f"x{row}" for row in range(calls.num_rows)]))
    with pytest.raises(so.DataError, match="nobody is on both sides"):
        so.audit(calls, other, options=so.AuditOptions(user="user", place="place"), progress=False)


def test_one_log_without_time_cannot_be_split(calls):
    with pytest.raises(so.InputError, match="time is missing"):
        so.audit(calls, options=so.AuditOptions(user="user", place="place"), progress=False)


def test_larger_cells_make_a_curve_of_resolution():
    rng = np.random.default_rng(0)
    home = rng.uniform(-0.02, 0.02, (40, 2))
    rows = [
        (p, d * 86_400, 46 + home[p, 0] + e, 6 + home[p, 1] - e)
        for p in range(40)
        for d in range(20)
        for e in (0, 0.002)
    ]
    log = pa.table(dict(zip(("user", "time", "lat", "lng"), map(list, zip(*rows, strict=True)), strict=True)))
    options = so.AuditOptions(user="user", time="time", lat="lat", lng="lng", grid=200)
    curve = next(c for c in so.audit(log, options=options, progress=False).curves if c.name == "resolution")
    assert [step.at for step in curve.points] == [200, 400, 800, 1_600, 3_200]
    assert curve.points[-1].rate.value < curve.points[0].rate.value


def test_without_protections_nothing_is_protected(calls, monkeypatch):
    def protected(*_, **__):
        raise AssertionError("a protection was tried")

    for name in ("audit_events.frontier", "audit_events.protections_to_try", "written_file.written_file"):
        monkeypatch.setattr(f"singleout.assessment.{name}", protected)
    found = so.audit(calls, **COLUMNS, split="weeks", protect=False, topology="no", progress=False)
    assert found.protections == ()
    assert {curve.name for curve in found.curves} == {"people"}


def test_only_the_similarities_asked_for_attack(calls):
    asked = {"similarities": ["l1"], "protect": False, "topology": "no"}
    found = so.audit(calls, **COLUMNS, split="weeks", **asked, progress=False)
    assert {each.by for each in found.attacks if each.kind is not AttackKind.CHANCE} == {"l1"}
