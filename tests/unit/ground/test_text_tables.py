"""Text tables: alignment, widths from the content, blanks."""

import numpy as np
import pytest

import singleout as so
from singleout.ground.notes import WIDTH
from singleout.ground.text_tables import align_rows


def test_text_is_aligned_left_and_numbers_right_under_their_heads():
    rows = [("antenna", 12, 0.03, "[1, 9]"), ("x", np.int64(1_234), np.float64(0.97), None)]
    assert align_rows(rows, "place:<", "people:>,", "share:>.1%", "interval:<") == [
        "place    people  share  interval",
        "antenna      12   3.0%  [1, 9]",
        "x         1,234  97.0%",
    ]


def test_text_in_a_column_of_numbers_stays_as_it_is_and_results_print_themselves():
    rows = [("all", so.Estimate(0.5, 0.25, 0.75, 0.95, 10)), (5, "0.04%")]
    assert align_rows(rows, "top:>.1f", "rate:<") == ["top  rate", "all  50.0% [25.0%, 75.0%]", "5.0  0.04%"]


def test_rows_may_end_early_and_be_none():
    assert align_rows([("… 3 more",), ("at random", None, 7)], "a:<", "b:>", "c:>") == [
        "a          b  c",
        "… 3 more",
        "at random     7",
    ]
    assert align_rows([], "a:<", "b:>") == ["a  b"]
    assert align_rows([], ":<", ":>") == []


def test_without_heads_there_is_no_line_of_them_and_an_indent_goes_before_every_line():
    assert align_rows([("a", 1), ("b", 10)], ":<", ":>", indent=2) == ["  a   1", "  b  10"]


@pytest.mark.parametrize(("longest", "gap"), [(70, 2), (74, 2), (75, 1), (76, 1), (77, 2), (200, 2)])
def test_one_blank_separates_columns_if_only_then_the_table_fits(longest, gap):
    (line,) = align_rows([("x" * longest, 1, 2)], ":<", ":>", ":>")
    assert line == "x" * longest + " " * gap + "1" + " " * gap + "2"
    assert gap == 2 or WIDTH - 2 < len(line) <= WIDTH
