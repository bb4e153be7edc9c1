"""An intruder who knows some of the people: measured on the others only."""

import numpy as np
import pytest

import singleout as so
from singleout.ground.errors import DataError, InputError
from singleout.measures import taught as module
from singleout.measures.taught import MOST_TIMES, draw_groups, taught, why_not
from tests.small_logs import noisy_sides


def test_nobody_is_measured_by_a_fit_that_saw_their_pair(monkeypatch):
    released, known = noisy_sides(60)
    seen, measured = [], []
    fit, match_others = module.fit_weights, module._match_others

    def watch_fit(features, rows, columns):
        seen.append({np.sort(released.people)[row] for row in rows})
        assert [np.sort(released.people)[k] for k in rows] == [np.sort(known.people)[k] for k in columns]
        return fit(features, rows, columns)

    def watch_match(people, features, weights, pairs, seed):
        matching = match_others(people, features, weights, pairs, seed)
        taught_by = {people[0][row] for row in pairs[0]}
        measured.append((taught_by, set(matching.released_side.people) | set(matching.known_side.people)))
        return matching

    monkeypatch.setattr(module, "fit_weights", watch_fit)
    monkeypatch.setattr(module, "_match_others", watch_match)
    taught(released, known, known_pairs=0.2)
    assert len(seen) == len(measured) == MOST_TIMES
    # several groups may be at work at the same time
    assert sorted(map(sorted, seen)) == sorted(sorted(people) for people, _ in measured)
    for people, others in measured:
        assert not people & others
        assert len(others) == 48
    assert set.union(*seen) == set(released.people)


def test_the_rate_is_the_mean_over_people_of_the_times_they_were_not_known():
    released, known = noisy_sides(60)
    found = taught(released, known, known_pairs=0.3)
    assert found.accuracy.common == 60 == len(found.right)
    assert found.accuracy.expected == pytest.approx(found.right.sum())
    assert found.accuracy.rate.value == pytest.approx(found.right.mean())
    assert found.accuracy.random == pytest.approx(1 / 42)
    assert sum(abs(each.share) for each in found.weights) == pytest.approx(1, abs=0.2)


def test_any_order_of_rows_gives_the_same_bytes():
    released, known = noisy_sides(40)
    plain = taught(released, known)
    rng = np.random.default_rng(3)
    moved = [side.only(rng.permutation(side.people)) for side in (released, known)]
    again = taught(*moved)
    assert again.accuracy == plain.accuracy
    assert again.weights == plain.weights
    by_person = dict(zip(known.people, plain.right, strict=True))
    assert dict(zip(moved[1].people, again.right, strict=True)) == by_person


def test_shuffled_identities_teach_nothing():
    released, known = noisy_sides(80)
    rng = np.random.default_rng(1)
    wrong = dict(zip(released.people.tolist(), rng.permutation(known.people).tolist(), strict=True))
    assert taught(released, known, truth=wrong).accuracy.rate.value < 0.1
    assert taught(released, known).accuracy.rate.value > 0.5


def test_pseudonyms_are_found_by_the_truth():
    released, known = noisy_sides(40)
    names = {person: f"x{number:03}" for number, person in enumerate(released.people.tolist())}
    hidden = so.Histograms(released.counts, list(names.values()), released.places.tolist())
    truth = {other: person for person, other in names.items()}
    found = taught(hidden, known, truth=truth)
    assert found.accuracy.common == 40
    assert found.accuracy.rate.value > 0.5


def test_groups_have_nobody_in_common():
    groups = list(draw_groups(np.arange(50), 0.1, seed=4))
    assert len(groups) == MOST_TIMES
    assert len(set(np.concatenate(groups))) == 25
    assert [len(group) for group in draw_groups(np.arange(50), 0.5, seed=4)] == [25, 25]


@pytest.mark.parametrize("share", [0, -0.1, 0.6, "half", float("nan")])
def test_shares_that_make_no_sense_are_refused(share):
    with pytest.raises(InputError, match="known_pairs must be above 0 and at most 0.5"):
        taught(*noisy_sides(40), known_pairs=share)


def test_too_few_or_too_many_people_say_so(monkeypatch):
    released, known = noisy_sides(20)
    assert "fewer than 5 would be known" in why_not(released, known, 0.2, None)
    with pytest.raises(DataError, match="fewer than 5 would be known"):
        taught(released, known)
    monkeypatch.setattr(module, "MOST_PAIRS", 300)
    assert "at most 300 pairs" in why_not(released, known, 0.5, None)


def test_what_counts_is_said_in_words():
    found = taught(*noisy_sides(60))
    words = found.in_words()
    assert words.count("%") <= 3
    assert "places" in words
    assert found.in_words(place="shop") == words.replace("places", "shops")
