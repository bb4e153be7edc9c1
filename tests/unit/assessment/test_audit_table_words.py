"""What the audit of a table says in words."""

from types import SimpleNamespace

import numpy as np
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_parts import AttackResult
from singleout.assessment.audit_table_words import assumptions_of_tables
from singleout.assessment.audit_table_words import tests_of_tables as table_tests
from singleout.measures.intervals import counted
from singleout.measures.tables.agreement import Agreement
from singleout.measures.tables.diversity import Diversity
from singleout.measures.tables.table_risk import TableRisk


def test_assumptions_of_a_table_name_the_columns_that_are_known():
    risk = TableRisk(("age", "sex"), np.array([1, 2, 2]), np.array([0, 1, 1]))
    words = assumptions_of_tables(["age", "sex"], 12, risk)
    assert any("prosecutor" in each and "marketer" in each and "journalist" in each for each in words)
    assert words[0] == "The intruder knows the exact age and sex of everyone."
    assert words[1].startswith("All 12 columns are released")


def agreement(column, agreed, unusual=0.0):
    return Agreement(column, 0.5, 0.9, agreed, unusual)


@pytest.mark.parametrize(
    ("sizes", "agreeing", "sensitive", "share"),
    [
        ([1, 1, 1, 2, 2], [agreement("vote", 0.0)], ["vote"], 0.6),
        ([1, 1, 1, 2, 2], [agreement("vote", 0.4)], ["vote"], 1.0),
        ([1, 1, 1, 2, 2], [agreement("vote", 0.4)], [], 0.6),
        ([1, 1, 1, 2, 2], [agreement("vote", 0.4, 0.2)], [], 0.8),
        ([1, 1, 1, 1, 1], [], ["vote"], 1.0),
        ([1, 1, 2, 2, 2], [], [], 0.0),
        ([5, 5, 5, 5, 5], [agreement("vote", 0.0)], ["vote"], 0.0),
    ],
)
def test_inference_counts_every_record_whose_value_is_learnt_for_certain(sizes, agreeing, sensitive, share):
    diverse = tuple(Diversity(name, 1, 1.0, 0.5, 3) for name in sensitive)
    risk = TableRisk(("age",), np.array(sizes), np.arange(5), diverse)
    attacks = [
        AttackResult(kind, "age", counted(sizes.count(1), 5), 0.2)
        for kind in (AttackKind.UNIQUE, AttackKind.KNOWN_COLUMNS)
    ]
    infer = table_tests(attacks, risk, None, agreeing)[2]
    assert infer.share == pytest.approx(share)
    assert infer.verdict(0.05).startswith("Not met" if share else "Met")
    if share:
        assert infer.about == "the share of records whose vote an intruder learns for certain, unique ones included, is"
    singled = "learns everything else in it: 3 records (60.0%) are unique."
    assert infer.statements[0].endswith(singled) == (sizes.count(1) == 3)


def test_each_share_says_of_which_records_it_is():
    """Those who are not unique and those of the file are different numbers."""
    risk = TableRisk(("age",), np.array([1, 2, 2, 2, 2]), np.arange(5))
    attacks = [AttackResult(kind, "age", counted(1, 5), 0.2) for kind in (AttackKind.UNIQUE, AttackKind.KNOWN_COLUMNS)]
    infer = table_tests(attacks, risk, None, [Agreement("vote", 0.5, 0.4, 0.4, 0.2)])[2]
    assert "Of 4 such records: vote for 50.0% (guessing: 40.0%)." in infer.statements[1]
    assert infer.statements[2] == (
        "Of all 5 records, a value other than the most common one is revealed: vote for 20.0%."
    )


@pytest.mark.parametrize(("high", "said"), [(0.3, True), (0.5, False)])
def test_models_outside_the_interval_are_named(high, said):
    models = [SimpleNamespace(method=name, mean=mean) for name, mean in (("tree", 0.2), ("B", 0.2), ("P", 0.4))]
    among = SimpleNamespace(rows=models, rate=so.Estimate(0.2, 0.1, high, 0.95, 5))
    risk = SimpleNamespace(population=among)
    words = " ".join(assumptions_of_tables(["age"], 3, risk))
    assert "Other models: B 20.0% and P 40.0%." in words
    assert ("The interval is that of the first model alone; P is outside it." in words) is said
