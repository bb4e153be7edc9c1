"""The whole path of networks: attack, baselines, controls, ablations and defences side by side."""

import json

import numpy as np
import pytest

import singleout as so
from singleout._topology import _lost, place_scores
from singleout.measures.intervals import wilson
from singleout.report.model import share


@pytest.fixture(scope="module")
def events():
    log = so.synthetic_calls(people=120, seed=4)
    return so.read_events(log.table, user="user", time="time", place="place")


@pytest.fixture(scope="module")
def found(events):
    return so.topology(events, top=[5, 20], kernels=["sp"], seed=1)


@pytest.fixture(scope="module")
def sides(events):
    known, released = (so.networks(part) for part in so.split(events, by="point", seed=1))
    return released, known


def test_controls_bracket_the_attack(found):
    # with true names nearly everybody is found, with who is who dealt anew nothing is learnt
    assert found.places_loss > max(row.ranking.loss.mean() for row in found.attacks.rows)
    assert found.places_rank < min(row.ranking.ranks.mean() for row in found.attacks.rows)
    assert abs(found.shuffled_loss) < 0.5


def test_size_is_always_run_beside_the_kernels(found):
    assert [(row.kernel, row.top) for row in found.attacks.rows] == [("size", 5), ("sp", 5), ("size", 20), ("sp", 20)]


def test_the_sentence_gives_value_interval_and_chance(found):
    rate = found.strongest.joint.rate
    assert f"{rate.level:.0%} interval" in found.sentence()
    assert "Guessing at random would name" in found.sentence()
    assert found.strongest.joint.random == pytest.approx(1 / found.strongest.joint.common)


def test_json_holds_no_nan_and_shares_of_orders_add_up(found):
    document = json.loads(json.dumps(found.as_json(), allow_nan=False))
    for row in document["markov_order"]:
        assert sum(each["share"] for each in row["shares"]) == pytest.approx(1)


def test_degrees_of_a_typical_person_fall_from_all_places_on(events):
    summary = so.network_summary(so.networks(events))
    rows = so.chart(summary)["data"]["values"]
    shares = [row["at_least"] for row in rows]
    assert shares == sorted(shares, reverse=True)
    assert 0 < shares[0] <= 1
    assert len(summary.days) == len(summary.recurrence)


def test_the_first_ablation_is_the_attack_itself(sides):
    table = so.ablations(*sides, kernel="sp").to_arrow().to_pylist()
    own = so.ranking(so.graph_scores(*sides, kernel="sp"))
    assert table[0]["mean_rank"] == own.ranks.mean()
    assert len({row["choices"] for row in table}) == len(table)


def test_defences_start_with_no_loss_and_lose_more_when_stronger(sides):
    curve = so.defence_curve(*sides, defences=["remove", "nodes"], strengths=[0.2, 0.6], kernel="sp", top=20)
    lost = {(row.defence, row.strength): row.loss for row in curve.rows}
    assert lost["none", 0.0] == 0.0
    for name in ("remove", "nodes"):
        assert 0 < lost[name, 0.2] < lost[name, 0.6] <= 1
    assert so.chart(curve)["data"]["values"][0]["loss"] == 0.0


def test_nothing_released_is_everything_lost(sides):
    curve = so.defence_curve(*sides, defences=["nodes"], strengths=[0.9, 1.0], kernel="sp", top=20)
    assert curve.rows[1].loss < curve.rows[2].loss
    assert curve.rows[2].loss == pytest.approx(((sides[0].graphs.edges > 0).mean() + (sides[0].sizes > 0).mean()) / 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"defences": ["foo"]}, "defences must be one of"),
        ({"defences": "rewire"}, "defences must be a list"),
        ({"strengths": []}, "strengths must be a list"),
        ({"defences": ["weights"], "strengths": [float("nan")]}, "strengths must be a deviation"),
        ({"defences": ["add"], "strengths": [1.5]}, "strengths must be a share"),
        ({"defences": ["top"], "strengths": [1.5]}, "strengths must be a whole number of places"),
    ],
)
def test_defences_that_cannot_be_are_refused(sides, options, words):
    with pytest.raises(so.InputError, match=words):
        so.defence_curve(*sides, **options)


def test_the_sentence_always_names_what_size_alone_finds_with_a_paired_test(found):
    assert found.strongest.kernel == "sp"
    size, test = found.by_size, found.against_size
    assert size.joint.expected == max(row.joint.expected for row in found.attacks.rows if row.kernel == "size")
    assert f"The size of networks alone names {share(size.joint.rate.value)}" in found.sentence()
    assert f"McNemar's exact p = {test.p:.2g}" in found.sentence()
    right, by_size = found.strongest.right, size.right
    assert test.only_first == round((right * (1 - by_size)).sum())
    assert test.only_second == round((by_size * (1 - right)).sum())
    assert found.as_json()["strongest"]["against_size"]["p"] == test.p
    blind = found.rate.low <= found.strongest.joint.random
    assert ("That is within chance." in found.sentence()) == blind


def test_who_is_named_right_adds_up_to_what_joint_matching_finds(found):
    for row in found.attacks.rows:
        assert len(row.right) == row.joint.common
        assert row.right.sum() == pytest.approx(row.joint.expected)


def test_the_best_of_several_attacks_has_a_wider_interval(found, events):
    best = found.strongest.joint.rate
    assert "adjusted for picking the best of 2 attacks" in found.sentence()
    assert found.rate.low < best.low < best.value == found.rate.value < best.high < found.rate.high
    wanted = wilson(best.value * best.n, best.n, 1 - 0.05 / 2)
    assert (found.rate.low, found.rate.high, found.rate.level) == pytest.approx((wanted.low, wanted.high, 0.95))
    alone = so.topology(events, top=[5], kernels=["sp"], seed=1)
    assert "adjusted" not in alone.sentence()
    assert alone.rate == alone.strongest.joint.rate


def test_only_the_people_with_most_records_take_part_where_that_is_asked_for(events):
    few = so.topology(events, top=[5], kernels=["sp"], richest=30, seed=1)
    counts = so.histograms(events)
    order = np.lexsort((counts.people, -counts.totals))[:30]
    assert few.people == 30
    assert sorted(few.summaries[0].trace_lengths.tolist()) == sorted(
        so.networks(events, max_gap=None).trace_lengths[np.sort(order)].tolist()
    )
    assert "90 people left out: the 30 with most records are kept" in map(str, few.notes)
    with pytest.raises(so.InputError, match="topology: richest must be a whole number of people, at least 2"):
        so.topology(events, richest=1)


def test_traces_are_not_cut_unless_asked_as_in_the_paper(events):
    plain, uncut, cut = (
        so.topology(events, top=[5], kernels=["sp"], seed=1, **gap)
        for gap in ({}, {"max_gap": None}, {"max_gap": "6h"})
    )
    assert plain.as_json() == uncut.as_json()
    assert plain.as_json() != cut.as_json()


def test_fewer_places_are_a_defence_too(sides):
    curve = so.defence_curve(*sides, defences=["top"], strengths=[2, 1_000], kernel="sp")
    assert curve.rows[1].loss > 0
    assert curve.rows[2].loss == pytest.approx(0)


def test_loss_is_one_where_nothing_is_left_in_common(sides):
    graphs = sides[0].graphs
    moved = np.concatenate([np.arange(size) for size in graphs.nodes]) + 10_000
    with_edges = (graphs.edges > 0).mean()  # whoever has no edge can lose visits only
    assert _lost(graphs, graphs, moved) == pytest.approx((1 + with_edges) / 2)


def test_scores_by_place_names_are_cosines(events):
    known, released = (so.histograms(part) for part in so.split(events, by="point", seed=1))
    scores = place_scores(released, known).matrix.toarray()
    assert scores.min() >= 0
    assert scores.max() <= 1 + 1e-12
    row, other = released.counts[[0]].toarray().ravel(), known.counts[[0]].toarray().ravel()
    here = {place: count for place, count in zip(released.places.tolist(), row, strict=True) if count}
    there = {place: count for place, count in zip(known.places.tolist(), other, strict=True) if count}
    inner = sum(count * there.get(place, 0) for place, count in here.items())
    lengths = np.sqrt(sum(c * c for c in here.values()) * sum(c * c for c in there.values()))
    assert scores[0, 0] == pytest.approx(inner / lengths)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"top": []}, "top must be a list of numbers of places"),
        ({"top": [0]}, "top must be a whole number of places from 1 to"),
        ({"kernels": "dsp"}, "kernels must be a list of kernels"),
        ({"kernels": ["nope"]}, "kernel must be one of"),
    ],
)
def test_bad_arguments_are_named(events, options, words):
    with pytest.raises(so.InputError, match=words):
        so.topology(events, **options)


def test_something_else_than_events_is_refused():
    with pytest.raises(so.InputError, match="events must be Events"):
        so.topology([1, 2])
