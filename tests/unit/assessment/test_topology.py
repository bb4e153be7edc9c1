"""The whole path of networks: attack, baselines, controls, ablations and defences side by side."""

import json

import numpy as np
import pytest

import singleout as so
from singleout.ground.numbers import percent
from singleout.measures.intervals import wilson


@pytest.fixture(scope="module")
def events():
    log = so.synthetic_calls(people=120, seed=4)
    return so.read_events(log.table, user="user", time="time", place="place")


@pytest.fixture(scope="module")
def found(events):
    return so.topology(events, top=[5, 20], kernels=["sp"], seed=1)


@pytest.fixture(scope="module")
def sides(events):
    released, known = (so.networks(part) for part in so.split(events, by="point", seed=1))
    return released, known


def test_controls_bracket_the_attack(found):
    # with true names nearly everybody is found, with who is who dealt anew nothing is learnt
    assert found.places_loss > max(row.ranking.loss.mean() for row in found.attacks.rows)
    assert found.places_rank < min(row.ranking.ranks.mean() for row in found.attacks.rows)
    assert abs(found.shuffled_loss) < 0.5


def test_size_is_always_run_beside_the_kernels(found):
    assert [(row.kernel, row.top) for row in found.attacks.rows] == [("size", 5), ("sp", 5), ("size", 20), ("sp", 20)]


def shares_of(*tables):
    """Every share of people in these tables that an attack re-identifies."""
    rows = [row for table in tables for row in table.to_arrow().to_pylist()]
    return [row[column] for row in rows for column in ("within_1", "joint")]


def test_the_headline_names_the_most_of_its_own_table(found):
    # this was the joint share of a kernel, though the table held a higher one of size alone, or one by one
    shares = shares_of(found.attacks)
    assert found.strongest.rate.value == max(shares)
    assert found.strongest.attacks == len(shares) == 8
    rate = found.strongest.rate
    assert f"about {rate.value * rate.n:,.0f} of {rate.n:,} people" in found.sentence()
    assert found.to_dict()["strongest"]["rate"] == max(shares)


def test_the_headline_names_the_most_of_ablations_and_unprotected_networks_too(events):
    found = so.topology(events, top=[20], kernels=["sp"], ablate=True, defend=True)
    none = found.defences.rows[0].strongest
    assert found.strongest.rate.value == max([*shares_of(found.attacks, found.ablations), none.rate.value])
    assert found.strongest.attacks == 2 * (2 + 10) + none.attacks
    assert found.defences.kernels == ("dsp", "wl", "dd", "sp")


def test_the_interval_allows_for_choosing_the_strongest(found):
    best = found.strongest.rate
    plain = wilson(best.value * best.n, best.n)
    each = wilson(best.value * best.n, best.n, 1 - 0.05 / 8)
    assert (best.low, best.high) == pytest.approx((each.low, each.high))
    assert best.low < plain.low < plain.high < best.high
    assert best.confidence_level == 0.95


def test_the_sentence_gives_value_interval_chance_and_what_size_alone_finds(found):
    sentence, best = found.sentence(), found.strongest
    assert "95% interval" in sentence
    assert "strongest of 8 attacks" in sentence
    assert "Random guessing would re-identify" in sentence
    assert "size of networks alone" in sentence
    size = max(max(row.ranking.one_by_one.value, row.joint.rate.value) for row in found.attacks.rows[::2])
    assert found.to_dict()["strongest"]["size"] == size
    assert ("That is by the size of networks alone" in sentence) == (best.attack.kernel == "size")
    assert ("cannot be distinguished from chance" in sentence) == (best.rate.low <= 1 / best.rate.n)


def test_json_holds_no_nan_and_shares_of_orders_add_up(found):
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
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


def test_the_sentence_always_names_what_size_alone_finds_with_a_paired_test(found):
    best, size, test = found.by_shape, found.by_size, found.against_size
    assert size.share == max(
        each.share for row in found.attacks.rows if row.kernel == "size" for each in row.by_matching()
    )
    other = best if found.strongest.attack.kernel == "size" else size
    assert "by the size of networks alone" in found.sentence() or "The size of networks alone" in found.sentence()
    assert f"re-identifies {percent(other.share)}; on the same people" in found.sentence()
    assert f"McNemar's exact test, p = {test.p:.2g}" in found.sentence()
    assert test.only_first == round((best.right * (1 - size.right)).sum())
    assert test.only_second == round((size.right * (1 - best.right)).sum())
    assert found.to_dict()["strongest"]["against_size"]["p"] == test.p


def test_who_is_found_adds_up_to_the_share_that_is(found):
    for row in found.attacks.rows:
        for tried in row.by_matching():
            assert len(tried.right) == tried.people
            assert tried.right.sum() == pytest.approx(tried.share * tried.people)


def test_only_the_people_with_most_records_take_part_where_that_is_asked_for(events):
    few = so.topology(events, top=[5], kernels=["sp"], richest=30, seed=1)
    counts = so.histograms(events)
    order = np.lexsort((counts.people, -counts.totals))[:30]
    assert few.people == 30
    assert sorted(few.summaries[0].trace_lengths.tolist()) == sorted(
        so.networks(events, max_gap=None).trace_lengths[np.sort(order)].tolist()
    )
    assert "90 people left out: only the 30 people with the most records are kept" in map(str, few.notes)
    with pytest.raises(so.InputError, match="topology: richest must be a whole number of people, at least 2"):
        so.topology(events, richest=1)


def test_traces_are_not_cut_unless_asked_as_in_the_paper(events):
    plain, uncut, cut = (
        so.topology(events, top=[5], kernels=["sp"], seed=1, **gap)
        for gap in ({}, {"max_gap": None}, {"max_gap": "6h"})
    )
    assert plain.to_dict() == uncut.to_dict()
    assert plain.to_dict() != cut.to_dict()


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
