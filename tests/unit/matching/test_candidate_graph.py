"""Candidates as a graph: edges stay in order, none twice, and what is solved is the best of what is there."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from singleout.matching.candidate_graph import Graph

pytestmark = pytest.mark.kernels


def graph_of(gains, supply, demand):
    graph = Graph(np.array(supply), np.array(demand), np.zeros(len(supply)), np.zeros(len(demand)))
    rows, columns = np.nonzero(gains)
    graph.add(rows, columns, gains[rows, columns])
    return graph


def test_edges_stay_ordered_and_none_comes_twice():
    graph = Graph(np.ones(3, np.intp), np.ones(4, np.intp), np.zeros(3), np.zeros(4))
    graph.add(np.array([2, 0, 2]), np.array([1, 3, 1]), np.array([0.5, 0.25, 0.5]))
    graph.add(np.array([1, 0]), np.array([0, 3]), np.array([0.75, 0.25]))
    assert graph.row_of.tolist() == [0, 1, 2]
    assert graph.col_of.tolist() == [3, 0, 1]
    assert graph.gain.tolist() == [0.25, 0.75, 0.5]


@pytest.mark.parametrize("seed", range(5))
def test_searches_find_the_greatest_gain_with_prices_that_prove_it(seed):
    gains = np.random.default_rng(seed).random((12, 9))
    gains[gains < 0.3] = 0.0
    graph = graph_of(gains, np.ones(12, np.intp), np.ones(9, np.intp))
    graph.index()
    graph.bid(0.01)
    graph.search_from_rows()
    graph.search_from_cols()
    rows, columns = linear_sum_assignment(-gains)
    assert graph.total == pytest.approx(gains[rows, columns].sum())
    assert (graph.u[:, None] + graph.p[None, :] >= gains - 1e-12).all()
    assert graph.u.sum() + graph.p.sum() == pytest.approx(graph.total)
