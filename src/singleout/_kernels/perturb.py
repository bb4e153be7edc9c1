"""Edges led elsewhere and added, one graph after another."""

from __future__ import annotations

import numpy as np

from singleout._kernels.graphs import mix
from singleout._kernels.jit import kernel

TRIES = 200
"""Random places looked at for an edge before it is let be: enough unless a network is nearly full."""


@kernel
def place_edges(edge_starts, source, target, nodes, moved, copied, seed):
    """Lead the moved edges to another node, then place a copy of each copied one between two nodes, all at random.

    Never where an edge is already, nor from a node to itself; after this many tries a moved edge stays and a copy is
    let go. Returns the new targets, and the ends of the copies (-1: not placed). Lots are hashes of the edge's number.
    """
    out = target.copy()
    ends = np.full((2, source.size), -1, np.int64)
    for graph in range(edge_starts.size - 1):
        first, last = edge_starts[graph], edge_starts[graph + 1]
        size = nodes[graph]
        taken = {np.int64(-1)}
        for edge in range(first, last):
            taken.add(source[edge] * size + target[edge])
        for edge in range(first, last):
            for attempt in range(TRIES if moved[edge] else 0):
                other = _lot(edge, attempt, seed, size)
                code = source[edge] * size + other
                if other != source[edge] and code not in taken:
                    taken.remove(source[edge] * size + target[edge])
                    taken.add(code)
                    out[edge] = other
                    break
        for edge in range(first, last):
            for attempt in range(TRIES if copied[edge] else 0):
                a = _lot(edge, TRIES + 2 * attempt, seed, size)
                b = _lot(edge, TRIES + 2 * attempt + 1, seed, size)
                if a != b and a * size + b not in taken:
                    taken.add(a * size + b)
                    ends[0, edge], ends[1, edge] = a, b
                    break
    return out, ends


@kernel
def _lot(edge, number, seed, size):
    """A node, each with the same chance."""
    hashed = mix(mix(np.uint64(edge), seed), np.uint64(number))
    return np.int64((hashed >> np.uint64(11)) * (1.0 / 9007199254740992.0) * size)
