"""The degree kernels of M18 3.3.1 with bins over each network's own range, which the paper leaves open.

It does not say over which range its "histograms of length 1000" are. Ours count degrees 0 to 999 and shares 0 to 1,
the same for everyone; here each network's bins reach from its smallest to its largest value, the default of common
software.
"""

from __future__ import annotations

import numpy as np

import singleout as so
from singleout.ground.arrays import Floats
from singleout.similarity.networks.features import Gaussian
from singleout.statistics.graphs import Graphs

BINS = 1_000


def own_range_scores(released: so.Networks, known: so.Networks, kernel: str) -> so.Scores:
    """``dd`` or ``wd`` with a Gaussian, bins over each network's own range."""
    rows = [_shares(side.graphs, weighted=kernel == "wd") for side in (released, known)]
    return so.Scores.streamed(Gaussian(*rows).block, released.people, known.people)


def _shares(graphs: Graphs, *, weighted: bool) -> Floats:
    """Share of each network's nodes in each bin of its own range; all in the first if all are equal."""
    value = _at_nodes(graphs, graphs.weight if weighted else np.ones(len(graphs.weight)))
    table = np.zeros((len(graphs), BINS))
    if not len(value):
        return table
    owner, filled = graphs.node_owner, np.flatnonzero(graphs.nodes)
    starts = graphs.node_starts[filled]
    low, high = np.zeros(len(graphs)), np.zeros(len(graphs))
    low[filled], high[filled] = np.minimum.reduceat(value, starts), np.maximum.reduceat(value, starts)
    span = (high - low)[owner]
    place = np.divide(value - low[owner], span, out=np.zeros_like(value), where=span > 0)
    bins = np.minimum(np.floor(place * BINS + 1e-9), BINS - 1).astype(np.int64)
    np.add.at(table, (owner, bins), 1.0)
    return table / np.maximum(graphs.nodes, 1)[:, None]


def _at_nodes(graphs: Graphs, weight: Floats) -> Floats:
    """The weights of all edges in and out of each node."""
    base = graphs.node_starts[graphs.owner]
    ends = np.concatenate([base + graphs.source, base + graphs.target])
    return np.asarray(np.bincount(ends, np.concatenate([weight, weight]), len(graphs.visits)), dtype=np.float64)
