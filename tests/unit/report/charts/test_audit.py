"""Pictures of an audit: every number of it is in them, and drawn by Vega-Lite without a complaint."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
import vl_convert

import singleout as so
from singleout.report.charts.audit import curve_line, figures
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


def test_curves_tell_measured_from_guessed(audit):
    people = figures(audit)["curve-1"]
    guess = audit.curves[0].extrapolated
    assert people.rows[-1][-1] == "no, extrapolated"
    assert {row[-1] for row in people.rows[:-1]} == {"yes"}
    assert guess.warning in people.caption
    dashed = [layer for layer in people.spec["layer"] if layer["mark"].get("strokeDash") == [5, 4]]
    assert dashed[0]["data"]["values"][-1]["at"] == guess.people


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
