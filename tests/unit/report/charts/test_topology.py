"""Charts of the shape of movements."""

import json

import pytest

import singleout as so
from tests.reference.traces import networks_of, random_people


def test_degrees_of_a_typical_person_fall_from_all_places_on(call_events):
    summary = so.network_summary(so.networks(call_events))
    rows = so.chart(summary)["data"]["values"]
    shares = [row["at_least"] for row in rows]
    assert shares == sorted(shares, reverse=True)
    assert 0 < shares[0] <= 1
    assert len(summary.days) == len(summary.recurrence)


def rows_of(result):
    return so.chart(result)["data"]["values"]


def test_ranks_are_drawn_for_each_attack_with_a_random_order(call_events):
    sides = [so.networks(part) for part in so.split(call_events, by="point", seed=1)]
    ranking = so.ranking(so.graph_scores(*sides, kernel="size"))
    rows = rows_of(ranking)
    assert [row["share"] for row in rows] == ranking.cdf()["share"].to_pylist()
    assert rows[-1]["share"] == pytest.approx(1)
    attacks = so.ablations(*sides, kernel="sp")
    assert {row["attack"] for row in rows_of(attacks)} == {row.choices for row in attacks.rows}


def test_unique_networks_are_drawn_by_size_up_to_twenty_places(call_events):
    found = so.topology(call_events, top=[5, 30], kernels=["sp"], seed=1)
    rows = rows_of(found)
    drawn = [each for each in found.anonymity_by_size if each.top is not None and each.top <= 20]
    assert [(row["top"], row["unique"]) for row in rows] == [(each.top, each.identifiability.value) for each in drawn]
    assert {row["network"] for row in rows} == {"directed", "undirected"}
    assert all(row["low"] <= row["unique"] <= row["high"] for row in rows)
    json.dumps(so.chart(found), allow_nan=False)


def test_every_line_of_defences_starts_at_the_networks_as_they_are():
    networks = networks_of(random_people(3, people=12, places=8, visits=40))
    curve = so.defence_curve(networks, networks, defences=["remove", "add"], strengths=[0.3], kernels=["size"])
    rows = rows_of(curve)
    assert [(row["defence"], row["loss"]) for row in rows[:2]] == [("remove", 0.0), ("add", 0.0)]
    assert [row["defence"] for row in rows[2:]] == ["remove", "add"]
    assert {"datum": curve.random} == so.chart(curve)["layer"][0]["encoding"]["y"], "chance is a line of its own"
