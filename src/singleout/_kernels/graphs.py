"""Loops over packed graphs: components, hop distances, refinement of labels. One graph after another."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel


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
def strongest(edge_starts, weight, keys, dropped):
    """Which edges stay when each graph's ``dropped`` weakest go; and which are as weak as the last of those.

    Between equally weak ones the first of ``keys`` decides, then the next; the smallest goes first.
    """
    stays = np.ones(weight.size, np.bool_)
    at_cut = np.zeros(weight.size, np.bool_)
    for graph in range(edge_starts.size - 1):
        first, last = edge_starts[graph], edge_starts[graph + 1]
        if dropped[graph] == 0:
            continue
        limit = np.sort(weight[first:last])[dropped[graph] - 1]
        tied = np.empty(last - first, np.int64)
        weaker, equal = 0, 0
        for edge in range(first, last):
            if weight[edge] < limit:
                stays[edge] = False
                weaker += 1
            elif weight[edge] == limit:
                at_cut[edge] = True
                tied[equal] = edge
                equal += 1
        order = tied[:equal]
        for key in range(keys.shape[0] - 1, -1, -1):
            order = order[np.argsort(keys[key][order], kind="mergesort")]
        for k in range(dropped[graph] - weaker):
            stays[order[k]] = False
    return stays, at_cut


@kernel
def count_colours(node_starts, colours):
    """Each graph's colours over all rounds and how often they occur: (starts of graphs, colours, counts)."""
    rounds, nodes = colours.shape
    starts = np.zeros(node_starts.size, np.int64)
    out = np.empty(rounds * nodes, np.uint64)
    count = np.empty(rounds * nodes)
    total = 0
    for graph in range(node_starts.size - 1):
        mine = np.sort(colours[:, node_starts[graph] : node_starts[graph + 1]].copy().ravel())
        for k in range(mine.size):
            if k == 0 or mine[k] != mine[k - 1]:
                out[total], count[total] = mine[k], 0.0
                total += 1
            count[total - 1] += 1.0
        starts[graph + 1] = total
    return starts, out[:total], count[:total]


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


@kernel
def _root(root, node):
    while root[node] != node:
        root[node] = root[root[node]]
        node = root[node]
    return node


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


@kernel
def path_counts(first, last, node_starts, arcs, targets, label, labels, longest):
    """Ordered pairs by (label of the start, label of the end, hops); longer paths count as ``longest``.

    Returns a row for each of the graphs first … last and the number of pairs that were capped.
    """
    counts = np.zeros((last - first, labels * labels * longest))
    capped = 0
    for graph in range(first, last):
        start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
        hops, queue = np.empty(size, np.int64), np.empty(size, np.int64)
        for origin in range(size):
            reached = breadth_first(origin, start, arcs, targets, hops, queue)
            row = label[start + origin] * labels
            for k in range(1, reached):
                length = hops[queue[k]]
                if length > longest:
                    length = longest
                    capped += 1
                counts[graph - first, (row + label[start + queue[k]]) * longest + length - 1] += 1.0
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
def shape_figures(first, last, node_starts, arcs, targets):
    """Of each graph: longest and mean finite distance over ordered pairs, and reachable pairs."""
    figures = np.zeros((last - first, 3))
    for graph in range(first, last):
        start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
        hops, queue = np.empty(size, np.int64), np.empty(size, np.int64)
        total, pairs, longest = 0, 0, 0
        for origin in range(size):
            reached = breadth_first(origin, start, arcs, targets, hops, queue)
            for k in range(1, reached):
                total += hops[queue[k]]
            pairs += reached - 1
            longest = max(longest, hops[queue[reached - 1]])
        figures[graph - first, 0] = longest
        figures[graph - first, 1] = total / pairs if pairs else 0.0
        figures[graph - first, 2] = pairs
    return figures


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


@kernel
def multiply(starts, columns, values, vector):
    """A sparse matrix, row by row, times a vector; two sums at a time, which need not wait for each other."""
    product = np.empty(starts.size - 1)
    for row in range(starts.size - 1):
        begin, end = starts[row], starts[row + 1]
        even, odd = 0.0, 0.0
        for k in range(begin, end - 1, 2):
            even += values[k] * vector[columns[k]]
            odd += values[k + 1] * vector[columns[k + 1]]
        if (end - begin) % 2:
            even += values[end - 1] * vector[columns[end - 1]]
        product[row] = even + odd
    return product
