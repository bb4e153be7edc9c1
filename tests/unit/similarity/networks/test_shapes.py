"""Labels, pruning and components follow the rules."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity.networks import shapes as graph_shapes
from tests.reference import topology
from tests.reference.traces import edge_paths, networks_of, random_people, unpacked
from tests.small_networks import random_sides, renumbered_edges


def shape_of(graphs):
    """Nodes are numbered anew after a component is chosen: edges by the twins' numbers."""
    return [(dict(enumerate(graph.visits.values())), renumbered_edges(graph)) for graph in graphs]


@pytest.mark.kernels
@pytest.mark.parametrize("ties", ["visits", "drop_ties"])
@pytest.mark.parametrize("labels", [1, 3, "mass"])
@pytest.mark.parametrize("prune", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("component", [True, False])
def test_labels_pruning_and_component_equal_their_twins(ties, labels, prune, component):
    networks = random_sides(3)[0]
    options = {"labels": labels, "prune": prune, "ties": ties, "component": component}
    found = graph_shapes.shape_graphs(networks.graphs, seed=0, undirected=False, **options)
    expected = [topology.shaped(graph, **options) for graph in unpacked(networks)]
    shell = so.Networks(networks.people, found.graphs, None, None, "induced", 1, ())
    assert [(graph.visits, graph.edges) for graph in unpacked(shell)] == shape_of([graph for graph, _ in expected])
    numbers = [number for _, label in expected for number in label.values()]
    assert found.label.tolist() == [number - 1 for number in numbers]


def test_labels_are_ceilings_and_ties_go_to_the_first_visit():
    for places, counts in ((1, [1, 0, 0]), (2, [1, 1, 0]), (5, [1, 3, 1]), (6, [2, 3, 1]), (11, [3, 6, 2])):
        graphs = networks_of({1: [list(range(places))]}).graphs
        found = np.bincount(2 - graph_shapes.label_nodes(graphs, 3), minlength=3)
        assert found.tolist() == counts


def test_labels_by_mass_follow_visits():
    graphs = networks_of({1: [list("abacadabae")]}).graphs  # visits 5, 2, 1, 1, 1
    assert graph_shapes.label_nodes(graphs, "mass").tolist() == [2, 1, 1, 0, 0]


def test_drop_ties_drops_all_as_weak_as_the_last_and_ties_are_counted():
    networks = networks_of({1: edge_paths(["ab", "bc", "cd", "de", "ea"])})
    kept, tied = graph_shapes.strongest_edges(networks.graphs, 0.4, "drop_ties", 0)
    assert kept.sum() == 0
    assert tied == 5
    kept, tied = graph_shapes.strongest_edges(networks.graphs, 0.4, "visits", 0)
    assert kept.sum() == 3
    assert tied == 5


def test_random_ties_follow_the_seed_and_never_touch_stronger_edges():
    networks = networks_of(random_people(4, people=3))
    graphs = networks.graphs
    draws = [graph_shapes.strongest_edges(graphs, 0.4, "random", seed)[0] for seed in (0, 0, 1)]
    assert (draws[0] == draws[1]).all()
    assert (draws[0] != draws[2]).any()
    for kept in draws:
        for k in range(len(graphs)):
            edges = slice(graphs.edge_starts[k], graphs.edge_starts[k + 1])
            weight, stays = graphs.weight[edges], kept[edges]
            assert (~stays).sum() == int(0.4 * len(weight) + 1e-9)
            assert weight[~stays].max() <= weight[stays].min()
