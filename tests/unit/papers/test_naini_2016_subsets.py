"""Accuracy by the number of people: joint and one by one on the same draws."""

import numpy as np
import pytest

import singleout as so
from singleout.papers.naini_2016_subsets import Paired, _measure, gains_rise, never_below
from singleout.papers.registry import experiment


def measured(rate):
    estimate = so.Estimate(rate, 0.0, 1.0, 0.95, 10)
    return so.Accuracy(10 * rate, 0, 10, estimate, estimate, 0.1, 0.1, 0.1)


def trial(size, joint, single):
    return Paired(size, tuple(map(measured, joint)), tuple(map(measured, single)))


def test_joint_and_one_by_one_are_compared_on_the_same_people(bare):
    released, known = bare.calls
    trials = _measure((released, known), bare)
    assert [each.size for each in trials] == [10, 30, 100, 150]
    assert [len(each.joint) for each in trials] == [3, 3, 3, 1]
    rng = np.random.default_rng(0)
    orders = [rng.choice(released.people, 150, replace=False).tolist() for _ in range(3)]
    for draw in range(3):
        few = released.only(orders[draw][:30])
        for method, found in (("joint", trials[1].joint), ("one-by-one", trials[1].single)):
            assert found[draw].expected == so.accuracy(so.match(few, known, method=method)).expected


def test_the_more_are_released_looks_at_every_step():
    start, end = trial(10, [0.2, 0.2], [0.2, 0.2]), trial(100, [0.5], [0.4])
    up = trial(30, [0.25, 0.26], [0.2, 0.2])
    down = trial(50, [0.1, 0.11], [0.2, 0.2])
    assert gains_rise([start, up, end])
    assert not gains_rise([start, up, down, end]), "the ends alone would say yes"
    assert not gains_rise([start, trial(100, [0.2], [0.2])])
    assert never_below([start, up, end])
    assert not never_below([start, down, end])
    assert never_below([trial(10, [0.1, 0.3], [0.2, 0.25])]), "below zero, but within chance"


def test_figure_6_has_a_finding_for_each_data_set(bare):
    result = experiment("naini-fig6").run(bare)
    assert [finding.text for finding in result.findings] == [
        "synthetic calls: the more people are released, the higher the accuracy",
        "synthetic calls: one by one is never above joint matching",
    ]
    gains = [row.value for row in result.rows if row.series == "gain"]
    joint, single = (result.of(series) for series in ("joint", "one by one"))
    assert gains == pytest.approx([100 * (a - b) for a, b in zip(joint, single, strict=True)])
