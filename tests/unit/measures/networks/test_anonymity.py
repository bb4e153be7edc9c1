"""Classes of networks equal those of brute force; graphs are counted right; hard cases are given up, and said so."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.measures.networks import anonymity as anonymity_module
from singleout.measures.networks.anonymity import isomorphism_classes
from tests.reference import network_measures as twin
from tests.reference.traces import edge_paths, networks_of, random_people, unpacked

UNDIRECTED = {4: 11, 5: 34, 6: 156, 7: 1_044, 8: 12_346, 9: 274_668}
DIRECTED = {3: 16, 4: 218, 5: 9_608, 6: 1_540_944, 7: 882_033_440}
REGULAR = {
    "prism": ["ab", "bc", "ca", "de", "ef", "fd", "ad", "be", "cf"],
    "bipartite": ["ad", "ae", "af", "bd", "be", "bf", "cd", "ce", "cf"],
    "hexagon": ["ab", "bc", "cd", "de", "ef", "fa"],
    "triangles": ["ab", "bc", "ca", "de", "ef", "fd"],
}


def both_ways(edges):
    return [way for edge in edges for way in (edge, edge[::-1])]


small_graphs = st.lists(
    st.sets(st.sampled_from([(a, b) for a in range(5) for b in range(5) if a != b]), min_size=1, max_size=9),
    min_size=2,
    max_size=7,
)


@settings(max_examples=20)
@given(edges=small_graphs, directed=st.booleans(), shuffle=st.permutations(range(5)))
def test_classes_equal_brute_force(edges, directed, shuffle):
    renamed = [{(shuffle[a], shuffle[b]) for a, b in edges[0]}]
    people = {k: edge_paths(sorted(each), alone=range(5)) for k, each in enumerate(edges + renamed)}
    networks = networks_of(people)
    found = so.anonymity(networks, directed=directed)
    assert found.sizes.tolist() == twin.class_sizes(unpacked(networks), directed)
    assert found.sizes[0] > 1
    assert found.k == found.sizes.min()


@pytest.mark.kernels
@pytest.mark.parametrize("directed", [True, False])
def test_top_networks_of_traces_equal_brute_force(directed):
    networks = networks_of(random_people(0, people=12, places=5, visits=12))
    with np.errstate(over="ignore"):  # hashes wrap around; without compilation NumPy warns of it
        for top in (2, 3, 5):
            found = so.anonymity(networks, top=top, directed=directed)
            assert found.sizes.tolist() == twin.class_sizes(unpacked(networks.at(top=top)), directed)


def test_graphs_that_refinement_cannot_tell_apart_are_told_apart():
    people = {k: edge_paths(both_ways(edges)) for k, edges in enumerate(REGULAR.values())}
    other_names = str.maketrans("abcdef", "fbdcae")
    renamed = [[edge.translate(other_names) for edge in both_ways(edges)] for edges in REGULAR.values()]
    people |= {k + 4: edge_paths(edges) for k, edges in enumerate(renamed)}
    found = so.anonymity(networks_of(people))
    assert found.sizes.tolist() == [2] * 8
    assert found.notes == ()


def renamed_copies(graphs, seed):
    """Each undirected graph of networkx, and the same under other names."""
    rng = np.random.default_rng(seed)
    edges = [sorted(graph.edges) for graph in graphs]
    names = [rng.permutation(graph.number_of_nodes()).tolist() for graph in graphs]
    copies = [[(name[a], name[b]) for a, b in each] for name, each in zip(names, edges, strict=True)]
    return {k: edge_paths(both_ways(each)) for k, each in enumerate(edges + copies)}


def regular_graphs(seed, number=6, nodes=50):
    networkx = pytest.importorskip("networkx")
    return [networkx.random_regular_graph(3, nodes, seed=100 * seed + k) for k in range(number)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("directed", [True, False])
def test_regular_graphs_and_their_renamed_copies_are_pairs(seed, directed):
    found = so.anonymity(networks_of(renamed_copies(regular_graphs(seed), seed)), directed=directed)
    assert found.sizes.tolist() == [2] * 12
    assert found.notes == ()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [True, False])
def test_classes_equal_networkx(seed, directed):
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(seed)
    chances = rng.choice([0.2, 0.4], 8).tolist()
    drawn = [networkx.gnp_random_graph(6, chance, seed=int(rng.integers(99)), directed=directed) for chance in chances]
    drawn += [networkx.random_regular_graph(3, 8, seed=10 * seed + k) for k in range(4)]
    drawn += [networkx.cycle_graph(8), networkx.disjoint_union(*[networkx.cycle_graph(4)] * 2)]
    ways = [sorted(graph.edges) if graph.is_directed() else both_ways(sorted(graph.edges)) for graph in drawn]
    names = [rng.permutation(len(graph)).tolist() for graph in drawn]
    renamed = [[(name[a], name[b]) for a, b in each] for name, each in zip(names, ways, strict=True)]
    alone = [range(len(graph)) for graph in drawn]
    people = {k: edge_paths(each, alone[k % len(drawn)]) for k, each in enumerate(ways + renamed)}
    others = [networkx.DiGraph(each) for each in ways + renamed]
    for k, graph in enumerate(others):
        graph.add_nodes_from(alone[k % len(drawn)])
    others = others if directed else [graph.to_undirected() for graph in others]
    expected = [sum(networkx.is_isomorphic(one, other) for other in others) for one in others]
    assert so.anonymity(networks_of(people), directed=directed).sizes.tolist() == expected


def test_strongly_regular_graphs_of_equal_parameters_are_told_apart():
    networkx = pytest.importorskip("networkx")
    steps = [(0, 1), (1, 0), (1, 1)]
    shrikhande = networkx.Graph(
        ((a, b), ((a + x) % 4, (b + y) % 4)) for a in range(4) for b in range(4) for x, y in steps
    )
    rook = networkx.line_graph(networkx.complete_bipartite_graph(4, 4))
    graphs = [networkx.convert_node_labels_to_integers(graph) for graph in (shrikhande, rook)]
    assert [set(dict(graph.degree).values()) for graph in graphs] == [{6}, {6}]
    found = so.anonymity(networks_of(renamed_copies(graphs, 0)))
    assert found.sizes.tolist() == [2] * 4
    assert found.notes == ()


@pytest.mark.parametrize("budget", [1, 60, 1_000, 3_000, 10_000, 30_000])
@pytest.mark.parametrize("seed", range(4))
def test_however_early_the_search_is_given_up_nobody_is_parted_from_their_twin(seed, budget):
    graphs = networks_of(renamed_copies(regular_graphs(seed), seed)).graphs
    label, undecided = isomorphism_classes(graphs, budget=budget)
    assert label[:6].tolist() == label[6:].tolist()
    sizes = np.bincount(label)[label]
    assert undecided >= (sizes > 2).sum(), "classes that are too large are known to be"


def test_what_cannot_be_decided_in_time_counts_as_the_same_and_is_reported():
    people = {k: edge_paths(both_ways(REGULAR[name])) for k, name in enumerate(["prism", "bipartite", "prism"])}
    graphs = networks_of(people).graphs
    label, undecided = isomorphism_classes(graphs)
    assert label.tolist() == [0, 1, 0]
    assert undecided == 0
    label, undecided = isomorphism_classes(graphs, budget=1)
    assert label.tolist() == [0, 0, 0]
    assert undecided == 3


def test_after_enough_has_been_given_up_the_rest_of_a_group_is_one_class(monkeypatch):
    graphs = networks_of(renamed_copies(regular_graphs(5), 5)).graphs
    monkeypatch.setattr(anonymity_module, "PATIENCE", 1)
    label, undecided = isomorphism_classes(graphs, budget=60)
    assert label.tolist() == [0] * 12
    assert undecided == 12


def test_an_undecided_class_is_noted(monkeypatch):
    people = {k: edge_paths(both_ways(REGULAR["prism"])) for k in range(2)}
    monkeypatch.setattr(isomorphism_classes, "__defaults__", (1,))
    found = so.anonymity(networks_of(people))
    assert any(note.count == 2 and note.what == "people whose class may be smaller" for note in found.notes)


def test_hundreds_of_twins_do_not_hang():
    star = [[place for leaf in range(1, 199) for place in (0, leaf)] + [0]]
    shifted = [[place for leaf in range(1, 199) for place in (500, leaf)] + [500]]
    chain = [list(range(200))]
    found = so.anonymity(networks_of({1: star, 2: shifted, 3: chain}))
    assert found.sizes.tolist() == [2, 2, 1]


def test_weights_and_visits_do_not_count():
    people = {1: [list("ababab")], 2: [list("xyx")], 3: [list("ab")]}
    assert so.anonymity(networks_of(people)).sizes.tolist() == [2, 2, 1]
    assert so.anonymity(networks_of(people), directed=False).sizes.tolist() == [3, 3, 3]


def test_k_identifiability_and_median_follow_from_the_sizes():
    people = {1: [list("aba")], 2: [list("aba")], 3: [list("abc")], 4: [["a"]]}
    found = so.anonymity(networks_of(people))
    assert found.sizes.tolist() == [2, 2, 1, 1]
    assert (found.k, found.median) == (1, 1.5)
    assert found.identifiability.value == 0.5
    assert found.within(2).value == 1.0
    assert found.to_arrow().to_pydict() == {"size": [1, 2], "people": [2, 2]}
    assert found.trace_lengths.tolist() == [3, 3, 3, 1]
    assert "median visits per person" in repr(found)


def test_graphs_are_counted_as_in_table_2_but_for_its_misprint():
    assert {n: so.graph_counts(n) for n in UNDIRECTED} == UNDIRECTED
    assert {n: so.graph_counts(n, directed=True) for n in DIRECTED} == DIRECTED
    assert so.graph_counts(4, directed=True) == 218 != 2_128
    assert "2128" in so.graph_counts.__doc__


@pytest.mark.parametrize(("nodes", "directed"), [(0, False), (1, True), (4, False), (5, False), (3, True)])
def test_graphs_are_counted_as_by_writing_them_down(nodes, directed):
    assert so.graph_counts(nodes, directed=directed) == twin.count_graphs(nodes, directed)


def test_there_are_enough_graphs_for_everybody_from_the_sizes_the_paper_names():
    def enough(people, directed):
        return next(n for n in range(2, 20) if so.graph_counts(n, directed=directed) >= people)

    assert (enough(1_500, False), enough(1_500, True)) == (8, 5)
    assert (enough(7.6e9, False), enough(7.6e9, True)) == (12, 8)


def test_graph_counts_refuses_what_is_no_number_of_nodes():
    for nodes in (-1, 2.5, 61, True):
        with pytest.raises(so.InputError, match="graph_counts: n must be a whole number from 0 to 60"):
            so.graph_counts(nodes)


def test_the_bound_is_one_or_all_graphs_but_the_one_the_rest_share():
    people = {k: [list("abcab")] for k in range(10)}
    networks = networks_of(people)
    assert so.anonymity(networks, top=3).bound == 1.0  # 16 graphs for 10 people
    assert so.anonymity(networks, top=3, directed=False).bound == pytest.approx(3 / 10)  # 4 graphs
    assert so.anonymity(networks, top=2, directed=False).bound == pytest.approx(1 / 10)  # 2 graphs


def test_every_undirected_graph_of_four_nodes_is_a_class_of_its_own():
    pairs = list(combinations(range(4), 2))
    people = {bits: edge_paths([p for k, p in enumerate(pairs) if bits >> k & 1], alone=range(4)) for bits in range(64)}
    found = so.anonymity(networks_of(people), directed=False)
    assert (1 / found.sizes).sum() == pytest.approx(UNDIRECTED[4])


@pytest.mark.parametrize("tile", [1, 3])
def test_tiles_and_the_order_of_people_do_not_matter(tile, rows_per_tile):
    people = random_people(8, people=20, places=4, visits=6, paths=1)
    expected = so.anonymity(networks_of(people)).sizes
    rows_per_tile(tile)
    assert so.anonymity(networks_of(people)).sizes.tolist() == expected.tolist()
    turned = {19 - who: paths for who, paths in people.items()}
    assert so.anonymity(networks_of(turned)).sizes[::-1].tolist() == expected.tolist()


def test_bad_arguments_are_refused():
    with pytest.raises(so.InputError, match=r"anonymity: networks must be Networks \(got 'dict'\)"):
        so.anonymity({})
    with pytest.raises(so.InputError, match="top must be a whole number"):
        so.anonymity(networks_of({1: [list("ab")]}), top=0)
