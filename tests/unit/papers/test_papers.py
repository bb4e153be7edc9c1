"""Every table and figure runs on small made-up data in the format of the real one, and tells what it must."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.cli import reproduce  # noqa: F401 - it lists the experiments
from singleout.papers.attacks import below_zero, best_weight, falls, first_is_best, mean, rises, rises_but_for_chance
from singleout.papers.pictures import vega_lite
from singleout.papers.registry import experiment, experiments
from singleout.papers.result import LABELS, SYNTHETIC, Data, Finding, Reproduction, Row, tally
from singleout.papers.shelf import (
    BEIJING,
    CALLS,
    CENSUS,
    CHECKINS,
    GEOLIFE,
    GOWALLA,
    SMALLER_BOX,
    WEB,
    WEEK_START,
    Shelf,
)
from singleout.papers.traces import in_order

MADE = Data("made <up>", SYNTHETIC, "the original")


def write(folder, data, columns):
    file = folder / data.file
    file.parent.mkdir(parents=True)
    pq.write_table(pa.table(columns), file)


def points(rng, people=16, number=240):
    """GPS points of people who keep to a home and a work place, over six weeks."""
    user = np.repeat(np.arange(people), number)
    anchors = rng.uniform(-0.1, 0.1, (people, 2, 2))
    here = anchors[user, rng.integers(0, 2, len(user))] + rng.normal(0, 0.002, (len(user), 2))
    degrees = np.round((here + BEIJING[:2]) * 1e5).astype(np.int32)
    time = 1_240_000_000 + rng.integers(0, 42 * 86_400, len(user))
    return {"user": user, "time": time, "lat_e5": degrees[:, 0], "lon_e5": degrees[:, 1]}


def visits(rng, people=15, number=200):
    """Web visits over two weeks: some sites for all, some for oneself."""
    user = np.repeat(np.arange(people), number)
    place = np.where(rng.random(len(user)) < 0.6, rng.zipf(1.5, len(user)) % 40, 40 + user * 5 + rng.integers(0, 5))
    return {"user": user, "time": 1_390_000_000 + rng.integers(0, 14 * 86_400, len(user)), "place": place}


def householders(rng, people=600):
    """Records of households with the columns that R12's experiments name, and some more."""
    state = rng.choice(["12", "28"], people)
    columns = {"SERIALNO": [f"made{row}" for row in range(people)], "STATE": state, "REGION": np.full(people, 3)}
    columns |= {"PUMA": rng.integers(1, 4, people).astype(str), "BLD": rng.integers(1, 9, people)}
    columns |= {"WGTP": rng.integers(3, 200, people), "PWGTP": rng.integers(3, 200, people)}
    columns |= {"TYPEHUGQ": np.ones(people), "SEX": rng.integers(1, 3, people), "AGEP": rng.integers(18, 95, people)}
    columns |= {"RAC1P": rng.integers(1, 10, people)}
    columns |= {name: rng.zipf(1.3, people) % 5_000 for name in ("HINCP", "PINCP", "FINCP", "VALP", "WAGP")}
    return columns | {name: rng.integers(0, 3, people) for name in ("TEN", "MAR", "CIT", "MV", "HHT", "ESR")}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(0)
    write(folder, GEOLIFE, points(rng))
    write(folder, WEB, visits(rng))
    write(folder, CENSUS, householders(rng))
    write(folder, CHECKINS, visits(rng, people=25, number=60))
    write(folder, GOWALLA, visits(rng, people=110, number=30))
    return Shelf(folder, quick=True, made_up=150)


@pytest.mark.parametrize("name", [each.id for each in experiments()])
def test_each_table_and_figure_runs_and_tells_what_it_must(shelf, name):
    result = experiment(name).run(shelf)
    assert (result.id, result.title) == (name, experiment(name).title)
    assert result.rows
    assert set(result.labels) <= set(LABELS)
    for row in result.rows:
        if isinstance(row.ours, so.Estimate):
            assert 0 <= row.ours.low <= row.ours.value <= row.ours.high <= 1
            assert row.random is None or 0 <= row.random <= 1
        if row.choices and row.series != "active weeks":
            assert min(row.choices) - 1e-9 <= row.value <= max(row.choices) + 1e-9, "the row is one of the choices"
    json.dumps([result.to_dict(), vega_lite(result)], allow_nan=False)
    assert result.to_arrow().num_rows == len(result.rows)
    assert max(map(len, str(result).split("Note")[0].splitlines())) <= 120


@pytest.mark.parametrize("name", ["naini-table3", "naini-fig5", "naini-fig6", "naini-fig12a", "unnikrishnan-table1"])
def test_same_seed_same_numbers(name):
    first, second = (experiment(name).run(Shelf(None, quick=True, made_up=120, seed=3)) for _ in range(2))
    assert first.to_dict() == second.to_dict()


def test_without_a_folder_only_made_up_data_is_at_hand():
    bare = Shelf()
    assert bare.has(CALLS)
    assert not bare.has(GEOLIFE)
    assert experiment("naini-table2").runs(bare)
    assert experiment("naini-table2").missing(bare) == [WEB, GEOLIFE]
    assert not experiment("naini-fig11").runs(bare)


def test_an_unknown_id_is_told_with_those_there_are():
    with pytest.raises(so.InputError, match="reproduce: ids must be one of .*Did you mean 'naini-fig5'"):
        experiment("naini-fig55")


def test_points_counted_by_day_give_the_halves_that_the_points_give(shelf):
    file = shelf.file(GEOLIFE)
    columns = {"user": "user", "time": "time", "lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5}
    direct = in_order(so.split(so.read_events(file, **columns, grid=1000, box=BEIJING), week_start="thursday"))
    for ours, theirs in zip(shelf.geolife(1000, week_start="thursday"), map(so.histograms, direct), strict=True):
        assert np.array_equal(ours.counts.toarray(), theirs.counts.toarray())
        assert ours.people.tolist() == theirs.people.tolist()


def test_larger_cells_are_those_that_the_points_give(shelf):
    columns = {"user": "user", "time": "time", "lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5}
    for side in (10, 300, 2_000):
        direct = so.histograms(so.read_events(shelf.file(GEOLIFE), **columns, grid=side, box=BEIJING))
        ours = so.histograms(shelf.geolife_days(side))
        assert ours.places.tolist() == direct.places.tolist()
        assert np.array_equal(ours.counts.toarray(), direct.counts.toarray())


def test_a_smaller_box_holds_the_points_that_it_gives(shelf):
    columns = {"user": "user", "time": "time", "lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5}
    events = so.read_events(shelf.file(GEOLIFE), **columns, grid=1000, box=(*BEIJING[:2], SMALLER_BOX))
    _, first = (so.histograms(part) for part in so.split(events, week_start=WEEK_START))
    assert np.array_equal(shelf.geolife(box=SMALLER_BOX)[0].counts.toarray(), first.counts.toarray())


def test_the_way_shown_is_the_first_of_the_open_ones(shelf):
    ways = shelf.geolife_choices()
    assert len(ways) == 15, "seven starts of weeks, two halvings, and a smaller box"
    assert ways[0] is shelf.geolife()
    assert ways[-1] is shelf.geolife(box=SMALLER_BOX)


def test_visits_are_the_points_in_order_and_none_is_lost(shelf):
    days, visits = so.histograms(shelf.geolife_days(1000)), so.histograms(shelf.geolife_visits())
    assert np.array_equal(days.counts.toarray(), visits.counts.toarray())


def test_figure_12_ends_with_everyone_alike(shelf):
    result = experiment("naini-fig12c").run(shelf)
    people = len(shelf.geolife()[0])
    ends = [result.of(series)[-1] for series in ("person", "cluster", "loss L", "clusters g/N")]
    assert ends == pytest.approx([1 / people, 1, 1, 1 / people])
    assert [result.of(series)[0] for series in ("loss L", "clusters g/N")] == pytest.approx([0, 1])


def curve(**changes):
    row = Row(MADE, "js", 10, so.Estimate(0.5, 0.4, 0.6, 0.9, 20), 0.45, 0.05, (0.5, 0.7))
    about = {"axis": "people", "logarithmic": "x", "id": "x-fig1", "title": "A <title> & more"} | changes
    return Reproduction(
        (row, Row(MADE, "js", 100, 0.25)), (Finding("it <falls>", True),), "which way", ("& so",), **about
    )


def test_a_result_prints_its_spread_and_its_findings():
    text = str(curve())
    assert "50.0% to 70.0%" in text
    assert "holds: it <falls>" in text
    assert repr(curve()) == "Reproduction(x-fig1, synthetic, 2 numbers: holds)"


def test_shapes_of_curves():
    assert rises([0.1, 0.2, 0.2, 0.3])
    assert not rises([0.1, 0.2, 0.195, 0.3]), "every step counts"
    assert not rises([0.1, 0.3, 0.2, 0.4])
    assert falls([3, 2, 1])
    assert not falls([1, 1])
    assert first_is_best([[2, 3], [1, 3]])
    assert not first_is_best([[2, 3], [1, 4]])


def test_more_and_more_of_the_same_people_may_fall_by_chance_only():
    people = np.arange(40)
    one_lost = [people < 10, (people >= 1) & (people < 10), people < 30]
    assert rises_but_for_chance(one_lost), "one person lost and none won says nothing"
    many_lost = [people < 20, people < 8, people < 30]
    assert not rises_but_for_chance(many_lost), "twelve lost and none won at one step"
    assert not rises_but_for_chance([people < 10, people < 10]), "it must end higher"


def test_differences_over_draws_lie_below_zero_if_their_interval_does():
    # t(0.975, 2) s / sqrt(3) = 4.30265 * 0.05 / sqrt(3) = 0.1242
    assert below_zero([-0.175, -0.125, -0.075])
    assert not below_zero([-0.173, -0.123, -0.073])
    assert not below_zero([0.0])
    assert below_zero([-0.1]), "everybody is no draw"


def test_a_finding_that_could_not_come_out_otherwise_is_shown_but_not_counted():
    given = Finding("so it is", True, aside="written in")
    assert str(given) == "not counted: so it is (written in)"
    assert given.to_dict() == {"text": "so it is", "holds": True, "not_counted": "written in"}
    assert tally([given, Finding("a", True), Finding("b", False)]) == (1, 2)
    assert Reproduction((), (given, Finding("a", True))).holds
    assert not Reproduction((), (given, Finding("a", False))).holds


def test_a_finding_tells_under_how_many_open_choices_it_holds():
    shares = {"js": (0.5, 0.3), "l1": (0.4, 0.4), "cosine": (0.1, 0.1), "dot": (0.1, 0.1)}
    rows = [Row(MADE, similarity, "all", choices[0], choices=choices) for similarity, choices in shares.items()]
    found = best_weight(rows, "here: ")
    assert str(found).startswith("holds (under 1 of 2 open choices): here: the proposed similarity")
    assert found.to_dict()["of_open_choices"] == 2


def test_the_mean_over_draws_has_students_interval():
    def measured(rate):
        estimate = so.Estimate(rate, 0.0, 1.0, 0.95, 10)
        return so.Accuracy(10 * rate, 0, 10, estimate, estimate, 0.1, 0.1, 0.1)

    found = mean([measured(rate) for rate in (0.4, 0.5, 0.6)])
    # half = t(0.95, 2) s / sqrt(3) = 2.91999 * 0.1 / sqrt(3)
    assert (found.value, found.high - found.value) == pytest.approx((0.5, 0.168586), abs=1e-5)
    assert mean([measured(0.4)]) == measured(0.4).rate
