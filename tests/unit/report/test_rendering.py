"""plot() and to_html() reach the report."""

import numpy as np

import singleout as so
from singleout.ground.notebooks import Pictured
from singleout.report.charts.registry import _DRAW
from singleout.report.pages.audit import audit_page
from tests.audits import ABOUT, events_audit


def test_every_result_with_a_picture_can_plot_and_no_other():
    kinds = set(_DRAW) - {dict}
    assert all(issubclass(kind, Pictured) for kind in kinds)
    results = {each for each in vars(so).values() if isinstance(each, type) and issubclass(each, Pictured)}
    assert results <= kinds


def test_results_of_tables_show_and_plot_themselves():
    table = so.read_table(so.synthetic_records(seed=0).table)
    found = so.uniqueness(table, columns=["area", "home"])
    assert "<table>" in found._repr_html_()
    assert found.plot().spec == so.chart(found)
    ranking = so.ranking(so.Scores(np.eye(4), list("abcd"), list("abcd")))
    assert ranking.plot().spec["title"]["text"].startswith("How close to the top")


def test_an_audit_writes_its_page(tmp_path):
    events_audit().to_html(tmp_path / "audit.html", about=ABOUT)
    assert (tmp_path / "audit.html").read_text(encoding="utf-8") == audit_page(events_audit(), ABOUT)
