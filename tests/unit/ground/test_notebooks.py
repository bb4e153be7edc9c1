"""Results in notebooks: a table of what they say, every text escaped, nothing revealed."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.ground import notebooks
from singleout.ground.notebooks import MOST_ROWS, Described, Shown, Tabular, column_of_cells
from tests.small_logs import noisy_sides


@dataclass(frozen=True)
class Told(Tabular):
    table: pa.Table

    def to_arrow(self):
        return self.table

    def __repr__(self):
        return "Told(<b>, 3)\nsecond line"


def test_every_text_is_escaped_and_numbers_are_short():
    shown = Told(pa.table({"<script>": ["a & b", None], "share": [0.123456789, 1.0]}))._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "a &amp; b" in shown
    assert '<td style="text-align: right">0.123</td>' in shown
    assert '<td style="text-align: right">1.000</td>' in shown, "as many decimals as the others"
    assert '<td style="text-align: left">a &amp; b</td>' in shown
    assert "Told(&lt;b&gt;, 3)" in shown
    assert "second line" not in shown


def test_long_tables_are_cut_and_say_so():
    shown = Told(pa.table({"x": list(range(MOST_ROWS + 3))}))._repr_html_()
    assert shown.count("<tr>") == MOST_ROWS + 1
    assert "3 more rows" in shown


def test_numbers_of_a_column_have_the_same_decimals_and_what_is_small_is_not_nothing():
    assert column_of_cells([0.75, 0.8841, None, 0.0]) == ["0.750", "0.884", "", "0.000"]
    assert column_of_cells([0.00041, 0.5]) == ["0.00041", "0.500"]
    assert column_of_cells([1234.56, 7.1]) == ["1,235", "7"]
    assert column_of_cells([float("inf"), 1.5]) == ["inf", "1.500"]
    assert column_of_cells([12_345, True, ["a", "b"], "x"]) == ["12,345", "True", "a, b", "x"]
    assert column_of_cells([]) == []


def test_notes_stand_below_the_table_and_are_escaped():
    class Noted(Told):
        notes = (so.Note(2, "people", "<i>left</i>"),)

    shown = Noted(pa.table({"x": [1]}))._repr_html_()
    assert "<li>2 people: &lt;i&gt;left&lt;/i&gt;</li>" in shown


def test_facts_are_one_row_each():
    class Data(Described):
        def facts(self):
            return {"people": 1_234, "columns": ["a", "b"]}

        def __repr__(self):
            return "Data(1,234 people)"

    shown = Data()._repr_html_()
    assert "1,234" in shown
    assert "a, b" in shown
    assert shown.count("<tr>") == 3


def test_a_summary_is_one_row_per_number():
    shown = so.accuracy(so.match(*noisy_sides()))._repr_html_()
    assert shown.count("<tr>") == 1 + 9
    assert "random precision" in shown
    assert '</td><td style="text-align: left">40</td>' in shown, "common"


@pytest.mark.parametrize(("library", "method"), [("pandas", "to_pandas"), ("polars", "to_polars")])
def test_a_library_that_is_missing_is_named_with_what_to_install(monkeypatch, library, method):
    monkeypatch.setattr(notebooks, "find_spec", lambda name: None)
    with pytest.raises(
        so.InputError, match=f"{method}: {library} is not installed. Install it: pip install {library}$"
    ):
        getattr(Told(pa.table({"x": [1]})), method)()


def test_results_show_themselves_without_ids():
    rng = np.random.default_rng(0)
    ids, places = [f"eve-{k}" for k in range(20)], [f"clinic-{k}" for k in range(6)]
    sides = [so.Histograms(rng.integers(1, 9, (20, 6)), ids, places) for _ in "ab"]
    matching = so.match(*sides)
    micro = so.Protection("micro", [2], lambda x, k, trial: so.microaggregate(x, k), intruder_applies_it=False)
    for result in (
        matching,
        so.ladder(*sides, similarities=["js"]),
        so.frontier(*sides, [micro]),
        so.precision_by_margin(matching),
        so.microaggregate(sides[0], 2),
        matching.explain(0),
    ):
        shown = result._repr_html_()
        assert "<table>" in shown
        assert "eve-" not in shown
        assert "clinic-" not in shown


def test_whoever_cannot_tell_a_table_says_so():
    for part in (Tabular().to_arrow, Described().facts, Shown()._shown_table):
        with pytest.raises(NotImplementedError, match="^$"):
            part()
