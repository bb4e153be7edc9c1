"""Made-up traces for tests of networks, and networks unpacked into the twins' form."""

import numpy as np
import pyarrow as pa

import singleout as so
from tests.reference.topology import Graph

START, STEP, APART = 1_600_000_000, 600, 3 * 86_400


def events_of(log, **options):
    """(person, time, place) in the order of the file."""
    columns = dict(zip(("user", "time", "place"), zip(*log, strict=True), strict=True))
    table = pa.table({name: list(values) for name, values in columns.items()})
    return so.read_events(table, **{"user": "user", "time": "time", "place": "place", **options})


def log_of(paths_by_person):
    """A record every ten minutes; three days between paths, longer than the gap that cuts."""
    log = []
    for person, paths in paths_by_person.items():
        time = START
        for path in paths:
            for place in path:
                log.append((person, time, place))
                time += STEP
            time += APART
    return log


def networks_of(paths_by_person, **options):
    """Networks of people whose paths are given."""
    return so.networks(events_of(log_of(paths_by_person)), **options)


def edge_paths(edges, alone=()):
    """Paths that make a network of exactly these edges, each taken once, and of places without any."""
    return [list(edge) for edge in edges] + [[place] for place in alone]


def random_paths(rng, places=8, visits=40, paths=3):
    """Paths with a taste for the first places, so that visits and weights differ."""
    taste = 1.0 / np.arange(1, places + 1)
    drawn = rng.choice(places, size=(paths, visits), p=taste / taste.sum())
    return [[int(place) for k, place in enumerate(row) if k == 0 or place != row[k - 1]] for row in drawn]


def random_people(seed, people=6, **options):
    """Paths of several people by id."""
    rng = np.random.default_rng(seed)
    return {person: random_paths(rng, **options) for person in range(people)}


def unpacked(networks):
    """Each person's network as the twin has it; only the order of first traversals counts."""
    graphs, out = networks.graphs, []
    for k in range(len(graphs)):
        nodes = slice(graphs.node_starts[k], graphs.node_starts[k + 1])
        edges = slice(graphs.edge_starts[k], graphs.edge_starts[k + 1])
        ends = list(zip(graphs.source[edges].tolist(), graphs.target[edges].tolist(), strict=True))
        weights = dict(zip(ends, graphs.weight[edges].tolist(), strict=True))
        taken = dict(zip(ends, graphs.taken_first[edges].tolist(), strict=True))
        out.append(Graph(dict(enumerate(graphs.visits[nodes].tolist())), weights, taken))
    return out


def same_graph(found, expected):
    """Equal visits and weights, and edges first taken in the same order."""
    in_order = [sorted(graph.taken, key=graph.taken.get) for graph in (found, expected)]
    return found.visits == expected.visits and found.edges == expected.edges and in_order[0] == in_order[1]


def network_bytes(networks):
    """Everything a network says, to compare without tolerance."""
    graphs = networks.graphs
    names = ("node_starts", "visits", "edge_starts", "source", "target", "weight", "taken_first")
    return [networks.people.tolist(), *(getattr(graphs, name).tobytes() for name in names)]
