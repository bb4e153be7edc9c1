"""What an audit recommends and advises."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.audit_result import ProtectionResult
from singleout.measures.intervals import counted
from tests.audits import table_audit
from tests.small_records import numbered_records


def test_what_leaves_everyone_alike_is_not_recommended():
    rate = so.Estimate(0.0, 0.0, 0.01, 0.95, 500)
    useless = ProtectionResult("noise", "0.01", "adding noise", rate, 1.1, False, "", "")
    useful = ProtectionResult("microaggregate", "50", "averaging", rate, 0.97, True, "", "")
    found = so.audit(numbered_records(), known_columns=["x"], allow=["x"], max_risk=0.05, progress=False)
    assert replace(found, protections=(useless,)).recommended is None
    assert replace(found, protections=(useless, useful)).recommended is useful


def test_without_a_limit_there_is_no_verdict_no_recommendation_and_no_limit_on_the_page():
    found = so.audit(numbered_records(), known_columns=["x"], allow=["x"], progress=False)
    assert (found.risk_limit, found.meets_limit, found.recommended, found.passed) == (None, None, None, True)
    assert found.verdict() == "You set no risk limit, so there is no verdict."
    assert "For a recommendation, decide which risk is acceptable" in found.advice()
    assert found.to_dict()["risk_limit"] is None
    assert found.protections, "what each leaves and destroys is shown all the same"


@pytest.mark.parametrize("unique", [True, False])
def test_no_protection_is_needed_only_where_nobody_is_unique_and_the_limit_is_the_users(unique):
    records = numbered_records() if unique else pa.table({"x": [1] * 50 + [2] * 50, "y": [1] * 100})
    words = "No protection is needed"
    assert words not in so.audit(records, known_columns=["x"], allow=["x"], progress=False).advice()
    within = so.audit(records, known_columns=["x"], allow=["x"], max_risk=0.999 if unique else 0.05, progress=False)
    assert (words in within.advice()) is not unique


def test_advice_is_true_where_nothing_was_tried_or_nothing_can_be_shown():
    untried = so.audit(
        numbered_records(), options=so.AuditOptions(known_columns=["x"], allow=["x"], protect=False), progress=False
    )
    assert untried.advice() == "No protection was tried."
    few = so.audit(numbered_records().slice(0, 30), known_columns=["x"], allow=["x"], max_risk=0.05, progress=False)
    assert few.advice() == "No protection that was tried meets your limit while keeping records distinguishable."


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_risk": 0.2}, "your limit"),
        ({"k": 2}, "your limits"),
        ({"max_risk": 0.2, "k": 2}, "your limits"),
    ],
)
def test_limits_are_those_that_were_set(limits, words):
    found = so.audit(
        numbered_records(), options=so.AuditOptions(known_columns=["x"], allow=["x"], **limits), progress=False
    )
    assert found.limits_in_words == words


def test_a_recommended_protection_is_advised_in_whole_sentences():
    rate = so.Estimate(0.01, 0.0, 0.02, 0.95, 500)
    useful = ProtectionResult("empty", "5", "emptying columns", rate, 0.3, True, "")
    found = so.audit(
        numbered_records(), options=so.AuditOptions(known_columns=["x"], allow=["x"], max_risk=0.05), progress=False
    )
    assert replace(found, protections=(useful,)).advice() == (
        "Emptying columns would bring the re-identification rate in this data down to 1.0% (95% interval 0% to "
        "2.0%). It is the least destructive option tried that meets your limit. Information loss 30.0%."
    )


def test_advice_and_residual_risk_say_how_many_records_stay_unique():
    rate = counted(24, 500)
    left = ProtectionResult("recode", "", "recoding", rate, 0.3, True, "", singled_out=3, above_limit=40)
    found = so.audit(numbered_records(), known_columns=["x"], allow=["x"], max_risk=0.05, progress=False)
    exposed = replace(found, protections=(left,))
    assert exposed.recommended is left
    said = (
        "3 records would still be unique; --k 2 would leave none unique. 40 records, including these, would have "
        "a risk of their own above 5.0%."
    )
    for words in (exposed.advice(), exposed.residual_risk(), exposed.left_exposed(left)):
        assert said in words
    safe = replace(left, singled_out=0, above_limit=0)
    assert "unique" not in replace(found, protections=(safe,)).advice()


def test_data_within_the_limit_on_average_says_in_the_line_to_sign_who_is_unique():
    lone = pa.table({"x": [str(k // 40) for k in range(790)] + [f"own{k}" for k in range(10)]})
    found = so.audit(lone, known_columns=["x"], max_risk=0.2, progress=False)
    assert found.passed
    assert found.residual_risk().endswith(
        "would be re-identified. 10 records are unique; --k 2 would leave none unique."
    )


def test_a_guarantee_confirms_what_an_interval_is_too_wide_for():
    rate = so.Estimate(0.02, 0.022, 0.097, 0.95, 1_000)
    sure = ProtectionResult("microaggregate", "20", "averaging", rate, 0.3, True, "", guarantee=0.048)
    found = so.audit(numbered_records(), known_columns=["x"], allow=["x"], max_risk=0.05, progress=False)
    words = replace(found, protections=(sure,)).advice()
    assert "The measured interval is too wide to confirm that; the guarantee does." in words
    assert "so few" not in words


def test_a_notebook_shows_the_answer_and_every_attack_in_percent():
    found = so.audit(numbered_records(), known_columns=["x"], allow=["x"], protect=False, progress=False)
    shown = found._repr_html_()
    assert found.sentence() in shown
    assert found.advice() in shown
    assert shown.count("<tr>") == 1 + len(found.attacks)
    assert "100.0%" in shown


def test_nothing_is_recommended_where_rows_may_be_events():
    audit = replace(table_audit(), risk_limit=0.5)
    assert audit.recommended is not None
    doubted = replace(audit, doubt="Rows may be events rather than people.")
    assert doubted.recommended is None
    assert doubted.to_dict()["recommended"] is None
    assert doubted.advice() == "Find out what a row stands for before you protect anything."
    assert doubted.residual_risk() == "Not known: what a row stands for has to be found out first."


def test_two_logs_whose_ids_may_differ_give_no_verdict():
    draw = np.random.default_rng(3)
    logs = [pa.table({"user": np.repeat(np.arange(40), 10), "place": draw.integers(0, 30, 400)}) for _ in range(2)]
    found = so.audit(*logs, user="user", place="place", protect=False, topology="no", max_risk=0.9, progress=False)
    assert found.meets_limit is False
    assert found.verdict().startswith("These figures may be far too low. The attacks do no better than guessing")
    assert found.advice().startswith("Find out whether an id always means the same person")


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"k": 2}, "Your limit is met (k = 2), against"),
        ({"k": 2, "max_singled_out": 0}, "Your limits are met (k = 2 and at most 0 singled out), against"),
        ({"k": 2, "max_risk": 0.5}, "The limit is met on average, and for every record (k = 2), against"),
        ({"max_risk": 0.5}, "The limit is met on average, against"),
    ],
)
def test_the_limits_that_are_met_are_named(limits, words):
    rows = pa.table({"age": [n // 2 for n in range(60)], "answer": [n % 3 for n in range(60)]})
    found = so.audit(rows, known_columns=["age"], protect=False, progress=False, **limits)
    assert found.advice() == f"{words} an intruder who knows no more than assumed. No protection is needed for that."
    assert ("You set no risk limit" in found.verdict()) is False
