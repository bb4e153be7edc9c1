"""The whole path: what an audit answers, that it hides what it must, and that nothing but the data and seed matters."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_options import DEFAULT_LIMIT
from singleout.reading import sources

COLUMNS = {"user": "user", "time": "time", "place": "place"}
SCHEMA = json.loads((files("singleout") / "report" / "audit.schema.json").read_text())
NAMES = "Zoë O'Hara <script>alert(1)</script>"


def test_the_risk_is_that_of_the_strongest_attack_and_what_match_finds_too(calls, audited):
    events = so.read_events(calls, **COLUMNS)
    released, known = (so.histograms(part) for part in so.split(events, by="weeks"))
    joint = strongest_joint(audited)
    best = so.accuracy(so.match(released, known, similarity=joint.by))
    assert joint.rate.value == pytest.approx(best.rate.value)
    assert audited.risk.value == max(each.rate.value for each in audited.attacks) >= joint.rate.value
    assert audited.strongest.kind in (AttackKind.JOINT, AttackKind.FILE)


def strongest_joint(audited):
    joint = [each for each in audited.attacks if each.kind is AttackKind.JOINT]
    return max(joint, key=lambda each: each.rate.value)


def test_the_interval_of_the_risk_allows_for_people_who_are_not_independent(calls, audited):
    events = so.read_events(calls, **COLUMNS)
    released, known = (so.histograms(part) for part in so.split(events, by="weeks"))
    joint = strongest_joint(audited)
    matching = so.match(released, known, similarity=joint.by)
    sampled, alone = so.accuracy(matching, intervals="half-sampling").rate, so.accuracy(matching).rate
    assert joint.rate.effective == pytest.approx(sampled.effective)
    assert (joint.rate.low, joint.rate.high) == (pytest.approx(sampled.low), pytest.approx(sampled.high))
    assert joint.rate.low < alone.low < alone.high < joint.rate.high
    assert audited.risk.effective < audited.risk.n
    assert audited.to_dict()["risk"]["effective"] == audited.risk.effective


@pytest.fixture(scope="module")
def crowded():
    log = so.synthetic_calls(people=150, antennas=40, regions=5, seed=1).table
    return so.audit(log, options=so.AuditOptions(**COLUMNS, split="weeks"), progress=False)


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


def test_the_assumptions_say_how_the_interval_was_made(audited, crowded, audited_table):
    assert "20 random halves of the people were matched again: their rates varied" in audited.assumptions[-1]
    effective = f"{crowded.risk.effective:,.0f} independent people would (there are 150)"
    assert f"varied as much as those of about {effective}" in crowded.assumptions[-1]
    assert "halves" not in " ".join(audited_table.assumptions)


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


def test_those_at_risk_are_found_and_in_falling_order_of_margin(audited):
    margins = [person.margin for person in audited.people_at_risk.clearest]
    assert margins == sorted(margins, reverse=True)
    assert len(audited.people_at_risk.clearest) == 10
    assert audited.people_at_risk.found >= 10
    assert all(sum(reason.share for reason in person.reasons) <= 1.1 for person in audited.people_at_risk.clearest)


def test_causes_are_shares_of_one_whole(audited):
    assert sum(cause.share for cause in audited.causes) == pytest.approx(1)


def test_the_recommended_protection_is_within_the_limit_and_the_cheapest_that_is(audited):
    best = audited.recommended
    assert best.upper <= DEFAULT_LIMIT
    sure = [each for each in audited.protections if each.is_enough(DEFAULT_LIMIT) and each.is_guaranteed(DEFAULT_LIMIT)]
    assert best is min(sure, key=lambda each: each.loss)
    assert best.does[1:] in audited.advice()


def test_protections_are_held_against_the_strongest_attack_on_the_file_and_the_data_as_it_is_stands_first(
    calls, audited
):
    events = so.read_events(calls, **COLUMNS)
    released, known = so.split(events, by="weeks")
    none, popular = audited.protections[0], next(each for each in audited.protections if each.protection == "keep")
    assert (none.protection, none.loss) == ("none", 0.0)
    kept = so.suppress(so.histograms(released), keep=int(popular.strength))
    rates = [so.accuracy(so.match(kept, so.histograms(known), similarity=name)).rate.value for name in ("js", "l1")]
    assert popular.outside.value >= max(rates) - 0.01
    for each in audited.protections:
        assert each.rate.value == max(each.outside.value, each.inside.value)
    assert none.inside.value >= none.outside.value


def test_all_four_tests_are_answered_with_numbers(audited, audited_table):
    for found in (audited, audited_table):
        names = [section.name for section in found.tests]
        assert names == ["singling out", "linkability", "inference", "motivated intruder"]
        assert all(any(sign.isdigit() for sign in " ".join(section.statements)) for section in found.tests[:2])


@pytest.mark.parametrize("which", ["audited", "audited_table"])
def test_the_evidence_keeps_to_its_schema(which, request):
    document = json.loads(json.dumps(request.getfixturevalue(which).to_dict(), allow_nan=False))
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(document)) == []


def test_the_evidence_of_few_people_keeps_to_its_schema_and_says_they_are_few():
    rows = [(person, day * 86_400, place) for person, place in ((1, "a"), (2, "b")) for day in range(0, 30, 5)]
    few = pa.table(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    found = so.audit(few, options=so.AuditOptions(**COLUMNS), progress=False)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    assert "too few" in found.sentence()


def test_people_who_are_all_alike_are_found_by_chance_only():
    rows = [(person, day * 86_400, "a") for person in range(20) for day in range(0, 30, 5)]
    alike = pa.table(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    found = so.audit(alike, options=so.AuditOptions(**COLUMNS), progress=False)
    assert found.risk.value == pytest.approx(1 / 20)
    assert found.people_at_risk.clearest == ()


def test_row_order_does_not_matter(calls, audited):
    shuffled = calls.take(pa.array(np.random.default_rng(0).permutation(calls.num_rows)))
    again = so.audit(shuffled, options=so.AuditOptions(**COLUMNS, split="weeks", population=10_000), progress=False)
    assert json.dumps(again.to_dict()) == json.dumps(audited.to_dict())


def hostile():
    rows = [(f"{NAMES} {p}", d * 86_400, f"{NAMES} {(p + d) % 7} at {p}") for p in range(30) for d in range(0, 40, 3)]
    return pa.table(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))


def test_without_reveal_no_id_and_no_place_is_told_and_with_it_both_are():
    hidden = so.audit(hostile(), options=so.AuditOptions(**COLUMNS), progress=False)
    assert "Zoë" not in json.dumps(hidden.to_dict(), ensure_ascii=False)
    assert "Zoë" not in repr(hidden)
    told = so.audit(hostile(), options=so.AuditOptions(**COLUMNS, reveal=True), progress=False)
    assert told.people_at_risk.clearest[0].id.startswith(NAMES)
    assert told.people_at_risk.clearest[0].reasons[0].name.startswith(NAMES)
    assert told.to_dict()["reveal"] is True
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(told.to_dict())))


def test_counts_of_few_people_are_not_told_and_others_only_in_bands(audited, audited_table):
    for found in (audited, audited_table):
        for reason in (reason for person in found.people_at_risk.clearest for reason in person.reasons):
            assert reason.people in (None, 5, 10, 20, 50, 100, 1_000, 10_000)
            assert round(reason.share * 20) == pytest.approx(reason.share * 20)


def test_limits_for_those_worst_off_are_for_tables():
    with pytest.raises(so.InputError, match="k is for tables; leave it out"):
        so.AuditOptions(user="user", k=5)


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


def test_columns_that_a_file_lacks_are_told_together(tmp_path, calls):
    file = tmp_path / "calls.csv"
    pyarrow.csv.write_csv(calls, file)
    with pytest.raises(so.SourceError, match="user='usr' is not a column of calls.csv.") as caught:
        so.audit(file, options=so.AuditOptions(user="usr", time="when", place="place"))
    assert "time='when' is not a column of calls.csv." in str(caught.value)


def test_wrong_ways_to_ask_are_told(calls, records):
    with pytest.raises(so.InputError, match="options must be so.AuditOptions"):
        so.audit(calls, options={"user": "user"})
    with pytest.raises(so.InputError, match="audit takes a single table"):
        so.audit(records, records, options=so.AuditOptions(known_columns=["age"]))
    with pytest.raises(so.InputError, match="at least one column that the intruder knows"):
        so.audit(records, options=so.AuditOptions(known_columns=[]))
    with pytest.raises(so.SourceError, match="what is not released: age"):
        so.audit(records, options=so.AuditOptions(known_columns=["age"], drop=["age"]))
    with pytest.raises(so.InputError, match="give either a second source, or split"):
        so.audit(calls, calls, options=so.AuditOptions(**COLUMNS, split="weeks"))


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


def test_every_source_is_opened_once(tmp_path, calls, monkeypatch):
    pq.write_table(calls, tmp_path / "calls.parquet")
    opened, real = [], sources._from_files
    monkeypatch.setattr(sources, "_from_files", lambda *given: opened.append(given[1]) or real(*given))
    so.audit(tmp_path / "calls.parquet", **COLUMNS, split="weeks", protect=False, topology="no", progress=False)
    assert opened == [(tmp_path / "calls.parquet",)]


def test_without_protections_nothing_is_protected(calls, monkeypatch):
    def protected(*_, **__):
        raise AssertionError("a protection was tried")

    for name in ("audit_events.frontier", "audit_events.protections_to_try", "written_file.written_file"):
        monkeypatch.setattr(f"singleout.assessment.{name}", protected)
    found = so.audit(calls, **COLUMNS, split="weeks", protect=False, topology="no", progress=False)
    assert found.protections == ()
    assert {curve.name for curve in found.curves} == {"people"}
