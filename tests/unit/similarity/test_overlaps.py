"""Every similarity equals its slow twin; neither tiles nor threads nor a compiler change a bit."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from joblib import parallel_config

import singleout as so
from singleout._kernels import overlap
from singleout.similarity.alignment import align_sides
from singleout.similarity.overlaps import overlaps
from singleout.similarity.registry import BUILT_IN, find_similarity
from tests.reference.costs import TWINS, all_pairs, js_popularity, js_roots

pytestmark = pytest.mark.kernels

small_counts = st.integers(1, 6).flatmap(
    lambda places: st.tuples(
        *[
            st.integers(1, 5).flatmap(
                lambda people, k=places: arrays(np.int64, (people, k), elements=st.integers(0, 4))
            )
            for _ in range(2)
        ]
    )
)


def sides(released, known, channels=None):
    places = [f"p{k}" for k in range(released.shape[1])]
    return tuple(
        so.Histograms(counts, [f"u{k}" for k in range(len(counts))], places, channels=channels)
        for counts in (released, known)
    )


def all_weights(released, known, name, channels=None):
    """Weights of all pairs of people, through the driver."""
    pairs = overlaps(align_sides(*sides(released, known, channels)), find_similarity(name))
    i, j = np.meshgrid(np.arange(len(released)), np.arange(len(known)), indexing="ij")
    r, c = pairs.released.classes.label[i.ravel()], pairs.known.classes.label[j.ravel()]
    dense = pairs.constants(r, c) - pairs.gains()[r, c]
    dense = np.maximum(dense, 0.0) if pairs.similarity.distance else dense
    assert np.array_equal(dense, pairs.of_pairs(r, c)), "two kernels, one sum"
    return dense.reshape(i.shape)


def test_every_built_in_weight_has_a_twin():
    assert set(TWINS) == set(BUILT_IN)


@pytest.mark.parametrize("name", TWINS)
@given(counts=small_counts)
def test_weights_equal_their_twins_from_the_papers(name, counts):
    released, known = counts
    np.testing.assert_allclose(all_weights(released, known, name), all_pairs(name, released, known), atol=1e-12)


@pytest.mark.parametrize("name", TWINS)
@given(counts=small_counts, data=st.data())
def test_weights_of_channels_are_added_and_an_empty_channel_counts_as_disjoint(name, counts, data):
    released, known = counts
    places = released.shape[1]
    channels = data.draw(st.lists(st.sampled_from(["mon", "tue"]), min_size=places, max_size=places))
    expected = all_pairs(name, released, known, channels)
    np.testing.assert_allclose(all_weights(released, known, name, channels), expected, atol=1e-12)


@pytest.mark.parametrize("name", TWINS)
def test_weights_of_broken_counts_equal_their_twins(name):
    rng = np.random.default_rng(3)
    released, known = rng.random((6, 5)) * (rng.random((6, 5)) < 0.6), rng.random((4, 5))
    np.testing.assert_allclose(all_weights(released, known, name), all_pairs(name, released, known), atol=1e-12)


def random_sides(people=40, places=30, seed=0):
    rng = np.random.default_rng(seed)
    return tuple(rng.poisson(0.4, (people, places)) for _ in range(2))


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("tile", [1, 7, 1000])
@pytest.mark.parametrize("jobs", [1, 3])
def test_neither_tile_size_nor_number_of_threads_changes_a_bit(name, tile, jobs, rows_per_tile):
    pairs = overlaps(align_sides(*sides(*random_sides())), find_similarity(name))
    expected, best = pairs.gains(), pairs.best()
    rows_per_tile(tile)
    with parallel_config(n_jobs=jobs):
        assert np.array_equal(pairs.gains(), expected)
        assert all(np.array_equal(a, b) for a, b in zip(pairs.best(), best, strict=True))


@pytest.mark.parametrize("name", TWINS)
def test_exchanging_the_sides_changes_no_bit(name):
    pairs = overlaps(align_sides(*sides(*random_sides(seed=5))), find_similarity(name))
    assert np.array_equal(pairs.gains(), pairs.swap_sides().gains().T)


@pytest.mark.parametrize("name", ["js", "l1", "cosine", "dot"])
@given(counts=small_counts)
def test_the_best_are_all_who_reach_the_largest_gain(name, counts):
    pairs = overlaps(align_sides(*sides(counts[0] + 0, counts[1] | 1)), find_similarity(name))
    gains = pairs.gains()
    best, ties, tied = pairs.best()
    starts = np.cumsum(ties) - ties
    for row in range(len(gains)):
        top = gains[row].max()
        assert best[row] == top
        expected = np.flatnonzero(gains[row] >= top - 1e-12 * pairs.self_gains()[row]) if top > 0 else []
        assert tied[starts[row] : starts[row] + ties[row]].tolist() == list(expected)


def test_more_than_65536_places_do_not_wrap_around():
    places = 70_000
    counts = np.zeros((2, places), dtype=np.int64)
    counts[0, 10], counts[1, 65_546] = 3, 3  # 65,546 = 10 + 2**16
    gains = overlaps(align_sides(*sides(counts, counts)), find_similarity("js"))
    r, c = gains.released.classes.label, gains.known.classes.label
    expected = np.array([[2 * np.log(2), 0], [0, 2 * np.log(2)]])
    np.testing.assert_allclose(gains.gains()[np.ix_(r, c)], expected)


@given(arrays(np.int64, (4, 6), elements=st.integers(0, 4)), arrays(np.int64, (5, 6), elements=st.integers(0, 4)))
def test_the_similarities_beyond_the_papers_equal_their_twins(released, known):
    if not ((released.sum(axis=0) > 0) & (known.sum(axis=0) > 0)).any():
        return
    sides = [so.Histograms(side, range(len(side)), range(6)) for side in (released, known)]
    people, visitors = (known.sum(axis=1) > 0).sum(), np.maximum((known > 0).sum(axis=0), 1)
    rarity = np.log(1 + people / visitors)
    twins = {"js_roots": js_roots, "js_popularity": lambda x, y: js_popularity(x, y, rarity)}
    for name, twin in twins.items():
        pairs = overlaps(align_sides(*sides), find_similarity(name))
        found = pairs.costs_of_rows(0, pairs.shape[0])
        rows, columns = pairs.released.classes.label, pairs.known.classes.label
        expected = np.array([[twin(x, y) for y in known] for x in released])
        np.testing.assert_allclose(found[np.ix_(rows, columns)], expected, atol=1e-9)


def test_kernels_and_their_parts_go_to_other_processes_under_their_names():
    for part in (overlap.fill_terms, overlap.gather_row, overlap.dense_gains, overlap.best_gains):
        assert pickle.loads(pickle.dumps(part)) is part
