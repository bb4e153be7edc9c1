"""Packed graphs: parts of them, both ways, and where their arcs start."""

from itertools import pairwise

import numpy as np

from singleout.statistics.graphs import Graphs, starts_of
from tests.reference.traces import edge_paths, networks_of


def test_a_graph_without_people_has_no_arcs():
    none = np.zeros(1, dtype=np.int64)
    empty = np.zeros(0, dtype=np.int64)
    graphs = Graphs(none, empty, none, empty, empty, empty.astype(float), empty)
    assert len(graphs) == 0
    assert graphs.arcs[0].tolist() == [0]


def test_a_network_can_have_any_edges():
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
    found = networks_of({1: edge_paths(edges, alone="e")})
    assert found.sizes.tolist() == [5]
    assert found.graphs.weight.tolist() == [1.0] * 4


def two_graphs():
    """A round of three places with a way back, and one edge."""
    return Graphs(
        node_starts=np.array([0, 3, 5]),
        visits=np.array([5, 3, 1, 2, 1]),
        edge_starts=np.array([0, 4, 5]),
        source=np.array([0, 1, 1, 2, 0]),
        target=np.array([1, 0, 2, 0, 1]),
        weight=np.array([3.0, 1.0, 2.0, 1.0, 1.0]),
        taken_first=np.array([0, 1, 2, 3, 0]),
    )


def edges_of(graphs, number):
    piece = slice(graphs.edge_starts[number], graphs.edge_starts[number + 1])
    return list(zip(graphs.source[piece].tolist(), graphs.target[piece].tolist(), strict=True))


def test_starts_have_one_more_for_the_end():
    assert starts_of(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]
    assert starts_of(np.array([], dtype=np.int64)).tolist() == [0]


def test_owners_numbers_and_traversals_count_within_each_graph():
    graphs = two_graphs()
    assert (graphs.nodes.tolist(), graphs.edges.tolist()) == ([3, 2], [4, 1])
    assert graphs.owner.tolist() == [0, 0, 0, 0, 1]
    assert graphs.node_number.tolist() == [0, 1, 2, 0, 1]
    assert graphs.traversals.tolist() == [7.0, 1.0]


def test_the_most_visited_nodes_keep_the_edges_between_them():
    few = two_graphs().first_nodes(2)
    assert few.nodes.tolist() == [2, 2]
    assert (edges_of(few, 0), edges_of(few, 1)) == ([(0, 1), (1, 0)], [(0, 1)])
    assert few.weight.tolist() == [3.0, 1.0, 1.0]
    alone = two_graphs().first_nodes(1)
    assert (alone.visits.tolist(), alone.edges.tolist()) == ([5, 2], [0, 0])


def test_nodes_left_out_in_the_middle_are_renumbered():
    graphs = two_graphs()
    part = graphs.subgraphs(np.array([True, False, True, True, True]), np.array([False, False, False, True, True]))
    assert part.visits.tolist() == [5, 1, 2, 1]
    assert (edges_of(part, 0), edges_of(part, 1)) == ([(1, 0)], [(0, 1)])


def test_without_direction_every_edge_leads_both_ways_once():
    both = two_graphs().undirected()
    assert edges_of(both, 0) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert edges_of(both, 1) == [(0, 1), (1, 0)]


def test_arcs_lead_out_of_each_node_and_back():
    graphs = two_graphs()
    out, back = (
        [targets[first:last].tolist() for first, last in pairwise(starts)]
        for starts, targets in (graphs.arcs, graphs.arcs_back)
    )
    assert out == [[1], [0, 2], [0], [1], []]
    assert [sorted(each) for each in back] == [[1, 2], [0], [1], [], [0]]
