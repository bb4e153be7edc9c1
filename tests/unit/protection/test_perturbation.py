"""Perturbed networks: exact shares per person, the same bytes from the same seed, still proper networks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from tests.reference.traces import network_bytes, networks_of, random_people, unpacked

SHARES = ("labels", "add", "remove", "rewire", "nodes")


@pytest.fixture(scope="module")
def networks():
    return networks_of(random_people(0, people=8, places=20, visits=40) | {90: [[0]], 91: [[0, 1]]})


def assert_proper(networks):
    """No self-loops, no double edges, nodes in order of visits, edges in order of their ends."""
    graphs = networks.graphs
    assert (graphs.source != graphs.target).all()
    for k, graph in enumerate(unpacked(networks)):
        assert len(graph.edges) == graphs.edges[k]
        assert list(graph.edges) == sorted(graph.edges)
        assert list(graph.visits.values()) == sorted(graph.visits.values(), reverse=True)
        assert all(node < len(graph.visits) for edge in graph.edges for node in edge)
        assert all(weight > 0 for weight in graph.edges.values())


@settings(max_examples=25)
@given(
    shares=st.fixed_dictionaries({name: st.sampled_from([0.0, 0.1, 0.5, 1.0]) for name in SHARES}),
    weights=st.sampled_from([0.0, 0.5]),
    seed=st.integers(0, 1_000),
)
def test_whatever_is_asked_networks_stay_proper_and_follow_the_seed(networks, shares, weights, seed):
    found = so.perturb(networks, **shares, weights=weights, seed=seed)
    assert_proper(found)
    assert network_bytes(found) == network_bytes(so.perturb(networks, **shares, weights=weights, seed=seed))
    assert found.people.tolist() == networks.people.tolist()


def test_nothing_asked_changes_nothing_but_the_sequences(networks):
    found = so.perturb(networks)
    assert network_bytes(found) == network_bytes(networks)
    assert found.sequences is None


def test_another_seed_draws_other_lots(networks):
    for name in SHARES:
        one, other = (so.perturb(networks, **{name: 0.3}, seed=seed) for seed in (0, 1))
        assert network_bytes(one) != network_bytes(other)


@pytest.mark.parametrize("share", [0.1, 0.25, 0.4, 1.0])
def test_shares_of_edges_and_nodes_removed_are_exact_for_everybody(networks, share):
    removed = so.perturb(networks, remove=share).graphs
    assert removed.edges.tolist() == [n - int(share * n + 1e-9) for n in networks.graphs.edges.tolist()]
    fewer = so.perturb(networks, nodes=share).graphs
    assert fewer.nodes.tolist() == [n - int(share * n + 1e-9) for n in networks.graphs.nodes.tolist()]
    before, after = unpacked(networks), unpacked(so.perturb(networks, remove=share))
    for one, other in zip(before, after, strict=True):
        assert other.edges.items() <= one.edges.items()
        assert other.visits == one.visits


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_rewired_edges_keep_their_source_and_their_number(networks, share):
    for one, other in zip(unpacked(networks), unpacked(so.perturb(networks, rewire=share)), strict=True):
        assert len(other.edges) == len(one.edges)
        assert sorted(a for a, _ in other.edges) == sorted(a for a, _ in one.edges)
        assert sorted(other.edges.values()) == sorted(one.edges.values())
        assert len(set(one.edges) - set(other.edges)) <= int(share * len(one.edges) + 1e-9)


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
def test_added_edges_are_at_most_the_share_and_weigh_as_much_as_others(networks, share):
    gained = 0
    for one, other in zip(unpacked(networks), unpacked(so.perturb(networks, add=share)), strict=True):
        assert one.edges.items() <= other.edges.items()
        new = set(other.edges) - set(one.edges)
        assert len(new) <= int(share * len(one.edges) + 1e-9)
        assert {other.edges[edge] for edge in new} <= set(one.edges.values())
        gained += len(new)
    assert gained > 0


def test_a_full_network_gains_no_edge():
    full = networks_of({1: [[a, b] for a in range(4) for b in range(4) if a != b]})
    assert network_bytes(so.perturb(full, add=1.0)) == network_bytes(full)


def test_labels_are_dealt_anew_among_the_same_person(networks):
    found = so.perturb(networks, labels=1.0)
    for one, other in zip(unpacked(networks), unpacked(found), strict=True):
        assert other.visits == one.visits
        assert sorted(other.edges.values()) == sorted(one.edges.values())
    assert any(one.edges != other.edges for one, other in zip(unpacked(networks), unpacked(found), strict=True))
    # only names and visits moved: the shape stays
    assert so.anonymity(networks, top=None).sizes.tolist() == so.anonymity(found).sizes.tolist()


def test_weights_are_multiplied_and_edges_stay(networks):
    found = so.perturb(networks, weights=0.5)
    assert (found.graphs.source == networks.graphs.source).all()
    factor = np.log(found.graphs.weight / networks.graphs.weight)
    assert factor.std() == pytest.approx(0.5, rel=0.2)
    assert abs(factor.mean()) < 0.1


def test_what_was_changed_is_noted(networks):
    told = {note.what: note for note in so.perturb(networks, remove=1.0, nodes=0.5).notes}
    assert told["nodes removed"].count > 0
    assert told["edges changed"].count == len(networks.graphs.weight)
    assert "remove 1" in told["edges changed"].why
    assert told["people left without edges"].count == 9
    assert so.perturb(networks).notes == networks.notes


def test_edges_added_and_led_elsewhere_are_as_many_as_asked_where_there_is_room(networks):
    asked = int(np.floor(0.2 * networks.graphs.edges + 1e-9).sum())
    more = so.perturb(networks, add=0.2, seed=2)
    assert len(more.graphs.weight) == len(networks.graphs.weight) + asked
    assert {note.what: note.count for note in more.notes}["edges changed"] == asked
    led = so.perturb(networks, rewire=0.2, seed=2)
    assert {note.what: note.count for note in led.notes}["edges changed"] == asked
    assert len(led.graphs.weight) == len(networks.graphs.weight)


def test_perturbed_networks_are_scored_and_cut_but_not_contracted(networks):
    found = so.perturb(networks, remove=0.2)
    assert found.at(top=3).sizes.max() == 3
    assert found.at(top=3).at(top=9) is not None
    assert found.at(top=None) is found
    assert so.graph_scores(found, networks).shape == (10, 10)
    with pytest.raises(so.InputError, match="at: edges must be 'induced' from the start for networks without"):
        found.at(top=3, edges="contract")


def test_contracted_networks_can_be_perturbed_and_scored_at_their_size():
    contracted = networks_of(random_people(4, places=10), top=5, edges="contract")
    found = so.perturb(contracted, remove=0.2)
    assert found.at(top=5) is found
    assert so.graph_scores(found, contracted).shape == (6, 6)
    for options in ({"top": 3}, {"top": 5, "edges": "induced"}, {"top": None, "edges": "induced"}):
        with pytest.raises(so.InputError, match="Choose top and edges before adding noise"):
            found.at(**options)


def test_trace_lengths_are_the_visits_that_are_left(networks):
    assert so.perturb(networks).trace_lengths.tolist() == networks.trace_lengths.tolist()
    assert so.perturb(networks, nodes=1.0).trace_lengths.tolist() == [0] * 10


def test_more_noise_brings_the_true_person_further_down(networks):
    def mean_rank(share):
        return so.ranks(so.graph_scores(so.perturb(networks, rewire=share, seed=1), networks, kernel="wl")).mean()

    assert mean_rank(0.0) < mean_rank(1.0)


@pytest.mark.parametrize("name", SHARES)
def test_bad_shares_are_refused(networks, name):
    for value in (-0.1, 1.1, "x", float("nan"), True):
        with pytest.raises(so.InputError, match=f"perturb: {name} must be a share, from 0 to 1"):
            so.perturb(networks, **{name: value})


def test_bad_arguments_are_refused(networks):
    for value in (-1, float("inf"), None):
        with pytest.raises(so.InputError, match="perturb: weights must be a deviation, from 0 to 20"):
            so.perturb(networks, weights=value)
    for seed in (-1, None, 1.5):
        with pytest.raises(so.InputError, match="perturb: seed must be a whole number, 0 or more"):
            so.perturb(networks, seed=seed)
    with pytest.raises(so.InputError, match=r"perturb: networks must be Networks \(got 'list'\)"):
        so.perturb([])
    with pytest.raises(so.InputError, match="networks must be networks with sequences"):
        so.markov_order(so.perturb(networks))
