"""Markov orders: likelihoods and freedoms equal the definitions; memory that was put in is found, none is made up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout._kernels import markov as kernels
from singleout.measures.networks import markov
from tests.reference import network_measures as twin
from tests.reference import topology
from tests.reference.traces import networks_of, random_people

TESTS = ("classical", "scholtes", "bic", "aic")


def fitted(networks, most=3):
    visited = networks.sequences
    arrays = visited.starts, visited.state, visited.fresh, visited.states
    return kernels.fits(0, len(networks), *arrays, most)


def first_order(rng, length=600, places=4):
    step = rng.dirichlet(np.ones(places), size=places) * (1 - np.eye(places))
    step /= step.sum(axis=1, keepdims=True)
    path = [0]
    for _ in range(length):
        path.append(int(rng.choice(places, p=step[path[-1]])))
    return path


def second_order(rng, length=600):
    """From the hub 0 people mostly go on to the place after the one they came from."""
    path = [1, 0]
    while len(path) < length:
        usual = path[-2] % 3 + 1
        path += [usual if rng.random() < 0.8 else int(rng.integers(1, 4)), 0]
    return path


@pytest.mark.kernels
def test_likelihoods_and_freedoms_equal_the_definitions():
    people = random_people(0, people=4, places=4, visits=12, paths=2) | {9: [[0]], 10: [[0], [1]]}
    likelihood, classical, layer, steps = fitted(networks_of(people))
    for k, paths in enumerate(people.values()):
        assert likelihood[k] == pytest.approx([twin.log_likelihood(paths, order) for order in range(4)], abs=1e-9)
        assert classical[k].tolist() == [twin.chain_freedom(paths, order) for order in range(4)]
        assert layer[k, 1:].tolist() == [twin.layer_freedom(paths, order) for order in (1, 2, 3)]
        assert steps[k] == sum(len(path) - 1 for path in paths)


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000), places=st.integers(2, 4), paths=st.integers(1, 3))
def test_orders_equal_their_twins(seed, places, paths):
    people = random_people(seed, people=3, places=places, visits=15, paths=paths)
    networks = networks_of(people)
    for test in TESTS:
        found = so.markov_order(networks, test=test)
        assert found.tolist() == [twin.markov_order(each, 3, test) for each in people.values()]


@pytest.mark.parametrize("edges", ["induced", "contract"])
def test_sequences_follow_top_and_edges(edges):
    people = random_people(3, people=3, places=6, visits=25)
    networks = networks_of(people, edges=edges)
    chosen = [topology.top_paths(paths, 3, edges) for paths in people.values()]
    for test in TESTS:
        expected = [twin.markov_order(paths, 3, test) for paths in chosen]
        assert so.markov_order(networks, top=3, test=test).tolist() == expected
        assert so.markov_order(networks_of(people, top=3, edges=edges), test=test).tolist() == expected


def test_freedoms_by_hand():
    # a, b, c all lead to each other: 6 transitions, 12 walks of two steps
    (classical,), (layer,) = fitted(networks_of({1: [list("abcacbab")]}), 2)[1:3]
    assert classical.tolist() == [2, 3, 6]
    assert layer[1:].tolist() == [3, 9]


@pytest.mark.parametrize("test", ["classical", "bic", "aic", "bootstrap"])
def test_a_memory_of_two_places_is_found(test):
    rng = np.random.default_rng(1)
    networks = networks_of({k: [second_order(rng)] for k in range(3)})
    assert (so.markov_order(networks, test=test, max_order=2) == 2).all()


@pytest.mark.parametrize("test", ["classical", "scholtes", "bic", "bootstrap"])
def test_no_memory_is_made_up(test):
    rng = np.random.default_rng(2)
    networks = networks_of({k: [first_order(rng)] for k in range(12)})
    assert (so.markov_order(networks, test=test, max_order=2) == 1).mean() >= 11 / 12


def test_scholtes_and_classical_part_on_one_long_trace():
    people = {k: [second_order(np.random.default_rng(k), length)] for k, length in enumerate((40, 60, 80, 100, 150))}
    classical, scholtes = (so.markov_order(networks_of(people), test=test, max_order=2) for test in TESTS[:2])
    assert (classical >= scholtes).all()


@pytest.mark.parametrize("test", markov.TESTS)
def test_people_without_enough_visits_have_order_one(test):
    people = {1: [["a"]], 2: [list("ab")], 3: [list("abc")], 4: [["a"], ["b"]]}
    assert so.markov_order(networks_of(people), test=test).tolist() == [1] * 4
    assert so.markov_order(networks_of(people, min_dwell="15min"), test=test).tolist() == [1] * 4
    assert so.markov_order(networks_of(people), test=test, max_order=1).tolist() == [1] * 4


def test_the_bootstrap_follows_the_seed_and_not_the_tiles(monkeypatch):
    monkeypatch.setattr(markov, "DRAWS", 120)
    people = random_people(5, people=10, places=3, visits=30)
    networks = networks_of(people)
    once = so.markov_order(networks, test="bootstrap", seed=3)
    assert so.markov_order(networks, test="bootstrap", seed=3).tolist() == once.tolist()
    alone = [markov._bootstrap(k, k + 1, _chains(networks), 3, 3)[0] for k in range(10)]
    assert alone == once.tolist()


def _chains(networks):
    visited = networks.sequences
    return visited.starts, visited.state, visited.fresh, visited.states


@pytest.mark.kernels
def test_simulated_sequences_take_only_transitions_that_were_seen():
    (path,) = random_people(6, people=1, places=4, visits=30, paths=1)[0]
    networks = networks_of({1: [path]})
    _, state, fresh, states = _chains(networks)
    chain = kernels.followers(state, fresh, int(states[0]), 2)
    drawn = kernels.simulate(state, *chain, 1, np.random.default_rng(0).random(len(state)))
    seen = {*zip(state[:-1].tolist(), state[1:].tolist(), strict=True)}
    # the last place may be one that nothing followed: then the draw starts anew
    followed = {a for a, _ in seen}
    assert all((a, b) in seen for a, b in zip(drawn[:-1].tolist(), drawn[1:].tolist(), strict=True) if a in followed)


@pytest.mark.parametrize("tile", [1, 3])
def test_tiles_do_not_matter(tile, rows_per_tile):
    networks = networks_of(random_people(7, people=7))
    expected = [so.markov_order(networks, test=test).tolist() for test in TESTS]
    rows_per_tile(tile)
    assert [so.markov_order(networks, test=test).tolist() for test in TESTS] == expected


# pathpy is under a licence that no extra of ours may pull in; these are its numbers (2.2.0) for a,b,c,a,b
PATHPY = {"likelihood": [-5.27460083993072, -0.916290731874155, -0.916290731874155]}


def test_likelihoods_equal_what_pathpy_gives():
    likelihood = fitted(networks_of({1: [list("abcab")]}), 2)[0][0]
    assert likelihood == pytest.approx(PATHPY["likelihood"], abs=1e-12)


def test_likelihoods_and_freedoms_equal_pathpy_where_it_is_installed():
    pathpy = pytest.importorskip("pathpy")
    people = random_people(8, people=4, places=4, visits=20, paths=2)
    likelihood, _, layer, _ = fitted(networks_of(people), 2)
    for k, paths in enumerate(people.values()):
        theirs = pathpy.Paths()
        for path in paths:
            theirs.add_path([f"p{place}" for place in path], frequency=1)
        model = pathpy.MultiOrderModel(theirs, max_order=2)
        expected = [model.likelihood(theirs, max_order=order, log=True) for order in range(3)]
        assert likelihood[k] == pytest.approx(expected, abs=1e-9)
        freedoms = [model.degrees_of_freedom(max_order=order) for order in range(3)]
        assert np.diff(freedoms).tolist() == layer[k, 1:].tolist()


def test_bad_arguments_are_refused():
    networks = networks_of({1: [list("abab")]})
    with pytest.raises(so.InputError, match=r"markov_order: networks must be Networks \(got 'int'\)"):
        so.markov_order(3)
    with pytest.raises(so.InputError, match=r"networks must be networks with sequences \(got 'perturbed networks'\)"):
        so.markov_order(so.perturb(networks, remove=0.5))
    with pytest.raises(so.InputError, match="test must be one of classical, scholtes, bic, aic, bootstrap"):
        so.markov_order(networks, test="chi2")
    for most in (0, 9, 1.5, True):
        with pytest.raises(so.InputError, match="max_order must be a whole number from 1 to 8"):
            so.markov_order(networks, max_order=most)
    for seed in (-1, None, 1.5):
        with pytest.raises(so.InputError, match="markov_order: seed must be a whole number, 0 or more"):
            so.markov_order(networks, seed=seed)
    with pytest.raises(so.InputError, match="top must be a whole number"):
        so.markov_order(networks, top=0)
