"""N16 run again: paired draws, who counts in Fig. 9, what the verdicts look at."""

import numpy as np
import pytest

import singleout as so
from singleout.cli import reproduce  # noqa: F401 - it lists the experiments
from singleout.papers.naini_2016 import FITTED, tuesday
from singleout.papers.naini_2016_places import _cut, by_side, lost_steeply
from singleout.papers.naini_2016_subsets import Paired, _paired, gains_rise, never_below
from singleout.papers.registry import experiment
from singleout.papers.shelf import Shelf


@pytest.fixture(scope="module")
def bare():
    return Shelf(None, quick=True, made_up=150)


def measured(rate):
    estimate = so.Estimate(rate, 0.0, 1.0, 0.95, 10)
    return so.Accuracy(10 * rate, 0, 10, estimate, estimate, 0.1, 0.1, 0.1)


def trial(size, joint, single):
    return Paired(size, tuple(map(measured, joint)), tuple(map(measured, single)))


def test_joint_and_one_by_one_are_compared_on_the_same_people(bare):
    released, known = bare.calls
    trials = _paired((released, known), bare)
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
        "synthetic calls: the more are released, the higher the accuracy",
        "synthetic calls: one by one is the lowest",
    ]
    gains = [row.value for row in result.rows if row.series == "gain"]
    joint, single = (result.of(series) for series in ("joint", "one by one"))
    assert gains == pytest.approx([100 * (a - b) for a, b in zip(joint, single, strict=True)])


def test_tuesday_must_add_less_than_every_other_day():
    # the steps found before: the second smallest is not the smallest, and the first is the second largest
    curve = np.cumsum([0.161, 0.0385, 0.0527, 0.0316, 0.0165, 0.0126, 0.0084])
    assert not tuesday(curve).holds
    assert tuesday(curve).counts
    quiet = tuesday(np.cumsum([0.1, 0.01, 0.05, 0.04, 0.03, 0.02, 0.02]))
    assert quiet.holds
    assert not quiet.counts, "the quiet Tuesday is written into the generator"


def test_what_was_fitted_is_listed_with_every_number_on_synthetic_calls(bare):
    for name in (
        "naini-table2",
        "naini-table3",
        "naini-fig5",
        "naini-fig6",
        "naini-fig7",
        "naini-iv-a6",
        "naini-fig12a",
    ):
        assert any(FITTED in note for note in experiment(name).run(bare).notes)
    for word in ("1,000", "46,986", "calls and antennas a person", "both Mondays", "quiet Tuesday", "set by hand"):
        assert word in FITTED


def test_a_curve_that_was_fitted_does_not_count(bare):
    more_people, best = experiment("naini-fig5").run(bare).findings
    assert not more_people.counts
    assert best.counts


def test_only_people_who_visit_a_top_site_in_both_weeks_can_be_renormalised():
    places, people = ["a", "b", "c", "d", "e", "f"], ["both", "first week", "second week", "neither"]
    first = so.Histograms(
        np.array([[1, 0, 0, 0, 0, 2], [3, 0, 0, 0, 0, 0], [0] * 5 + [4], [0] * 5 + [1]]), people, places
    )
    second = so.Histograms(
        np.array([[0, 5, 0, 0, 0, 0], [0] * 5 + [9], [0, 0, 2, 0, 0, 0], [0] * 5 + [1]]), people, places
    )
    kept = _cut((first, second), np.array(places), 5)
    assert [side.people.tolist() for side in kept] == [["both"], ["both"]]
    assert [side.totals.tolist() for side in kept] == [[1], [5]]


SIDES = (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)


def test_about_100_metres_is_not_500():
    at_100 = [0.58, 0.60, 0.65, 0.66, 0.68, 0.64, 0.63, 0.58, 0.48, 0.31]
    large, small, about = by_side(SIDES, at_100)
    assert (large.holds, small.holds, about.holds) == (True, True, True)
    at_500 = [0.58, 0.60, 0.61, 0.62, 0.63, 0.64, 0.69, 0.58, 0.48, 0.31]
    assert not by_side(SIDES, at_500)[-1].holds


def test_very_large_and_very_small_cells_must_be_worse_at_every_step():
    bump = [0.58, 0.60, 0.65, 0.66, 0.68, 0.64, 0.63, 0.58, 0.59, 0.31]
    assert not by_side(SIDES, bump)[0].holds
    fine = [0.70, 0.60, 0.65, 0.66, 0.68, 0.64, 0.63, 0.58, 0.48, 0.31]
    assert not by_side(SIDES, fine)[1].holds
    assert len(by_side(SIDES[3:], bump[3:])) == 2, "without very small cells nothing is said of them"


def test_that_k_people_hide_each_other_is_no_finding():
    assert not lost_steeply(0.578, 0.062, 10).counts
    assert lost_steeply(0.2, 0.062, 10).counts
    assert lost_steeply(0.2, 0.062, 10).holds


def test_figure_12b_takes_the_people_of_figure_9(real_data):
    shelf = Shelf(real_data("web_proxy_150users").parent, quick=True)
    nine, twelve = (experiment(name).run(shelf) for name in ("naini-fig9", "naini-fig12b"))
    assert nine.rows[0].ours.n == twelve.rows[0].ours.n == 105
    at_100 = next(row.value for row in nine.rows if (row.series, row.at) == ("js", 100))
    assert twelve.of("person")[0] == pytest.approx(at_100)
