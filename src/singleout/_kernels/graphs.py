"""Loops over packed graphs: components, refinement of labels, clustering. One graph after another."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part
from singleout._kernels.sorting import stable_order


@kernel
def arc_starts(node_starts, edge_starts, source):
    """Where the edges of each node start, for edges that lie in order of (graph, source)."""
    starts = np.zeros(node_starts[-1] + 1, np.int64)
    for graph in range(node_starts.size - 1):
        for edge in range(edge_starts[graph], edge_starts[graph + 1]):
            starts[node_starts[graph] + source[edge] + 1] += 1
    for node in range(node_starts[-1]):
        starts[node + 1] += starts[node]
    return starts


@kernel
def both_ways(edge_starts, source, target, nodes):
    """Every edge in both directions, once: (starts of graphs, sources, targets, weights of one)."""
    graphs = edge_starts.size - 1
    out_starts = np.zeros(graphs + 1, np.int64)
    out_source = np.empty(2 * source.size, np.int64)
    out_target = np.empty(2 * source.size, np.int64)
    total = 0
    for graph in range(graphs):
        first, last = edge_starts[graph], edge_starts[graph + 1]
        code = np.empty(2 * (last - first), np.int64)
        for k in range(last - first):
            code[2 * k] = source[first + k] * nodes[graph] + target[first + k]
            code[2 * k + 1] = target[first + k] * nodes[graph] + source[first + k]
        code.sort()
        for k in range(code.size):
            if k == 0 or code[k] != code[k - 1]:
                out_source[total], out_target[total] = code[k] // nodes[graph], code[k] % nodes[graph]
                total += 1
        out_starts[graph + 1] = total
    return out_starts, out_source[:total], out_target[:total], np.ones(total)


@kernel
def reverse_edges(node_starts, edge_starts, source, target):
    """Edges by their targets: where those of each node start over all graphs, and their sources in ascending order."""
    starts = arc_starts(node_starts, edge_starts, target)
    free = starts.copy()
    sources = np.empty(source.size, np.int64)
    for graph in range(node_starts.size - 1):
        for edge in range(edge_starts[graph], edge_starts[graph + 1]):
            node = node_starts[graph] + target[edge]
            sources[free[node]] = source[edge]
            free[node] += 1
    return starts, sources


@kernel
def strongest(first, last, edge_starts, weight, keys, dropped):
    """Of the graphs first … last: which edges stay when the ``dropped`` weakest go; which are as weak as the last.

    Between equally weak ones the first of ``keys`` decides, then the next; the smallest goes first.
    """
    base = edge_starts[first]
    goes = np.zeros(edge_starts[last] - base, np.bool_)
    at_cut = np.zeros(edge_starts[last] - base, np.bool_)
    for graph in range(first, last):
        begin, end = edge_starts[graph], edge_starts[graph + 1]
        if dropped[graph] == 0:
            continue
        mine = weight[begin:end]
        limit = mine[stable_order(mine, np.arange(mine.size))[dropped[graph] - 1]]
        tied = np.empty(end - begin, np.int64)
        weaker, equal = 0, 0
        for edge in range(begin, end):
            if weight[edge] < limit:
                goes[edge - base] = True
                weaker += 1
            elif weight[edge] == limit:
                at_cut[edge - base] = True
                tied[equal] = edge
                equal += 1
        order = tied[:equal]
        for key in range(keys.shape[0] - 1, -1, -1):
            order = stable_order(keys[key], order)
        for k in range(dropped[graph] - weaker):
            goes[order[k] - base] = True
    return ~goes, at_cut


@kernel
def count_colours(first, last, node_starts, colours, vocabulary):
    """Of the graphs first … last over all rounds: how often each colour of the ascending vocabulary occurs.

    Returns for each graph the sum of squares of the counts of all its colours and how many are in the vocabulary, then
    their numbers there and counts.
    """
    rounds = colours.shape[0]
    squares = np.zeros(last - first)
    entries = np.zeros(last - first, np.int64)
    room = rounds * (node_starts[last] - node_starts[first])
    column, count = np.empty(room, np.int64), np.empty(room)
    total = 0
    for graph in range(first, last):
        mine = np.sort(colours[:, node_starts[graph] : node_starts[graph + 1]].copy().ravel())
        opened, low, begin = total, 0, 0
        for k in range(1, mine.size + 1):
            if k < mine.size and mine[k] == mine[begin]:
                continue
            squares[graph - first] += (k - begin) ** 2
            # the next colour is larger: what lies below need not be looked at again
            low += np.searchsorted(vocabulary[low:], mine[begin])
            if low < vocabulary.size and vocabulary[low] == mine[begin]:
                column[total], count[total] = low, k - begin
                total += 1
            begin = k
        entries[graph - first] = total - opened
    return squares, entries, column[:total], count[:total]


@kernel
def largest_components(node_starts, visits, edge_starts, source, target):
    """Which nodes lie in their graph's largest weak component; of equals the one with most visits, then the first."""
    inside = np.zeros(node_starts[-1], np.bool_)
    for graph in range(node_starts.size - 1):
        start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
        root = np.arange(size)
        for edge in range(edge_starts[graph], edge_starts[graph + 1]):
            a, b = _root(root, source[edge]), _root(root, target[edge])
            root[max(a, b)] = min(a, b)
        members = np.zeros(size, np.int64)
        visited = np.zeros(size, np.int64)
        best = -1
        for node in range(size):
            members[_root(root, node)] += 1
            visited[_root(root, node)] += visits[start + node]
        for node in range(size):
            better = best < 0 or members[node] > members[best]
            if better or (members[node] == members[best] and visited[node] > visited[best]):
                best = node
        for node in range(size):
            inside[start + node] = _root(root, node) == best
    return inside


@part
def _root(root, node):
    while root[node] != node:
        root[node] = root[root[node]]
        node = root[node]
    return node


@kernel
def mix(value, salt):
    """A 64-bit finaliser: every bit of the value reaches every bit of the result.

    The salt is spread and added first: small numbers must not come out as zero, which a sum would not notice.
    """
    value += (salt + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    value ^= value >> np.uint64(29)
    value *= np.uint64(0xA0761D6478BD642F)
    return value ^ (value >> np.uint64(32))


@kernel
def mix_all(values, salt):
    """The finaliser over an array."""
    out = np.empty_like(values)
    for k in range(values.size):
        out[k] = mix(values[k], salt)
    return out


@kernel
def refine(node_starts, arcs, targets, arcs_back, sources, colour, inward):
    """One round of Weisfeiler and Lehman: own colour, the multiset of those led to and, if ``inward``, led from.

    A multiset is the sum of its mixed members, so that order does not matter.
    """
    out = np.empty_like(colour)
    for graph in range(node_starts.size - 1):
        start = node_starts[graph]
        for node in range(start, node_starts[graph + 1]):
            total = mix(colour[node], np.uint64(1))
            ahead, behind = np.uint64(0), np.uint64(0)
            for arc in range(arcs[node], arcs[node + 1]):
                ahead += mix(colour[start + targets[arc]], np.uint64(2))
            total = mix(total + ahead, np.uint64(3))
            if inward:
                for arc in range(arcs_back[node], arcs_back[node + 1]):
                    behind += mix(colour[start + sources[arc]], np.uint64(4))
                total = mix(total + behind, np.uint64(5))
            out[node] = total
    return out


@kernel
def shared_products(first, last, starts, features, counts, other_starts, others, other_counts, columns):
    """Inner products of sparse rows first … last with all rows of the other side, given by feature."""
    out = np.zeros((last - first, columns))
    for row in range(first, last):
        line = out[row - first]
        for entry in range(starts[row], starts[row + 1]):
            feature, count = features[entry], counts[entry]
            for other in range(other_starts[feature], other_starts[feature + 1]):
                line[others[other]] += count * other_counts[other]
    return out


@kernel
def mean_clustering(first, last, node_starts, arcs, targets, arcs_back, sources):
    """Of each graph: mean clustering over all its nodes; those with too few neighbours count as zero.

    For directed graphs Fagiolo's: closed directed triangles over possible ones. With every edge in both directions
    this is the usual undirected coefficient.
    """
    means = np.zeros(last - first)
    for graph in range(first, last):
        start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
        tie = np.zeros(size, np.int64)
        total = 0.0
        for node in range(size):
            for arc in range(arcs[start + node], arcs[start + node + 1]):
                tie[targets[arc]] += 1
            for arc in range(arcs_back[start + node], arcs_back[start + node + 1]):
                tie[sources[arc]] += 1
            degree, mutual, closed = 0, 0, 0
            for other in range(size):
                if tie[other] == 0:
                    continue
                degree += tie[other]
                mutual += tie[other] == 2
                for arc in range(arcs[start + other], arcs[start + other + 1]):
                    closed += tie[other] * tie[targets[arc]]
            possible = degree * (degree - 1) - 2 * mutual
            # the definition meets every triangle twice and halves; outgoing arcs alone meet it once
            if possible > 0:
                total += closed / possible
            tie[:] = 0
        means[graph - first] = total / size if size else 0.0
    return means
