"""What the beginning of a text file says about the rest."""

import pytest

from singleout.reading.text_guesses import HEADER_BYTES, decimal_columns, guess_encoding, guess_separator


@pytest.mark.parametrize(
    ("start", "encoding"),
    [
        (b"plain", "utf-8"),
        ("Zürich".encode(), "utf-8"),
        (b"a" * (HEADER_BYTES - 1) + "ü".encode()[:1], "utf-8"),
        ("Zürich".encode("latin-1"), "latin-1"),
        ("5 €".encode("windows-1252"), "windows-1252"),
        (b"\xff\xfea\0", "utf-16"),
        ("Zürich".encode() + b"\xff", "utf-8"),
        (b"\x81\xff", "utf-8"),
    ],
)
def test_only_what_cannot_be_utf_8_is_taken_for_something_else(start, encoding):
    assert guess_encoding(start) == encoding


def test_a_known_number_of_columns_decides_between_separators():
    assert guess_separator("a;1,5;2,5;3", ["b;1,5;2,5;3"], 4) == ";"
    assert guess_separator("a;1,5,2;3", ["b;1,5,2;3"]) == ","
    assert guess_separator("a;1,5;2", ["b;1,5;2"], 3) == ";"


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["47,12;8"], ("a",)),
        (["47,12;8,123"], ("a", "b")),
        (["1,234;8"], ()),
        (["0,123;8"], ("a",)),
        (["47,12;8", "47.12;8"], ()),
        (["47,12;8", "x;8"], ()),
        (["12;8"], ()),
        (["-3,5;"], ("a",)),
    ],
)
def test_decimal_commas_are_those_that_cannot_divide_thousands(rows, found):
    assert decimal_columns(["a", "b"], rows, ";") == found


def test_commas_that_divide_fields_are_no_decimal_commas():
    assert decimal_columns(["a"], ["1,5"], ",") == ()
