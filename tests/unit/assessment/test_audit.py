"""The whole path: what an audit answers, that it hides what it must, and that nothing but the data and seed matters."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.reading import sources
from tests.audits import COLUMNS
from tests.schemas import faults

NAMES = "Zoë O'Hara <script>alert(1)</script>"


def test_the_risk_is_that_of_the_strongest_attack_and_what_match_finds_too(calls, audited):
    events = so.read_events(calls, **COLUMNS)
    released, known = (so.histograms(part) for part in so.split(events, by="weeks"))
    joint = strongest_joint(audited)
    best = so.accuracy(so.match(released, known, similarity=joint.by))
    assert joint.rate.value == pytest.approx(best.rate.value)
    assert (
        audited.risk.value == max(each.rate.value for each in audited.attacks if each.within_reach) >= joint.rate.value
    )
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
    assert joint.rate.high == pytest.approx(sampled.high)
    assert sampled.low - 0.02 < joint.rate.low <= sampled.low, "it was chosen as the strongest"
    assert joint.rate.low < alone.low < alone.high < joint.rate.high
    assert audited.risk.effective < audited.risk.n
    assert audited.to_dict()["risk"]["effective"] == audited.risk.effective


def test_the_recommended_protection_is_within_the_limit_and_the_cheapest_that_is(audited):
    best, limit = audited.recommended, audited.risk_limit
    assert best.upper <= limit
    sure = [each for each in audited.protections if each.is_enough(limit) and each.is_guaranteed(limit)]
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


@pytest.mark.parametrize("which", ["audited", "audited_table"])
def test_the_evidence_keeps_to_its_schema(which, request):
    assert faults(request.getfixturevalue(which).to_dict()) == []


def test_the_evidence_of_few_people_keeps_to_its_schema_and_says_they_are_few():
    rows = [(person, day * 86_400, place) for person, place in ((1, "a"), (2, "b")) for day in range(0, 30, 5)]
    few = pa.table(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    found = so.audit(few, options=so.AuditOptions(**COLUMNS), progress=False)
    assert faults(found.to_dict()) == []
    assert "too few" in found.sentence()


def test_people_who_are_all_alike_are_found_by_chance_only():
    rows = [(person, day * 86_400, "ab"[day % 2]) for person in range(20) for day in range(0, 30, 5)]
    alike = pa.table(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    found = so.audit(alike, options=so.AuditOptions(**COLUMNS), progress=False)
    assert found.risk.value == pytest.approx(1 / 20)
    assert found.people_at_risk.clearest == ()


def test_a_place_that_all_events_share_is_refused_since_everyone_would_look_safe():
    log = pa.table({"user": list(range(20)) * 6, "time": [n * 86_400 for n in range(120)], "place": ["SECRET"] * 120})
    with pytest.raises(
        so.DataError, match="column 'place' has the same value in all 120 rows: everyone would look safe"
    ):
        so.audit(log, **COLUMNS, max_risk=0.05, progress=False)


def test_row_order_does_not_matter(calls, audited):
    shuffled = calls.take(pa.array(np.random.default_rng(0).permutation(calls.num_rows)))
    again = so.audit(shuffled, **COLUMNS, split="weeks", population=10_000, max_risk=0.05, progress=False)
    assert json.dumps(again.to_dict()) == json.dumps(audited.to_dict())


def hostile():
    rows = [(f"{NAMES} {p}", d * 86_400, f"{NAMES} {(p + d) % 7} at {p}") for p in range(30) for d in range(0, 40, 3)]
    return pa.table(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))


def test_without_reveal_no_id_and_no_place_is_told_and_with_it_both_are():
    hidden = so.audit(hostile(), options=so.AuditOptions(**COLUMNS), progress=False)
    assert "Zoë" not in json.dumps(hidden.to_dict(), ensure_ascii=False)
    assert "Zoë" not in repr(hidden)
    told = so.audit(hostile(), options=so.AuditOptions(**COLUMNS, reveal=True, protect=False), progress=False)
    assert told.people_at_risk.clearest[0].id.startswith(NAMES)
    assert told.people_at_risk.clearest[0].reasons[0].name.startswith(NAMES)
    assert told.to_dict()["reveal"] is True
    assert faults(told.to_dict()) == []


def test_columns_that_a_file_lacks_are_told_together(tmp_path, calls):
    file = tmp_path / "calls.csv"
    pyarrow.csv.write_csv(calls, file)
    with pytest.raises(so.SourceError, match="user='usr' is not a column of calls.csv.") as caught:
        so.audit(file, options=so.AuditOptions(user="usr", time="when", place="place"))
    assert "time='when' is not a column of calls.csv." in str(caught.value)


def test_each_column_that_is_nearly_there_is_named(tmp_path, calls):
    pyarrow.csv.write_csv(calls, tmp_path / "calls.csv")
    for source, where in ((calls, " of source"), (tmp_path / "calls.csv", " of calls.csv")):
        with pytest.raises(so.SourceError, match="user='usser' is not a column") as caught:
            so.audit(source, options=so.AuditOptions(user="usser", time="when", place="palce"))
        lines = str(caught.value).split("\n  ")
        assert lines[0].endswith(f"user='usser' is not a column{where}. Did you mean 'user'?")
        assert lines[1:3] == [
            f"time='when' is not a column{where}.",
            f"place='palce' is not a column{where}. Did you mean 'place'?",
        ]


def test_where_the_known_source_lacks_columns_of_the_released_one_the_options_for_its_own_are_named(calls):
    known = calls.select(["user", "time", "place"]).rename_columns(["Karte", "time", "Halt"])
    with pytest.raises(so.SourceError, match=r"other names for them, give known_user and known_place\.$"):
        so.audit(calls, known, options=so.AuditOptions(user="user", time="time", place="place"))
    options = so.AuditOptions(user="user", time="time", place="place", known_user="Karte")
    with pytest.raises(so.SourceError, match=r"If that file has another name for it, give known_place\.$"):
        so.audit(calls, known, options=options)
    with pytest.raises(so.SourceError, match="place='palce' is not a column") as caught:
        so.audit(calls, known, options=so.AuditOptions(user="user", time="time", place="palce"))
    assert "known_place" not in str(caught.value)


def test_wrong_ways_to_ask_are_told(calls, records):
    with pytest.raises(so.InputError, match="options must be so.AuditOptions"):
        so.audit(calls, options={"user": "user"})
    with pytest.raises(so.InputError, match="two tables require on: columns that both have"):
        so.audit(records, records, options=so.AuditOptions(known_columns=["age"]))
    with pytest.raises(so.InputError, match="at least one column that the intruder knows"):
        so.audit(records, options=so.AuditOptions(known_columns=[]))
    with pytest.raises(so.SourceError, match="names columns that are not released: age"):
        so.audit(records, options=so.AuditOptions(known_columns=["age"], drop=["age"]))
    with pytest.raises(
        so.InputError, match=r"give either a second source or split \(halves, weeks, dates or point\), not both"
    ):
        so.audit(calls, calls, options=so.AuditOptions(**COLUMNS, split="weeks"))


def test_every_source_is_opened_once(tmp_path, calls, monkeypatch):
    pq.write_table(calls, tmp_path / "calls.parquet")
    opened, real = [], sources._from_files
    monkeypatch.setattr(sources, "_from_files", lambda *given: opened.append(given[1]) or real(*given))
    so.audit(tmp_path / "calls.parquet", **COLUMNS, split="weeks", protect=False, topology="no", progress=False)
    assert opened == [str(tmp_path / "calls.parquet")]


@pytest.mark.parametrize("more", [{"protect": False}, {"time_limit": "1s"}], ids=["no protections", "a time limit"])
def test_the_gate_counts_data_from_the_released_period_even_if_no_protection_is_tried(more):
    rng = np.random.default_rng(3)
    rows = 12_000
    log = pa.table(
        {
            "who": rng.integers(0, 100, rows),
            "t": 1_700_000_000 + rng.integers(0, 42 * 86_400, rows),
            "spot": rng.integers(0, 8, rows),
        }
    )
    found = so.audit(log, user="who", time="t", place="spot", max_risk=0.3, progress=False, **more)
    assert found.from_inside is not None
    assert found.passed == (max(found.risk.high, found.from_inside.high) <= 0.3)
    assert not found.tried
    assert "What would protect them" not in found._repr_html_()
