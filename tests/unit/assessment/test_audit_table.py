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
    guessed = next(each for each in audited_table.attacks if each.kind is AttackKind.KNOWN_COLUMNS)
    assert guessed.rate.value == pytest.approx(sum(1 / seen.count(row) for row in seen) / 500)
    assert guessed.rate.is_exact
    whole = so.audit(records, options=so.AuditOptions(known_columns=["age", "sex", "town"]), progress=False)
    assert whole.strongest.kind is AttackKind.KNOWN_COLUMNS
    assert whole.risk.value == guessed.rate.value
    assert whole.risk.n == 500


def test_of_a_sample_the_risk_in_the_population_is_the_answer(records, audited_table):
    found = so.population_risk(so.read_table(records), columns=["age", "sex", "town"], population=10_000)
    assert audited_table.strongest.kind is AttackKind.POPULATION
    assert audited_table.risk == found.rate
    assert audited_table.strongest.random == 1 / 10_000
    assert "without knowing who is in the file" in audited_table.sentence()
    inside = [each for each in audited_table.attacks if each.kind in (AttackKind.UNIQUE, AttackKind.KNOWN_COLUMNS)]
    assert not any(each.within_reach for each in inside)
    assert any("a sample of about 10,000 people" in line for test in audited_table.tests for line in test.statements)
    assert any("Benedetti-Franconi" in line and "Pitman-Yor" in line for line in audited_table.assumptions)


def test_columns_that_are_not_known_are_shown_but_do_not_count(audited_table):
    beside = [each for each in audited_table.attacks if not each.within_reach][-2:]
    assert [each.kind for each in beside] == [AttackKind.ONE_MORE_COLUMN, AttackKind.ALL_COLUMNS]
    assert all(each.rate.value >= audited_table.risk.value for each in beside)


def test_what_follows_from_a_known_column_is_told_as_inference(audited_table):
    inference = next(section for section in audited_table.tests if section.name == "inference")
    assert "vote for 100.0%" in " ".join(inference.statements)


def test_a_sensitive_value_of_a_unique_record_is_learnt_and_counts(records):
    asked = {"known_columns": ["age", "sex", "town"], "sensitive": ["vote"], "max_risk": 0.05, "protect": False}
    found = so.audit(records.drop(["income"]), **asked, progress=False)
    inference = next(each for each in found.to_dict()["tests"] if each["name"] == "inference")
    assert inference["share"] == pytest.approx(found.worst_off.risk.diversity[0].revealed / 500) == 1.0
    assert found.tests[2].verdict(0.05) == (
        "Not met at your risk limit of 5.0%: the share of records whose vote an intruder learns for certain, unique "
        "ones included, is 100.0%."
    )
    whole = so.audit(records.select(["age", "sex"]), known_columns=["age", "sex"], max_risk=0.05, progress=False)
    assert whole.tests[2].share == 0.0, "nothing is left to learn"


def test_making_a_table_coarser_meets_the_limit(audited_table):
    assert not audited_table.meets_limit
    assert not audited_table.passed
    assert audited_table.recommended.rate.high <= 0.2


def test_several_columns_are_made_coarser_where_one_is_not_enough(records):
    options = so.AuditOptions(known_columns=["age", "sex", "town", "income"], max_risk=0.02)
    found = so.audit(records, options=options, progress=False)
    best = found.recommended
    assert best.rate.high <= 0.02
    assert " and " in best.does
    assert best.loss == min(each.loss for each in found.protections if each.is_enough(0.02))
    assert best.command.startswith("singleout protect FILE --known-columns age,sex,town,income --max-risk 0.02")


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
    found = so.audit(pairs, options=so.AuditOptions(known_columns=["key"], allow=["y"], max_risk=0.05), progress=False)
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
        ({"k": 5}, "occur in only 1 record; you require at least 5 (k)"),
        ({"max_singled_out": 9}, "10 records are singled out; your limit is at most 9"),
    ):
        found = so.audit(lone, options=so.AuditOptions(**asked, **limits), progress=False)
        assert not found.passed
        assert not found.meets_limit
        assert fault in found.verdict()
        assert found.to_dict()["worst_off"] == {
            "smallest": 1, "singled_out": 10, "k": None, "l": None, "t": None, "max_singled_out": None, "met": False,
        } | limits  # fmt: skip
        best = found.recommended
        assert best is not None
        assert best.smallest >= limits.get("k", 1)
        assert best.singled_out <= limits.get("max_singled_out", 800)
    assert so.audit(lone, options=so.AuditOptions(**asked, max_singled_out=10), progress=False).passed


def test_survey_weights_decide_about_headline_gate_and_advice(records):
    weighted = records.append_column("w", pa.array(np.arange(500) % 50 + 1))
    asked = {"known_columns": ["age", "sex", "town"], "survey_weight": "w"}
    found = so.audit(weighted, options=so.AuditOptions(**asked, max_risk=0.05), progress=False)
    expected = so.population_risk(so.read_table(weighted, survey_weight="w"), columns=["age", "sex", "town"])
    assert found.risk == expected.rate
    assert not found.passed
    assert found.recommended.rate.high <= 0.05
    assert "--survey-weight w" in found.recommended.command
    assert so.audit(weighted, options=so.AuditOptions(**asked, max_risk=0.9), progress=False).passed
    assert "no estimate for the population" not in json.dumps(found.to_dict())


def test_the_maximum_risk_can_be_what_is_limited(records):
    asked = {"known_columns": ["sex", "town"], "max_risk": 0.2}
    assert so.audit(records, options=so.AuditOptions(**asked), progress=False).passed
    worst = so.audit(records, options=so.AuditOptions(**asked, risk="maximum"), progress=False)
    smallest = worst.worst_off.risk.k
    assert worst.passed == (1 / smallest <= 0.2)


def test_sensitive_columns_are_measured_and_limited(records):
    asked = {"known_columns": ["age", "sex", "town"], "sensitive": ["vote"], "max_risk": 0.5}
    found = so.audit(records, options=so.AuditOptions(**asked, l=2), progress=False)
    assert not found.passed
    assert "your limit (l) is 2" in found.verdict()
    assert found.to_dict()["table"]["diversity"][0]["column"] == "vote"
    assert found.recommended is None or not found.recommended.faults


@pytest.mark.parametrize(("known", "why"), [(["empty"], "'empty' has no values"), (["same"], "'same' has one value")])
def test_known_columns_that_distinguish_nobody_are_refused(records, known, why):
    table = records.append_column("same", [["x"] * 500]).append_column("empty", [pa.array([None] * 500, pa.string())])
    with pytest.raises(so.DataError, match=f"known_columns distinguishes nobody: {why}"):
        so.audit(table, known_columns=known, max_risk=0.05, progress=False)


def test_a_known_column_that_distinguishes_nobody_is_named_next_to_the_verdict(records):
    table = records.append_column("empty", [pa.array([None] * 500, pa.string())])
    found = so.audit(table, known_columns=["sex", "empty"], max_risk=0.05, protect=False, progress=False)
    assert found.verdict() == (
        "This is within your risk limit of 5.0%. Of the known columns, 'empty' has no values: it distinguishes nobody. "
        "Others can often see or look up 'age' and 'town' as well; the intruder is assumed not to know them."
    )
    assert "1 column without values (empty): it distinguishes nobody" in map(str, found.notes)


def test_all_columns_of_the_file_are_named_also_where_only_some_are_released(records):
    asked = {"known_columns": ["sex"], "protect": False, "progress": False}
    for released, number in (({"drop": ["vote"]}, 4), ({"columns": ["sex", "town"]}, 2)):
        found = so.audit(records, **released, **asked).to_dict()["data"]["released"]
        assert (found["columns"], found["column_names"]) == (number, ["age", "sex", "town", "income", "vote"])


def test_an_average_within_the_limit_says_how_many_records_are_above_it():
    sizes = [2] * 10 + [80]
    rows = pa.table({"age": [number for number, size in enumerate(sizes) for _ in range(size)], "job": [*range(100)]})
    asked = {"known_columns": ["age"], "drop": ["job"], "protect": False, "progress": False}
    found = so.audit(rows, **asked, max_risk=0.2)
    assert found.passed
    assert found.advice().endswith("no more than assumed, but 20 records (20.0%) have a risk of their own above 20.0%.")
    assert found.sentence() in str(found)
    assert so.audit(rows, **asked, max_risk=0.5).advice().endswith("No protection is needed for that.")
