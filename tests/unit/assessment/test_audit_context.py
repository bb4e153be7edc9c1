"""What a report says besides its numbers."""

import duckdb
import numpy as np
import polars
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_context import (
    SKILLS,
    UNEXAMINED,
    counts_apart,
    exposed_records,
    named_risks,
    not_examined,
    note_unexamined,
    pairs_compared,
    residual_risk,
)
from singleout.assessment.audit_parts import AttackResult, ProtectionResult, Size
from singleout.measures.intervals import wilson
from singleout.measures.tables.table_risk import TableRisk
from tests.small_records import numbered_records


def test_every_kind_of_attack_says_what_it_does_and_what_it_takes():
    assert set(SKILLS) == set(AttackKind)
    assert all(kind.does.endswith(".") for kind in AttackKind)


def test_pairs_are_counted_where_people_are_compared():
    joint = AttackResult(AttackKind.JOINT, "js", wilson(1, 10), 0.1)
    assert pairs_compared(joint, Size(30), Size(20)) == 600
    assert pairs_compared(AttackResult(AttackKind.CHANCE, "", wilson(1, 10), 0.1), Size(30), Size(20)) is None


def test_prosecutor_journalist_and_marketer_of_a_table_and_of_a_log():
    table = so.audit(numbered_records(), known_columns=["x"], allow=["x"], progress=False).worst_off.risk
    one, anyone, many = named_risks(wilson(40, 100).in_words(), table, None, None)
    assert (one.found, many.found) == ("up to 100.0% for the record most at risk", "100.0% on average")
    assert anyone.found.startswith("not estimated")
    assert (
        named_risks(wilson(40, 100).in_words(), None, None, 0.97)[0].found == "up to 97.0% for the person most at risk"
    )
    assert named_risks(wilson(40, 100).in_words(), None, None, None)[2].found.startswith("40.0%")
    assert named_risks("at most 20.0%", None, None, None, 5)[0].found == "at most 20.0% for anyone, whatever the attack"
    assert named_risks(wilson(40, 100).in_words(), None, None, None)[0].found == "not shown, since nobody is listed"


def test_another_number_than_that_of_the_answer_is_explained():
    assert counts_apart(wilson(205.4, 728), 205) == ""
    said = counts_apart(wilson(205.4, 728), 208)
    assert "The 205 of the answer are what the strongest attack finds" in said


def test_nobody_is_most_at_risk_below_the_average():
    # the probability of a pair is fitted, and shrunk; that of the only person of a log is 50%
    one, _, many = named_risks(wilson(1, 1).in_words(), None, None, 0.5, average=1.0)
    assert one.found == "at least the average, 100.0%; as estimated for single pairs, up to 50.0%"
    assert many.found.startswith("100.0%")
    assert named_risks("99.84%", None, None, 0.9982, average=0.9984)[0].found == "at least the average, 99.8%"
    assert named_risks("40.0%", None, None, 0.97, average=0.4)[0].found == "up to 97.0% for the person most at risk"


def test_with_two_tables_the_marketers_risk_is_what_was_measured_by_linking():
    table = TableRisk(("age",), np.array([2, 2]), np.array([0, 0]))
    one, _, many = named_risks("41.0%", table, None, None, average=0.41, linked=True)
    assert one.found == "up to 50.0% for the record most at risk, if the intruder knows its exact values"
    assert many.found == "41.0%, measured by linking the two tables"
    assert named_risks("60.0%", table, None, None, average=0.6, linked=True)[0].found.startswith("up to 60.0%")


def test_the_residual_risk_is_the_users_sentence_or_one_from_the_numbers():
    best = ProtectionResult("keep", "5", "keeping five", wilson(1, 100), 0.2, True, "")
    assert residual_risk({"residual_risk": "small"}, 0.498, best, "people") == "small"
    assert residual_risk({}, 0.498, None, "people").startswith("As the data is, up to 49.8% of the people")
    assert residual_risk({}, 0.498, best, "people").endswith("; after keeping five, up to 5.4% on average.")


def test_the_residual_risk_says_which_records_an_average_hides():
    left = ProtectionResult("recode", "", "recoding", wilson(1, 100), 0.2, True, "", singled_out=3, above_limit=40)
    table = TableRisk(("age",), np.array([1, 2, 2]), np.array([0, 1, 1]))
    assert residual_risk({}, 0.9, left, "records", 0.05, table).endswith(
        "after recoding, up to 5.4% on average. 3 records would still be unique; --k 2 would leave none unique. 40 "
        "records, including these, would have a risk of their own above 5.0%."
    )
    assert residual_risk({}, 0.04, None, "records", 0.4, table) == (
        "As the data is, up to 4.0% of the records would be re-identified. 1 record is unique; --k 2 would leave none "
        "unique. 3 records, including this one, have a risk of their own above 40.0%."
    )


def test_without_a_limit_nothing_is_advised_about_unique_records():
    assert exposed_records(2, None, None, after=False) == "2 records are unique."


@pytest.mark.parametrize(
    ("unique", "above", "after", "said"),
    [
        (0, 0, True, ""),
        (0, None, False, ""),
        (2, None, True, "2 records would still be unique; --k 2 would leave none unique."),
        (2, 2, False, "2 records are unique; --k 2 would leave none unique."),
        (0, 1, False, "1 record has a risk of its own above 5.0%."),
        (0, 7, True, "7 records would have a risk of their own above 5.0%."),
    ],
)
def test_exposed_records_are_counted_in_words(unique, above, after, said):
    assert exposed_records(unique, above, 0.05, after=after) == said


def test_what_was_not_examined_is_listed_for_each_kind():
    assert any("exact times" in each for each in not_examined("events"))
    assert any("known columns" in each for each in not_examined("table"))


@pytest.mark.parametrize(
    "given",
    [
        lambda log: log,
        lambda log: log.to_pandas(),
        lambda log: polars.from_arrow(log),
        lambda log: log.to_reader(),
        lambda log: duckdb.connect().from_arrow(log),
    ],
    ids=["arrow", "pandas", "polars", "stream", "duckdb"],
)
def test_columns_that_no_figure_takes_into_account_are_named_whatever_the_data_comes_in(given):
    columns = {"card": ["a", "b"] * 20, "at": list(range(40)), "stop": [n % 3 for n in range(40)], "fare": [1] * 40}
    asked = {"user": "card", "time": "at", "time_unit": "d", "place": "stop", "protect": False, "topology": "no"}
    audit = so.audit(given(pa.table(columns)), **asked, split="weeks", known_pairs=0.0, progress=False)
    assert [each.what for each in audit.notes if each.code == UNEXAMINED] == ["columns not examined (fare)"]


def test_columns_that_no_figure_takes_into_account_come_first_of_what_was_not_examined():
    columns = {"card": ["a", "a", "b", "b"] * 5, "at": list(range(20)), "stop": [n % 3 for n in range(20)]}
    log = pa.table(columns | {"line": ["x"] * 20, "fare": list(range(20))})
    asked = {"user": "card", "time": "at", "time_unit": "d", "place": "stop", "protect": False, "topology": "no"}
    audit = so.audit(log, **asked, split="weeks", known_pairs=0.0, progress=False)
    (line,) = (str(each) for each in audit.notes if each.code == UNEXAMINED)
    assert line.startswith("2 columns not examined (line, fare): an audit of events compares people, times and places")
    assert not_examined("events", audit.notes)[0] == line
    people = pa.table({"no": list(range(40)), "age": [n % 9 for n in range(40)], "score": [n % 4 for n in range(40)]})
    table = so.audit(people, known_columns=["age"], drop=["no"], protect=False, progress=False)
    (line,) = (str(each) for each in table.notes if each.code == UNEXAMINED)
    assert line == "1 column not examined (no): part of no figure; to be removed before the release"
    assert note_unexamined("table", ["a", "__index_level_0__"], ["a"]) == ()
    (many,) = note_unexamined("table", [f"c{n}" for n in range(50)], [])
    assert many.what.endswith("c19, …)")


def test_the_name_of_each_file_is_the_person_and_no_column_that_was_not_examined(tmp_path):
    for number in range(8):
        lines = [f"2025-09-{day:02} 08:00,s{(number + day) % 5},1" for day in range(1, 29)]
        (tmp_path / f"p{number}.csv").write_text("\n".join(["time,stop,fare", *lines]))
    asked = {"user_from_name": True, "time": "time", "place": "stop", "protect": False, "topology": "no"}
    audit = so.audit(tmp_path, **asked, split="weeks", known_pairs=0.0, progress=False)
    assert [each.what for each in audit.notes if each.code == UNEXAMINED] == ["columns not examined (fare)"]
