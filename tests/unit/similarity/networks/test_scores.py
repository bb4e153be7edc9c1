"""Scores of networks equal those of other libraries, are never NaN, and go through joint matching."""

import warnings

import numpy as np
import pytest

import singleout as so
from tests.reference.traces import edge_paths, networks_of, random_people
from tests.small_networks import KERNELS, random_sides, renumbered_edges, scored, shaped_twins


def grakel_graphs(grakel, sides_of_shapes):
    made = []
    for graph, label in sides_of_shapes:
        arcs = np.zeros((len(label), len(label)))
        arcs[tuple(zip(*renumbered_edges(graph), strict=True))] = 1.0
        made.append(grakel.Graph(arcs, node_labels=dict(enumerate(label.values()))))
    return made


@pytest.mark.parametrize("kernel", ["wl", "sp"])
def test_scores_equal_grakel(kernel):
    grakel = pytest.importorskip("grakel")
    from grakel import kernels

    released, known = random_sides(23, people=(8, 7), places=15, visits=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        train, test = (grakel_graphs(grakel, shaped_twins(side)) for side in (known, released))
        theirs = kernels.ShortestPath(normalize=True, with_labels=True, algorithm_type="floyd_warshall")
        if kernel == "wl":
            theirs = kernels.WeisfeilerLehman(n_iter=2, base_graph_kernel=kernels.VertexHistogram, normalize=True)
        expected = theirs.fit(train).transform(test)
    found = scored(released, known, kernel=kernel, direction="out", rounds=2)
    assert np.abs(found - expected).max() < 1e-9


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
    released, one = random_sides(37)
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
    released, known = random_sides()
    with pytest.raises(so.DataError, match="known contains networks whose people have ids of different types"):
        so.graph_scores(released, [known, text])


def test_scores_go_through_joint_matching():
    released, known = random_sides(43, people=(6, 6))
    pairs = so.assign(so.graph_scores(released, known, kernel="wl"))
    assert sorted(pairs.released.tolist()) == list(range(6))


def test_what_happened_is_noted_without_an_id():
    released = networks_of({"secret": [list("abcabd")], "hidden": [["a"]]})
    found = so.graph_scores(released, released, kernel="dsp")
    shown = repr(found)
    assert "tied at the pruning threshold" in shown
    assert "networks without edges after pruning" in shown
    assert "secret" not in shown


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"kernel": "dps"}, "kernel must be one of summary, dd, wd, sp, wl, dsp, dwl, size.*Did you mean 'dsp'"),
        ({"ties": "first"}, "ties must be one of visits, drop_ties, random"),
        ({"direction": "both"}, "direction must be one of in\\+out, out, undirected"),
        ({"labels": 4}, r"labels must be 3, 1 \(none\) or 'mass' \(got 4\)"),
        ({"labels": True}, "labels must be 3, 1"),
        ({"top": 0}, "top must be a whole number from 1 to .*got 0"),
        ({"top": 2.5}, "top must be a whole number"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to"),
        ({"rounds": None}, "rounds must be a whole number from 1 to"),
        ({"prune": 1.0}, "prune must be a share of the edges"),
        ({"prune": float("nan")}, "prune must be a share of the edges"),
        ({"prune": -0.1}, "prune must be a share of the edges"),
        ({"gamma": 0}, "gamma must be a number above zero"),
        ({"kernel": "dsp", "similarity": "cosine"}, "similarity must be one of edit, ppmi with kernel='dsp'"),
        ({"similarity": "edit"}, "similarity must be omitted with kernel='summary'"),
        ({"kernel": "sp", "similarity": "edit"}, "similarity must be omitted with kernel='sp'"),
        ({"kernel": "dwl", "similarity": "edit"}, "similarity must be one of ppmi with kernel='dwl'"),
        ({"seed": None}, "seed must be a whole number, 0 or more"),
        ({"nearest": 2}, "nearest must be a whole number from 1 to 1"),
        ({"nearest": 0}, "nearest must be a whole number"),
        ({"known": 5}, r"known must be Networks, or a list of Networks \(got 'int'\)"),
        ({"known": []}, r"known must be Networks, or a list of Networks \(got 'list'\)"),
        ({"known": None}, r"known must be Networks, or a list of Networks \(got 'NoneType'\)"),
        ({"released": "x"}, r"released must be Networks \(got 'str'\)"),
    ],
)
def test_bad_arguments_are_refused(options, match):
    released, known = networks_of({1: [list("aba")]}), networks_of({1: [list("aba")]})
    with pytest.raises(so.InputError, match="graph_scores: " + match):
        so.graph_scores(**{"released": released, "known": known, **options})
