"""Slow twins of mobility networks: visits, top places, higher order, labels, pruning, components (M18 3.2, 4.2, 5.2).

Plain lists and dicts over the places' own names; only ``graph_of`` numbers nodes, by visits, then by the first visit.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple


class Graph(NamedTuple):
    """Visits of each node, weight of each edge, and when each edge was first taken."""

    visits: dict
    edges: dict
    taken: dict


def visits(records, min_dwell=None, max_gap=None):
    """A person's paths: lists of places. ``records`` are (time, place) in the order of the file."""
    ordered = sorted(records, key=lambda record: record[0])  # stable: equal times keep the order of the file
    pieces = [[ordered[0]]]
    for before, record in pairwise(ordered):
        if max_gap is not None and record[0] - before[0] > max_gap:
            pieces.append([])
        pieces[-1].append(record)
    paths = [_lasting(piece, 0 if min_dwell is None else min_dwell) for piece in pieces]
    return [path for path in paths if path]


def _lasting(piece, min_dwell):
    """Places of the runs that last; the last run of a piece lasts as long as it was seen."""
    runs = []
    for time, place in piece:
        if not runs or runs[-1][0] != place:
            runs.append((place, time))
    ends = [begin for _, begin in runs[1:]] + [piece[-1][0]]
    return collapsed([place for (place, begin), end in zip(runs, ends, strict=True) if end - begin >= min_dwell])


def collapsed(path):
    """Equal neighbours once."""
    return [place for k, place in enumerate(path) if k == 0 or place != path[k - 1]]


def by_visits(paths):
    """Places from the most visited on; of equals the one visited first."""
    flat = [place for path in paths for place in path]
    count = Counter(flat)
    return sorted(count, key=lambda place: (-count[place], flat.index(place)))


def top_paths(paths, top, edges):
    """Visits to the top places only: paths cut at the others (``induced``), or linked across (``contract``)."""
    kept = set(by_visits(paths)[:top])
    if edges == "contract":
        linked = [collapsed([place for place in path if place in kept]) for path in paths]
        return [path for path in linked if path]
    cut = []
    for path in paths:
        cut.append([])
        for place in path:
            if place in kept:
                cut[-1].append(place)
            else:
                cut.append([])
    return [path for path in cut if path]


def windows(paths, order):
    """Paths over the last ``order`` places."""
    longer = [[tuple(path[k : k + order]) for k in range(len(path) - order + 1)] for path in paths]
    return [path for path in longer if path]


def graph_of(paths, top=None, edges="induced", order=1):
    """Nodes numbered by visits. Visits to a place are all there were, whatever is dropped between them."""
    everything = paths
    if top is not None:
        paths = top_paths(paths, top, edges)
    if order > 1:
        paths = everything = windows(paths, order)
    count = Counter(place for path in everything for place in path)
    nodes = by_visits(everything)[: None if order > 1 else top]
    number = {place: k for k, place in enumerate(nodes)}
    steps = [(number[a], number[b]) for path in paths for a, b in pairwise(path)]
    taken = {step: steps.index(step) for step in steps}
    return Graph({number[place]: count[place] for place in nodes}, dict(Counter(steps)), taken)


def labels_of(graph, kind):
    """3 for the top 20% of places, 2 for the next up to 80%, 1 for the rest; ``kind`` 1 makes all the same."""
    nodes = sorted(graph.visits)
    if kind == 1:
        return dict.fromkeys(nodes, 1)
    if kind == "mass":
        total, before, out = sum(graph.visits.values()), 0, {}
        for node in nodes:
            share = Fraction(before, total)
            out[node] = 3 if share < Fraction(1, 5) else 2 if share < Fraction(4, 5) else 1
            before += graph.visits[node]
        return out
    most, many = ceil(Fraction(len(nodes), 5)), ceil(Fraction(4 * len(nodes), 5))
    return {node: 3 if k < most else 2 if k < many else 1 for k, node in enumerate(nodes)}


def weakest_first(graph):
    """Edges by (weight, min visits of the ends, max visits, first traversal)."""

    def weakness(edge):
        ends = [graph.visits[node] for node in edge]
        return graph.edges[edge], min(ends), max(ends), graph.taken[edge]

    return sorted(graph.edges, key=weakness)


def pruned(graph, share, ties="visits"):
    """Without the weakest share of the edges, rounded down."""
    order = weakest_first(graph)
    number = floor(Fraction(str(share)) * len(order))
    gone = set(order[:number])
    if ties == "drop_ties" and number:
        limit = graph.edges[order[number - 1]]
        gone = {edge for edge in order if graph.edges[edge] <= limit}
    kept = {edge: weight for edge, weight in graph.edges.items() if edge not in gone}
    return Graph(graph.visits, kept, {edge: graph.taken[edge] for edge in kept})


def largest_component(graph):
    """Of equally large ones the one with most visits, then the one with the most visited place."""
    left, found = set(graph.visits), []
    while left:
        group, frontier = set(), {min(left)}
        while frontier:
            group |= frontier
            frontier = {b for edge in graph.edges for a, b in (edge, edge[::-1]) if a in frontier} - group
        found.append(group)
        left -= group
    if not found:
        return graph
    best = max(found, key=lambda group: (len(group), sum(graph.visits[node] for node in group), -min(group)))
    kept = {edge: weight for edge, weight in graph.edges.items() if edge[0] in best}
    inside = {node: count for node, count in graph.visits.items() if node in best}
    return Graph(inside, kept, {edge: graph.taken[edge] for edge in kept})


def shaped(graph, labels=3, prune=0.4, ties="visits", component=True):
    """Labels, then weak edges, then the largest component: the graph and the labels of its nodes."""
    label = labels_of(graph, labels)
    graph = pruned(graph, prune, ties)
    if component:
        graph = largest_component(graph)
    return graph, {node: label[node] for node in graph.visits}


def union(graph):
    """An edge both ways wherever there is one."""
    both = {way: 1 for a, b in graph.edges for way in ((a, b), (b, a))}
    return Graph(graph.visits, both, dict.fromkeys(both, 0))
