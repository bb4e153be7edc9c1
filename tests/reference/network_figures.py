"""A slow twin of the figures of a network, from nodes and edges in dictionaries."""

from itertools import permutations
from math import inf, log

from tests.reference.graph_kernels import hop_distances
from tests.reference.topology import graph_of

FIRST = 10


def entropy_and_largest(values):
    """Entropy of the shares, and the ten largest, 0 where there are fewer."""
    shares = sorted((value / sum(values) for value in values), reverse=True) if values else []
    entropy = -sum(share * log(share) for share in shares)
    return [entropy, *(shares + [0.0] * FIRST)[:FIRST]]


def clustering(graph):
    """Fagiolo's for directed graphs: closed triangles over possible ones, averaged over all nodes."""
    nodes = list(graph.visits)
    tie = {(a, b): ((a, b) in graph.edges) + ((b, a) in graph.edges) for a, b in permutations(nodes, 2)}
    total = 0.0
    for node in nodes:
        others = [other for other in nodes if other != node]
        degree = sum(tie[node, other] for other in others)
        mutual = sum(tie[node, other] == 2 for other in others)
        closed = sum(tie[node, a] * tie[a, b] * tie[b, node] for a, b in permutations(others, 2)) / 2
        possible = degree * (degree - 1) - 2 * mutual
        total += closed / possible if possible else 0.0
    return total / len(nodes) if nodes else 0.0


def shape(graph):
    """Density, clustering, longest and mean path and pairs that are reached (as logarithms), recurrence."""
    nodes, edges, walked = len(graph.visits), len(graph.edges), sum(graph.edges.values())
    hops = [length for length in hop_distances(graph).values() if 0 < length < inf]
    paths = max(hops, default=0), sum(hops) / max(len(hops), 1), len(hops)
    density = edges / max(nodes * (nodes - 1), 1)
    return [density, clustering(graph), *(log(1 + each) for each in paths), (walked - edges) / max(walked, 1)]


def figures(paths, top=None):
    """All figures of one person's paths."""
    whole = graph_of(paths, top)
    edges, walked = whole.edges, sum(whole.edges.values())
    sizes = len(whole.visits), len(edges), sum(len(path) for path in paths), walked
    degrees = [sum(source == place for source, _ in edges) for place in range(FIRST)]
    degrees += [sum(target == place for _, target in edges) for place in range(FIRST)]
    both_ways = sum((b, a) in edges for a, b in edges) / max(len(edges), 1)
    once = sum(weight == 1 for weight in edges.values()) / max(walked, 1)
    smaller = [graph_of(paths, size) for size in (20, 50) if top is None or size < top]
    return [
        *(log(1 + each) for each in sizes),
        *entropy_and_largest(list(whole.visits.values())),
        *entropy_and_largest(list(edges.values())),
        *(log(1 + each) for each in degrees),
        both_ways,
        once,
        *(figure for graph in (*smaller, whole) for figure in shape(graph)),
    ]
