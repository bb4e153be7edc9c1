"""A verification on a terminal: the attacks, the answer, and what the file guarantees."""

import io

import pytest
from rich.console import Console

import singleout as so
from singleout.report.verification_text import show_verification
from tests.audits import table_audit
from tests.small_releases import COLUMNS, small_release


def shown(found):
    text = io.StringIO()
    show_verification(found, Console(file=text, width=80))
    return text.getvalue()


@pytest.mark.parametrize("key", [True, False])
def test_it_fits_80_columns_and_says_what_the_file_guarantees(key):
    made = small_release(microaggregate=5)
    found = so.verify(made.protected, made.log, key=made.key if key else None, **COLUMNS, progress=False)
    text = shown(found)
    assert max(map(len, text.splitlines())) <= 80
    said = " ".join(text.split())
    for words in (found.sentence(), found.file.in_words(), found.file.estimate_in_words(), "at most, whatever the"):
        assert words in said
    assert said.count(found.file.in_words()) == 1


def test_a_table_is_shown_as_an_audit():
    assert "guarantees" not in shown(table_audit())
