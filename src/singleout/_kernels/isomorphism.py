"""Which graphs are the same but for the names of their nodes: refinement first, then an exact search.

Colours refined by in- and out-neighbours are the same for isomorphic graphs. Graphs with equal colours are compared
exactly, by mapping nodes one after another onto nodes of the same colour.
"""

from __future__ import annotations

import numpy as np

from singleout._kernels.graphs import mixed, refined
from singleout._kernels.jit import kernel


@kernel
def stable_colours(node_starts, arcs, targets, arcs_back, sources, graph):
    """Colours of one graph's nodes, refined until their number no longer grows."""
    start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
    # refined works on packed graphs: this one alone, its arcs where they lie
    alone = np.array([0, size])
    ahead, behind = arcs[start : start + size + 1], arcs_back[start : start + size + 1]
    colour = np.ones(size, np.uint64)
    distinct = 1
    while True:
        finer = refined(alone, ahead, targets, behind, sources, colour, True)
        number = _distinct(finer)
        colour = finer
        if number <= distinct:
            return colour
        distinct = number


@kernel
def _distinct(colour):
    ordered = np.sort(colour)
    number = min(ordered.size, 1)
    for k in range(1, ordered.size):
        number += ordered[k] != ordered[k - 1]
    return number


@kernel
def all_colours(first, last, node_starts, arcs, targets, arcs_back, sources):
    """Stable colours of the graphs first … last, and one number for each graph that isomorphic ones share."""
    colour = np.empty(node_starts[last] - node_starts[first], np.uint64)
    signature = np.empty(last - first, np.uint64)
    for graph in range(first, last):
        begin, end = node_starts[graph] - node_starts[first], node_starts[graph + 1] - node_starts[first]
        colour[begin:end] = stable_colours(node_starts, arcs, targets, arcs_back, sources, graph)
        total = np.uint64(end - begin)
        for node in range(begin, end):
            total += mixed(colour[node], np.uint64(6))
        signature[graph - first] = total
    return colour, signature


@kernel
def isomorphic(a, b, node_starts, arcs, targets, arcs_back, sources, colour, order, budget):
    """Whether two graphs with equal colours are the same: 1 yes, 0 no, -1 not decided within ``budget`` steps."""
    size = node_starts[a + 1] - node_starts[a]
    mine, theirs = node_starts[a], node_starts[b]
    if arcs[mine + size] - arcs[mine] != arcs[theirs + size] - arcs[theirs]:
        return 0
    image = np.full(size, -1, np.int64)
    taken = np.zeros(size, np.bool_)
    tried = np.zeros(size + 1, np.int64)
    depth, steps = 0, 0
    while depth < size:
        node = order[depth]
        candidate = tried[depth]
        while candidate < size:
            if not taken[candidate] and colour[theirs + candidate] == colour[mine + node]:
                steps += 1
                if steps > budget:
                    return -1
                if _fits(node, candidate, mine, theirs, arcs, targets, image) and _fits(
                    node, candidate, mine, theirs, arcs_back, sources, image
                ):
                    break
            candidate += 1
        if candidate < size:
            image[node], taken[candidate] = candidate, True
            tried[depth] = candidate + 1
            depth += 1
            tried[depth] = 0
        else:
            if depth == 0:
                return 0
            depth -= 1
            back = order[depth]
            taken[image[back]] = False
            image[back] = -1
    return 1


@kernel
def _fits(node, candidate, mine, theirs, arcs, others, image):
    """Whether every neighbour mapped so far is mapped to a neighbour.

    Equal colours have equal degrees, so when all nodes are mapped this way no edge is left over.
    """
    for arc in range(arcs[mine + node], arcs[mine + node + 1]):
        mapped = image[others[arc]]
        if mapped >= 0 and not _among(mapped, others, arcs[theirs + candidate], arcs[theirs + candidate + 1]):
            return False
    return True


@kernel
def _among(value, values, low, high):
    """Binary search: each node's neighbours lie in ascending order."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        elif values[middle] > value:
            high = middle
        else:
            return True
    return False


@kernel
def search_order(graph, node_starts, arcs, targets, arcs_back, sources, colour):
    """Nodes in the order of the search: rare colours first, neighbours of those already placed before others."""
    start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
    alike = np.zeros(size, np.int64)
    by_colour = np.argsort(colour[start : start + size], kind="mergesort")
    begin = 0
    for k in range(1, size + 1):
        if k == size or colour[start + by_colour[k]] != colour[start + by_colour[begin]]:
            for member in range(begin, k):
                alike[by_colour[member]] = k - begin
            begin = k
    order = np.empty(size, np.int64)
    placed, near = np.zeros(size, np.bool_), np.zeros(size, np.int64)
    for position in range(size):
        best = -1
        for node in range(size):
            if placed[node]:
                continue
            if best < 0 or (near[node] > 0, -alike[node], near[node]) > (near[best] > 0, -alike[best], near[best]):
                best = node
        order[position], placed[best] = best, True
        for arc in range(arcs[start + best], arcs[start + best + 1]):
            near[targets[arc]] += 1
        for arc in range(arcs_back[start + best], arcs_back[start + best + 1]):
            near[sources[arc]] += 1
    return order


@kernel
def classes(node_starts, arcs, targets, arcs_back, sources, colour, by_signature, groups, budget):
    """A class for each graph: its first member. Groups of equal signatures lie one after another in ``by_signature``.

    Also which graphs could not be told from their class within the budget; they count as members.
    """
    label = np.empty(by_signature.size, np.int64)
    undecided = np.zeros(by_signature.size, np.bool_)
    for group in range(groups.size - 1):
        begin, end = groups[group], groups[group + 1]
        for k in range(begin, end):
            graph = by_signature[k]
            label[graph] = graph
            order = np.empty(0, np.int64)
            for earlier in range(begin, k):
                other = by_signature[earlier]
                if label[other] != other:
                    continue
                if order.size == 0:
                    order = search_order(graph, node_starts, arcs, targets, arcs_back, sources, colour)
                same = isomorphic(graph, other, node_starts, arcs, targets, arcs_back, sources, colour, order, budget)
                if same != 0:
                    label[graph] = other
                    undecided[graph] = same < 0
                    break
    return label, undecided
