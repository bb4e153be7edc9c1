"""A text file that cannot be read is refused with the line, the row and the reason."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout._kernels.text import START, find_fault
from tests.small_sources import rows_of


def test_mixed_ends_of_lines_and_unreadable_text_are_named(tmp_path):
    for content, message in (
        (b"a,b\n1,2\r\n3,4\n", "mixes line endings"),
        (b"a,b\n\xe9,2\n", "is not UTF-8 text at line 2"),
        (b"\xe9,b\n1,2\n", "is not UTF-8 text at line 1"),
        (b'a,b\n"1,2\n3,4\n', "line 2 .*: misplaced quote"),
        (b'"a,b\n1,2\n', "header line of .* has a misplaced quote"),
        (b"\n \n\n", "is empty"),
    ):
        (tmp_path / "t.csv").write_bytes(content)
        with pytest.raises(so.SourceError, match=message):
            len(so.read_table(tmp_path / "t.csv", encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nu1,p\nu2,p,,,\n", r", line 3 \(row 2\): 3 or more fields instead of 2"),
        ("a,b\nu1,p\nu2,p,,", r", line 3 \(row 2\): 3 or more fields instead of 2"),
        ("a,b\nu1,p\nu2,p, \n", r", line 3 \(row 2\): 3 or more fields instead of 2"),
        ('a,b\n"u\n1",p\n"u\n2",p\nu3\n', r", line 6 \(row 3\): 1 field instead of 2"),
        ('a,b\r\n"u\r\n1",p\r\nu3,p,x\r\n', r", line 4 \(row 2\): 3 or more fields instead of 2"),
        ("\n\na,b\n\n1,2\n\n3", r", line 7 \(row 2\): 1 field instead of 2"),
    ],
)
def test_a_row_with_other_than_the_fields_of_the_header_is_named_by_line_and_row(tmp_path, text, message):
    (tmp_path / "t.csv").write_bytes(text.encode())
    with pytest.raises(so.SourceError, match=message):
        len(so.read_table(tmp_path / "t.csv"))
    with pytest.raises(so.SourceError, match=message):
        so.histograms(so.read_events(tmp_path / "t.csv", user="a", place="b"))


def test_one_separator_at_the_end_of_a_row_does_not_matter(tmp_path):
    (tmp_path / "t.csv").write_text('a,b\nu1,p,\n"u2",p,\nu3,,\n')
    assert rows_of(so.read_table(tmp_path / "t.csv")) == [("u1", "p"), ("u2", "p"), ("u3", None)]


@pytest.mark.parametrize("field", [' "u1"', '"u1" ', '  "u1" ', '"u1"x', '"u1" x', '"u1', ' "u1" "'])
def test_a_quoted_field_begins_and_ends_at_a_separator(tmp_path, field):
    for record in (f"{field},p", f"p,{field}"):
        (tmp_path / "t.csv").write_text(f"a,b\nu1,p\n{record}\n")
        with pytest.raises(so.SourceError, match=r", line 3 \(row 2\): misplaced quote"):
            rows_of(so.read_table(tmp_path / "t.csv"))


def test_blanks_and_quotes_inside_a_plain_field_are_text(tmp_path):
    (tmp_path / "t.csv").write_text('a,b\n u1 ,5" pipe\n"""u1""",x\n')
    assert rows_of(so.read_table(tmp_path / "t.csv")) == [(" u1 ", '5" pipe'), ('"u1"', "x")]


@given(st.text(alphabet='a, "\n\r', max_size=40), st.lists(st.integers(1, 7), max_size=4), st.integers(1, 3))
def test_faults_do_not_depend_on_where_a_piece_ends(text, cuts, width):
    data = np.frombuffer(text.encode(), np.uint8)
    whole = find_fault(data, ord(","), width, 99, START)
    fault, state = 0, START
    for piece in np.split(data, np.minimum(np.cumsum(cuts), len(data))):
        if not fault:
            fault, state = find_fault(piece, ord(","), width, 99, state)
    assert (fault, state) == whole


def test_files_that_cannot_be_read_are_refused_with_the_cause_and_the_row(tmp_path):
    (tmp_path / "t.csv").write_bytes(b'a,b\n"x\ny",2\n1,\x80\n')
    with pytest.raises(
        so.SourceError, match=r"is not Latin-1 text at line 4 \(row 2\). It is most likely Windows-1252"
    ):
        rows_of(so.read_table(tmp_path / "t.csv", encoding="latin-1"))
    with pytest.raises(so.SourceError, match=r"is not UTF-8 text at line 4 \(row 2\)"):
        rows_of(so.read_table(tmp_path / "t.csv", encoding="utf-8"))
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n1," + b"x" * 3_000_000 + b"\n")
    with pytest.raises(so.SourceError, match=r", line 3 \(row 2\): a row of more than 2 MB"):
        rows_of(so.read_table(tmp_path / "t.csv"))
