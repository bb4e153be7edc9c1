"""Distances, nearest records and losses, the same for dense and sparse records."""

import numpy as np
import pytest
from hypothesis import given

from singleout.protection.record_distances import DenseSpace, SparseSpace
from tests.reference import clustering as twins
from tests.small_groups import NORMS, counts_to_group, histograms_of, shares_of

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("norm", NORMS)
@given(table=counts_to_group)
def test_distances_and_neighbours_of_sparse_records_are_those_of_dense_ones(norm, table):
    shares = shares_of(table)
    spaces = SparseSpace(histograms_of(shares).counts.astype(np.float64), norm), DenseSpace(shares, norm)
    alive = np.arange(len(table)) % 3 != 1
    alive[0] = True
    np.testing.assert_allclose(spaces[0].from_mean(alive), spaces[1].from_mean(alive), atol=1e-12)
    groups = np.array([0, len(table) // 2, len(table)])
    np.testing.assert_allclose(*(space.losses(groups, np.arange(len(table))) for space in spaces), atol=1e-12)
    labels = np.unique(np.arange(len(table)) // 2, return_inverse=True)[1]
    for row in range(len(table)):
        distances = twins.distances(shares, shares[row], norm)
        np.testing.assert_allclose(spaces[0].from_record(row), distances, atol=1e-12)
        wanted = min(2, int(alive.sum()) - int(alive[row]))
        for space in spaces:
            found = space.nearest(np.array([row]), 2, alive)[0]
            near = np.sort(distances[alive & (np.arange(len(table)) != row)])[:wanted]
            np.testing.assert_allclose(distances[found[found >= 0]], near, atol=1e-9)
    means = np.array([shares[labels == label].mean(axis=0) for label in range(labels.max() + 1)])
    found = [space.nearest_means(labels, 1)[:, 0] for space in spaces]
    near = np.array(
        [[twins.distances(means[f], row, norm) for f, row in zip(each, shares, strict=True)] for each in found]
    )
    np.testing.assert_allclose(near[0], near[1], atol=1e-9)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("scale", "offset"), [(1.0, 0.0), (1e-6, 1e6), (1e9, 1.0), (0.0, 3.0)])
def test_the_search_along_a_direction_misses_nobody_however_numbers_are_rounded(norm, scale, offset):
    rng = np.random.default_rng(4)
    rows = offset + scale * rng.normal(size=(60, 3)).round(1) * [1.0, 1.0, 0.01]
    alive = rng.random(60) < 0.7
    found = DenseSpace(rows, norm).nearest(np.arange(60), 4, alive)
    for row in range(60):
        others = np.flatnonzero(alive & (np.arange(60) != row))
        far = sum((np.abs(rows[others, c] - rows[row, c])) ** (2 if norm == "l2" else 1) for c in range(3))
        assert found[row].tolist() == others[np.argsort(far, kind="stable")[:4]].tolist()
