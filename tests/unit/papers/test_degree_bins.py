"""Bins over the own range are those of NumPy."""

import numpy as np
import pytest

import singleout as so
from singleout.papers.degree_bins import own_range_scores
from tests.wanderers import log_of, wanderers


def test_bins_over_the_own_range_are_those_of_numpy():
    networks = so.networks(log_of(*wanderers(np.random.default_rng(1), people=6)), max_gap=None)
    graphs = networks.graphs
    rows = []
    for person in range(6):
        here = graphs.owner == person
        ends = np.concatenate([graphs.source[here], graphs.target[here]])
        degree = np.bincount(ends, np.tile(graphs.weight[here], 2), graphs.nodes[person])
        rows.append(np.histogram(degree, bins=1_000)[0] / len(degree))
    squared = ((np.array(rows)[:, None] - np.array(rows)[None]) ** 2).sum(axis=2)
    scores = own_range_scores(networks, networks, "wd").rows(0, 6)
    assert np.argsort(-scores, axis=1, kind="stable").tolist() == np.argsort(squared, axis=1, kind="stable").tolist()
    assert np.diag(scores) == pytest.approx(np.ones(6))
