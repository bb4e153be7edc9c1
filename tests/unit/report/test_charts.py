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
    micro = so.Protection("micro", [3, 5], lambda x, k, trial: so.microaggregate(x, k), known_too=False)
    frontier = so.frontier(*sides, [micro])
    spec = so.chart(frontier)
    rows = spec["data"]["values"]
    assert [row["loss"] for row in rows] == [row.loss for row in frontier.rows]
    assert [row["strength"] for row in rows] == ["", "3", "5"]
    assert [row["emptied"] for row in rows] == [row.utility.emptied for row in frontier.rows]
    assert "more: worse" in str(spec)
    drawn = json.dumps(spec, allow_nan=False)
    assert "eve-" not in drawn
    assert "clinic-" not in drawn


def test_a_ladder_is_drawn_with_every_attack_alongside_chance(sides):
    ladder = so.ladder(*sides, similarities=["js", "l1"])
    rows = so.chart(ladder)["data"]["values"]
    assert [row["value"] for row in rows] == [rung.rate.value for rung in ladder.rows]
    assert [row["name"] for row in rows][:2] == ["one-by-one matching, by js", "one-by-one matching, by l1"]
    assert {row["random"] for row in rows} == {1 / 30}
    assert "eve-" not in json.dumps(so.chart(ladder), allow_nan=False)


def test_precision_by_margin_is_drawn_against_coverage(sides):
    curve = so.precision_by_margin(so.match(*sides))
    spec = so.chart(curve)
    assert [row["coverage"] for row in spec["data"]["values"]] == [row.coverage for row in curve.rows]
    json.dumps(spec, allow_nan=False)


def test_vulnerable_columns_are_bars_and_combinations_a_curve():
    made = so.synthetic_records(seed=0)
    table = so.read_table(made.table)
    one = so.vulnerability(table, known_columns=made.known_columns)
    bars = so.chart(one)["data"]["values"]
    assert [row["column"] for row in bars] == [risk.column for risk in one.by_column if not risk.is_known]
    assert [row["with_known"] for row in bars][:2] == [0.2, 0.2]
    pairs = so.vulnerability(table, known_columns=made.known_columns, add=2, strategy="all")
    curve = so.chart(pairs)["data"]["values"]
    assert [row["share"] for row in curve] == [row.share for row in pairs.rows]
    json.dumps([so.chart(one), so.chart(pairs)], allow_nan=False)


def test_known_sets_and_special_uniques_are_bars():
    table = so.read_table(so.synthetic_records(seed=0).table)
    sets = so.vulnerability(table, known_columns={"little": ["area"], "nothing": []})
    rows = so.chart(sets)["data"]["values"]
    assert [row["known"] for row in rows] == ["little", "nothing"]
    assert rows[0]["best"] == max(row.share for row in sets["little"].rows)
    special = so.suda(table, columns=["area", "home", "language", "income"])
    bars = so.chart(special)["data"]["values"]
    assert {row["column"]: row["share"] for row in bars} == special.by_column
    json.dumps([so.chart(sets), so.chart(special)], allow_nan=False)


def test_classes_are_drawn_by_size():
    found = so.uniqueness(so.read_table(so.synthetic_records().table), columns=["area", "home", "income"])
    rows = so.chart(found)["data"]["values"]
    assert {row["size"]: row["classes"] for row in rows} == {s: c for s, c in found.by_size.items() if s <= 20}


def test_what_has_no_shape_is_refused():
    with pytest.raises(
        so.InputError,
        match="one of Audit, Ladder, Frontier, PrecisionByMargin, .*Vulnerability, KnownSets, Uniqueness, Suda",
    ):
        so.chart(3)


def test_selectivity_is_drawn_over_people_for_one_or_several_methods():
    sites = so.synthetic_profiles(people=40, known=200, seed=1)
    found = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    rows = so.chart({"nameMatch": found, "again": found})["data"]["values"]
    mine = [row for row in rows if row["method"] == "nameMatch"]
    assert {row["selectivity"] for row in mine} == set(found.selectivity.tolist())
    assert (mine[0]["people"], mine[-1]["people"]) == (0.0, 1.0)
    with pytest.raises(so.InputError, match="Profiles by the name of their method"):
        so.chart({"a": 3})
    assert len(so.chart(found)["data"]["values"]) == len(mine)
    assert "r1" not in json.dumps(rows, allow_nan=False)
