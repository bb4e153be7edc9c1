"""N16 run again: paired draws, who counts in Fig. 9, what the verdicts look at."""

import numpy as np
import pytest

from singleout.papers.data_sets import Shelf
from singleout.papers.naini_2016 import FITTED, tuesday
from singleout.papers.naini_2016_places import lost_steeply
from singleout.papers.registry import experiment


def test_tuesday_must_add_less_than_every_other_day():
    # the steps found before: the second smallest is not the smallest, and the first is the second largest
    curve = np.cumsum([0.161, 0.0385, 0.0527, 0.0316, 0.0165, 0.0126, 0.0084])
    assert not tuesday(curve).holds
    assert tuesday(curve).counts
    quiet = tuesday(np.cumsum([0.1, 0.01, 0.05, 0.04, 0.03, 0.02, 0.02]))
    assert quiet.holds
    assert not quiet.counts, "the quiet Tuesday is built into the generator"


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
    for word in ("1,000", "46,986", "calls and antennas per person", "both Mondays", "quiet Tuesday", "set by hand"):
        assert word in FITTED


def test_a_curve_that_was_fitted_does_not_count(bare):
    more_people, best = experiment("naini-fig5").run(bare).findings
    assert not more_people.counts
    assert best.counts


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
