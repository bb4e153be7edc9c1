"""Unnikrishnan and Naini 2013: the similarity in bits, unequal lengths, matching one user (Gutman)."""

import numpy as np
import pytest

import singleout as so
from singleout.papers.traces import in_order


def histograms(counts, people="abcdefgh"):
    counts = np.asarray(counts)
    return so.Histograms(counts, list(people[: len(counts)]), list(range(counts.shape[1])))


def test_weights_in_bits_reach_2_for_disjoint_strings():
    # eq. 7 with logarithms to base 2, as the paper has throughout
    matching = so.match(histograms([[4, 0]]), so.Histograms(np.array([[0, 7]]), ["a"], [0, 1]))
    assert matching.costs_in_bits().tolist() == [pytest.approx(2.0)]


def test_for_equal_lengths_glrt_is_js_times_the_length():
    # eq. 3: the likelihood is -n times the sum of entropies and costs
    rng = np.random.default_rng(0)
    sides = [histograms(rng.multinomial(60, rng.dirichlet(np.ones(5)), 6)) for _ in range(2)]
    js, glrt = (so.match(*sides, similarity=similarity) for similarity in ("js", "glrt"))
    assert glrt.cost == pytest.approx(60 * js.cost)
    assert np.array_equal(glrt.known, js.known)


def test_proposition_3_1_the_matching_maximises_the_generalized_likelihood():
    rng = np.random.default_rng(2)
    counts = [rng.multinomial(30, rng.dirichlet(np.ones(4)), 5) for _ in range(2)]

    def log_likelihood(order):
        total = 0.0
        for x, y in zip(counts[0], counts[1][list(order)], strict=True):
            pooled = (x + y) / (x + y).sum()
            total += sum(c * np.log(p) for c, p in zip(x + y, pooled, strict=True) if c)
        return total

    from itertools import permutations

    best = max(permutations(range(5)), key=log_likelihood)
    matching = so.match(*(histograms(side) for side in counts))
    assert matching.known.tolist() == list(best)


def test_matching_one_user_is_one_by_one_for_the_known_side():
    # IV-D: all users in the first week, one in the second, ties at random, averaged over the choice of the one
    rng = np.random.default_rng(1)
    sides = [histograms(rng.poisson(1.0, (8, 4))) for _ in range(2)]
    whole = so.accuracy(so.match(*sides, method="one-by-one", by="known"))
    singles = [
        so.accuracy(so.match(sides[0], sides[1].only([person]), method="joint")).expected for person in sides[1].people
    ]
    assert whole.expected == pytest.approx(sum(singles))


def test_joint_matching_beats_one_by_one_on_a_campus():
    log = so.synthetic_wifi(people=600, seed=3)
    sides = [
        so.histograms(part, measure="dwell", window=("10:00", "17:00"), days=["monday"])
        for part in in_order(so.split(log.events, by="weeks"))
    ]
    joint, single = (so.accuracy(so.match(*sides, method=m, by="known")).rate.value for m in ("joint", "one-by-one"))
    assert joint > single
