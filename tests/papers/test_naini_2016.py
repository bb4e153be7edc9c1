"""Naini et al. 2016: the worked example, and the GeoLife row of Table II on the same data."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import singleout as so
from singleout.papers.traces import in_order
from tests.reference.matching import margins as solved_again

PLACES = ["dormitory", "restaurant", "library"]
DAY_1 = np.array([[75, 15, 10], [31, 30, 39], [15, 15, 70], [15, 65, 20]])
DAY_2 = {"John": [33, 33, 34], "Jill": [70, 20, 10], "Mary": [15, 60, 25], "Mike": [15, 20, 65]}
TRUTH = ["Jill", "John", "Mike", "Mary"]


# one by one, dot takes the sharpest histogram for everyone; the paper matches jointly
ATTACKS = [("joint", w) for w in ("js", "l1", "cosine", "dot", "glrt")] + [
    ("one-by-one", w) for w in ("js", "l1", "cosine", "glrt")
]


@pytest.mark.parametrize(("method", "similarity"), ATTACKS)
@pytest.mark.parametrize("scale", [1, 0.01])
def test_table_1_everyone_is_found_by_every_weight(method, similarity, scale):
    released = so.Histograms(DAY_1 * scale, ["row 1", "row 2", "row 3", "row 4"], PLACES)
    known = so.Histograms(np.array(list(DAY_2.values())) * scale, list(DAY_2), PLACES)
    matching = so.match(released, known, similarity=similarity, method=method)
    assert known.people[matching.known].tolist() == TRUTH
    truth = dict(zip(released.people, TRUTH, strict=True))
    assert so.accuracy(matching, truth).expected == pytest.approx(4)


def test_weights_lie_between_0_and_2_log_2_and_reach_both_ends():
    # N16 III-C, below eq. 7
    sides = so.Histograms(np.array([[1, 2, 0, 0], [0, 0, 3, 1]]), ["x", "y"], [1, 2, 3, 4])
    assert so.match(sides, sides).costs.tolist() == pytest.approx([0, 0], abs=1e-15)
    apart = so.match(sides.only(["x"]), sides.only(["y"]).only(["y"]))
    assert apart.costs.tolist() == [2 * np.log(2)]


@pytest.fixture(scope="module")
def geolife(real_data):
    file = real_data("geolife") / "points_full_e5.parquet"

    def halves(grid, **split):
        events = so.read_events(
            file, user="user", time="time", lat="lat_e5", lng="lon_e5", coordinate_scale=1e-5,
            grid=grid, box=(39.906, 116.391, 39_000),
        )  # fmt: skip
        return tuple(so.histograms(part) for part in in_order(so.split(events, **split)))

    return halves


@pytest.fixture(scope="module")
def tuesday(geolife):
    return geolife(1000, week_start="tuesday")


def test_geolife_has_the_papers_154_people(tuesday):
    assert [len(side) for side in tuesday] == [154, 154]
    occupied = np.union1d(tuesday[0].places, tuesday[1].places)
    assert len(occupied) == 1_389


@pytest.mark.parametrize(("similarity", "percent"), [("js", 57.8), ("l1", 51.9), ("cosine", 46.8), ("dot", 43.3)])
def test_geolife_joint_accuracy_is_the_reference_figure(tuesday, similarity, percent):
    found = so.accuracy(so.match(*tuesday, similarity=similarity))
    assert 100 * found.expected / 154 == pytest.approx(percent, abs=1.0)
    assert found.shuffled == pytest.approx(found.random, abs=0.02)


def test_geolife_one_by_one_is_weaker_than_joint(tuesday):
    found = so.accuracy(so.match(*tuesday, method="one-by-one"))
    assert 100 * found.expected / 154 == pytest.approx(52.6, abs=1.0)


def test_geolife_margins_equal_solving_again_and_sort_the_sure_from_the_doubtful(tuesday):
    matching = so.match(*tuesday)
    margins = matching.margins()
    shares = [side.counts / side.counts.sum(axis=1)[:, None] for side in tuesday]
    places = np.union1d(tuesday[0].places, tuesday[1].places)
    tables = [np.zeros((154, len(places))) for _ in shares]
    for table, side, share in zip(tables, tuesday, shares, strict=True):
        table[:, np.searchsorted(places, side.places)] = share.toarray()
    costs = 2 * cdist(*tables, "jensenshannon") ** 2
    pairs = list(zip(matching.released, matching.known, strict=True))
    np.testing.assert_allclose(margins.values, solved_again(costs, pairs), atol=1e-9)
    curve = so.precision_by_margin(matching).rows
    assert curve[0].precision.value == pytest.approx(0.578, abs=0.01)
    surest = next(row for row in curve if row.coverage <= 0.5)
    assert surest.precision.value > 0.75, "the surer half is right far more often"


@pytest.mark.parametrize(("side", "percent"), [(500, 63.6), (5000, 31.4)])
def test_geolife_accuracy_by_side_of_the_cells(geolife, side, percent):
    found = so.accuracy(so.match(*geolife(side, week_start="tuesday")))
    assert 100 * found.expected / 154 == pytest.approx(percent, abs=1.0)


def test_the_week_start_is_a_choice_that_moves_the_result(geolife, tuesday):
    monday = geolife(1000, week_start="monday")
    assert 154 <= len(monday[0]) <= 161
    assert so.accuracy(so.match(*monday)).expected != so.accuracy(so.match(*tuesday)).expected


def test_web_visits_show_the_papers_order_of_weights(real_data):
    file = real_data("web_proxy_150users") / "visits.parquet"
    events = so.read_events(file, user="user", time="time", place="place")
    sides = [so.histograms(part) for part in in_order(so.split(events, by="weeks"))]
    rate = {
        similarity: so.accuracy(so.match(*sides, similarity=similarity)).rate.value
        for similarity in ("js", "l1", "cosine", "dot")
    }
    assert rate["js"] >= rate["l1"] >= rate["dot"]
    assert rate["js"] > 20 / len(sides[0]), "far above chance"


def micro_aggregated(released, known, k):
    """The paper's own figures: joint matching of exact means, for the person and for the cluster, and the loss."""
    clusters = so.microaggregate(released, k)
    matching = so.match(clusters.protected, known)
    labels = matching.chances.released.label
    return so.accuracy(matching).rate.value, so.accuracy(matching, clusters=labels).rate.value, clusters.loss


def test_geolife_micro_aggregation_has_the_shape_of_figure_12c(tuesday):
    user, cluster, loss = zip(*(micro_aggregated(*tuesday, k) for k in (1, 5, 10, 154)), strict=True)
    assert user[0] == pytest.approx(so.accuracy(so.match(*tuesday)).rate.value)
    assert loss[0] == pytest.approx(0, abs=1e-12)
    assert user[2] < 0.2 * user[0], "the very person is lost steeply up to k about 10"
    assert abs(cluster[2] - cluster[0]) < 0.15, "the cluster hardly"
    assert (user[3], cluster[3], loss[3]) == pytest.approx((1 / 154, 1.0, 1.0))


def test_web_sites_micro_aggregation_has_the_shape_of_figure_12b(real_data):
    """A stand-in for the Web History Repository: other people, requests instead of page views."""
    file = real_data("web_proxy_150users") / "visits.parquet"
    events = so.read_events(file, user="user", time="time", place="place")
    both = [so.histograms(part) for part in in_order(so.split(events, by="weeks"))]
    sides = [so.suppress(side, keep=100, popularity=both) for side in both]
    alone, ten, all_ = (micro_aggregated(*sides, k) for k in (1, 10, len(sides[0])))
    assert ten[0] < 0.35 * alone[0]
    assert ten[1] > ten[0] * 2
    assert all_[1] == pytest.approx(1.0)
    assert all_[0] == pytest.approx(1 / len(sides[0]))
