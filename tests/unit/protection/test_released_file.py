"""Protected files: what is quoted for spreadsheets stays one to one."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from singleout.protection.released_file import sort_rows, without_formulas


@given(st.lists(st.text(alphabet="'=+-@a\t", max_size=4), unique=True))
def test_quoting_runs_no_formula_and_keeps_names_apart(names):
    quoted = without_formulas(pa.table({"place": pa.array(names, pa.string())}))["place"].to_pylist()
    assert len(set(quoted)) == len(names)
    assert not [name for name in quoted if name.startswith(("=", "+", "-", "@", "\t"))]
    assert [name.removeprefix("'") if name[:1] == "'" else name for name in quoted] == names


def test_an_apostrophe_is_quoted_too():
    quoted = without_formulas(pa.table({"place": ["=1", "'=1", "x'"], "share": [0.5, 0.25, 0.25]}))
    assert quoted["place"].to_pylist() == ["'=1", "''=1", "x'"]


def test_rows_with_values_that_have_no_order_are_sorted_too():
    table = pa.table({"a": [[2], [1], None], "b": pa.array(["y", "x", "y"]).dictionary_encode()})
    assert sort_rows(table)["a"].to_pylist() == [[1], [2], None]
    assert sort_rows(table.take([2, 0, 1])).equals(sort_rows(table))
