"""Rows of a table that are events: refused where that is clear, a doubt in words otherwise."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.table_rows import doubt_rows

TIMES = [f"2024-01-{n % 28 + 1:02} 1{n % 10}:00:00" for n in range(60)]


def test_people_leave_no_doubt():
    table = so.read_table(pa.table({"age": [n % 7 for n in range(60)], "sex": [n % 2 for n in range(60)]}))
    assert doubt_rows(table, ("age",), "audit") == ""


def test_the_survey_weight_is_no_id():
    columns = {"town": [f"t{n % 5}" for n in range(60)], "w": [100 + n % 12 for n in range(60)]}
    assert "column 'w' has 12 values" in doubt_rows(so.read_table(pa.table(columns)), ("town",), "audit")
    assert doubt_rows(so.read_table(pa.table(columns), survey_weight="w"), ("town",), "audit") == ""


def test_times_alone_are_a_doubt_with_the_command_to_run_instead():
    table = so.read_table(pa.table({"age": [n % 7 for n in range(60)], "seen": TIMES}))
    doubt = doubt_rows(table, ("age",), "audit", ["--encoding", "latin-1"])
    assert doubt.startswith("Rows may be events rather than people: column 'seen' holds times of day. ")
    assert "singleout audit SOURCE --user COLUMN --time seen --place COLUMN --encoding latin-1\n" in doubt


def test_the_command_to_run_instead_is_what_is_proposed_for_the_file():
    hours = {"day": [f"{n % 28 + 1:02}.09.2025" for n in range(60)], "hour": [n % 12 + 8 for n in range(60)]}
    table = so.read_table(
        pa.table({"door": [n % 9 for n in range(60)], "who": [f"c{n % 12}" for n in range(60)]} | hours)
    )
    with pytest.raises(so.DataError, match="this looks like an event log") as refused:
        doubt_rows(table, ("door",), "audit")
    assert "singleout audit SOURCE --user who --time hour --date day --place door\n" in str(refused.value)


def test_a_log_is_refused_in_the_name_of_the_command():
    table = so.read_table(pa.table({"card": [f"c{n % 12}" for n in range(60)], "seen": TIMES}))
    with pytest.raises(so.DataError, match="suda: this looks like an event log: column 'card' has 12 values"):
        doubt_rows(table, (), "suda")


def test_the_column_that_is_named_for_people_is_the_person_even_if_the_intruder_knows_it():
    table = so.read_table(
        pa.table({"card_id": [n // 5 for n in range(60)], "seen": TIMES, "line": [f"L{n % 20}" for n in range(60)]})
    )
    with pytest.raises(so.DataError, match="column 'card_id' has 12 values in 60 rows"):
        doubt_rows(table, ("card_id", "line"), "audit")


def test_copies_are_a_doubt():
    rows = {"age": [n % 80 for n in range(80)] * 25, "town": [f"t{n % 9}" for n in range(80)] * 25}
    doubt = doubt_rows(so.read_table(pa.table(rows)), ("age",), "audit")
    assert doubt.startswith("Rows may be copies: each of the 80 different rows occurs 25 times.")
    coinciding = {"age": [min(age, 77) for age in rows["age"]], "town": ["t0"] * 2_000}
    doubt = doubt_rows(so.read_table(pa.table(coinciding)), ("age",), "audit")
    assert doubt.startswith("Rows may be copies: each of the 78 different rows occurs 25 times, or a multiple of that.")
    one_less = {name: values[:-1] for name, values in rows.items()}
    assert doubt_rows(so.read_table(pa.table(one_less)), ("age",), "audit") == ""


def test_waves_of_a_survey_are_a_doubt():
    """k = 2 is a person with themselves: one column that numbers the waves must not hide that."""
    people = so.synthetic_records(seed=3).table
    assert doubt_rows(so.read_table(people), ["area"], "audit") == ""
    waves = [people.append_column("wave", pa.array([wave] * people.num_rows)) for wave in (1, 2)]
    doubt = doubt_rows(so.read_table(pa.concat_tables(waves)), ["area"], "audit")
    assert doubt.startswith("Rows may be the same people several times: apart from 'wave', each of the ")
    assert "Keep one row of each person." in doubt
    assert "--one-row-per-person" in doubt
