"""The part of a file that is read."""

import pytest

import singleout as so
from singleout.reading.parts import Part, choose_part, label_files


def test_the_only_part_is_taken_and_any_part_can_be_chosen():
    assert choose_part("a.db", "table", ["taps"], None) == "taps"
    assert choose_part("a.db", "table", ["taps", "people"], Part("table", "people")) == "people"


@pytest.mark.parametrize(
    ("there", "part", "message"),
    [
        ([], None, "a.db has no table with data"),
        (["x y", "z"], None, r"a.db has 2 tables: x y, z. Choose one: 'a.db\?table=x y' or 'a.db\?table=z'$"),
        (["taps"], Part("table", "tabs"), r"a.db has no table 'tabs'. It has taps. Did you mean 'taps'\?"),
        (["taps"], Part("sheet", "taps"), r"choose one with \?table=, not \?sheet="),
        ([f"t{n}" for n in range(12)], None, r"t9 and 2 more. Choose one: .* or 'a.db\?table=t9'$"),
    ],
)
def test_a_part_that_is_missing_or_not_chosen_is_named(there, part, message):
    with pytest.raises(so.SourceError, match=message):
        choose_part("a.db", "table", there, part)


def test_one_file_goes_by_its_path_and_several_by_their_number(tmp_path):
    first, second = tmp_path / "anna.csv", tmp_path / "bob.csv"
    assert label_files([first]) == {first: str(first)}
    assert label_files([first, second]) == {first: "file 1 of 2 (by name)", second: "file 2 of 2 (by name)"}
    assert label_files([first], always=True) == {first: "file 1 of 1 (by name)"}


def test_of_a_file_whose_name_is_not_shown_a_part_is_chosen_after_the_name_of_the_source():
    choice = r"'\?sheet=May' or '\?sheet=June' after the name of the source$"
    message = rf"file 1 of 2 \(by name\) has 2 sheets: May, June. Choose one: {choice}"
    with pytest.raises(so.SourceError, match=message):
        choose_part("file 1 of 2 (by name)", "sheet", ["May", "June"], None)
