"""The benchmark of networks: walkers return to places they know, and every piece of work is named."""

import numpy as np
import pytest

import singleout as so
from singleout.bench.topology import topology_timings, walkers


def test_walkers_make_as_many_visits_as_asked_and_explore_less_and_less():
    whole = so.networks(walkers(30, 400, seed=2), max_gap=None)
    assert len(whole) == 30
    assert whole.trace_lengths.max() <= 400
    early = so.networks(walkers(30, 100, seed=2), max_gap=None)
    assert (early.sizes < whole.sizes).all()
    assert (whole.sizes < 4 * early.sizes).all(), "fewer new places in the later visits"
    assert np.median(whole.recurrence) > 0.2, "paths are repeated"


def test_the_seed_decides_where_they_go():
    one, again, other = (so.histograms(walkers(5, 50, seed)).counts for seed in (1, 1, 2))
    assert (one != again).nnz == 0
    assert one.shape != other.shape or (one != other).nnz > 0


def test_one_person_is_nobody_to_compare_with():
    with pytest.raises(so.InputError, match=r"bench: people must be at least 2 \(got 1\)"):
        next(topology_timings([1]))
