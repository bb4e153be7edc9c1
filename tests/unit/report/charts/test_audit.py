"""Pictures of an audit: every number of it is in them, and drawn by Vega-Lite without a complaint."""

import json
import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
import vl_convert

import singleout as so
from singleout.assessment.audit_parts import Cause
from singleout.report.charts.audit import bars_with_chance, cause_bars, curve_line, figures, protection_points
from singleout.similarity.registry import similarity_name
from tests.audits import HOSTILE, events_audit, hostile_audit, table_audit


@pytest.fixture(scope="module")
def audit():
    return events_audit()


def test_the_ladder_holds_every_attack_with_its_baseline(audit):
    rows = so.chart(audit)["data"]["values"]
    assert [row["value"] for row in rows] == [each.rate.value for each in audit.attacks]
    assert [row["random"] for row in rows] == [each.random for each in audit.attacks]
    darkest = max(rows, key=lambda row: row["strength"])
    assert darkest["name"] == f"{audit.strongest.kind.label}: {similarity_name(audit.strongest.by)}"
    names = [row["name"] for row in rows]
    assert len(set(names)) == len(names), "bars of one name would be drawn over each other"
    assert max(map(len, names)) <= 51, "a longer one is cut on a narrow screen"


def test_attacks_beyond_reach_are_pale():
    rng = np.random.default_rng(0)
    table = pa.table({"age": rng.integers(0, 90, 300), "town": rng.integers(0, 9, 300)})
    rows = so.chart(so.audit(table, known_columns=["age"], progress=False))["data"]["values"]
    assert min(row["strength"] for row in rows) == rows[-1]["strength"]


def last_tick(drawn, width):
    """The largest share at the axis of a chart as it is drawn."""
    labels = re.findall(r">(\d+(?:\.\d+)?)%</text>", vl_convert.vegalite_to_svg(drawn | {"width": width}))
    return max(map(float, labels)) / 100


@pytest.mark.parametrize("most", [0.004, 0.0437, 0.22, 0.31, 0.59, 0.866, 0.995, 1.0])
@pytest.mark.parametrize("width", [300, 800])
def test_nothing_in_a_chart_is_beyond_the_last_tick_of_its_axis(audit, most, width):
    row = {"name": "joint", "value": 0.9 * most, "low": 0.8 * most, "high": most, "random": 0.0, "strength": 1.0}
    assert last_tick(bars_with_chance([row], 0.95, None), width) >= most
    step = replace(audit.curves[0].points[0], rate=so.Estimate(0.9 * most, 0.8 * most, most, 0.95, 100))
    flat = replace(audit.curves[0], extrapolated=None, points=(step, replace(step, at=1_000.0)))
    assert last_tick(curve_line(flat, None), width) >= most
    assert last_tick(cause_bars([Cause("a", most)]), width) >= most
    lossy = replace(audit.protections[0], loss=1.1 * most, rate=step.rate)
    assert last_tick(protection_points([lossy], None, None), width) >= 1.1 * most


def test_curves_tell_measured_from_guessed(audit):
    people = figures(audit)["curve-1"]
    guess = audit.curves[0].extrapolated
    assert people.rows[-1][-1] == "no, extrapolated"
    assert {row[-1] for row in people.rows[:-1]} == {"yes"}
    assert guess.warning in people.caption
    dashed = [layer for layer in people.spec["layer"] if layer["mark"].get("strokeDash") == [5, 4]]
    assert dashed[0]["data"]["values"][-1]["at"] == guess.people


def test_an_interval_is_spoken_of_only_where_there_is_one(audit):
    shown = figures(table_audit())
    for name in ("ladder", "protections", "curve-2"):
        assert "interval" not in shown[name].caption
        assert "All figures are exact." in shown[name].caption
    of_records = shown["curve-1"]
    assert "Band: 95% interval; none where exact." in of_records.caption, "fewer records are drawn"
    assert of_records.rows[-1][2:] == ("exact", "")
    assert "exact" not in of_records.rows[0]
    captions = {name: figure.caption for name, figure in figures(audit).items()}
    assert "Lines: 95% interval. " in captions["ladder"]
    assert "Band: 95% interval. " in captions["curve-1"]
    assert "Lines: 95% interval. " in captions["protections"]


def test_a_curve_that_begins_at_nothing_is_not_logarithmic(audit):
    steps = (replace(audit.curves[0].points[0], at=0.0), *audit.curves[0].points[1:])
    drawn = curve_line(replace(audit.curves[0], points=steps), 0.05)
    assert drawn["layer"][0]["encoding"]["x"]["scale"]["type"] == "linear"


def test_the_recommended_protection_is_the_one_marked(audit):
    rows = figures(audit)["protections"].spec["data"]["values"]
    assert [(row["protection"], row["does"]) for row in rows if row["best"]] == [
        ("averaged groups", audit.recommended.does)
    ]
    assert [row["on_frontier"] for row in rows] == [each.on_frontier for each in audit.protections]


def test_every_picture_has_its_numbers_as_a_table(audit):
    for figure in figures(audit).values():
        assert figure.rows
        assert all(len(row) == len(figure.heading) for row in figure.rows)
    assert set(figures(table_audit())) == {"risk", "ladder", "curve-1", "curve-2", "clearest", "causes", "protections"}


@pytest.mark.parametrize("make", [events_audit, table_audit, hostile_audit])
def test_vega_lite_draws_them_all(make):
    for figure in figures(make()).values():
        json.dumps(figure.spec, allow_nan=False)
        assert vl_convert.vegalite_to_svg(figure.spec).startswith("<svg")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_name_of_an_axis_breaks_a_picture(audit, text):
    drawn = vl_convert.vegalite_to_svg(curve_line(replace(audit.curves[1], axis=text, title=text), 0.05))
    assert drawn.startswith("<svg")


def test_axes_of_curves_show_the_points_measured_and_the_population(audit):
    asked = [*(step.at for step in audit.curves[0].points), 1_000_000.0]
    axis = curve_line(audit.curves[0], None)["layer"][0]["encoding"]["x"]["axis"]
    assert axis["values"] == asked


def test_no_word_hides_marks_of_protections(audit):
    drawn = figures(audit)["protections"].spec
    assert all(layer["mark"]["type"] != "text" or "risk limit" in str(layer) for layer in drawn["layer"])
    assert drawn["title"]["subtitle"].endswith("Ringed: recommended.")
    assert "Ringed" not in protection_points(audit.protections, None, None)["title"]["subtitle"]


def test_a_table_of_a_curve_says_what_was_measured_only_where_something_was_not(audit):
    found = figures(audit)
    assert found["curve-1"].heading[-1] == "measured"
    assert {row[-1] for row in found["curve-1"].rows} == {"yes", "no, extrapolated"}
    assert "measured" not in found["curve-2"].heading
