"""The last stages of an audit of event logs: people at risk, causes, protections and curves."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import singleout as so
from tests.audits import COLUMNS


def test_every_protection_has_an_interval_that_allows_for_people_matched_jointly(crowded):
    shares = [rate.effective_share for each in crowded.protections for rate in (each.outside, each.inside)]
    common = shares[0]
    assert common < 1
    # halves are matched again for the data as it is (the first), and for the one that is recommended
    assert sum(share != pytest.approx(common) for share in shares[2:]) <= 2


def test_those_at_risk_are_found_and_in_falling_order_of_probability(audited):
    likely = [person.probability for person in audited.people_at_risk.clearest]
    assert likely == sorted(likely, reverse=True)
    assert len(audited.people_at_risk.clearest) == 10
    assert audited.people_at_risk.found >= 10
    assert all(sum(reason.share for reason in person.reasons) <= 1.1 for person in audited.people_at_risk.clearest)


def test_causes_are_shares_of_one_whole(audited):
    assert sum(cause.share for cause in audited.causes) == pytest.approx(1)


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
    assert not any("protection" in each for each in found.assumptions)
    assert {curve.name for curve in found.curves} == {"people"}
