"""Networks of random people, their twins in plain Python, and their scores."""

import singleout as so
from tests.reference import topology
from tests.reference.traces import networks_of, random_people, unpacked

KERNELS = ("dd", "wd", "sp", "wl", "dsp", "dwl", "size")


def random_sides(seed=0, people=(5, 4), **options):
    return tuple(networks_of(random_people(seed + k, people=n, **options)) for k, n in enumerate(people))


def shaped_twins(networks, top=200, direction="in+out", **options):
    made = [topology.shaped(graph, **options) for graph in unpacked(networks.at(top=top))]
    return [(topology.union(graph), label) for graph, label in made] if direction == "undirected" else made


def scored(released, known, **options):
    return so.graph_scores(released, known, **options).matrix.toarray()


def renumbered_edges(graph):
    number = {node: k for k, node in enumerate(graph.visits)}
    return {(number[a], number[b]): weight for (a, b), weight in graph.edges.items()}
