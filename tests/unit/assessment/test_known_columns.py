"""Known columns that distinguish nobody."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.known_columns import constant_in_words, likely_known_in_words, refuse_constant

PEOPLE = pa.table(
    {
        "age": [n % 7 for n in range(60)],
        "empty": pa.array([None] * 60, pa.string()),
        "same": ["x"] * 60,
        "partly": ["x", None] * 30,
    }
)


def columns(*names, table=PEOPLE):
    return so.read_table(table).encode(names)


def test_columns_without_two_values_are_no_attack():
    with pytest.raises(so.DataError, match="known_columns distinguishes nobody: .empty. has no values and .same. has"):
        refuse_constant(columns("empty", "same"), "audit")


def test_one_column_that_distinguishes_people_is_enough():
    refuse_constant(columns("same", "age"), "audit")
    refuse_constant(columns("partly"), "audit")


def test_a_single_record_has_nobody_to_be_distinguished_from():
    refuse_constant(columns("same", table=PEOPLE.slice(0, 1)), "audit")


def test_those_that_distinguish_nobody_are_named():
    assert constant_in_words(columns("age", "partly")) == ""
    assert constant_in_words(columns("age", "empty")) == (
        "Of the known columns, 'empty' has no values: it distinguishes nobody."
    )
    assert constant_in_words(columns("same", "empty")) == (
        "Of the known columns, 'same' has one value only and 'empty' has no values: they distinguish nobody."
    )


def test_columns_that_others_may_know_as_well_are_named_where_there_is_a_limit():
    names = {name: [n % size for n in range(60)] for name, size in (("diagnosis", 3), ("age", 30), ("postcode", 20))}
    table = pa.table(names | {"note": [f"{n % 7}x" for n in range(60)]})
    asked = {"known_columns": ["diagnosis"], "protect": False, "progress": False}
    said = "Others can often see or look up 'age' and 'postcode' as well; the intruder is assumed not to know them."
    found = so.audit(table, **asked, max_risk=0.2)
    assert said in found.verdict()
    assert found.passed
    assert "No protection is needed" not in found.advice()
    assert said not in so.audit(table, **asked).verdict()
    assert "look up 'age' as well" in so.audit(table.drop(["postcode"]), **asked, k=2).verdict()
    every = {**asked, "known_columns": ["age", "postcode"]}
    assert "look up" not in so.audit(table, **every, max_risk=0.9).verdict()


def test_only_a_few_of_them_are_listed():
    names = ["age", "sex", "town", "birth_year", "postcode", "county"]
    said = likely_known_in_words([*names, "income"], [])
    assert said.startswith("Others can often see or look up 'age', 'sex', 'town', 'birth_year', ")
    assert " and 1 more as well" in said
