"""UN13 run again: merged days under both readings, the theory where its model holds, Theorem 3.3 as it is."""

import numpy as np
import pytest

import singleout as so
from singleout.papers.data_sets import GEOLIFE, Shelf
from singleout.papers.registry import experiment
from singleout.papers.unnikrishnan_naini_2013 import divergences


def test_what_the_campus_was_fitted_to_is_no_finding(empty_shelf):
    assert not any(finding.counts for finding in experiment("unnikrishnan-table1").run(empty_shelf).findings)


def test_merged_days_are_poor_only_through_the_night_and_where_exits_say_nothing(empty_shelf):
    result = experiment("unnikrishnan-merged").run(empty_shelf)
    added, windows, night, few, many, rooms = (row.value for row in result.rows)
    assert max(night, few, many) < added / 2 < min(windows, rooms)
    (finding,) = result.findings
    assert not finding.holds
    assert finding.choices == (False, True, True, True, False)


def test_divergences_are_those_of_eq_7_in_bits():
    rng = np.random.default_rng(0)
    sides = [
        so.Histograms(rng.poisson(2.0, (5, 4)) + 1, list("abcde"), list(range(shift, 4 + shift))) for shift in (0, 1)
    ]
    found = divergences(*sides)
    for row in range(5):
        shares = [
            dict(zip(side.places.tolist(), side.counts.toarray()[row] / side.totals[row], strict=True))
            for side in sides
        ]
        total = 0.0
        for place in range(5):
            p, q = (share.get(place, 0.0) for share in shares)
            total += sum(x * np.log2(2 * x / (p + q)) for x in (p, q) if x)
        assert found[row] == pytest.approx(total)


def test_the_true_matching_costs_far_more_than_the_best_by_the_second_best(empty_shelf):
    bits = {
        row.at: row.value for row in experiment("unnikrishnan-rejection").run(empty_shelf).rows if row.series == "bits"
    }
    assert 0 <= bits["second best above it"] < 0.05
    assert bits["true matching above it"] > 10


def test_glrt_is_shown_to_fail_where_lengths_differ(real_data):
    result = experiment("unnikrishnan-lengths").run(Shelf(real_data("geolife").parent, quick=True))
    js, glrt = (
        next(row.value for row in result.rows if (row.series, row.data) == (similarity, GEOLIFE))
        for similarity in ("js", "glrt")
    )
    assert (js, glrt) == pytest.approx((0.578, 0.182), abs=0.005)
    assert [finding.holds for finding in result.findings] == [True, False]
    assert "18%" in so.match.__doc__
