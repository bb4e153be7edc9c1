"""Edges led elsewhere and added, one graph after another."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel


@kernel
def placed_edges(edge_starts, source, target, nodes, moved, elsewhere, copied, ends):
    """Lead the moved edges to ``elsewhere``, then place a copy of each copied one between ``ends``.

    Where there is an edge already, or a node would lead to itself, a moved edge stays and a copy is let go. Returns the
    new targets and which copies were placed.
    """
    out = target.copy()
    placed = np.zeros(source.size, np.bool_)
    for graph in range(edge_starts.size - 1):
        first, last = edge_starts[graph], edge_starts[graph + 1]
        size = nodes[graph]
        taken = {np.int64(-1)}
        for edge in range(first, last):
            taken.add(source[edge] * size + target[edge])
        for edge in range(first, last):
            code = source[edge] * size + elsewhere[edge]
            if moved[edge] and elsewhere[edge] != source[edge] and code not in taken:
                taken.remove(source[edge] * size + target[edge])
                taken.add(code)
                out[edge] = elsewhere[edge]
        for edge in range(first, last):
            code = ends[0, edge] * size + ends[1, edge]
            if copied[edge] and ends[0, edge] != ends[1, edge] and code not in taken:
                taken.add(code)
                placed[edge] = True
    return out, placed
