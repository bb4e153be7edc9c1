"""Hops between the nodes of packed graphs: searches from one node, or from many at once."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part

TOGETHER = 64
"""Searches that are carried out at once, a bit of a number for each."""


@kernel
def breadth_first(origin, start, arcs, targets, hops, queue):
    """Hops from one node to the others of its graph (-1: cannot be reached); returns how many were reached."""
    hops[:] = -1
    hops[origin] = 0
    queue[0] = origin
    reached = 1
    position = 0
    while position < reached:
        node = queue[position]
        position += 1
        for arc in range(arcs[start + node], arcs[start + node + 1]):
            other = targets[arc]
            if hops[other] < 0:
                hops[other] = hops[node] + 1
                queue[reached] = other
                reached += 1
    return reached


@part
def start_together(origin, many, seen, fresh, active):
    """The nodes from which ``many`` searches start at once: a bit for each, in the numbers of the nodes it has seen."""
    seen[:] = 0
    for k in range(many):
        seen[origin + k] = fresh[origin + k] = np.uint64(1) << np.uint64(k)
        active[k] = origin + k


@part
def one_hop(start, arcs, targets, seen, fresh, coming, active, following):
    """One hop further in all searches, from the ``active`` nodes, at which those of the bits ``fresh`` have arrived.

    Returns how many nodes are reached anew. They are in ``following``, and ``coming`` has the bits of those who do.
    """
    reached = 0
    for node in active:
        for arc in range(arcs[start + node], arcs[start + node + 1]):
            other = targets[arc]
            new = fresh[node] & ~seen[other]
            # without branches, which nobody could predict; so one place more is written to than is ever used
            following[reached] = other
            reached += (new != 0) & (coming[other] == 0)
            coming[other] |= new
        fresh[node] = 0
    for node in following[:reached]:
        seen[node] |= coming[node]
    return reached


@part
def count_bits(bits):
    """How many are set; the compiler makes one instruction of it."""
    count = 0
    while bits != 0:
        bits &= bits - np.uint64(1)
        count += 1
    return count


@kernel
def path_counts(first, last, node_starts, arcs, targets, label, labels, longest):
    """Ordered pairs by (label of the start, label of the end, hops); longer paths count as ``longest``.

    Returns a row for each of the graphs first … last and the number of pairs that were capped.
    """
    counts = np.zeros((last - first, labels * labels * longest))
    capped = 0
    for graph in range(first, last):
        start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
        seen, fresh, coming = np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        active, following = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
        for origin in range(0, size, TOGETHER):
            reached = min(TOGETHER, size - origin)
            start_together(origin, reached, seen, fresh, active)
            with_label = np.zeros(labels, np.uint64)
            for k in range(reached):
                with_label[label[start + origin + k]] |= fresh[origin + k]
            length = 0
            while reached > 0:
                reached = one_hop(start, arcs, targets, seen, fresh, coming, active[:reached], following)
                fresh, coming, active, following = coming, fresh, following, active
                length += 1
                for node in active[:reached]:
                    for begun in range(labels):
                        pairs = count_bits(fresh[node] & with_label[begun])
                        kind = (begun * labels + label[start + node]) * longest + min(length, longest) - 1
                        counts[graph - first, kind] += pairs
                        capped += pairs if length > longest else 0
    return counts, capped


@kernel
def shared_starts(node_starts, arcs, targets, label, labels, longest):
    """How often two kinds of shortest paths start at the same node, over all graphs (the diagonal included)."""
    kinds = labels * labels * longest
    together = np.zeros((kinds, kinds))
    count = np.zeros(kinds)
    present = np.empty(kinds, np.int64)
    for graph in range(node_starts.size - 1):
        start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
        hops, queue = np.empty(size, np.int64), np.empty(size, np.int64)
        for origin in range(size):
            reached = breadth_first(origin, start, arcs, targets, hops, queue)
            row, distinct = label[start + origin] * labels, 0
            for k in range(1, reached):
                kind = (row + label[start + queue[k]]) * longest + min(hops[queue[k]], longest) - 1
                if count[kind] == 0.0:
                    present[distinct] = kind
                    distinct += 1
                count[kind] += 1.0
            for i in range(distinct):
                for j in range(distinct):
                    together[present[i], present[j]] += count[present[i]] * count[present[j]]
                # a path does not accompany itself
                together[present[i], present[i]] -= count[present[i]]
            for i in range(distinct):
                count[present[i]] = 0.0
    return together


@kernel
def shape_figures(first, last, node_starts, arcs, targets):
    """Of each graph: longest and mean finite distance over ordered pairs, and reachable pairs."""
    figures = np.zeros((last - first, 3))
    for graph in range(first, last):
        start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
        seen, fresh, coming = np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        active, following = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
        total, pairs, longest = 0, 0, 0
        for origin in range(0, size, TOGETHER):
            reached = min(TOGETHER, size - origin)
            start_together(origin, reached, seen, fresh, active)
            length = 0
            while reached > 0:
                longest = max(longest, length)
                reached = one_hop(start, arcs, targets, seen, fresh, coming, active[:reached], following)
                fresh, coming, active, following = coming, fresh, following, active
                length += 1
                for node in active[:reached]:
                    arrived = count_bits(fresh[node])
                    total += arrived * length
                    pairs += arrived
        figures[graph - first, 0] = longest
        figures[graph - first, 1] = total / pairs if pairs else 0.0
        figures[graph - first, 2] = pairs
    return figures
