"""Figures of networks equal NetworkX's, undirected and directed; networks without pairs of places have zeros."""

import numpy as np
import pytest

import singleout as so
from singleout.measures.networks.summary import COLUMNS
from tests.reference import graph_kernels as twin
from tests.reference import topology
from tests.reference.traces import networks_of, random_people, unpacked

networkx = pytest.importorskip("networkx")


def in_networkx(graph, directed):
    made = networkx.DiGraph() if directed else networkx.Graph()
    made.add_nodes_from(graph.visits)
    made.add_edges_from(graph.edges)
    return made


def expected_figures(graph, directed):
    made = in_networkx(graph, directed)
    lengths = networkx.all_pairs_shortest_path_length(made)
    hops = [far for a, reached in lengths for b, far in reached.items() if a != b]
    clustering = networkx.average_clustering(made) if len(made) else 0.0
    size = made.number_of_nodes(), made.number_of_edges(), networkx.density(made)
    return [*size, clustering, max(hops, default=0), np.mean(hops) if hops else 0.0]


PEOPLE = random_people(1, people=6, places=9, visits=25) | {7: [[0]], 8: [[0, 1]], 9: [[0, 1, 2, 0], [5, 6]]}


@pytest.mark.parametrize("top", [None, 1, 4])
def test_figures_equal_networkx(top):
    networks = networks_of(PEOPLE)
    found = so.network_summary(networks, top=top)
    for directed, figures in ((True, found.directed), (False, found.undirected)):
        table = np.column_stack([figures[name] for name in COLUMNS])
        expected = [expected_figures(graph, directed) for graph in unpacked(networks.at(top=top))]
        assert np.abs(table - expected).max() < 1e-12


@pytest.mark.kernels
def test_distances_equal_floyd_warshall():
    networks = networks_of(random_people(2, people=2, places=5, visits=10))
    found = so.network_summary(networks)
    for k, graph in enumerate(unpacked(networks)):
        for one, figures in ((graph, found.directed), (topology.union(graph), found.undirected)):
            hops = [far for far in twin.hop_distances(one).values() if 0 < far < np.inf]
            assert figures["diameter"][k] == max(hops)
            assert figures["mean_path"][k] == pytest.approx(np.mean(hops))


def test_the_papers_density_is_undirected():
    found = so.network_summary(networks_of({1: [list("aba")]}))
    assert found.undirected["density"].tolist() == [1.0]
    assert found.undirected["edges"].tolist() == [1.0]
    assert found.directed["edges"].tolist() == [2.0]


def test_diameter_and_clustering_equal_networkx_on_connected_networks():
    networks = networks_of({1: [list("abcdeabfga")]})
    (graph,) = unpacked(networks)
    made = in_networkx(graph, directed=False)
    found = so.network_summary(networks)
    assert found.undirected["diameter"][0] == networkx.diameter(made)
    assert found.undirected["mean_path"][0] == pytest.approx(networkx.average_shortest_path_length(made))


def test_recurrence_weights_periods_and_degrees():
    networks = networks_of({1: [list("abababa")], 2: [list("abc")], 3: [["a"]]})
    found = so.network_summary(networks)
    assert found.recurrence == pytest.approx([4 / 6, 0, 0])
    assert found.average_weight.tolist() == [3.0, 1.0, 0.0]
    assert found.days == pytest.approx([6 / 144, 2 / 144, 0])
    assert found.trace_lengths.tolist() == [7, 3, 1]
    assert found.degree_ccdf().to_pydict() == {"degree": [2], "at_least": [1.0]}  # the first of median size
    table = {(row["figure"], row["network"]): row for row in found.to_arrow().to_pylist()}
    assert table["recurrence", "directed"]["mean"] == pytest.approx(2 / 9)
    assert table["nodes", "undirected"]["mean"] == 2.0
    assert table["visits", ""]["deviation"] == pytest.approx(np.std([7, 3, 1]))


def test_networks_without_pairs_have_zeros_and_no_nan():
    people = {1: [["a"]], 2: [list("ab")]}
    for networks in (networks_of({1: [["a"]]}), networks_of(people, min_dwell="15min"), networks_of(people)):
        found = so.network_summary(networks)
        for figures in (found.undirected, found.directed):
            assert all(np.isfinite(values).all() for values in figures.values())
            assert figures["density"][0] == figures["clustering"][0] == figures["mean_path"][0] == 0
        assert np.isfinite(found.recurrence).all()
        assert np.isfinite([row["mean"] for row in found.to_arrow().to_pylist()]).all()


def test_perturbed_networks_have_figures_but_no_period():
    found = so.network_summary(so.perturb(networks_of(PEOPLE), remove=0.5, weights=1.0))
    assert found.days is None
    assert ((found.recurrence >= 0) & (found.recurrence <= 1)).all()
    assert "days" not in found.to_arrow()["figure"].to_pylist()


def test_the_repr_shows_both_ways_and_no_id():
    shown = repr(so.network_summary(networks_of({"ann": [["home", "work"]]}), top=2))
    assert "NetworkSummary(1 people, top 2" in shown
    assert "clustering" in shown
    assert "home" not in shown


@pytest.mark.parametrize("tile", [1, 2])
def test_tiles_do_not_matter(tile, monkeypatch, rows_per_tile):
    expected = so.network_summary(networks_of(PEOPLE)).to_arrow()
    monkeypatch.setattr("singleout.measures.networks.summary.PEOPLE", tile)
    rows_per_tile(tile)
    assert so.network_summary(networks_of(PEOPLE)).to_arrow().equals(expected)


def test_bad_arguments_are_refused():
    with pytest.raises(so.InputError, match=r"network_summary: networks must be Networks \(got 'str'\)"):
        so.network_summary("networks")
    with pytest.raises(so.InputError, match="top must be a whole number"):
        so.network_summary(networks_of({1: [list("ab")]}), top="all")
