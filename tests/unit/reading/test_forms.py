"""What is said about how a file is written."""

import pytest

import singleout as so
from singleout.reading.forms import FILE_NAME, Form, are_names, is_delimiter, make_form, user_column


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"encoding": "utf-32"}, "encoding must be one of utf-8, latin-1, windows-1252, utf-16"),
        ({"delimiter": "ab"}, "delimiter must be one character"),
        ({"decimal": ","}, "decimal must be one of point, comma"),
        ({"columns_are": ["a", "A"]}, "columns_are must be different names"),
        ({"columns_are": "a,b"}, "columns_are must be a list of names"),
    ],
)
def test_what_cannot_be_meant_is_refused(given, message):
    nothing = {"encoding": None, "delimiter": None, "decimal": None, "columns_are": None}
    with pytest.raises(so.InputError, match=message):
        make_form(**(nothing | given), function="read_table")


def test_delimiters_are_signs_or_the_word_tab():
    assert all(map(is_delimiter, [",", ";", "\t", "|", " ", "~", "tab"]))
    assert not any(map(is_delimiter, ["", "a", "1", '"', "'", ".", "\n", "é", ",,", 3]))
    assert Form(delimiter="tab").separator == "\t"


def test_names_differ_and_are_not_empty():
    assert are_names(["a", "b"])
    assert not any(map(are_names, [[], ["a", ""], ["a", "A"]]))


def test_the_person_is_a_column_or_the_name_of_the_file():
    assert user_column("who", Form()) == "who"
    assert user_column(None, Form(user_from_name=True)) == FILE_NAME
    with pytest.raises(so.InputError, match="user must be the name of a column"):
        user_column(None, Form())
    with pytest.raises(so.InputError, match="give either user or user_from_name, not both"):
        user_column("who", Form(user_from_name=True))
