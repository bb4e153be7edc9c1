"""The whole path of networks: attack, baselines, controls, ablations and defences side by side."""

import json

import numpy as np
import pytest

import singleout as so
from singleout.ground.numbers import percent
from singleout.measures.intervals import wilson


def test_controls_bracket_the_attack(attacked):
    # with true names nearly everybody is found, with who is who dealt anew nothing is learnt
    assert attacked.places_loss > max(row.ranking.loss.mean() for row in attacked.attacks.rows)
    assert attacked.places_rank < min(row.ranking.ranks.mean() for row in attacked.attacks.rows)
    assert abs(attacked.shuffled_loss) < 0.5


def shares_of(*tables):
    """Every share of people in these tables that an attack re-identifies."""
    rows = [row for table in tables for row in table.to_arrow().to_pylist()]
    return [row[column] for row in rows for column in ("within_1", "joint")]


def test_the_headline_names_the_most_of_its_own_table(attacked):
    # this was the joint share of a kernel, though the table held a higher one of size alone, or one by one
    shares = shares_of(attacked.attacks)
    assert attacked.strongest.rate.value == max(shares)
    assert attacked.strongest.attacks == len(shares) == 8
    rate = attacked.strongest.rate
    assert f"about {rate.value * rate.n:,.0f} of {rate.n:,} people" in attacked.sentence()
    assert attacked.to_dict()["strongest"]["rate"] == max(shares)


def test_the_headline_names_the_most_of_ablations_and_unprotected_networks_too():
    log = so.synthetic_calls(people=30, seed=4).table
    events = so.read_events(log, user="user", time="time", place="place")
    found = so.topology(events, top=[10], kernels=["sp"], ablate=True, defend=True)
    none = found.defences.rows[0].strongest
    assert found.strongest.rate.value == max([*shares_of(found.attacks, found.ablations), none.rate.value])
    assert found.strongest.attacks == 2 * (2 + 10) + none.attacks
    assert found.defences.kernels == ("summary", "dsp", "wl", "dd", "sp")


def test_the_interval_allows_for_choosing_the_strongest(attacked):
    best = attacked.strongest.rate
    plain = wilson(best.value * best.n, best.n)
    each = wilson(best.value * best.n, best.n, 1 - 0.05 / 8)
    assert (best.low, best.high) == pytest.approx((each.low, each.high))
    assert best.low < plain.low < plain.high < best.high
    assert best.confidence_level == 0.95


def test_the_sentence_gives_value_interval_chance_and_what_size_alone_finds(attacked):
    sentence, best = attacked.sentence(), attacked.strongest
    assert "95% interval" in sentence
    assert "strongest of 8 attacks" in sentence
    assert "Random guessing would re-identify" in sentence
    assert "size of the networks alone" in sentence
    size = max(max(row.ranking.one_by_one.value, row.joint.rate.value) for row in attacked.attacks.rows[::2])
    assert attacked.to_dict()["strongest"]["size"] == size
    assert ("It comes from the size of the networks alone" in sentence) == (best.attack.kernel == "size")
    assert ("cannot be distinguished from chance" in sentence) == (best.rate.low <= 1 / best.rate.n)


def test_json_holds_no_nan_and_shares_of_orders_add_up(attacked):
    document = json.loads(json.dumps(attacked.to_dict(), allow_nan=False))
    for row in document["markov_order"]:
        assert sum(each["share"] for each in row["shares"]) == pytest.approx(1)


def test_the_sentence_always_names_what_size_alone_finds_with_a_paired_test(attacked):
    best, size, test = attacked.by_shape, attacked.by_size, attacked.against_size
    assert size.share == max(
        each.share for row in attacked.attacks.rows if row.kernel == "size" for each in row.by_matching()
    )
    other = best if attacked.strongest.attack.kernel == "size" else size
    assert "the size of the networks alone" in attacked.sentence().lower()
    assert f"re-identifies {percent(other.share)}; on the same people" in attacked.sentence()
    assert f"McNemar's exact test, p = {test.p:.2g}" in attacked.sentence()
    assert test.only_first == round((best.right * (1 - size.right)).sum())
    assert test.only_second == round((size.right * (1 - best.right)).sum())
    assert attacked.to_dict()["strongest"]["against_size"]["p"] == test.p


def test_only_the_people_with_most_records_take_part_where_that_is_asked_for(call_events):
    few = so.topology(call_events, top=[5], kernels=["sp"], richest=30, seed=1)
    counts = so.histograms(call_events)
    order = np.lexsort((counts.people, -counts.totals))[:30]
    assert few.people == 30
    assert sorted(few.summaries[0].trace_lengths.tolist()) == sorted(
        so.networks(call_events, max_gap=None).trace_lengths[np.sort(order)].tolist()
    )
    assert "90 people left out: only the 30 people with the most records are kept" in map(str, few.notes)
    with pytest.raises(so.InputError, match="topology: richest must be a whole number of people, at least 2"):
        so.topology(call_events, richest=1)


def test_traces_are_not_cut_unless_asked_as_in_the_paper(call_events):
    plain, uncut, cut = (
        so.topology(call_events, top=[5], kernels=["sp"], seed=1, **gap)
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
def test_bad_arguments_are_named(call_events, options, words):
    with pytest.raises(so.InputError, match=words):
        so.topology(call_events, **options)


def test_something_else_than_events_is_refused():
    with pytest.raises(so.InputError, match="events must be Events"):
        so.topology([1, 2])
