"""What graph kernels count equals its twins and other libraries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout._kernels import hops as hops_kernels
from singleout.similarity.networks import features as graph_features
from singleout.similarity.networks import shapes as graph_shapes
from tests.reference import graph_kernels as twin
from tests.reference import topology
from tests.reference.traces import networks_of, random_people, unpacked
from tests.small_networks import random_sides, scored, shaped_twins

DIRECTIONS = ("in+out", "out", "undirected")


@pytest.mark.kernels
@pytest.mark.parametrize("direction", ["in+out", "undirected"])
@pytest.mark.parametrize("kernel", ["sp", "dsp"])
def test_shortest_paths_equal_floyd_warshall_and_an_explicit_edit_distance(kernel, direction):
    released, known = random_sides(7, people=(3, 3), places=6, visits=14)
    likeness = twin.same if kernel == "sp" else twin.edit(0.7)
    features = [[twin.shortest_paths(*each) for each in shaped_twins(side, 5, direction)] for side in (released, known)]
    expected = twin.all_pairs(*features, lambda one, other: twin.cosine(one, other, likeness))
    found = scored(released, known, kernel=kernel, top=5, direction=direction, gamma=0.7)
    assert np.abs(found - expected).max() < 1e-12


@pytest.mark.kernels
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_weisfeiler_lehman_equals_exact_tuples(direction):
    released, known = random_sides(11, people=(3, 2), places=6, visits=14)
    with np.errstate(over="ignore"):  # hashes wrap around; without compilation NumPy warns of it
        found = scored(released, known, kernel="wl", direction=direction, rounds=3, labels="mass")
    features = [
        [twin.subtrees(*each, 3, direction) for each in shaped_twins(side, labels="mass")] for side in (released, known)
    ]
    assert np.abs(found - twin.all_pairs(*features, twin.cosine)).max() < 1e-12


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000), rounds=st.integers(1, 4), direction=st.sampled_from(DIRECTIONS))
def test_hashes_never_join_what_tuples_tell_apart(seed, rounds, direction):
    networks = networks_of(random_people(seed, people=4, places=12))
    options = {"labels": 3, "prune": 0.0, "ties": "visits", "component": False}
    shapes = graph_shapes.shape_graphs(networks.graphs, seed=0, undirected=direction == "undirected", **options)
    colours = np.concatenate(graph_features.refinement(shapes, rounds, direction).colours)
    histories = [
        twin.refined_labels(*topology.shaped(graph, **options), rounds, direction) for graph in unpacked(networks)
    ]
    trees = [trees[k] for k in range(rounds + 1) for history in histories for trees in history.values()]
    assert len(set(zip(colours.tolist(), trees, strict=True))) == len(set(trees)) == len(set(colours.tolist()))


@pytest.mark.kernels
@pytest.mark.parametrize("directed", [True, False])
def test_paths_from_more_nodes_than_are_searched_at_once_equal_one_search_after_another(directed):
    networks = networks_of({1: _walk(1, 150, 400), 2: _walk(2, 64, 200), 3: [[0, 1]], 4: _walk(3, 65, 90)})
    options = {"labels": 3, "prune": 0.0, "ties": "visits", "component": False, "seed": 0}
    shapes = graph_shapes.shape_graphs(networks.graphs, undirected=not directed, **options)
    counts, capped = graph_features.paths(shapes, progress=False)
    graphs, longest = shapes.graphs, graph_features.LONGEST
    expected = np.zeros((len(graphs), shapes.labels, shapes.labels, longest))
    for number in range(len(graphs)):
        ((start, end), label) = graphs.node_starts[number : number + 2], shapes.label
        hops, queue = np.empty(end - start, np.int64), np.empty(end - start, np.int64)
        for origin in range(end - start):
            hops_kernels.breadth_first(origin, start, *graphs.arcs, hops, queue)
            for other in np.nonzero(hops > 0)[0]:
                kind = label[start + origin], label[start + other], min(hops[other], longest) - 1
                expected[number][kind] += 1
    assert (counts == expected.reshape(len(graphs), -1)).all()
    figures = hops_kernels.shape_figures(0, len(graphs), graphs.node_starts, *graphs.arcs)
    assert (figures[:, 2] == counts.sum(axis=1)).all()
    assert capped == 0
    lengths = expected.sum(axis=(1, 2))
    assert (figures[:, 0] == [np.nonzero(row)[0].max(initial=-1) + 1 for row in lengths]).all()
    assert figures[:, 1] == pytest.approx(lengths @ np.arange(1, longest + 1) / np.maximum(counts.sum(axis=1), 1))


def _walk(seed, places, visits):
    return [np.random.default_rng(seed).integers(0, places, visits).tolist()]


def test_paths_longer_than_64_hops_count_as_64_and_are_noted():
    chain = networks_of({1: [list(range(100))]})
    found = so.graph_scores(chain, chain, kernel="sp", prune=0)
    capped = sum(100 - length for length in range(65, 100))
    assert any(note.count == 2 * capped and note.what == "paths cut off" for note in found.notes)
    ((graph, label),) = shaped_twins(chain, prune=0)
    paths = twin.shortest_paths(graph, label)
    assert found.matrix.toarray()[0, 0] == pytest.approx(1.0, abs=1e-12)
    assert max(length for _, _, length in paths) == 64


@pytest.mark.parametrize("pruned", [False, True])
@pytest.mark.parametrize("similarity", ["rbf", "inner"])
@pytest.mark.parametrize("kernel", ["dd", "wd"])
def test_degree_kernels_equal_their_twins_on_full_and_on_pruned_networks(kernel, similarity, pruned):
    released, known = random_sides(19, people=(5, 4))
    shares = twin.degree_shares if kernel == "dd" else twin.strength_shares
    graphs = [[g for g, _ in shaped_twins(s, 5)] if pruned else unpacked(s) for s in (released, known)]
    whole = [[topology.Graph(g.visits, {e: int(w) for e, w in g.edges.items()}, g.taken) for g in s] for s in graphs]
    rows = [[shares(graph) for graph in side] for side in whole]
    expected = twin.gaussian(*rows) if similarity == "rbf" else twin.all_pairs(*rows, twin.kernel)
    found = scored(released, known, kernel=kernel, similarity=similarity, pruned=pruned, top=5)
    assert np.abs(found - expected).max() < 1e-9


def test_degrees_of_a_thousand_and_more_share_the_last_bin():
    star = [[place for leaf in range(1, 700) for place in (0, leaf)] + [0]]
    rows = graph_features.degrees(networks_of({1: star}).graphs)
    assert rows[0, 999] == pytest.approx(1 / 700)
    assert rows[0, 2] == pytest.approx(699 / 700)
    strengths = graph_features.strengths(networks_of({1: star}).graphs)
    assert strengths[0, 999] == pytest.approx(1 / 700)


@pytest.mark.parametrize("directed", [True, False])
def test_hop_distances_equal_networkx(directed):
    networkx = pytest.importorskip("networkx")
    for graph in unpacked(random_sides(29)[0]):
        graph = graph if directed else topology.union(graph)
        other = networkx.DiGraph(list(graph.edges))
        expected = {(a, b): d for a, ds in networkx.all_pairs_shortest_path_length(other) for b, d in ds.items()}
        assert {pair: hops for pair, hops in twin.hop_distances(graph).items() if hops < np.inf} == expected
