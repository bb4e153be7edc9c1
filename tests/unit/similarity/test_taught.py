"""A similarity taught by known pairs: features and fit against slow twins."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

import singleout as so
from singleout._kernels import softmax
from singleout.similarity.taught import RIDGE, Feature, fit_weights, pair_features, weighted_sum
from tests.reference import taught as twin
from tests.small_logs import noisy_sides
from tests.small_matchings import sides_of_counts, tables_of_counts


@given(counts=tables_of_counts)
def test_features_are_those_of_the_twin(counts):
    expected = twin.features(*counts)
    found = {each.name: each.values for each in pair_features(*sides_of_counts(*counts), progress=False)}
    assert "evidence" in found
    for name, values in expected.items():
        differs = values.std() > 1e-9
        assert differs <= (name in found)
        if name in found:
            assert found[name] == pytest.approx(values / (values.std() if differs else 1.0), rel=1e-6, abs=1e-5)


def tables_and_pairs(people=30):
    sides = noisy_sides(people)
    features = pair_features(*sides, progress=False)
    pairs = np.arange(0, people, 3)
    return features, pairs


def test_the_fit_is_the_most_likely_one_held_near_evidence():
    features, pairs = tables_and_pairs()
    tables, known = [each.values.astype(float) for each in features], [(k, k) for k in pairs]
    scale = minimize_scalar(lambda s: twin.misfit([s], tables[:1], known), bounds=(1e-3, 50), method="bounded").x
    fitted = fit_weights(features, pairs, pairs)
    least = twin.penalised(fitted, tables, known, scale, RIDGE)
    rng = np.random.default_rng(0)
    for size in (1e-2, 0.1, 1.0):
        for _ in range(20):
            other = fitted + scale * size * rng.normal(size=len(fitted))
            assert twin.penalised(other, tables, known, scale, RIDGE) > least


def test_few_pairs_leave_evidence_nearly_alone_and_many_move_it():
    features, _ = tables_and_pairs(90)
    few, many = (fit_weights(features, rows, rows) for rows in (np.arange(2), np.arange(90)))
    away = [np.abs(weights / weights[0])[1:].max() for weights in (few, many)]
    assert away[0] < away[1]
    assert away[0] < 0.2


@given(st.permutations(range(20)), st.permutations(range(20)))
def test_features_and_fit_do_not_see_the_order_of_rows(first, second):
    released, known = noisy_sides(20)
    order, other = np.array(first), np.array(second)
    moved = so.Histograms(released.counts[order], [f"u{k}" for k in order], released.places.tolist())
    moved_known = so.Histograms(known.counts[other], [f"u{k}" for k in other], known.places.tolist())
    plain = pair_features(released, known, progress=False)
    for before, after in zip(plain, pair_features(moved, moved_known, progress=False), strict=True):
        assert after.values == pytest.approx(before.values[np.ix_(order, other)], rel=1e-5, abs=1e-6)
    place, other_place = np.argsort(order), np.argsort(other)
    fitted = fit_weights(pair_features(moved, moved_known, progress=False), place[:8], other_place[:8])
    assert fitted == pytest.approx(fit_weights(plain, np.arange(8), np.arange(8)), rel=1e-2, abs=1e-2)


def test_cells_of_a_grid_are_compared_at_several_sizes_as_well():
    assert "evidence_levels" not in {each.name for each in pair_features(*noisy_sides(5), progress=False)}
    rng = np.random.default_rng(0)
    table = {"user": np.repeat(np.arange(12), 8), "lat": 46 + rng.random(96) / 50, "lng": 6 + rng.random(96) / 50}
    grid = so.read_events(pa.table(table), user="user", lat="lat", lng="lng", grid=200.0)
    cells = so.histograms(grid)
    assert "evidence_levels" in {each.name for each in pair_features(cells, cells, progress=False)}


def test_the_sum_is_that_of_the_chosen_people():
    tables = [Feature("evidence", np.arange(12.0).reshape(3, 4)), Feature("totals", np.ones((3, 4)))]
    found = weighted_sum(tables, np.array([2.0, -1.0]), np.array([2, 0]), np.array([1, 3]))
    assert found.tolist() == [[17.0, 21.0], [1.0, 5.0]]


def test_powers_of_e_are_exact_to_the_last_digits():
    numbers = -np.concatenate([[0.0], np.logspace(-12, np.log10(700), 2_000)])
    found = np.array([softmax.exp(each) for each in numbers])
    np.testing.assert_allclose(found, np.exp(numbers), rtol=4e-16 * 4)
    assert softmax.exp(-1e6) < 1e-300


@pytest.mark.parametrize("candidates", [1, 7, 8, 30])
def test_the_slope_of_the_misfit_is_that_of_its_values(candidates):
    rng = np.random.default_rng(candidates)
    table = rng.normal(size=(5, 3, candidates)).astype(np.float32)
    right, weights = rng.integers(0, candidates, 5), rng.normal(size=3)
    value, slope = softmax.misfit(weights, table, right)
    scores = np.tensordot(weights, table.astype(float), ([0], [1]))
    likely = scores[np.arange(5), right] - np.log(np.exp(scores).sum(axis=1))
    assert value == pytest.approx(-likely.sum(), abs=1e-9)
    for feature in range(3):
        ahead, behind = (
            softmax.misfit(weights + sign * 1e-5 * np.eye(3)[feature], table, right)[0] for sign in (1, -1)
        )
        assert slope[feature] == pytest.approx((ahead - behind) / 2e-5, abs=1e-5)
