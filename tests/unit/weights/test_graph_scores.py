"""Graph kernels equal their twins and other libraries; pruning and labels follow the rules; no score is ever NaN."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.similarity import scores
from singleout.similarity.networks import features as graph_features
from singleout.similarity.networks import shapes as graph_shapes
from singleout.statistics.graphs import Graphs
from tests.reference import graph_kernels as twin
from tests.reference import topology
from tests.reference.traces import edge_paths, networks_of, random_people, unpacked

KERNELS = ("dd", "wd", "sp", "wl", "dsp", "dwl", "size")
DIRECTIONS = ("in+out", "out", "undirected")


def sides(seed=0, people=(5, 4), **options):
    return tuple(networks_of(random_people(seed + k, people=n, **options)) for k, n in enumerate(people))


def shaped_twins(networks, top=200, direction="in+out", **options):
    made = [topology.shaped(graph, **options) for graph in unpacked(networks.at(top=top))]
    return [(topology.union(graph), label) for graph, label in made] if direction == "undirected" else made


def scored(released, known, **options):
    return so.graph_scores(released, known, **options).matrix.toarray()


def shape_of(graphs):
    """Nodes are numbered anew after a component is chosen: edges by the twins' numbers."""
    return [(dict(enumerate(graph.visits.values())), _renumbered(graph)) for graph in graphs]


def _renumbered(graph):
    number = {node: k for k, node in enumerate(graph.visits)}
    return {(number[a], number[b]): weight for (a, b), weight in graph.edges.items()}


@pytest.mark.kernels
@pytest.mark.parametrize("ties", ["visits", "drop_ties"])
@pytest.mark.parametrize("labels", [1, 3, "mass"])
@pytest.mark.parametrize("prune", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("component", [True, False])
def test_labels_pruning_and_component_equal_their_twins(ties, labels, prune, component):
    networks = sides(3)[0]
    options = {"labels": labels, "prune": prune, "ties": ties, "component": component}
    found = graph_shapes.shaped(networks.graphs, seed=0, undirected=False, **options)
    expected = [topology.shaped(graph, **options) for graph in unpacked(networks)]
    shell = so.Networks(networks.people, found.graphs, None, None, "induced", 1, ())
    assert [(graph.visits, graph.edges) for graph in unpacked(shell)] == shape_of([graph for graph, _ in expected])
    numbers = [number for _, label in expected for number in label.values()]
    assert found.label.tolist() == [number - 1 for number in numbers]


def test_labels_are_ceilings_and_ties_go_to_the_first_visit():
    for places, counts in ((1, [1, 0, 0]), (2, [1, 1, 0]), (5, [1, 3, 1]), (6, [2, 3, 1]), (11, [3, 6, 2])):
        graphs = networks_of({1: [list(range(places))]}).graphs
        found = np.bincount(2 - graph_shapes.labels_of(graphs, 3), minlength=3)
        assert found.tolist() == counts


def test_labels_by_mass_follow_visits():
    graphs = networks_of({1: [list("abacadabae")]}).graphs  # visits 5, 2, 1, 1, 1
    assert graph_shapes.labels_of(graphs, "mass").tolist() == [2, 1, 1, 0, 0]


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


@pytest.mark.kernels
@pytest.mark.parametrize("direction", ["in+out", "undirected"])
@pytest.mark.parametrize("kernel", ["sp", "dsp"])
def test_shortest_paths_equal_floyd_warshall_and_an_explicit_edit_distance(kernel, direction):
    released, known = sides(7, people=(3, 3), places=6, visits=14)
    likeness = twin.same if kernel == "sp" else twin.edit(0.7)
    features = [[twin.shortest_paths(*each) for each in shaped_twins(side, 5, direction)] for side in (released, known)]
    expected = twin.all_pairs(*features, lambda one, other: twin.cosine(one, other, likeness))
    found = scored(released, known, kernel=kernel, top=5, direction=direction, gamma=0.7)
    assert np.abs(found - expected).max() < 1e-12


@pytest.mark.kernels
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_weisfeiler_lehman_equals_exact_tuples(direction):
    released, known = sides(11, people=(3, 2), places=6, visits=14)
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
    shapes = graph_shapes.shaped(networks.graphs, seed=0, undirected=direction == "undirected", **options)
    colours = np.concatenate(graph_features.refinement(shapes, rounds, direction).colours)
    histories = [
        twin.refined_labels(*topology.shaped(graph, **options), rounds, direction) for graph in unpacked(networks)
    ]
    trees = [trees[k] for k in range(rounds + 1) for history in histories for trees in history.values()]
    assert len(set(zip(colours.tolist(), trees, strict=True))) == len(set(trees)) == len(set(colours.tolist()))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_deep_weisfeiler_lehman_equals_an_explicit_matrix(direction, rounds):
    released, known = sides(13, people=(4, 2), places=4, visits=12)
    found = scored(released, known, kernel="dwl", direction=direction, rounds=rounds)
    mine, theirs = (
        [twin.refined_labels(*each, rounds, direction) for each in shaped_twins(side)] for side in (released, known)
    )
    likeness = twin.ppmi(twin.together_in_a_round(theirs))
    counts = [[_counted(history) for history in side] for side in (mine, theirs)]
    expected = twin.all_pairs(*counts, lambda one, other: twin.cosine(one, other, likeness))
    assert np.abs(found - expected).max() < 1e-9


@pytest.mark.parametrize("dense", [graph_features.DENSE, graph_features.DIMENSIONS + 1])
def test_deep_weisfeiler_lehman_of_more_labels_than_dimensions_equals_an_explicit_matrix(dense, monkeypatch):
    # most labels of the last round occur in one network only; one of them stands for all of those
    released, known = sides(47, people=(4, 20), places=9, visits=30)
    monkeypatch.setattr(graph_features, "DENSE", dense)
    found = scored(released, known, kernel="dwl", prune=0)
    mine, theirs = (
        [twin.refined_labels(*each, 2, "in+out") for each in shaped_twins(side, prune=0)] for side in (released, known)
    )
    counts = [[_counted(history) for history in side] for side in (mine, theirs)]
    likeness = twin.ppmi(twin.together_in_a_round(theirs))
    expected = twin.all_pairs(*counts, lambda one, other: twin.cosine(one, other, likeness))
    assert len(set().union(*counts[1])) > graph_features.DIMENSIONS
    assert np.abs(found - expected).max() < 1e-9


@pytest.mark.parametrize("rounds", [1, 2])
def test_deep_weisfeiler_lehman_sees_its_last_round(rounds):
    # a star, a cycle and a path of five places have the same labels by visits: only refined labels tell them apart
    shapes = networks_of({1: [list("hahbhchdh")], 2: [list("habcdhabcdh")], 3: [list("habcdcbahabcdcbah")]})
    found = scored(shapes, shapes, kernel="dwl", rounds=rounds, prune=0, top=5)
    assert np.diag(found) == pytest.approx(1.0, abs=1e-9)
    assert found[~np.eye(3, dtype=bool)].max() < 0.9


def _counted(history):
    return twin.Counter(tree for trees in history.values() for tree in trees)


@pytest.mark.kernels
def test_deep_shortest_paths_by_co_occurrence_equal_an_explicit_matrix():
    released, known = sides(17, people=(3, 3), places=6, visits=14)
    found = scored(released, known, kernel="dsp", similarity="ppmi")
    mine, theirs = ([twin.path_triplets(*each) for each in shaped_twins(side)] for side in (released, known))
    likeness = twin.ppmi(twin.together_at_a_start(theirs))
    counts = [[sum(each.values(), twin.Counter()) for each in side] for side in (mine, theirs)]
    expected = twin.all_pairs(*counts, lambda one, other: twin.cosine(one, other, likeness))
    assert np.abs(found - expected).max() < 1e-9


def test_paths_longer_than_64_hops_count_as_64_and_are_noted():
    chain = networks_of({1: [list(range(100))]})
    found = so.graph_scores(chain, chain, kernel="sp", prune=0)
    capped = sum(100 - length for length in range(65, 100))
    assert any(note.count == 2 * capped and note.what == "shortest paths cut" for note in found.notes)
    ((graph, label),) = shaped_twins(chain, prune=0)
    paths = twin.shortest_paths(graph, label)
    assert found.matrix.toarray()[0, 0] == pytest.approx(1.0, abs=1e-12)
    assert max(length for _, _, length in paths) == 64


@pytest.mark.parametrize("pruned", [False, True])
@pytest.mark.parametrize("similarity", ["rbf", "inner"])
@pytest.mark.parametrize("kernel", ["dd", "wd"])
def test_degree_kernels_equal_their_twins_on_full_and_on_pruned_networks(kernel, similarity, pruned):
    released, known = sides(19, people=(5, 4))
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


def grakel_graphs(grakel, sides_of_shapes):
    made = []
    for graph, label in sides_of_shapes:
        arcs = np.zeros((len(label), len(label)))
        arcs[tuple(zip(*_renumbered(graph), strict=True))] = 1.0
        made.append(grakel.Graph(arcs, node_labels=dict(enumerate(label.values()))))
    return made


@pytest.mark.parametrize("kernel", ["wl", "sp"])
def test_scores_equal_grakel(kernel):
    grakel = pytest.importorskip("grakel")
    from grakel import kernels

    released, known = sides(23, people=(8, 7), places=15, visits=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        train, test = (grakel_graphs(grakel, shaped_twins(side)) for side in (known, released))
        theirs = kernels.ShortestPath(normalize=True, with_labels=True, algorithm_type="floyd_warshall")
        if kernel == "wl":
            theirs = kernels.WeisfeilerLehman(n_iter=2, base_graph_kernel=kernels.VertexHistogram, normalize=True)
        expected = theirs.fit(train).transform(test)
    found = scored(released, known, kernel=kernel, direction="out", rounds=2)
    assert np.abs(found - expected).max() < 1e-9


@pytest.mark.parametrize("directed", [True, False])
def test_hop_distances_equal_networkx(directed):
    networkx = pytest.importorskip("networkx")
    for graph in unpacked(sides(29)[0]):
        graph = graph if directed else topology.union(graph)
        other = networkx.DiGraph(list(graph.edges))
        expected = {(a, b): d for a, ds in networkx.all_pairs_shortest_path_length(other) for b, d in ds.items()}
        assert {pair: hops for pair, hops in twin.hop_distances(graph).items() if hops < np.inf} == expected


@pytest.mark.parametrize("kernel", KERNELS)
def test_people_without_anything_to_compare_have_scores_and_none_is_nan(kernel):
    odd = {1: [["a"]], 2: [list("ab")], 3: [list("aba")], 4: [list("abcdabc")]}
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        released, known = networks_of(odd), networks_of({**odd, 5: [["x"]]})
        found = scored(released, known, kernel=kernel)
        nothing = scored(networks_of(odd, min_dwell="15min"), known, kernel=kernel)
    assert np.isfinite(found).all()
    assert np.isfinite(nothing).all()
    if kernel in ("sp", "dsp"):
        assert not found[0].any()
        assert not found[:, [0, 4]].any()
    if kernel in ("sp", "wl", "dsp", "dwl"):
        assert not nothing.any()
        assert (np.abs(found) <= 1 + 1e-12).all()


@pytest.mark.parametrize("kernel", ["sp", "wl", "dsp", "dwl"])
def test_nobody_with_anything_to_compare_scores_zero(kernel):
    empty = networks_of({1: [list("ab")], 2: [list("ab")]}, min_dwell="15min")
    assert not scored(empty, empty, kernel=kernel).any()


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_network_is_most_like_itself_whatever_the_names_of_places(kernel):
    people = random_people(31, people=6)
    renamed = {who: [[f"place {(7 * p + 3) % 11}" for p in path] for path in paths] for who, paths in people.items()}
    found = scored(networks_of(people), networks_of(renamed), kernel=kernel)
    assert (np.diag(found) >= found.max(axis=1) - 1e-12).all()
    if kernel in ("sp", "wl", "dsp", "size"):
        assert np.diag(found) == pytest.approx(1.0, abs=1e-12)


def test_size_falls_with_the_difference_in_nodes_and_edges():
    people = {k: [list(range(k)) * 2] for k in (3, 4, 8)}
    found = scored(networks_of(people), networks_of(people), kernel="size", prune=0)
    assert np.diag(found).tolist() == [1.0] * 3
    assert found[0, 1] > found[0, 2] > 0


def test_direction_matters_where_it_is_asked_for():
    cycle, back = networks_of({1: [list("abca")]}), networks_of({1: [list("abcba")]})
    for kernel in ("wl", "sp"):
        same = scored(cycle, back, kernel=kernel, direction="undirected", prune=0, labels=1)[0, 0]
        other = scored(cycle, back, kernel=kernel, prune=0, labels=1)[0, 0]
        assert other < 1
        assert same < 1
    triangle = networks_of({1: edge_paths(["ab", "bc", "ca"])})
    acyclic = networks_of({1: edge_paths(["ab", "bc", "ac"])})
    assert scored(triangle, acyclic, kernel="wl", direction="undirected", labels=1, prune=0)[0, 0] == pytest.approx(1)
    assert scored(triangle, acyclic, kernel="wl", labels=1, prune=0)[0, 0] < 0.9
    # in+out sees what out alone does not: who is led to
    ends = networks_of({1: edge_paths(["ab", "cb"])}), networks_of({1: edge_paths(["ab", "cd"])})
    options = {"kernel": "wl", "labels": 1, "prune": 0, "component": False, "rounds": 1}
    assert scored(*ends, direction="out", **options)[0, 0] > scored(*ends, direction="in+out", **options)[0, 0]


def test_several_known_networks_count_by_the_mean_of_the_nearest():
    released, one = sides(37)
    other, third = (networks_of(random_people(seed, people=n)) for seed, n in ((50, 4), (51, 6)))
    tables = np.full((3, 5, 6), np.nan)
    for k, known in enumerate((one, other, third)):
        tables[k][:, : len(known)] = scored(released, known, kernel="sp")
    for nearest in (1, 2, 3):
        found = so.graph_scores(released, [one, other, third], kernel="sp", nearest=nearest)
        best = -np.sort(-tables, axis=0)[:nearest]
        assert np.abs(found.matrix.toarray() - np.nanmean(best, axis=0)).max() < 1e-12
        assert found.known.tolist() == list(range(6))


def test_several_known_networks_need_ids_of_one_type():
    text = networks_of({"a": [list("aba")]})
    released, known = sides()
    with pytest.raises(so.DataError, match="known holds networks whose people have ids of different types"):
        so.graph_scores(released, [known, text])


@pytest.mark.parametrize("kernel", KERNELS)
def test_streamed_scores_equal_stored_ones(kernel, monkeypatch):
    released, known = sides(41, people=(9, 7))
    stored = so.graph_scores(released, known, kernel=kernel)
    expected, ranks, best = stored.matrix.toarray(), so.ranks(stored), stored.best(3).matrix.toarray()
    monkeypatch.setattr(scores, "MOST_PAIRS", 10)
    monkeypatch.setattr(scores, "BLOCK_PAIRS", 15)
    streamed = so.graph_scores(released, known, kernel=kernel)
    blocks = list(streamed.blocks())
    assert [first for first, _ in blocks] == [0, 2, 4, 6, 8]
    assert np.abs(np.concatenate([block for _, block in blocks]) - expected).max() < 1e-12
    assert so.ranks(streamed).tolist() == ranks.tolist()
    assert np.abs(streamed.best(3).matrix.toarray() - best).max() < 1e-12
    with pytest.raises(so.DataError, match=r"9 by 7 pairs do not fit in memory. Go through scores.blocks\(\)"):
        streamed.matrix  # noqa: B018


def test_best_keeps_the_highest_and_equals_in_order_of_id():
    table = np.array([[0.5, 0.9, 0.5, 0.5], [0.0, 0.0, 0.0, 1.0]])
    found = so.Scores(table, [1, 2], [40, 30, 20, 10]).best(2)
    assert found.absent == "forbidden"
    assert found.matrix.toarray().tolist() == [[0, 0.9, 0, 0.5], [0, 0, 0, 1.0]]
    assert found.matrix.indices[found.matrix.indptr[1] :].tolist() == [2, 3]
    assert so.Scores(table, [1, 2], [40, 30, 20, 10]).best(9).matrix.toarray().tolist() == table.tolist()
    for count in (0, 1.5, True):
        with pytest.raises(so.InputError, match="best: count must be a whole number above zero"):
            so.Scores(table, [1, 2], [4, 3, 2, 1]).best(count)


def test_scores_go_through_joint_matching():
    released, known = sides(43, people=(6, 6))
    pairs = so.assign(so.graph_scores(released, known, kernel="wl"))
    assert sorted(pairs.released.tolist()) == list(range(6))


def test_what_happened_is_noted_without_an_id():
    released = networks_of({"secret": [list("abcabd")], "hidden": [["a"]]})
    found = so.graph_scores(released, released)
    shown = repr(found)
    assert "edges are tied at the cut of pruning" in shown
    assert "networks without an edge after pruning" in shown
    assert "secret" not in shown


def test_a_graph_without_people_has_no_arcs():
    none = np.zeros(1, dtype=np.int64)
    empty = np.zeros(0, dtype=np.int64)
    graphs = Graphs(none, empty, none, empty, empty, empty.astype(float), empty)
    assert len(graphs) == 0
    assert graphs.arcs[0].tolist() == [0]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"kernel": "dps"}, "kernel must be one of dd, dsp, dwl, size, sp, wd, wl.*Did you mean"),
        ({"ties": "first"}, "ties must be one of drop_ties, random, visits"),
        ({"direction": "both"}, "direction must be one of in\\+out, out, undirected"),
        ({"labels": 4}, "labels must be 3, 1 \\(none\\) or 'mass', got 4"),
        ({"labels": True}, "labels must be 3, 1"),
        ({"top": 0}, "top must be a whole number from 1 to .*got 0"),
        ({"top": 2.5}, "top must be a whole number"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to"),
        ({"rounds": None}, "rounds must be a whole number from 1 to"),
        ({"prune": 1.0}, "prune must be a share of the edges"),
        ({"prune": float("nan")}, "prune must be a share of the edges"),
        ({"prune": -0.1}, "prune must be a share of the edges"),
        ({"gamma": 0}, "gamma must be a number above zero"),
        ({"similarity": "cosine"}, "similarity must be one of edit, ppmi with kernel='dsp'"),
        ({"kernel": "sp", "similarity": "edit"}, "similarity must be left out with kernel='sp'"),
        ({"kernel": "dwl", "similarity": "edit"}, "similarity must be one of ppmi with kernel='dwl'"),
        ({"seed": None}, "seed must be a whole number of zero or more"),
        ({"nearest": 2}, "nearest must be a whole number from 1 to 1"),
        ({"nearest": 0}, "nearest must be a whole number"),
        ({"known": 5}, "known must be Networks, or a list of Networks, got 'int'"),
        ({"known": []}, "known must be Networks, or a list of Networks, got 'list'"),
        ({"known": None}, "known must be Networks, or a list of Networks, got 'NoneType'"),
        ({"released": "x"}, "released must be Networks, got 'str'"),
    ],
)
def test_bad_arguments_are_refused(options, match):
    released, known = networks_of({1: [list("aba")]}), networks_of({1: [list("aba")]})
    with pytest.raises(so.InputError, match="graph_scores: " + match):
        so.graph_scores(**{"released": released, "known": known, **options})
