"""All pairs computed once and stored: it changes nothing."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity import dense_pairs as table
from singleout.similarity.dense_pairs import TablePairs, store_if_dense
from singleout.similarity.overlaps import overlaps
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
        monkeypatch.setattr(table, "TERMS_A_PAIR", terms)
        matching = so.match(*both, similarity=similarity)
        found.append((matching.known.tolist(), matching.cost, matching.relative_gap <= 1e-9))
    assert found[0] == found[1]
    assert found[0][2]


def random_overlaps(people, places):
    rng = np.random.default_rng(2)
    counts = [rng.poisson(1.0, (people, places)) + 1 for _ in "ab"]
    return overlaps(*sides_of_counts(*counts), find_similarity("js"))


def test_only_few_pairs_with_many_places_in_common_are_stored(monkeypatch):
    assert isinstance(store_if_dense(random_overlaps(6, 12)), TablePairs)
    small = random_overlaps(6, 2)
    assert store_if_dense(small) is small, "two terms a pair are computed as fast as they are read"
    monkeypatch.setattr(table, "MOST_PAIRS", 35)
    many = random_overlaps(6, 12)
    assert store_if_dense(many) is many


def test_stored_pairs_are_the_same_from_the_other_side():
    stored = store_if_dense(random_overlaps(5, 9))
    turned = stored.swap_sides()
    assert turned.shape == stored.shape[::-1]
    np.testing.assert_array_equal(turned.gains, stored.gains.T)
    np.testing.assert_array_equal(turned.swap_sides().gains, stored.gains)
