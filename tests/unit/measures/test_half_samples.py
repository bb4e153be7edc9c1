"""Half-sampling: random halves of the people on both sides, matched again the same way."""

from dataclasses import replace

import numpy as np
import pytest

import singleout as so
from singleout.matching.matching import match_compared
from singleout.measures import half_samples
from singleout.measures.accuracy import true_rows
from singleout.measures.half_samples import draw_halves
from singleout.measures.intervals import HALVES
from tests.reference import intervals as twins


def callers(people=120, seed=3):
    log = so.synthetic_calls(people=people, antennas=60, regions=10, seed=seed)
    return [so.histograms(part) for part in so.split(log.events, by="weeks")]


def couples(number, swapped):
    """Two people each, alone at three places; of the first ``swapped`` couples either does what the other did."""
    usual = np.kron(np.eye(number, dtype=int), [[9, 1, 5], [1, 9, 5]])
    released = usual.copy()
    rows = np.arange(2 * swapped)
    released[rows] = usual[rows ^ 1]
    ids = np.random.default_rng(0).permutation(2 * number)
    return [so.Histograms(counts, ids, range(3 * number)) for counts in (released, usual)]


def halves_of(matching, truth=None):
    rows = true_rows("test", matching.released_side.people, matching.known_side.people, truth)
    return list(draw_halves(matching, *rows))


def ids_of(matching, half):
    sides = matching.released_side, matching.known_side
    return tuple(side.people[rows].tolist() for side, rows in zip(sides, half.rows, strict=True))


def test_people_who_are_confused_in_couples_do_not_count_as_independent():
    # either both of a couple are right or none: the rate varies as that of half as many people
    released, known = couples(100, 30)
    alone = so.accuracy(so.match(released, known)).rate
    matchings = [so.match(released, known, seed=seed) for seed in range(10)]
    sampled = [so.accuracy(matching, intervals="half-sampling").rate for matching in matchings]
    assert all(rate.value == alone.value == pytest.approx(0.7) for rate in sampled)
    assert all(rate.low < alone.low < alone.high < rate.high for rate in sampled)
    assert 0.4 < np.mean([rate.effective_share for rate in sampled]) < 0.8


def test_it_equals_matchings_of_the_halves_made_one_by_one():
    released, known = callers()
    known = known.only(known.people[::-1])
    matching = so.match(released, known, similarity="cosine", seed=5)
    halves = [ids_of(matching, half) for half in halves_of(matching)]
    rates = twins.rates_of_halves(released, known, halves, similarity="cosine", seed=5)
    found = so.accuracy(matching, intervals="half-sampling", confidence_level=0.9)
    low, high, effective = twins.half_sampling(found.rate.value, 120, rates, 0.5, 0.9)
    assert len(rates) == HALVES
    assert found.rate.effective == pytest.approx(effective)
    assert (found.rate.low, found.rate.high) == (pytest.approx(low), pytest.approx(high))
    assert (found.precision.low, found.precision.high) == (pytest.approx(low), pytest.approx(high))


def test_halves_hold_the_same_half_of_the_people_on_both_sides_and_no_one_twice():
    released, known = callers(61)
    matching = so.match(released, known)
    halves = [ids_of(matching, half) for half in halves_of(matching)]
    assert all(mine == theirs and len(set(mine)) == 30 for mine, theirs in halves)
    assert len({tuple(mine) for mine, _ in halves}) == HALVES
    often = np.unique(np.concatenate([mine for mine, _ in halves]), return_counts=True)[1]
    assert often.mean() == pytest.approx(HALVES / 2, rel=0.1)


def test_of_people_on_one_side_only_about_half_are_kept():
    released, known = callers(120)
    both, mine, theirs = released.people[:40], released.people[40:80], released.people[80:]
    matching = so.match(released.only([*both, *mine]), known.only([*both, *theirs]))
    halves = halves_of(matching)
    drawn = [ids_of(matching, half) for half in halves]
    assert all(half.common == 20 for half in halves)
    for side, alone in ((0, mine), (1, theirs)):
        kept = [ids[side][20:] for ids in drawn]
        assert all(set(ids) <= set(alone.tolist()) and len(set(ids)) == len(ids) for ids in kept)
        assert np.mean([len(ids) for ids in kept]) == pytest.approx(20, abs=3)
    assert all(mine[:20] == theirs[:20] and set(mine[:20]) <= set(both.tolist()) for mine, theirs in drawn)
    found = so.accuracy(matching, intervals="half-sampling")
    assert (found.rate.n, found.precision.n) == (40, 80)
    assert 0 < found.precision.effective <= 80


def test_the_order_of_rows_does_not_matter_and_the_seed_does():
    released, known = callers()
    rng = np.random.default_rng(0)
    found = so.accuracy(so.match(released, known), intervals="half-sampling")
    shuffled = [side.only(rng.permutation(side.people)) for side in (released, known)]
    assert so.accuracy(so.match(*shuffled), intervals="half-sampling") == found
    other = so.accuracy(so.match(released, known, seed=1), intervals="half-sampling")
    assert other.rate.effective != found.rate.effective


def test_halves_are_not_those_that_others_draw_with_the_same_seed():
    matching = so.match(*callers(60))
    drawn = np.sort(np.random.default_rng(matching.seed).permutation(60)[:30])
    assert not np.array_equal(halves_of(matching)[0].rows[0], drawn)


def test_it_follows_a_truth_by_other_ids():
    released, known = callers()
    same = so.accuracy(so.match(released, known), intervals="half-sampling")
    renamed = so.Histograms(known.counts, [f"p{person:04}" for person in known.people], known.places)
    truth = {person: f"p{person:04}" for person in released.people.tolist()}
    found = so.accuracy(so.match(released, renamed), truth, intervals="half-sampling")
    assert (found.rate.low, found.rate.high) == (pytest.approx(same.rate.low), pytest.approx(same.rate.high))


def test_clusters_are_halved_with_their_people():
    released, known = couples(60, 20)
    matching = so.match(released, known)
    found = so.accuracy(matching, clusters=np.arange(120) // 2, intervals="half-sampling")
    assert found.rate.value == 1.0, "the right couple is found for everybody"
    assert found.rate.effective == 120
    alone = so.accuracy(matching, clusters=np.arange(120), intervals="half-sampling")
    assert alone.rate == so.accuracy(matching, intervals="half-sampling").rate


@pytest.mark.parametrize("by", ["released", "known"])
def test_one_by_one_is_halved_too(by):
    matching = so.match(*callers(), method="one-by-one", by=by)
    found = so.accuracy(matching, intervals="half-sampling").rate
    assert found.low < found.value < found.high
    assert 0 < found.effective <= 120


def test_halves_of_fewer_pairs_make_as_many_for_their_size(monkeypatch):

    matching, sizes = so.match(*callers(60), size=31), []

    def noting(compared, how):
        sizes.append(how.size)
        return match_compared(compared, how)

    monkeypatch.setattr(half_samples, "match_compared", noting)
    found = so.accuracy(matching, intervals="half-sampling")
    assert sizes == [16] * HALVES
    assert found.precision.n == 31


def test_two_people_and_one_person_still_have_an_interval():
    counts = [[3, 0], [0, 3]]
    two = [so.Histograms(counts, ["a", "b"], ["x", "y"]) for _ in range(2)]
    assert so.accuracy(so.match(*two), intervals="half-sampling").rate.effective == 2
    one = [side.only(["a"]) for side in two]
    assert so.accuracy(so.match(*one), intervals="half-sampling").rate.n == 1


def test_a_half_in_which_nobody_shares_a_place_is_a_half_all_the_same():
    released = so.Histograms([[1, 0, 0], [0, 1, 0]], ["a", "b"], ["x", "y", "z"])
    known = so.Histograms([[1, 0, 0], [0, 0, 1]], ["a", "b"], ["x", "y", "z"])
    assert so.accuracy(so.match(released, known), intervals="half-sampling").rate.value == 1.0


def test_interrupted_halves_leave_no_matching_of_a_half_behind(monkeypatch):

    matching = so.match(*callers(40))

    def stopped(*_, **__):
        raise so.MatchingInterrupted(matching)

    monkeypatch.setattr(half_samples, "match_compared", stopped)
    with pytest.raises(KeyboardInterrupt, match="^$") as caught:
        so.accuracy(matching, intervals="half-sampling")
    assert not isinstance(caught.value, so.MatchingInterrupted)


def test_what_cannot_be_matched_again_is_refused():
    scores = so.assign(so.Scores(np.eye(3), ["a", "b", "c"], ["a", "b", "c"]))
    with pytest.raises(so.DataError, match="needs a matching of histograms; this one was made from scores"):
        so.accuracy(scores, intervals="half-sampling")
    exact = so.match(*callers())
    rough = replace(exact, proof=replace(exact.proof, solution=replace(exact.proof.solution, exact=False)))
    with pytest.raises(so.DataError, match="needs an exact matching. Match again with tolerance=0"):
        so.accuracy(rough, intervals="half-sampling")
    with pytest.raises(so.InputError, match="intervals must be one of wilson, half-sampling.*Did you mean"):
        so.accuracy(rough, intervals="half_sampling")
