"""Pictures: every number of the result is in the data of the picture, and nothing that names a person or place."""

import json

import numpy as np
import pytest

import singleout as so


@pytest.fixture(scope="module")
def sides():
    rng = np.random.default_rng(0)
    taste = rng.gamma(0.4, size=(30, 8))
    ids, places = [f"eve-{k}" for k in range(30)], [f"clinic-{k}" for k in range(8)]
    return [so.Histograms(rng.poisson(8 * taste) + 1, ids, places) for _ in "ab"]


def test_a_frontier_is_drawn_with_risk_against_loss(sides):
    micro = so.Protection("micro", [3, 5], lambda x, k, trial: so.microaggregate(x, k), intruder_applies_it=False)
    frontier = so.frontier(*sides, [micro])
    spec = so.chart(frontier)
    rows = spec["data"]["values"]
    assert [row["loss"] for row in rows] == [row.loss for row in frontier.rows]
    assert [row["strength"] for row in rows] == ["", "3", "5"]
    assert [row["emptied"] for row in rows] == [row.utility.emptied for row in frontier.rows]
    assert "100%: everyone the same, above: worse" in str(spec)
    drawn = json.dumps(spec, allow_nan=False)
    assert "eve-" not in drawn
    assert "clinic-" not in drawn


def test_a_ladder_is_drawn_with_every_attack_alongside_chance(sides):
    ladder = so.ladder(*sides, similarities=["js", "l1"])
    rows = so.chart(ladder)["data"]["values"]
    assert [row["value"] for row in rows] == [rung.rate.value for rung in ladder.rows]
    assert [row["name"] for row in rows][:2] == [
        "one-by-one matching: Jensen-Shannon divergence",
        "one-by-one matching: total variation",
    ]
    assert {row["random"] for row in rows} == {1 / 30}
    assert "eve-" not in json.dumps(so.chart(ladder), allow_nan=False)


def test_precision_by_margin_is_drawn_against_coverage(sides):
    curve = so.precision_by_margin(so.match(*sides))
    spec = so.chart(curve)
    assert [row["coverage"] for row in spec["data"]["values"]] == [row.coverage for row in curve.rows]
    json.dumps(spec, allow_nan=False)


def test_what_has_no_shape_is_refused():
    with pytest.raises(
        so.InputError,
        match="one of Audit, Verification, Ladder, Frontier, .*PrecisionByMargin, .*Vulnerability, .*Uniqueness, Suda",
    ):
        so.chart(3)


def test_selectivity_is_drawn_over_people_for_one_or_several_methods():
    sites = so.synthetic_profiles(people=40, known=200, seed=1)
    found = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    rows = so.chart({"nameMatch": found, "again": found})["data"]["values"]
    mine = [row for row in rows if row["method"] == "nameMatch"]
    assert {row["selectivity"] for row in mine} == set(found.selectivity.tolist())
    assert (mine[0]["people"], mine[-1]["people"]) == (0.0, 1.0)
    with pytest.raises(so.InputError, match="a dict of Profiles by name of method"):
        so.chart({"a": 3})
    assert len(so.chart(found)["data"]["values"]) == len(mine)
    assert "r1" not in json.dumps(rows, allow_nan=False)
