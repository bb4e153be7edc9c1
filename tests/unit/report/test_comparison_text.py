"""Two results as text: for a terminal of 80 columns, and in Markdown that shows names as they are."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from singleout.assessment.comparison import ValueChange, compare_audits
from singleout.report.comparison_text import as_markdown, count_row, rate_in_words, show_comparison
from tests.audits import HOSTILE, events_audit, hostile_audit, table_audit


def shown(found):
    text = io.StringIO()
    show_comparison(found, Console(file=text, width=80))
    return text.getvalue()


@pytest.mark.parametrize("audit", [events_audit, table_audit], ids=["log", "table"])
def test_a_terminal_shows_both_sides_in_80_columns(audit):
    found = compare_audits(audit(), replace(audit(), label="next.csv", seed=3))
    text = shown(found)
    assert max(map(len, text.splitlines())) <= 80
    for words in ("New: next.csv", "No clear change.", "Re-identification rate", "Set differently: seed."):
        assert words in text


def test_markdown_is_a_heading_a_table_and_a_list():
    found = compare_audits(events_audit(), replace(events_audit(), seed=3))
    lines = as_markdown(found).splitlines()
    assert lines[0] == "### ➖ Re-identification risk: no clear change"
    table = [line for line in lines if line.startswith("|")]
    assert all(line.count("|") == 5 for line in table)
    assert table[2] == "| Data | calls.csv | calls.csv |  |"
    assert table[3].startswith("| Re-identification rate | ")
    assert "- Seed: 0 → 3" in lines


def test_no_name_gets_markup_or_lines_into_markdown():
    for label in HOSTILE:
        found = compare_audits(events_audit(), replace(hostile_audit(), label=label))
        text = as_markdown(found)
        assert "<script" not in text
        assert "\n|" not in text.partition("\n\n- ")[2]
        table = text.split("\n\n")[1].splitlines()
        assert all(line.replace("\\|", "").count("|") == 5 for line in table)


def test_what_is_on_one_side_only_is_not_there():
    assert rate_in_words(None) == "not there"
    assert rate_in_words(table_audit().risk).endswith("(exact)")
    assert count_row(ValueChange("k", None, 5)) == ("Smallest group (k)", "not there", "5", "")
    assert count_row(ValueChange("people", 1_200, 1_000)) == ("People", "1,200", "1,000", "−200")
