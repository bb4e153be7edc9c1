"""``singleout reproduce`` on the real data sets: the reference figures, through the command's own functions."""

import pytest

import singleout as so
from singleout.papers import runs  # noqa: F401 - all experiments are listed by then
from singleout.papers.census_samples import FIELDS, draw_samples, read_people
from singleout.papers.census_samples import Way as Sampling
from singleout.papers.data_sets import BROWSING, CHECKINS, GEOLIFE, Shelf
from singleout.papers.ramachandran_2012_fields import add_columns
from singleout.papers.registry import experiment
from singleout.papers.traces import PLAIN, Way

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def shelf(real_data):
    folder = real_data("geolife").parent
    real_data("web_proxy_150users")
    return Shelf(folder, quick=True, synthetic_people=200)


@pytest.fixture(scope="module")
def logs(real_data):
    folder = real_data("foursquare_nyc").parent
    real_data("web_proxy_150users")
    return Shelf(folder, quick=True)


def test_table_2_has_the_reference_figures_of_geolife(shelf):
    result = experiment("naini-table2").run(shelf)
    assert result.of("people", GEOLIFE) == [154]
    for similarity, percent in (("js", 57.8), ("l1", 51.9), ("cosine", 46.8), ("dot", 43.3)):
        assert 100 * result.of(similarity, GEOLIFE)[0] == pytest.approx(percent, abs=0.1)
    assert result.labels == ("synthetic", "stand-in", "same data")
    assert [finding.holds for finding in result.findings[1:]] == [True, True], (
        "web visits and GeoLife; callers are few here"
    )
    places = next(row for row in result.rows if (row.data, row.series) == (GEOLIFE, "places"))
    assert (places.ours, places.choices[-1]) == (1_389, 1_034), "a box of 33 km has about the paper's 1,024 places"


def test_joint_beats_one_by_one_under_every_open_choice(shelf):
    result = experiment("naini-iv-c4").run(shelf)
    joint, above_gambs, above_our_chains = result.findings
    assert all(joint.choices)
    assert all(above_gambs.choices)
    assert 4 <= sum(above_our_chains.choices) <= 11, "on the same cells chains do about as well as histograms"
    assert len(above_our_chains.choices) == 15
    assert all(min(row.choices) < max(row.choices) for row in result.rows)


def test_figure_10_has_the_papers_people_and_weeks(shelf):
    cells, people, weeks = experiment("naini-fig10").run(shelf).rows
    assert cells.ours == 54_937
    assert (people.ours, min(people.choices), max(people.choices)) == (154, 154, 161)
    assert weeks.ours == pytest.approx(15.44, abs=0.005)


def test_js_is_nowhere_below_on_popular_sites_but_they_say_less_than_the_papers(shelf):
    result = experiment("naini-fig9").run(shelf)
    assert result.rows[0].ours.n == 105
    assert [finding.holds for finding in result.findings] == [True, True, False]


def test_very_small_cells_lower_the_accuracy_again(shelf):
    curve = {
        side: [
            so.accuracy(so.match(*shelf.geolife(side), similarity=similarity)).rate.value for similarity in ("js", "l1")
        ]
        for side in (20, 100)
    }
    assert 100 * curve[20][0] == pytest.approx(65.3, abs=0.1)
    assert curve[20][0] < curve[100][0]
    assert curve[20][0] < curve[20][1], "l1 is above js there"


def test_joint_matching_gains_on_the_same_people_of_real_logs(real_data):
    shelf = Shelf(real_data("web_proxy_150users").parent, quick=True, synthetic_people=100)
    real_data("foursquare_nyc")
    result = experiment("naini-fig6").run(shelf)
    held = {finding.text: finding.holds for finding in result.findings}
    for name in ("web_proxy", "foursquare_nyc"):
        assert held[f"{name}: the more people are released, the higher the accuracy"]
        assert held[f"{name}: one by one is never above joint matching"]
    gains = {row.data.name: row.value for row in result.rows if row.series == "gain"}
    assert gains["web_proxy"] > 5
    assert gains["foursquare_nyc"] > 1


@pytest.fixture(scope="module")
def census(real_data):
    return Shelf(real_data("acs2024_householder").parent, quick=True)


def test_the_census_file_has_the_reference_figures_of_r12(census):
    result = experiment("ramachandran-table5").run(census)
    assert 100 * result.rows[0].value == pytest.approx(0.080, abs=0.0005)
    for heuristic in ("CORE-AV", "CORE-AT"):
        one, two = (result.of(f"{heuristic} and {add}") for add in (1, 2))
        assert [100 * share for share in one] == pytest.approx([73.4, 50.4, 56.6, 16.4, 26.2], abs=0.05)
        assert [100 * share for share in two] == pytest.approx([80.8, 91.2, 90.7], abs=0.05)
    assert [finding.holds for finding in result.findings] == [True, True, True, False, False, True]


def test_samples_of_the_census_file_are_linked_correctly_by_seven_columns_and_mostly_not_by_four(census):
    result = experiment("ramachandran-table1").run(census)
    accuracy = next(row for row in result.rows if (row.series, row.at) == ("accuracy", "all three"))
    assert accuracy.value == pytest.approx(0.68, abs=0.01)
    assert accuracy.choices[5] == pytest.approx(0.24, abs=0.01), "state, area, sex and age only"
    assert [finding.holds for finding in result.findings] == [False, False, False, True]


def test_many_people_have_the_values_of_a_unique_record(census):
    result = experiment("ramachandran-table2").run(census)
    assert result.of("combinations") == [243_203, 159_031, 39_340]
    found = {row.at: row.value for row in result.rows if row.series == "unique records"}
    assert found["people with these values, each"] == pytest.approx(226, abs=1)
    assert found["re-identified in the population"] == pytest.approx(405, abs=1)
    assert all(finding.holds for finding in result.findings)


def test_more_columns_in_common_are_more_often_right_and_lead_to_fewer(census):
    steps = add_columns(draw_samples(read_people(census), Sampling(), seed=0), FIELDS)
    accuracy = [step.right / step.linked for step in steps if step.linked]
    assert accuracy == sorted(accuracy)
    right = [step.right for step in steps]
    assert max(right) == right[6], "with errors in the list, ten columns find fewer than seven"


def test_the_heuristics_miss_more_where_no_column_has_very_many_values(real_data):
    for folder in ("arx_adult", "link_febrl", "link_splink"):
        real_data(folder)
    result = experiment("ramachandran-contribution3").run(Shelf(real_data("acs2024_householder").parent, quick=True))
    pairs = {(row.series, row.at): row.value for row in result.rows}
    assert pairs["CORE-AV, pair", "adult: sex, age"] == 1
    assert pairs["CORE-AT, pair", "adult: sex, age"] == pytest.approx(0.71, abs=0.005)
    assert pairs["CORE-AV", 10_000] > 0.99 > 0.92 > pairs["CORE-AV, no amounts", 10_000] > pairs["NAIVE", 10_000]
    assert [finding.holds for finding in result.findings] == [False, False, True, True, False]


def test_figure_3_of_r12_has_the_reference_figures(census):
    result = experiment("ramachandran-fig3").run(census)
    assert 100 * result.of("(a) alone")[0] == pytest.approx(1.01, abs=0.005)
    assert next(row.value for row in result.rows if row.at == "columns that isolate anyone") == 8
    assert [finding.holds for finding in result.findings] == [True, True, True, False, True]


def test_m18s_table_1_is_like_the_web_logs(logs):
    result = experiment("manousakas-table1-web").run(logs)
    assert result.holds
    # the paper's run from 84.7 to 68.8%
    assert result.of("recurrence") == pytest.approx([0.799, 0.724, 0.646, 0.546], abs=0.001)


def test_long_traces_are_unique_by_habit_and_short_ones_by_noise(logs):
    long, short = (experiment(name).run(logs) for name in ("manousakas-fig5-web", "manousakas-fig5"))
    ten = [row.at for row in long.rows if row.series == "undirected"].index(10)
    assert long.of("undirected")[ten] == pytest.approx(0.647, abs=0.001)
    assert long.of("undirected, shuffled")[ten] < 0.05
    assert short.of("undirected, shuffled")[ten] > 0.75


def test_shape_beats_a_blind_order_but_not_as_in_m18(logs):
    for name in ("manousakas-fig9", "manousakas-fig9-web"):
        found = experiment(name).run(logs)
        assert [finding.holds for finding in found.findings] == [False, True, True]
        assert found.of("random order")[0] < found.of("dsp")[0] < 0


def relative(traces, kernel, way=PLAIN):
    found = traces.ranking(kernel, way)
    return found.ranks.mean() / found.expected_at_random


@pytest.mark.parametrize(("data", "dsp", "size"), [(CHECKINS, 0.68, 0.79), (BROWSING, 0.88, 1.05)])
def test_cut_by_time_shape_says_more_than_size(real_data, data, dsp, size):
    traces = Shelf(real_data("foursquare_nyc").parent).traces(data)
    assert relative(traces, "dsp") == pytest.approx(dsp, abs=0.02)
    assert relative(traces, "size") == pytest.approx(size, abs=0.03)


def test_the_people_with_most_records_are_found_as_the_papers_are(real_data):
    traces = Shelf(real_data("foursquare_nyc").parent, richest=325).traces(CHECKINS)
    by_events = Way(cut="events")
    assert relative(traces, "dsp", by_events) == pytest.approx(0.46, abs=0.01)
    assert relative(traces, "size", by_events) == pytest.approx(0.53, abs=0.01)
    assert traces.anonymity(15, directed=True).identifiability.value == 1


def test_bins_over_each_networks_own_range_make_degrees_almost_random(real_data):
    traces = Shelf(real_data("foursquare_nyc").parent).traces(CHECKINS)
    assert abs(relative(traces, "dd", Way(bins="own")) - 1) < 0.1 < abs(relative(traces, "dd") - 1)
    assert traces.tied_places == 809
