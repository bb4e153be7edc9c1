"""Slow twins of graph kernels: substructures as exact tuples, every M written out (M18 section 3.3)."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import exp, floor, inf, log, sqrt

import numpy as np

from tests.reference.topology import union

LONGEST, BINS, DIMENSIONS = 64, 1_000, 32


def hop_distances(graph):
    """Floyd and Warshall."""
    nodes = list(graph.visits)
    hops = {(a, b): 0 if a == b else 1 if (a, b) in graph.edges else inf for a in nodes for b in nodes}
    for middle in nodes:
        for a in nodes:
            for b in nodes:
                hops[a, b] = min(hops[a, b], hops[a, middle] + hops[middle, b])
    return hops


def path_triplets(graph, label):
    """For each node the (label of start, label of end, hops) of the shortest paths that start there."""
    triplets = {node: Counter() for node in graph.visits}
    for (a, b), length in hop_distances(graph).items():
        if 0 < length < inf:
            triplets[a][label[a], label[b], min(length, LONGEST)] += 1
    return triplets


def shortest_paths(graph, label):
    """How many of each kind."""
    return sum(path_triplets(graph, label).values(), Counter())


def refined_labels(graph, label, rounds, direction):
    """Each node's labels after 0 … rounds rounds, as nested tuples."""
    if direction == "undirected":
        graph = union(graph)
    ahead, behind = defaultdict(list), defaultdict(list)
    for a, b in graph.edges:
        ahead[a].append(b)
        behind[b].append(a)
    history = {node: [(0, label[node])] for node in graph.visits}
    for number in range(1, rounds + 1):
        last = {node: history[node][-1] for node in history}
        for node in history:
            neighbours = [tuple(sorted(last[other] for other in ahead[node]))]
            if direction == "in+out":
                neighbours.append(tuple(sorted(last[other] for other in behind[node])))
            history[node].append((number, last[node], *neighbours))
    return history


def subtrees(graph, label, rounds, direction):
    """How often each label comes up, over all rounds."""
    history = refined_labels(graph, label, rounds, direction)
    return Counter(tree for trees in history.values() for tree in trees)


def same(a, b):
    """M for kernels that are not deep."""
    return float(a == b)


def edit(gamma):
    """M of triplets: a product of three Laplacian kernels."""
    return lambda a, b: exp(-gamma * sum(abs(x - y) for x, y in zip(a, b, strict=True)))


def kernel(one, other, likeness=same):
    """K = φ' M φ'."""
    return sum(n * m * likeness(a, b) for a, n in one.items() for b, m in other.items())


def cosine(one, other, likeness=same):
    """K over the lengths of both (M18 eq. 1); 0 where one has none."""
    lengths = kernel(one, one, likeness) * kernel(other, other, likeness)
    return kernel(one, other, likeness) / sqrt(lengths) if lengths > 0 else 0.0


def together_at_a_start(triplets_of_graphs):
    """How often two different paths of these kinds start at the same node."""
    seen = Counter()
    for triplets in triplets_of_graphs:
        for counts in triplets.values():
            for a, n in counts.items():
                for b, m in counts.items():
                    seen[a, b] += n * m if a != b else n * (n - 1)
    return seen


def together_in_a_round(histories):
    """How often two different nodes of a graph have these labels in the same round."""
    seen = Counter()
    for history in histories:
        for labels in zip(*history.values(), strict=True):
            for i, a in enumerate(labels):
                for j, b in enumerate(labels):
                    if i != j:
                        seen[a, b] += 1
    return seen


def ppmi(together):
    """M: positive pointwise mutual information, negative eigenvalues clipped, 32 dimensions; 0 for what is new."""
    kinds = sorted({kind for pair in together for kind in pair}, key=repr)
    number = {kind: k for k, kind in enumerate(kinds)}
    total, margin = sum(together.values()), Counter()
    for (a, _), count in together.items():
        margin[a] += count
    table = np.zeros((len(kinds), len(kinds)))
    for (a, b), count in together.items():
        if count:
            table[number[a], number[b]] = max(log(count * total / (margin[a] * margin[b])), 0.0)
    values, vectors = np.linalg.eigh(table)
    kept = [k for k in np.argsort(-values)[:DIMENSIONS] if values[k] > 0]
    matrix = (vectors[:, kept] * values[kept]) @ vectors[:, kept].T
    return lambda a, b: matrix[number[a], number[b]] if a in number and b in number else 0.0


def degree_shares(graph):
    """Share of nodes by degree in and out."""
    degree = Counter(node for edge in graph.edges for node in edge)
    return _shares(min(degree[node], BINS - 1) for node in graph.visits)


def strength_shares(graph):
    """Share of nodes by their share of all transitions in and out; exact numbers decide the bin."""
    total, strength = sum(graph.edges.values()), Counter()
    for edge, weight in graph.edges.items():
        for node in edge:
            strength[node] += weight
    bins = (floor(Fraction(BINS * strength[node], total)) if total else 0 for node in graph.visits)
    return _shares(min(found, BINS - 1) for found in bins)


def _shares(bins):
    counts = Counter(bins)
    return {found: count / counts.total() for found, count in counts.items()}


def distance(one, other):
    """Between histograms."""
    return sqrt(sum((one.get(k, 0.0) - other.get(k, 0.0)) ** 2 for k in {*one, *other}))


def gaussian(released, known):
    """exp(-d² / 2σ²), σ the median distance."""
    apart = np.array([[distance(one, other) for other in known] for one in released])
    return np.exp(-(apart**2) / (2 * np.median(apart) ** 2))


def all_pairs(released, known, pair):
    """A matrix of what ``pair`` gives."""
    return np.array([[pair(one, other) for other in known] for one in released])
