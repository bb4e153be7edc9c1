"""How a source is written, where that is said and not guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from singleout.ground.errors import InputError, bad_argument

DIRECT = ("utf-8", "latin-1")
"""Encodings that the database reads; files in the others are converted first."""
ENCODINGS = (*DIRECT, "windows-1252", "utf-16")
DECIMALS = ("point", "comma")
DELIMITER = "one character that is neither a letter, a digit, a quote nor a point, or tab"
FILE_NAME = "file name"
"""The column that holds the name of each file, where there is one file per person."""


@dataclass(frozen=True)
class Form:
    """How files are written; None: recognised. ``columns_are`` are the names where no first row gives them."""

    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    columns_are: tuple[str, ...] | None = None
    user_from_name: bool = False

    def check(self, function: str) -> None:
        """Refuse what cannot be meant."""
        if self.encoding is not None and self.encoding not in ENCODINGS:
            convert = "Convert files in other encodings first, for example: iconv -f CP1251 -t UTF-8 in.csv > out.csv"
            raise bad_argument(function, "encoding", f"one of {', '.join(ENCODINGS)}", self.encoding, convert)
        if self.delimiter is not None and not is_delimiter(self.delimiter):
            raise bad_argument(function, "delimiter", DELIMITER, self.delimiter)
        if self.decimal is not None and self.decimal not in DECIMALS:
            raise bad_argument(function, "decimal", f"one of {', '.join(DECIMALS)}", self.decimal)
        if self.columns_are is not None and not are_names(self.columns_are):
            raise bad_argument(function, "columns_are", NAMES, list(self.columns_are))

    @property
    def separator(self) -> str | None:
        """The character between fields, if it was given."""
        return "\t" if self.delimiter == "tab" else self.delimiter


NAMES = "different names, one for each column of the file"


def make_form(
    encoding: str | None,
    delimiter: str | None,
    decimal: str | None,
    columns_are: Sequence[str] | None,
    *,
    user_from_name: bool = False,
    function: str,
) -> Form:
    """What was said about how a source is written, checked."""
    if columns_are is not None and (isinstance(columns_are, str) or not all(isinstance(n, str) for n in columns_are)):
        raise bad_argument(function, "columns_are", "a list of names, such as ['user', 'time', 'place']", columns_are)
    names = None if columns_are is None else tuple(columns_are)
    form = Form(encoding, delimiter, decimal, names, user_from_name)
    form.check(function)
    return form


def is_delimiter(text: object) -> bool:
    """Whether a text can separate fields."""
    if not isinstance(text, str):
        return False
    return text == "tab" or (len(text) == 1 and text.isascii() and not text.isalnum() and text not in "\"'.\n\r\0")


def are_names(names: Sequence[str]) -> bool:
    """Whether names can be those of columns."""
    return bool(names) and all(names) and len({name.casefold() for name in names}) == len(names)


def user_column(user: str | None, form: Form) -> str:
    """The column that identifies the person: the one named, or the name of each file."""
    if form.user_from_name and user not in (None, FILE_NAME):
        raise InputError("give either `user` or `user_from_name`, not both.", function="read_events")
    if form.user_from_name:
        return FILE_NAME
    if user is None:
        raise bad_argument("read_events", "user", "the name of a column", None)
    return user
