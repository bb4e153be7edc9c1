"""What must not matter to networks: names, the order of rows and people, tiles, threads, blocks; and what must hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config

import singleout as so
from singleout.similarity import scores as storing
from tests.reference.traces import events_of, log_of, network_bytes, networks_of, random_people

KERNELS = ("dd", "wd", "sp", "wl", "dsp", "dwl", "size")
DEEP = [("sp", None), ("wl", None), ("dsp", "edit"), ("dsp", "ppmi"), ("dwl", "ppmi")]


def everything(released, known):
    """All results in one list, to compare without tolerance."""
    tables = [so.graph_scores(released, known, kernel=kernel).matrix.data.tobytes() for kernel in KERNELS]
    ranks = so.ranking(so.graph_scores(released, known)).to_arrow()
    figures = [so.anonymity(released, directed=way).sizes.tolist() for way in (True, False)]
    orders = [so.markov_order(released, test=test).tolist() for test in ("classical", "scholtes", "bic", "aic")]
    summary = so.network_summary(released).to_arrow()
    return [*network_bytes(released), *tables, ranks, *figures, *orders, summary]


def two_sides(seed=0, people=12):
    return tuple(networks_of(random_people(seed + k, people=people)) for k in (0, 100))


@pytest.mark.parametrize("tile", [1, 5, 1_000])
def test_tiles_change_no_byte(tile, rows_per_tile):
    expected = everything(*two_sides())
    rows_per_tile(tile)
    assert everything(*two_sides()) == expected


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_threads_changes_no_byte(jobs, rows_per_tile):
    rows_per_tile(2)
    expected = everything(*two_sides(1))
    with parallel_config(n_jobs=jobs, backend="threading"):
        assert everything(*two_sides(1)) == expected


@settings(max_examples=3)
@given(seed=st.integers(0, 1_000))
def test_the_order_of_rows_changes_no_byte(seed):
    rng = np.random.default_rng(seed)
    logs = [log_of(random_people(seed + k, people=5)) for k in (0, 100)]
    shuffled = [[log[k] for k in rng.permutation(len(log))] for log in logs]
    one, other = ([so.networks(events_of(log)) for log in side] for side in (logs, shuffled))
    assert everything(*one) == everything(*other)


@settings(max_examples=3)
@given(seed=st.integers(0, 1_000))
def test_names_of_places_and_people_change_no_score(seed):
    rng = np.random.default_rng(seed)
    people = random_people(seed, people=5, places=7)
    names = rng.permutation(1_000)
    renamed = {f"u{who}": [[f"x{names[p]}" for p in path] for path in paths] for who, paths in people.items()}
    sides, known = [networks_of(side) for side in (people, renamed)], networks_of(random_people(seed + 1, people=4))
    for kernel in KERNELS:
        one, other = (so.graph_scores(side, known, kernel=kernel).matrix.data for side in sides)
        assert one.tobytes() == other.tobytes()


@settings(max_examples=3)
@given(seed=st.integers(0, 1_000))
def test_the_order_of_people_changes_no_rank(seed):
    people, others = (random_people(seed + k, people=6) for k in (0, 100))
    places = {who: k for k, who in enumerate(np.random.default_rng(seed).permutation(6).tolist())}
    turned = ({places[who]: paths for who, paths in side.items()} for side in (people, others))
    before, after = ([networks_of(side) for side in sides] for sides in ((people, others), turned))
    for kernel in ("sp", "wl", "dsp", "dwl", "dd"):
        one, other = (so.ranks(so.graph_scores(*sides, kernel=kernel)) for sides in (before, after))
        assert [other[places[who]] for who in range(6)] == one.tolist()


@pytest.mark.parametrize(("kernel", "similarity"), DEEP)
@pytest.mark.parametrize("direction", ["in+out", "out", "undirected"])
def test_kernels_are_symmetric_positive_and_at_most_one(kernel, similarity, direction):
    side = networks_of(random_people(5, people=15, visits=15))
    options = {"kernel": kernel, "similarity": similarity, "direction": direction}
    table = so.graph_scores(side, side, **options).matrix.toarray()
    assert np.abs(table - table.T).max() < 1e-12
    assert np.linalg.eigvalsh(table).min() > -1e-9
    assert np.abs(table).max() <= 1 + 1e-12


def test_gaussian_kernels_rank_by_distance_alone():
    released, known = two_sides(7)
    for kernel in ("dd", "wd"):
        table = so.graph_scores(released, known, kernel=kernel).matrix.toarray()
        assert (table > 0).all()
        assert (table <= 1).all()


def test_streamed_blocks_change_no_rank(monkeypatch):
    released, known = two_sides(9)
    expected = [so.ranks(so.graph_scores(released, known, kernel=kernel)).tolist() for kernel in KERNELS]
    monkeypatch.setattr(storing, "MOST_PAIRS", 1)
    monkeypatch.setattr(storing, "BLOCK_PAIRS", 30)
    assert [so.ranks(so.graph_scores(released, known, kernel=kernel)).tolist() for kernel in KERNELS] == expected


@pytest.mark.parametrize("kernel", KERNELS)
def test_two_people_are_enough(kernel):
    people = {1: [list("abcab")], 2: [list("abab")]}
    networks = networks_of(people)
    found = so.ranking(so.graph_scores(networks, networks, kernel=kernel))
    assert np.isfinite(found.loss).all()
    assert found.candidates == 2


def test_strangers_rank_as_by_chance():
    # the two sides have nothing to do with each other: nobody's own network is nearer than another's
    draws = [so.graph_scores(*two_sides(200 * k + 11, people=40), kernel="wl") for k in range(4)]
    losses = [so.privacy_loss(scores).mean() for scores in draws]
    assert abs(np.mean(losses)) < 0.35


def test_people_who_move_the_same_way_again_are_found():
    rng = np.random.default_rng(3)
    habits = {who: rng.permutation(9).tolist() for who in range(12)}
    sizes = {who: 3 + who % 6 for who in habits}
    sides = [
        networks_of({who: [habits[who][: sizes[who]] * (3 + part) + habits[who][: 1 + who // 6]] for who in habits})
        for part in (0, 1)
    ]
    found = so.ranking(so.graph_scores(*sides, kernel="dsp", prune=0))
    assert found.ranks.mean() < found.expected_at_random / 2


@pytest.mark.parametrize("part", [0, 1])
def test_both_parts_of_a_split_can_be_compared(part):
    events = events_of(log_of(random_people(13, people=5)))
    sides = [so.networks(side) for side in so.split(events, by="point", seed=1)]
    found = so.graph_scores(sides[part], sides[1 - part])
    assert found.shape == (5, 5)
    assert np.isfinite(found.matrix.data).all()
