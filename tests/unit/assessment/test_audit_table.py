"""A table is audited by what its known columns tell apart."""

import json

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from tests.small_records import numbered_records


def test_a_table_is_measured_by_guessing_among_those_alike(records, audited_table):
    rows = records.select(["age", "sex", "town"]).to_pylist()
    seen = [tuple(row.values()) for row in rows]
    alone = next(each for each in audited_table.attacks if each.kind is AttackKind.UNIQUE)
    assert alone.rate.value == pytest.approx(sum(seen.count(row) == 1 for row in seen) / 500)
    assert audited_table.risk.value == pytest.approx(sum(1 / seen.count(row) for row in seen) / 500)
    assert audited_table.risk.n == 500
    assert audited_table.strongest.kind is AttackKind.KNOWN_COLUMNS


def test_columns_that_are_not_known_are_shown_but_do_not_count(audited_table):
    beside = [each for each in audited_table.attacks if not each.within_reach]
    assert [each.kind for each in beside] == [AttackKind.ONE_MORE_COLUMN, AttackKind.ALL_COLUMNS]
    assert all(each.rate.value >= audited_table.risk.value for each in beside)


def test_what_follows_from_a_known_column_is_told_as_inference(audited_table):
    inference = next(section for section in audited_table.tests if section.name == "inference")
    assert "vote for 100.0%" in inference.statements[0]


def test_making_a_table_coarser_meets_the_limit(audited_table):
    assert not audited_table.meets_limit
    assert not audited_table.passed
    assert audited_table.recommended.rate.high <= 0.2


def test_several_columns_are_made_coarser_where_one_is_not_enough(records):
    options = so.AuditOptions(known_columns=["age", "sex", "town", "income"], max_risk=0.02)
    found = so.audit(records, options=options, progress=False)
    together = [remedy for remedy in found.protections if ";" in remedy.strength]
    assert together[-1].rate.high <= 0.02
    rates = [remedy.rate.value for remedy in together]
    assert rates == sorted(rates, reverse=True)


def test_the_order_of_records_changes_neither_risk_nor_curves(records, audited_table):
    shuffled = records.take(pa.array(np.random.default_rng(0).permutation(500)))
    options = so.AuditOptions(known_columns=["age", "sex", "town"], max_risk=0.2, population=10_000)
    again = so.audit(shuffled, options=options, progress=False).to_dict()
    before = audited_table.to_dict()
    assert [again[name] for name in before if name != "people_at_risk"] == [
        before[name] for name in before if name != "people_at_risk"
    ]


def test_records_in_pairs_are_found_by_half_though_nobody_is_alone():
    pairs = pa.table({"key": [number // 2 for number in range(1_000)], "y": list(range(1_000))})
    found = so.audit(pairs, options=so.AuditOptions(known_columns=["key"], max_risk=0.05), progress=False)
    assert found.risk.value == pytest.approx(0.5)
    assert not found.passed
    assert found.recommended is None or found.recommended.rate.high <= 0.05


def test_a_table_without_records_is_refused():
    with pytest.raises(so.DataError, match="contains no records"):
        so.audit(numbered_records().slice(0, 0), options=so.AuditOptions(known_columns=["x"]), progress=False)


def test_a_table_of_which_everything_is_known_has_nothing_to_add(records):
    few = records.select(["age", "sex"])
    found = so.audit(few, options=so.AuditOptions(known_columns=["age", "sex"]), progress=False)
    assert [str(each.kind) for each in found.attacks] == ["chance", "unique", "known-columns"]
    one = so.audit(few.select(["age"]), options=so.AuditOptions(known_columns=["age"]), progress=False)
    assert one.people_at_risk.clearest == ()


def test_a_limit_that_is_met_on_average_says_who_stands_out_all_the_same(records):
    found = so.audit(records, options=so.AuditOptions(known_columns=["sex"], max_risk=0.2), progress=False)
    assert found.passed
    assert found.advice().startswith("The limit is met on average")
    lone = pa.table({"x": [str(k // 40) for k in range(790)] + [f"own{k}" for k in range(10)]})
    few = so.audit(lone, options=so.AuditOptions(known_columns=["x"], max_risk=0.2), progress=False)
    assert few.passed
    assert "but 10 records are still singled out" in few.advice()
    assert "No protection is needed" not in few.advice()


def test_those_worst_off_have_limits_of_their_own():
    lone = pa.table({"x": [str(k // 40) for k in range(790)] + [f"own{k}" for k in range(10)]})
    asked = {"known_columns": ["x"], "max_risk": 0.2}
    for limits, fault in (
        ({"k": 5}, "occur in only 1 record; your limit (k) is at least 5"),
        ({"max_singled_out": 9}, "10 records are singled out; your limit is at most 9"),
    ):
        found = so.audit(lone, options=so.AuditOptions(**asked, **limits), progress=False)
        assert not found.passed
        assert not found.meets_limit
        assert fault in found.verdict()
        assert found.to_dict()["worst_off"] == {
            "smallest": 1, "singled_out": 10, "k": None, "max_singled_out": None, "met": False,
        } | limits  # fmt: skip
        best = found.recommended
        assert best is not None
        assert best.smallest >= limits.get("k", 1)
        assert best.singled_out <= limits.get("max_singled_out", 800)
    assert so.audit(lone, options=so.AuditOptions(**asked, max_singled_out=10), progress=False).passed


def test_survey_weights_give_no_figure_for_the_population_and_a_note_says_so(records):
    weighted = records.append_column("w", pa.array(np.arange(500) % 50 + 1))
    options = so.AuditOptions(known_columns=["age", "sex", "town"], survey_weight="w")
    document = json.dumps(so.audit(weighted, options=options, progress=False).to_dict())
    assert "By the survey weights" not in document
    assert "no estimate for the population is given" in document
