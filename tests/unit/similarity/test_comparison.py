"""All pairs computed once and stored: it changes nothing."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity import comparison
from singleout.similarity.alignment import align_sides
from singleout.similarity.comparison import TablePairs, compare
from singleout.similarity.pairs import SweepRequest
from singleout.similarity.registry import find_similarity
from tests.reference.costs import TWINS
from tests.small_matchings import sides_of_counts

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("similarity", TWINS)
@pytest.mark.parametrize("shape", [(40, 40), (25, 60), (60, 25)])
def test_whether_pairs_are_kept_in_a_table_or_worked_out_anew_changes_nothing(similarity, shape, monkeypatch):
    rng = np.random.default_rng(9)
    both = sides_of_counts(*(rng.poisson(1.0, (people, 12)) for people in shape))
    found = []
    for terms in (0, np.inf):
        monkeypatch.setattr(comparison, "TERMS_A_PAIR", terms)
        matching = so.match(*both, similarity=similarity)
        found.append((matching.known.tolist(), matching.cost, matching.relative_gap <= 1e-9))
    assert found[0] == found[1]
    assert found[0][2]


def random_comparison(people, places):
    rng = np.random.default_rng(2)
    counts = [rng.poisson(1.0, (people + side, places)) + 1 for side in (0, 3)]
    return compare(align_sides(*sides_of_counts(*counts)), find_similarity("js"))


def test_only_few_pairs_with_places_in_common_are_stored(monkeypatch):
    assert isinstance(random_comparison(6, 12).pairs, TablePairs)
    alone = compare(align_sides(*sides_of_counts(np.eye(9, dtype=int), np.eye(9, dtype=int))), find_similarity("js"))
    assert alone.pairs is alone.overlaps, "one term for nine pairs is computed as fast as the table is read"
    monkeypatch.setattr(comparison, "MOST_PAIRS", 53)
    many = random_comparison(6, 12)
    assert many.pairs is many.overlaps


def test_stored_pairs_are_the_same_from_the_other_side():
    stored = random_comparison(5, 9).pairs
    turned = stored.swap_sides()
    assert turned.shape == stored.shape[::-1]
    assert turned.swap_sides().shape == stored.shape
    written = TablePairs(stored.overlaps.swap_sides(), np.ascontiguousarray(stored.gains.T))
    rng = np.random.default_rng(3)
    prices = rng.random(turned.shape[0]) / 9, rng.random(turned.shape[1]) / 9
    for few in (np.arange(turned.shape[0]), np.array([3, 1])):
        for most in (1, 4):
            found = [each.price(few, *prices, SweepRequest(0.01, most, False)) for each in (turned, written)]
            for what in ("best", "row", "other", "gain"):
                np.testing.assert_array_equal(*(getattr(each, what) for each in found))


@pytest.mark.parametrize("by", ["released", "known"])
@pytest.mark.parametrize("similarity", ["js", "l1", "evidence"])
def test_the_nearest_of_a_table_are_those_of_sweeps(by, similarity, monkeypatch):
    rng = np.random.default_rng(4)
    # few places and small counts: many people are equally near
    sides = align_sides(*sides_of_counts(*(rng.poisson(0.5, (people, 4)) for people in (30, 41))))
    found = []
    for terms in (0, np.inf):
        monkeypatch.setattr(comparison, "TERMS_A_PAIR", terms)
        found.append(compare(sides, find_similarity(similarity)).nearest(by))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-14)
    np.testing.assert_array_equal(found[0][1], found[1][1])
    np.testing.assert_array_equal(found[0][2], found[1][2])


def test_people_who_count_differently_count_the_same_one_by_one():
    rng = np.random.default_rng(5)
    sides = align_sides(*sides_of_counts(*(rng.poisson(1.0, (20, 6)) for _ in "ab")))
    both = compare(sides, find_similarity("evidence"))
    plain = compare(sides, find_similarity("js_popularity"))
    labels = [[getattr(each.plain, side).classes.label for side in ("released", "known")] for each in (both, plain)]
    tables = [each.plain.gains()[np.ix_(*label)] for each, label in zip((both, plain), labels, strict=True)]
    np.testing.assert_allclose(*tables, rtol=1e-14)
    assert (both.overlaps.released.factor != 1).any()


@pytest.mark.parametrize("places", [4, 60])
def test_similarities_that_differ_in_how_much_people_count_add_up_the_same_terms_once(places):
    rng = np.random.default_rng(6)
    # with few places some people have the same shares and another number of events
    sides = align_sides(*sides_of_counts(*(rng.poisson(0.7, (30, places)) for _ in "ab")))
    plain, weighted, other = (compare(sides, find_similarity(name)) for name in ("js_popularity", "evidence", "js"))
    found = weighted.like(plain)
    assert (found.kept is plain.kept) == (places == 60), "where people are told apart by their number there are more"
    assert other.like(plain).kept is not plain.kept
    for by in ("released", "known"):
        plain.nearest(by)
        for mine, theirs in zip(found.nearest(by), weighted.nearest(by), strict=True):
            np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(found.pairs.gains, weighted.pairs.gains)
