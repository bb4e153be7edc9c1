"""The test of Theorem 3.3 and where its model holds."""

from itertools import permutations

import numpy as np
import pytest

import singleout as so
from singleout.papers import unnikrishnan_naini_2013_theory as theory
from singleout.papers.data_sets import Shelf
from singleout.papers.registry import experiment
from singleout.papers.unnikrishnan_naini_2013 import divergences


def test_strings_have_the_lengths_asked_for_on_both_sides():
    lengths = np.array([3, 5, 8]), np.array([2, 2, 9])
    first, second = theory.strings(1.0, lengths, seed=1)
    assert (first.totals.tolist(), second.totals.tolist()) == ([3, 5, 8], [2, 2, 9])


def test_the_test_of_theorem_3_3_accepts_wrong_matchings_at_finite_lengths():
    # K = |Z| = 2, n = 1000: 8% of draws, where 2^(-λn) is 10^-25
    accepted, wrong = theory.count_wrongly_accepted(1_000, np.random.default_rng(0))
    assert wrong / theory.DRAWS == pytest.approx(0.084, abs=0.003)
    assert accepted / theory.DRAWS == pytest.approx(0.75, abs=0.01)
    result = experiment("unnikrishnan-theorem33").run(Shelf(None, quick=True))
    (finding,) = result.findings
    assert not finding.holds
    assert not finding.counts, "the theorem promises it in the limit only"


def test_the_test_of_theorem_3_3_equals_its_definition_on_single_draws(monkeypatch):
    monkeypatch.setattr(theory, "DRAWS", 300)
    length, rng, twin = 400, np.random.default_rng(3), np.random.default_rng(3)
    monkeypatch.setattr(theory, "EXPONENT", 0.19)
    first, second = (twin.binomial(length, theory.SHARES, (300, 2)) for _ in range(2))
    accepted, mistaken = 0, 0.0
    for x, y in zip(first, second, strict=True):
        cost = {}
        for order in permutations(range(2)):
            sides = [np.array([[count, length - count] for count in side]) for side in (x, y[list(order)])]
            histograms = [so.Histograms(np.maximum(side, 0), ["a", "b"], [0, 1]) for side in sides]
            cost[order] = divergences(*histograms).sum()
        if max(cost.values()) >= 0.19 - 8 * np.log2(length + 1) / length:
            accepted += 1
            tied = abs(cost[0, 1] - cost[1, 0]) < 1e-12
            mistaken += 0.5 if tied else float(cost[1, 0] < cost[0, 1])
    assert theory.count_wrongly_accepted(length, rng) == (accepted, mistaken)


def test_where_the_model_holds_longer_strings_and_joint_matching_help(empty_shelf):
    result = experiment("unnikrishnan-theory").run(empty_shelf)
    js, dot = (result.of(series) for series in ("js", "dot"))
    assert js[0] < js[1] < js[2] == pytest.approx(1.0, abs=0.01)
    concentrated = [row.choices[1] for row in result.rows if row.series in ("js", "dot") and row.at == 10]
    assert concentrated[0] > concentrated[1] + 0.1
    assert len(dot) == len(theory.LENGTHS)
