"""The chart of two results: a bar each, and a limit only where it is the same."""

from dataclasses import replace

import vl_convert

import singleout as so
from singleout.assessment.comparison import compare_audits
from singleout.report.charts.comparison import comparison_figure
from tests.audits import events_audit


def test_old_and_new_have_a_bar_each_with_its_interval():
    found = compare_audits(events_audit(), replace(events_audit(), label="next.csv"))
    drawn = so.chart(found)
    assert [row["name"] for row in drawn["data"]["values"]] == ["old: calls.csv", "new: next.csv"]
    assert drawn["data"]["values"][0]["high"] == events_audit().risk.high
    assert "risk limit" in str(drawn)
    assert vl_convert.vegalite_to_svg(drawn).startswith("<svg")
    assert found.plot().spec == drawn


def test_different_limits_are_not_drawn():
    found = compare_audits(events_audit(), replace(events_audit(), risk_limit=0.2))
    assert "risk limit" not in str(so.chart(found))


def test_the_numbers_are_there_as_a_table():
    figure = comparison_figure(compare_audits(events_audit(), events_audit()))
    assert [row[0] for row in figure.rows] == ["old", "new"]
    assert all(len(row) == len(figure.heading) for row in figure.rows)
