"""A term that a user brings may use values of places."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from numba import config
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout._kernels.overlap import PRODUCT
from singleout.similarity.own_term import compile_term, count_values, values_of_places
from singleout.similarity.registry import Similarity
from tests.compiling import gain_and_numbers
from tests.small_matchings import sides_of_counts, tables_of_counts

pytestmark = pytest.mark.kernels
WEIGHTS = {place: 0.5 + place for place in range(5)}
POSITIONS = {place: (1.0 + place, 2.0 - place / 4) for place in range(5)}


def twin(released, known, term):
    """Costs of all pairs in loops: minus the terms of common places, each with the values of the place."""
    return np.array(
        [
            [
                -sum(
                    term(x[k] / x.sum(), y[k] / y.sum(), k)
                    for k in range(len(x))
                    if x[k] > 0 and y[k] > 0
                )
                for y in known
            ]
            for x in released
        ]
    )  # fmt: skip


@cache
def similarity_of(term, places):
    """The same as registered, compiled once for all examples."""
    values = count_values(term)
    kernels, given = compile_term(term, values), dict(places)
    return Similarity("own", "shares", 0.0, PRODUCT, kernels, place_values=values_of_places(given, values))


def weighted(p, q, weight):
    return weight * min(p, q)


def placed(p, q, a, b):
    return p * q * a / b


@given(counts=tables_of_counts)
def test_one_value_of_a_place_enters_its_term(counts):
    own = similarity_of(weighted, tuple(WEIGHTS.items()))
    costs = twin(*counts, lambda p, q, k: WEIGHTS[k] * min(p, q))
    found = so.match(*sides_of_counts(*counts), similarity=own)
    assert found.costs == pytest.approx(costs[found.released, found.known])
    assert found.cost == pytest.approx(costs[linear_sum_assignment(costs)].sum())
    assert found.gap == pytest.approx(0, abs=1e-12)


@given(counts=tables_of_counts)
def test_two_values_keep_their_order_whichever_side_comes_first(counts):
    own = similarity_of(placed, tuple(POSITIONS.items()))
    costs = twin(*counts, lambda p, q, k: p * q * POSITIONS[k][0] / POSITIONS[k][1])
    sides = sides_of_counts(*counts)
    found = so.match(*sides, similarity=own)
    assert found.cost == pytest.approx(costs[linear_sum_assignment(costs)].sum())
    for by, axis in (("released", 1), ("known", 0)):
        nearest = so.match(*sides, similarity=own, method="one-by-one", by=by)
        assert np.sort(nearest.costs) == pytest.approx(np.sort(costs.min(axis=axis)))


def test_values_may_come_from_the_known_side():
    def popularity(known):
        return np.bincount(known.counts.indices, minlength=len(known.places))

    so.register_similarity("popular", lambda p, q, visitors: p * q / visitors, 0.0, places=popularity)
    counts = np.array([[2, 1, 0], [0, 1, 1]]), np.array([[1, 1, 1], [0, 3, 0]])
    found = so.match(*sides_of_counts(*counts), similarity="popular")
    costs = twin(*counts, lambda p, q, k: p * q / (counts[1][:, k] > 0).sum())
    assert found.cost == pytest.approx(costs[linear_sum_assignment(costs)].sum())


def test_values_are_in_the_explanation():
    so.register_similarity("weighted", lambda p, q, weight: weight * min(p, q), 0.0, places=WEIGHTS)
    found = so.match(*sides_of_counts(np.array([[1, 1]]), np.array([[1, 1]])), similarity="weighted")
    assert found.explain(0).terms.tolist() == [1.5 * 0.5, 0.5 * 0.5]


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({0: 1.0}, "places has no value for 1 place of the known side"),
        (lambda known: np.ones(5), "one row per place|takes one finite number"),
        (lambda known: ["a", "b"], "must be numbers"),
        (lambda known: [1.0, float("nan")], "takes one finite number for each place"),
        (lambda known: 1 / 0, "the function places failed: ZeroDivisionError in test_own_term.py"),
        ({0: (1.0, 2.0), 1: (1.0, 2.0)}, "takes one finite number for each place"),
    ],
)
def test_values_that_do_not_fit_say_so(places, message):
    so.register_similarity("weighted", lambda p, q, weight: weight * min(p, q), 0.0, places=places)
    with pytest.raises(so.InputError, match=message):
        so.match(*sides_of_counts(np.array([[1, 1]]), np.array([[1, 1]])), similarity="weighted")


def test_a_negative_term_is_refused_when_it_shows():
    so.register_similarity("odd", lambda p, q, sign: sign * p * q, 0.0, places={0: -1.0, 1: float("inf")})
    so.register_similarity("minus", lambda p, q, sign: sign * p * q, 0.0, places={0: -1.0, 1: 1.0})
    sides = sides_of_counts(np.array([[1, 1], [1, 0]]), np.array([[1, 1], [1, 0]]))
    with pytest.raises(so.InputError, match="finite number"):
        so.match(*sides, similarity="odd")
    for method in ("joint", "one-by-one"):
        with pytest.raises(so.DataError, match="negative number, an infinite one or NaN"):
            so.match(*sides, similarity="minus", method=method)


@pytest.mark.heavy
@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_kernels_on_disk_never_take_a_users_term_for_their_own(tmp_path):
    gain, numbers = gain_and_numbers(tmp_path, {})
    assert set(numbers) == {"fill_terms", "gather_row"}
    assert gain == pytest.approx(2 * np.log(2) - 1.5 * np.log(4 / 3))
    assert gain_and_numbers(tmp_path, numbers)[0] == gain, "the copies with the user's term had the same numbers"
