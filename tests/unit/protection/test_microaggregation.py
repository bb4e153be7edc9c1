"""Micro-aggregation: clusters of at least k, everyone the mean of their cluster, losses as defined."""

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse as matrices

import singleout as so
from singleout.protection import microaggregation
from singleout.protection.record_distances import DenseSpace
from tests.reference import clustering as twins
from tests.small_groups import NORMS, counts_to_group, histograms_of, shares_of

pytestmark = pytest.mark.kernels

METHODS = ("gsms", "mdav")


def same_partition(first, second):
    pairs = set(zip(first.tolist(), second.tolist(), strict=True))
    return len(pairs) == len(set(first.tolist())) == len(set(second.tolist()))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", [2, 3, 5])
def test_dense_records_are_grouped_as_the_slow_twin_groups_them(method, norm, k):
    for seed in range(6):
        rows = np.random.default_rng(seed).normal(size=(31, 4))
        clusters = so.microaggregate(rows, k, method=method, norm=norm, refine=False)
        expected = getattr(twins, method)(rows, k, norm)
        assert same_partition(clusters.labels, expected)
        assert clusters.loss == pytest.approx(twins.loss_of(rows, expected, norm))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", [2, 4])
def test_histograms_are_grouped_as_their_shares_are(method, norm, k):
    for seed in range(6):
        counts = np.random.default_rng(seed).poisson(3.0, (33, 9)) + np.eye(33, 9, dtype=int)
        clusters = so.microaggregate(histograms_of(counts), k, method=method, norm=norm, refine=False)
        dense = so.microaggregate(shares_of(counts), k, method=method, norm=norm, refine=False)
        assert clusters.loss == pytest.approx(dense.loss, rel=0.05), "equally near records may be taken otherwise"
        assert clusters.loss == pytest.approx(twins.loss_of(shares_of(counts), clusters.labels, norm))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("method", METHODS)
@given(table=counts_to_group, data=st.data())
def test_every_output_is_k_anonymous_and_its_loss_is_as_defined(method, norm, table, data):
    k = data.draw(st.integers(1, len(table)))
    refine = data.draw(st.booleans())
    clusters = so.microaggregate(histograms_of(table), k, method=method, norm=norm, refine=refine)
    assert np.bincount(clusters.labels).min() >= k
    released = clusters.protected.counts.toarray()
    _, equal = np.unique(released, axis=0, return_counts=True)
    assert equal.min() >= k, "counted in what is released: everyone shares their row with k - 1 others"
    for label in range(clusters.number):
        mean = shares_of(table)[clusters.labels == label].mean(axis=0)
        np.testing.assert_allclose(
            released[clusters.labels == label], np.tile(mean, (sum(clusters.labels == label), 1))
        )
    assert clusters.loss == pytest.approx(twins.loss_of(shares_of(table), clusters.labels, norm), abs=1e-9)
    assert clusters.loss >= 0
    dense = so.microaggregate(shares_of(table), k, method=method, norm=norm, refine=refine).protected
    assert np.unique(dense, axis=0, return_counts=True)[1].min() >= k


def test_clusters_tell_what_was_done_and_are_a_table():
    clusters = so.microaggregate(np.arange(12.0).reshape(6, 2), 3)
    assert [(note.count, note.why) for note in clusters.notes] == [(6, "micro-aggregation")]
    assert clusters.to_arrow()["cluster"].to_pylist() == clusters.labels.tolist()
    assert "2 groups of 3 to 3 records" in repr(clusters)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("method", METHODS)
def test_the_extremes_are_exact(method, norm):
    table = np.random.default_rng(1).poisson(2.0, (17, 6)) + np.eye(17, 6, dtype=int)
    alone = so.microaggregate(histograms_of(table), 1, method=method, norm=norm)
    assert (alone.number, alone.loss) == (17, 0.0)
    np.testing.assert_array_equal(alone.protected.counts.toarray(), shares_of(table))
    together = so.microaggregate(histograms_of(table), 17, method=method, norm=norm)
    assert (together.number, together.loss) == (1, 1.0)


def test_where_all_records_are_the_same_nothing_is_lost():
    alike = np.ones((9, 3))
    for k in (1, 2, 9):
        clusters = so.microaggregate(alike, k)
        assert clusters.loss == 0.0
        assert np.bincount(clusters.labels).min() >= k


@pytest.mark.parametrize("seed", range(5))
def test_squares_lie_between_zero_and_one_and_never_fall_when_clusters_merge(seed):
    rng = np.random.default_rng(seed)
    space = DenseSpace(rng.normal(size=(40, 3)), "l2")
    labels = rng.integers(0, 8, 40)
    labels = np.unique(labels, return_inverse=True)[1]
    loss = microaggregation._relative_loss(space, labels)
    while labels.max() > 0:
        assert 0 <= loss <= 1 + 1e-12
        labels = np.where(labels == labels.max(), labels.max() - 1, labels)
        merged = microaggregation._relative_loss(space, labels)
        assert merged >= loss - 1e-12
        loss = merged
    assert loss == pytest.approx(1.0)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("sparse", [False, True])
def test_refinement_is_never_worse_and_keeps_clusters_between_k_and_4k(norm, sparse):
    for seed in range(8):
        table = np.random.default_rng(seed).poisson(1.0, (60, 8)) + np.eye(60, 8, dtype=int)
        data = histograms_of(table) if sparse else shares_of(table)
        plain = so.microaggregate(data, 3, norm=norm, refine=False)
        better = so.microaggregate(data, 3, norm=norm)
        assert better.loss <= plain.loss + 1e-12
        sizes = np.bincount(better.labels)
        assert sizes.min() >= 3
        assert sizes.max() < 12


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_rows_does_not_matter(method):
    rng = np.random.default_rng(3)
    table = rng.poisson(0.5, (40, 6))
    people = [f"u{k}" for k in range(40)]
    order = rng.permutation(40)
    first = so.microaggregate(so.Histograms(table, people, list(range(6))), 3, method=method)
    shuffled = so.Histograms(table[order], [people[k] for k in order], list(range(6)))
    second = so.microaggregate(shuffled, 3, method=method)
    assert same_partition(first.labels[order], second.labels)
    np.testing.assert_array_equal(first.protected.counts.toarray()[order], second.protected.counts.toarray())


def test_neither_the_number_of_threads_nor_the_size_of_tiles_matters(rows_per_tile):
    table = np.random.default_rng(5).poisson(0.4, (90, 12))
    expected = so.microaggregate(histograms_of(table), 4)
    for jobs, tile in ((1, 7), (2, 1), (2, 64)):
        rows_per_tile(tile)
        with joblib.parallel_config(n_jobs=jobs):
            found = so.microaggregate(histograms_of(table), 4)
        np.testing.assert_array_equal(found.labels, expected.labels)
        assert (found.protected.counts != expected.protected.counts).nnz == 0


def test_progress_is_told_where_it_is_asked_for(capsys):
    so.microaggregate(np.arange(12.0).reshape(6, 2), 2, progress=True)
    assert capsys.readouterr().err.splitlines() == ["grouping", "refining groups"]
    so.microaggregate(np.arange(12.0).reshape(6, 2), 2, progress=False)
    assert capsys.readouterr().err == ""


def test_people_without_events_are_grouped_too_and_channels_count_apart():
    table = np.array([[0, 0, 0, 0], [3, 1, 0, 0], [3, 1, 0, 0], [0, 0, 0, 0], [0, 0, 2, 2], [0, 0, 2, 2]])
    side = so.Histograms(table, list("abcdef"), ["x", "y", "x", "y"], channels=["mon", "mon", "tue", "tue"])
    clusters = so.microaggregate(side, 2)
    assert same_partition(clusters.labels, np.array([0, 1, 1, 0, 2, 2]))
    assert clusters.loss == 0.0
    assert clusters.protected.channels.tolist() == ["mon", "mon", "tue", "tue"]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (np.ones((3, 2)), {"k": 0}, "k must be a whole number above zero"),
        (np.ones((3, 2)), {"k": 4}, r"k must be at most the number of records, 3 \(got 4\)"),
        (np.ones((3, 2)), {"k": 1.5}, "k must be a whole number"),
        (np.ones((3, 2)), {"k": 2, "method": "magic"}, "method must be one of gsms, mdav"),
        (np.ones((3, 2)), {"k": 2, "norm": "l3"}, "norm must be one of l1, l2"),
        (np.ones(3), {"k": 2}, "Histograms or a table"),
        (np.array([[np.nan, 1.0]]), {"k": 1}, "not finite"),
        (np.array([[1e308, 1.0], [-1e308, 2.0], [1e308, 4.0]]), {"k": 2}, "contains a number above 1e\\+100"),
        (
            "a.csv",
            {"k": 1},
            r"a table of numbers, records by columns \(got 'str'\). Read the file",
        ),
        (matrices.eye_array(3), {"k": 1}, r"Use so.Histograms\(…\) for sparse counts"),
        ([[1, "Alice Example"]], {"k": 1}, "Remove columns of text"),
        (None, {"k": 1}, "Histograms or a table of numbers"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(data, options, message):
    with pytest.raises(so.SingleoutError, match=message):
        so.microaggregate(data, **options)


def test_text_in_a_table_is_not_quoted():
    frame = pd.DataFrame({"name": ["Alice Example", "Bob"], "x": [1, 2]})
    with pytest.raises(so.InputError, match="a table of numbers") as caught:
        so.microaggregate(frame, 1)
    assert "Alice" not in str(caught.value)
    assert caught.value.__suppress_context__, "nor in the traceback, by way of what NumPy said"
