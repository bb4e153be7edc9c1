"""Vectors of kinds equal those of an explicit matrix, however its parts are decomposed."""

import joblib
import numpy as np
import pytest
from scipy import sparse

from singleout.ground import parallel
from singleout.similarity.networks import embedding
from tests.reference import graph_kernels as twin
from tests.reference.traces import networks_of
from tests.small_networks import random_sides, scored, shaped_twins

DIRECTIONS = ("in+out", "out", "undirected")


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_deep_weisfeiler_lehman_equals_an_explicit_matrix(direction, rounds):
    released, known = random_sides(13, people=(4, 2), places=4, visits=12)
    found = scored(released, known, kernel="dwl", direction=direction, rounds=rounds)
    mine, theirs = (
        [twin.refined_labels(*each, rounds, direction) for each in shaped_twins(side)] for side in (released, known)
    )
    likeness = twin.ppmi(twin.together_in_a_round(theirs))
    counts = [[_counted(history) for history in side] for side in (mine, theirs)]
    expected = twin.all_pairs(*counts, lambda one, other: twin.cosine(one, other, likeness))
    assert np.abs(found - expected).max() < 1e-9


@pytest.mark.parametrize("dense", [embedding.DENSE, embedding.DIMENSIONS + 1])
def test_deep_weisfeiler_lehman_of_more_labels_than_dimensions_equals_an_explicit_matrix(dense, monkeypatch):
    # most labels of the last round occur in one network only; one of them stands for all of those
    released, known = random_sides(47, people=(4, 20), places=9, visits=30)
    monkeypatch.setattr(embedding, "DENSE", dense)
    found = scored(released, known, kernel="dwl", prune=0)
    mine, theirs = (
        [twin.refined_labels(*each, 2, "in+out") for each in shaped_twins(side, prune=0)] for side in (released, known)
    )
    counts = [[_counted(history) for history in side] for side in (mine, theirs)]
    likeness = twin.ppmi(twin.together_in_a_round(theirs))
    expected = twin.all_pairs(*counts, lambda one, other: twin.cosine(one, other, likeness))
    assert len(set().union(*counts[1])) > embedding.DIMENSIONS
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
    released, known = random_sides(17, people=(3, 3), places=6, visits=14)
    found = scored(released, known, kernel="dsp", similarity="ppmi")
    mine, theirs = ([twin.path_triplets(*each) for each in shaped_twins(side)] for side in (released, known))
    likeness = twin.ppmi(twin.together_at_a_start(theirs))
    counts = [[sum(each.values(), twin.Counter()) for each in side] for side in (mine, theirs)]
    expected = twin.all_pairs(*counts, lambda one, other: twin.cosine(one, other, likeness))
    assert np.abs(found - expected).max() < 1e-9


@pytest.mark.parametrize("dense", [embedding.DENSE, embedding.DIMENSIONS + 1])
@pytest.mark.parametrize("likely", [1, -1])
def test_parts_that_have_few_of_the_largest_eigenvalues_contribute_those(dense, likely, monkeypatch):
    # few of the second part are among the 32 largest of all; in the wrong order more of it are found
    rng = np.random.default_rng(5)
    counts = np.zeros((90, 300))
    counts[:60, :200] = rng.random((60, 200)) < 0.05
    counts[60:, 200:] = rng.random((30, 100)) < 0.2
    monkeypatch.setattr(embedding, "DENSE", dense)
    by_size = embedding._largest_of_diagonal
    monkeypatch.setattr(embedding, "_largest_of_diagonal", lambda part: likely * by_size(part))
    asked = []
    search = embedding.eigsh
    monkeypatch.setattr(embedding, "eigsh", lambda *given, **named: asked.append(named["k"]) or search(*given, **named))
    vectors = embedding.label_embedding(sparse.csr_array(counts))
    expected, contributed = _explicit(counts)
    assert np.abs(vectors @ vectors.T - expected).max() < 1e-9
    assert 0 < contributed < embedding.DIMENSIONS
    if dense < 100:
        assert asked[0] == embedding.DIMENSIONS
        assert asked[1:] == ([2, 8] if likely == 1 else [2, 8, 32])


@pytest.mark.parametrize("threads", [1, 3])
def test_vectors_depend_neither_on_threads_nor_on_tiles(threads, monkeypatch):
    counts = sparse.csr_array((np.random.default_rng(7).random((60, 400)) < 0.05).astype(np.float64))
    monkeypatch.setattr(embedding, "DENSE", embedding.DIMENSIONS + 1)
    expected = embedding.label_embedding(counts)
    monkeypatch.setattr(embedding, "ENTRIES_PER_TILE", 500)
    monkeypatch.setattr(parallel, "ROWS_PER_TILE", 16)
    with joblib.parallel_config(n_jobs=threads):
        assert (embedding.label_embedding(counts) == expected).all()


def _explicit(counts):
    """M, written out, and to how many of its directions the last hundred kinds contribute."""
    together = counts.T @ counts - np.diag(counts.sum(axis=0))
    margin = together.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        table = np.log(together * margin.sum() / np.outer(margin, margin))
    values, vectors = np.linalg.eigh(np.maximum(np.nan_to_num(table, nan=0.0, neginf=0.0), 0.0))
    kept = np.argsort(-values)[: embedding.DIMENSIONS]
    scaled = vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0.0))
    return scaled @ scaled.T, int((np.abs(scaled[-100:]).max(axis=0) > 1e-6).sum())
