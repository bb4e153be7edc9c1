"""Results in notebooks: a table of what they say, every text escaped, nothing revealed."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.ground.notebooks import MOST_ROWS, Tabular


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
    assert "0.1235" in shown
    assert "Told(&lt;b&gt;, 3)" in shown
    assert "second line" not in shown


def test_long_tables_are_cut_and_say_so():
    shown = Told(pa.table({"x": list(range(MOST_ROWS + 3))}))._repr_html_()
    assert shown.count("<tr>") == MOST_ROWS + 1
    assert "3 more rows" in shown


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
    with pytest.raises(NotImplementedError, match="^$"):
        Tabular().to_arrow()
