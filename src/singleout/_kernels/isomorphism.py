"""Which graphs are the same but for the names of their nodes: refinement first, then an exact search.

Colours refined by in- and out-neighbours are the same for isomorphic graphs. Graphs with equal colours are compared
exactly: a node of one is given a colour of its own, each node of the other that may correspond is tried with the same
one, and refinement goes on from there.
"""

from __future__ import annotations

import numpy as np

from singleout._kernels.graphs import mix, refine
from singleout._kernels.jit import kernel, part
from singleout._kernels.sorting import stable_order


@part
def stable_colours(node_starts, arcs, targets, arcs_back, sources, graph, colour):
    """Colours of one graph's nodes, refined until their number no longer grows; and the rounds that took."""
    start, size = node_starts[graph], node_starts[graph + 1] - node_starts[graph]
    # refined works on packed graphs: this one alone, its arcs where they lie
    alone = np.array([0, size])
    ahead, behind = arcs[start : start + size + 1], arcs_back[start : start + size + 1]
    distinct = _distinct(colour)
    rounds = 0
    while True:
        colour = refine(alone, ahead, targets, behind, sources, colour, True)
        number = _distinct(colour)
        rounds += 1
        if number <= distinct:
            return colour, rounds
        distinct = number


@part
def _by_colour(colour):
    """Nodes in order of the bits of their colours: any order will do, and that of whole numbers is there already."""
    return stable_order(colour.view(np.int64), np.arange(colour.size))


@part
def _distinct(colour):
    order = _by_colour(colour)
    number = min(order.size, 1)
    for k in range(1, order.size):
        number += colour[order[k]] != colour[order[k - 1]]
    return number


@kernel
def all_colours(first, last, node_starts, arcs, targets, arcs_back, sources):
    """Stable colours of the graphs first … last, and one number for each graph that isomorphic ones share."""
    colour = np.empty(node_starts[last] - node_starts[first], np.uint64)
    signature = np.empty(last - first, np.uint64)
    for graph in range(first, last):
        begin, end = node_starts[graph] - node_starts[first], node_starts[graph + 1] - node_starts[first]
        same = np.empty(end - begin, np.uint64)
        same[:] = 1
        found, _ = stable_colours(node_starts, arcs, targets, arcs_back, sources, graph, same)
        total = np.uint64(end - begin)
        for node in range(begin, end):
            colour[node] = found[node - begin]
            total += mix(colour[node], np.uint64(6))
        signature[graph - first] = total
    return colour, signature


@part
def isomorphic(a, b, node_starts, arcs, targets, arcs_back, sources, colour, budget):
    """Whether two graphs of equal size are the same: 1 yes, 0 no, -1 not decided while ``budget`` nodes were coloured.

    Exact whatever the hashes: 1 only if a mapping keeps every edge, 0 only if colours differ on every branch.
    """
    start, other_start, size = node_starts[a], node_starts[b], node_starts[a + 1] - node_starts[a]
    if arcs[start + size] - arcs[start] != arcs[other_start + size] - arcs[other_start]:
        return 0
    # one branch of a, the same throughout; the branch of b that is being tried
    mine, theirs = [colour[start : start + size].copy()], [colour[other_start : other_start + size].copy()]
    position, end = [-1], [-1]
    steps = size
    while len(theirs) > 0:
        depth = len(theirs) - 1
        order, other_order = _by_colour(mine[depth]), _by_colour(theirs[depth])
        if position[depth] < 0:
            if steps > budget:
                return -1
            if _same_colours(mine[depth], theirs[depth], order, other_order):
                if _keeps_edges(start, other_start, arcs, targets, order, other_order):
                    return 1
                position[depth], end[depth] = _smallest_cell(mine[depth], order)
        if position[depth] >= end[depth]:
            theirs.pop()
            position.pop()
            end.pop()
            continue
        if len(mine) == len(theirs):
            finer = _set_apart(mine[depth], order[position[depth]])
            mine.append(stable_colours(node_starts, arcs, targets, arcs_back, sources, a, finer)[0])
        finer = _set_apart(theirs[depth], other_order[position[depth]])
        found, rounds = stable_colours(node_starts, arcs, targets, arcs_back, sources, b, finer)
        steps += rounds * size
        position[depth] += 1
        theirs.append(found)
        position.append(-1)
        end.append(-1)
    return 0


@part
def _same_colours(colour, other, order, other_order):
    same = True
    for k in range(order.size):
        same &= colour[order[k]] == other[other_order[k]]
    return same


@part
def _keeps_edges(start, other_start, arcs, targets, order, other_order):
    """Whether every edge is one of the other graph when nodes are mapped by their place in the two orders.

    There are as many edges in both, so that none is left over.
    """
    image = np.empty(order.size, np.int64)
    for k in range(order.size):
        image[order[k]] = other_order[k]
    for node in range(order.size):
        low, high = arcs[other_start + image[node]], arcs[other_start + image[node] + 1]
        for arc in range(arcs[start + node], arcs[start + node + 1]):
            if not _among(image[targets[arc]], targets, low, high):
                return False
    return True


@part
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


@part
def _smallest_cell(colour, order):
    """Where the fewest nodes of one colour lie in the order, but at least two; of equals the first. Else (0, 0)."""
    best_begin, best_end, begin = 0, 0, 0
    for k in range(1, order.size + 1):
        if k == order.size or colour[order[k]] != colour[order[begin]]:
            if k - begin > 1 and (best_end == 0 or k - begin < best_end - best_begin):
                best_begin, best_end = begin, k
            begin = k
    return best_begin, best_end


@part
def _set_apart(colour, node):
    """The same colours, but for one node."""
    out = colour.copy()
    out[node] = mix(colour[node], np.uint64(7))
    return out


@kernel
def classes(node_starts, arcs, targets, arcs_back, sources, colour, by_signature, groups, budget, patience):
    """A class for each graph: its first member. Groups of equal signatures lie one after another in ``by_signature``.

    Graphs that could not be distinguished join each other's classes, so that nobody is taken out of a class they may
    belong to. After ``patience`` such comparisons the rest of a group is not looked at any more. Also which graphs are
    in a class that was joined like that.
    """
    parent = np.arange(by_signature.size)
    unsure = np.zeros(by_signature.size, np.bool_)
    for group in range(groups.size - 1):
        members = by_signature[groups[group] : groups[group + 1]]
        different, undecided = np.empty(members.size, np.int64), np.empty(members.size, np.int64)
        found, left = 0, patience
        for graph in members:
            like, doubtful = -1, 0
            for k in range(found):
                steps = budget if left > 0 else 0
                same = isomorphic(graph, different[k], node_starts, arcs, targets, arcs_back, sources, colour, steps)
                if same > 0:
                    like = different[k]
                    break
                if same < 0:
                    undecided[doubtful] = different[k]
                    doubtful += 1
                    left -= 1
            if like >= 0:
                _join(parent, graph, like)
                continue
            for k in range(doubtful):
                _join(parent, graph, undecided[k])
                unsure[graph] = True
            different[found] = graph
            found += 1
    for graph in range(parent.size):
        parent[graph] = _root(parent, graph)
        unsure[parent[graph]] |= unsure[graph]
    return parent, unsure[parent]


@part
def _join(parent, one, other):
    a, b = _root(parent, one), _root(parent, other)
    parent[max(a, b)] = min(a, b)


@part
def _root(parent, graph):
    while parent[graph] != graph:
        graph = parent[graph]
    return graph
