"""Which protections an audit tries, and how strong."""

import pytest

import singleout as so
from tests.audits import COLUMNS


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
    assert how["area"] == "singleout protect … --hierarchy areas.csv --hierarchy-level area"
