"""Which protections an audit tries, and how strong."""

import numpy as np
import pytest
from scipy import sparse

import singleout as so
from singleout.assessment.audit_protections import is_much_noise, protections_to_try
from singleout.measures.intervals import wilson
from tests.audits import COLUMNS, LEAST_OPTIONS


def test_a_hierarchy_of_other_places_is_refused(tmp_path, calls):
    (tmp_path / "areas.csv").write_text("place,area\nnowhere,a\nelsewhere,b\n")
    options = so.AuditOptions(**COLUMNS, split="weeks", hierarchy=str(tmp_path / "areas.csv"))
    with pytest.raises(so.DataError, match="none of the places is in the first column of areas.csv"):
        so.audit(calls, options=options, progress=False)


def test_levels_of_a_hierarchy_are_protections(tmp_path, calls):
    places = sorted(set(calls["place"].to_pylist()))
    file = tmp_path / "areas.csv"
    lines = [f"{place},{k // 10},{k // 100}" for k, place in enumerate(places)]
    file.write_text("\n".join(["place,area,region", *lines]) + "\n")
    options = so.AuditOptions(**COLUMNS, split="weeks", hierarchy=str(file), keep=[50])
    found = so.audit(calls, options=options, progress=False)
    tried = {(each.protection, each.strength) for each in found.protections}
    assert {("hierarchy", "area"), ("hierarchy", "region"), ("keep", "50")} <= tried
    assert {name for name, _ in tried} == {"none", "hierarchy", "keep"}
    how = {each.strength: each.command for each in found.protections}
    assert how["area"] == (
        "singleout protect FILE --user user --time time --place place --hierarchy areas.csv --hierarchy-level area"
    )


def side(people=400, places=300):
    rng = np.random.default_rng(0)
    return so.Histograms(rng.poisson(0.2, (people, places)), range(people), range(places))


def tried(released, days=None, **options):
    found = protections_to_try(released, days, so.AuditOptions(**LEAST_OPTIONS, **options))
    return {each.name: tuple(each.strengths) for each in found}


def test_some_of_each_kind_are_tried_as_strong_as_the_limit_may_need():
    found = tried(side(), days=16)
    assert list(found) == ["shorten", "keep", "min-people", "noise", "microaggregate"]
    assert found["shorten"] == (1, 2, 4, 8)
    assert found["keep"] == (3, 30)
    assert found["noise"] == (1.0, 0.1)
    largest = found["microaggregate"][-1]
    assert found["microaggregate"][:4] == (5, 10, 20, 21), "with 20, two people without data are too many"
    assert wilson(400 / largest, 400, 0.95).high <= 0.05 < wilson(400 / (largest - 1), 400, 0.95).high


def test_a_stricter_limit_needs_larger_groups():
    assert tried(side(), max_risk=0.02)["microaggregate"][-1] > tried(side(), max_risk=0.2)["microaggregate"][-1]


def test_no_group_is_larger_than_half_of_the_people():
    assert max(tried(side(people=30))["microaggregate"]) <= 15


def test_without_days_or_cells_there_is_nothing_to_shorten_or_coarsen():
    assert not {"shorten", "coarsen"} & set(tried(side()))
    cells = {"place": None, "lat": "y", "lng": "x", "grid": 250.0}
    found = protections_to_try(side(), None, so.AuditOptions(**{**LEAST_OPTIONS, **cells}))
    assert next(tuple(each.strengths) for each in found if each.name == "coarsen") == (500, 1_000, 2_000, 4_000)


def test_protections_that_are_named_are_tried_and_days_are_a_curve_all_the_same():
    assert tried(side(), days=16, keep=[50]) == {"shorten": (1, 2, 4, 8), "keep": (50,)}
    assert tried(side(), days=16, shorten=[3], noise=[0.5]) == {"shorten": (3,), "noise": (0.5,)}


def test_noise_on_very_many_counts_is_not_tried_unasked():
    wide = so.Histograms(sparse.eye_array(2_500, dtype=int), range(2_500), range(2_500))
    assert is_much_noise(wide)
    assert "noise" not in tried(wide)
    assert tried(wide, noise=[1.0])["noise"] == (1.0,)
    assert not is_much_noise(side())
