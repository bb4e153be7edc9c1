"""Names of columns from a first row."""

import pytest

from singleout.reading.names import fill_names, has_same_names, has_values, look_like_names, make_distinct, same_name


def test_gaps_are_filled_with_new_names():
    assert fill_names(["a", "", "column1", ""]) == ("a", "column1_", "column1", "column3")


def test_names_that_differ_in_case_only_get_a_number():
    assert make_distinct(("Id", "id", "ID")) == ("Id", "id_1", "ID_2")


@pytest.mark.parametrize(
    ("names", "looks"),
    [
        (["user", "time_at"], True),
        (["Ann Smith", "3"], False),
        (["1"], False),
        (["a.b", "c-d"], True),
        (["birth date", "height (cm)", "level of education"], True),
        (["Bahnhofstr. 12"], False),
    ],
)
def test_data_does_not_look_like_names(names, looks):
    assert look_like_names(names) is looks


def test_the_same_name_twice_is_an_error():
    assert has_same_names(["a", "b", "a"])
    assert not has_same_names(["a", "b"])
    told = str(same_name("t.csv", ["Ann", "", "4711", "", "Ann"]))
    assert "columns 1 and 5 of t.csv have the same name" in told
    assert "Ann" not in told, "the first line may be a record"


@pytest.mark.parametrize(
    ("line", "is_data"),
    [
        ("31.12.2025,14:05,stop", True),
        ("47.37;8.54;a", True),
        ('"2025-12-31T14:05:00Z"|x', True),
        ("day,clock,stop", False),
        ("person,2019,2020", False),
        ("q1,q2", False),
        ("first name\t2nd name", False),
    ],
)
def test_lines_with_numbers_dates_or_times_are_records(line, is_data):
    assert has_values(line) is is_data
