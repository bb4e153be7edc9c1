"""Who is most clearly re-identified, and which places do it."""

import numpy as np
import pytest

import singleout as so
from singleout.measures import reasons
from singleout.measures.reasons import find_identified, group_by_popularity, measure_inference, strongest_reasons

PLACES = ["square", "home a", "home b", "home c", "new"]
RELEASED = [[4, 6, 0, 0, 2], [4, 0, 6, 0, 0], [4, 0, 0, 6, 0]]
KNOWN = [[4, 6, 0, 0, 0], [4, 0, 3, 0, 0], [4, 0, 0, 2, 0]]


@pytest.fixture(scope="module")
def found():
    """Three people with a home each, and a square that all visit."""
    matching = so.match(*(so.Histograms(counts, list("abc"), PLACES) for counts in (RELEASED, KNOWN)))
    return find_identified(matching, matching.margins().values)


def people_of(found):
    return [found.sides[0].people[row] for row in found.matching.released[found.pairs]]


def test_the_clearest_come_first(found):
    assert len(found) == 3
    assert found.margins.tolist() == sorted(found.margins.tolist(), reverse=True)
    assert people_of(found)[0] == "a", "the same share at home in both periods"


def test_a_wrong_pair_is_not_a_person_re_identified():
    sides = [so.Histograms(counts, ids, PLACES) for counts, ids in ((RELEASED, list("abc")), (KNOWN, list("acb")))]
    matching = so.match(*sides)
    assert people_of(find_identified(matching, matching.margins().values)) == ["a"]


def test_of_people_who_are_a_draw_between_many_none_counts():
    same = so.Histograms(np.ones((3, 2)), list("abc"), ["x", "y"])
    matching = so.match(same, same)
    nobody = find_identified(matching, matching.margins().values)
    assert len(nobody) == 0
    assert measure_inference(nobody, 0) is None
    assert [group.share for group in group_by_popularity(nobody, 0)] == [0.0] * 4


def test_visitors_are_the_released_people_at_a_place(found):
    assert found.visitors() == {
        (None, place): people
        for place, people in {"square": 3, "home a": 1, "home b": 1, "home c": 1, "new": 1}.items()
    }


def test_reasons_begin_with_the_strongest_and_are_shares_of_the_whole(found):
    why = found.matching.explain(int(found.pairs[0]))
    whole = strongest_reasons(why, 9)
    assert [place for (_, place), _ in whole] == ["home a", "square"]
    assert sum(share for _, share in whole) == pytest.approx(1)
    assert strongest_reasons(why, 1) == whole[:1]


def test_rare_places_and_common_ones_share_what_identifies_people(found):
    groups = group_by_popularity(found, seed=0)
    assert [group.below for group in groups] == [*reasons.POPULARITY, None]
    assert groups[0].share == pytest.approx(1), "each place has fewer than five visitors"
    crowd = [[4, 6 * (k == 0), 6 * (k > 0)] for k in range(7)]
    matching = so.match(*(so.Histograms(crowd, range(7), ["square", "own", "other"]) for _ in "ab"))
    own, common, *_ = group_by_popularity(find_identified(matching, matching.margins().values), seed=0)
    assert (own.of_events, common.of_events) == pytest.approx((0.6, 0.4))
    assert own.share + common.share == pytest.approx(1)
    assert 0 < common.share < own.share, "the square is everybody's"


def test_an_intruder_learns_the_places_they_did_not_know(found):
    gain = measure_inference(found, seed=0)
    assert (gain.places, gain.events) == (pytest.approx(1 / 3), pytest.approx((2 / 12) / 3))


def test_of_very_many_people_some_are_looked_at_the_same_for_the_same_seed(found, monkeypatch):
    monkeypatch.setattr(reasons, "SAMPLE", 2)
    some = found.sample(1).tolist()
    assert len(some) == 2
    assert set(some) < set(found.pairs.tolist())
    assert found.sample(1).tolist() == some
    assert len({tuple(found.sample(seed).tolist()) for seed in range(20)}) > 1
